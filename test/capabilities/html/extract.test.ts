import { describe, expect, it } from "vitest";
import { htmlExtract } from "../../../src/capabilities/html/index.js";
import { countCombinators } from "../../../src/engines/pages/selectors.js";

type Input = Parameters<typeof htmlExtract>[0];
const look = async (input: Input) => (await htmlExtract(input)).items[0];
const PAGE = `<!doctype html><html><head><title>Tea &amp; more</title><script type="application/ld+json">{"a":1}</script></head>
<body><h1> Green
  tea </h1><p class="price"><b>4.50</b> EUR<script>hide()</script></p><ul><li><a href="/a">A</a><li><a href="b?x=1">B</a></ul>
<div id="box"><p>one</p><p>two<br>three</p></div></body></html>`;

describe("html.extract", () => {
  it("reads values by selectors, and tells what is missing", async () => {
    const { items, meta } = await htmlExtract({
      html: PAGE,
      baseUrl: "https://example.com/tea/index.html",
      fields: {
        title: "title",
        name: "h1",
        price: { selector: ".price" },
        links: { selector: "a", attribute: "href", many: true },
        first: { selector: "a[href]", attribute: "href" },
        inner: { selector: ".price b", html: true },
        box: "#box",
        data: 'script[type="application/ld+json"]',
        stock: ".stock",
        tags: { selector: ".tag", many: true },
        label: { selector: "h1", attribute: "aria-label" },
      },
    });
    expect(items).toEqual([
      {
        fields: {
          title: "Tea & more",
          name: "Green tea",
          price: "4.50 EUR",
          links: ["https://example.com/a", "https://example.com/tea/b?x=1"],
          first: "https://example.com/a",
          inner: "4.50",
          box: "one two three",
          data: '{"a":1}',
          stock: null,
          tags: [],
          label: null,
        },
        tables: [],
        missing: ["stock", "tags", "label"],
      },
    ]);
    expect(meta).toMatchObject({ method: { engine: "built-in" } });
  });

  it("reads tables, cells that span others and tables inside tables", async () => {
    const html = `<table><caption>Prices</caption><thead><tr><th>Tea<th>Price</thead><tbody>
      <tr><td rowspan=2>Green<td>4<tr><td>5<tr><td colspan=2>none</tbody></table>
      <table><tr><td>a<table><tr><td>inner</td></tr></table></td></tr></table>`;
    expect(await look({ html, tables: true })).toEqual({
      fields: {},
      tables: [
        {
          caption: "Prices",
          rows: [
            ["Tea", "Price"],
            ["Green", "4"],
            ["Green", "5"],
            ["none", "none"],
          ],
          header: true,
        },
        { caption: null, rows: [["a inner"]], header: false },
        { caption: null, rows: [["inner"]], header: false },
      ],
      missing: [],
    });
  });

  it("goes by the page's own base, and leaves addresses alone without any", async () => {
    const html = '<base href="/shop/"><a href="x">x</a>';
    const fields = { link: { selector: "a", attribute: "href" } };
    expect(await look({ html, fields, baseUrl: "https://example.com/a/b" })).toMatchObject({
      fields: { link: "https://example.com/shop/x" },
    });
    expect(await look({ html, fields })).toMatchObject({ fields: { link: "x" } });
  });

  it("reads the page at an address", async () => {
    const outbound = { lookup: async () => [{ address: "93.184.216.34", family: 4 }] };
    const fetch = async () => new Response('<p>at</p><a href="y">y</a>', { headers: { "content-type": "text/html" } });
    const fields = { text: "p", link: { selector: "a", attribute: "href" } };
    const { items } = await htmlExtract({ url: "https://example.com/a/", fields }, { fetch, outbound });
    expect(items[0]?.fields).toEqual({ text: "at", link: "https://example.com/a/y" });
  });

  it.each([
    ["a", 0],
    ["a b", 1],
    [" a  >  b , c + d ~ e ", 3],
    ["a[title='x y > z'] b", 1],
    ["li:nth-child(2n + 1) b", 1],
    [":is(a b, :not(c > d)) e", 3],
    ["a\\ b", 0],
    [':contains("a ) b > c") d', 1],
  ])("counts the combinators of %s", (selector, count) => expect(countCombinators(selector)).toBe(count));

  const nested = (depth: number) => `${"<div>".repeat(depth)}x${"</div>".repeat(depth)}`;
  it.each<[string, Input, string]>([
    ["nothing to read", { html: "<p>", fields: {} }, "fields"],
    ["no page", { fields: { a: "a" } }, "html"],
    ["two pages", { html: "<p>", url: "https://example.com", fields: { a: "a" } }, "url"],
    ["an empty page", { html: "", fields: { a: "a" } }, "html"],
    ["a page inside the network", { url: "http://169.254.169.254/", fields: { a: "a" } }, "url"],
    ["no selector", { html: "<p>", fields: { a: "" } }, "fields.a"],
    ["a broken selector", { html: "<p>", fields: { a: "p[" } }, "fields.a"],
    ["an unknown function", { html: "<p>", fields: { a: { selector: "p:foo(1)" } } }, "fields.a"],
    ["a long selector", { html: "<p>", fields: { a: "a".repeat(501) } }, "fields.a"],
    ["nine combinators", { html: "<p>", fields: { a: new Array(10).fill("a").join(" ") } }, "fields.a"],
    [
      "twenty combinators in a deep page",
      { html: nested(5_000), fields: { a: new Array(21).fill("div").join(" ") } },
      "fields.a",
    ],
    [
      "51 fields",
      { html: "<p>", fields: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, "p"])) },
      "fields",
    ],
  ])("refuses %s", async (_what, input, path) =>
    expect(htmlExtract(input)).rejects.toMatchObject({
      status: 400,
      issues: [{ path }, ...(path === "html" && !input.html && input.html !== "" ? [{}] : [])],
    }),
  );

  it("answers or refuses deep pages, and never hangs", async () => {
    const fields = { deep: `${new Array(8).fill("div").join(" ")} b` };
    const call = htmlExtract({ html: nested(5_000), fields });
    const outcome = await call.then(
      ({ items }) => items[0]?.missing,
      (error) => error.status,
    );
    expect([400, ["deep"]]).toContainEqual(outcome);
  });

  it("bounds spans and cells", async () => {
    const html = `<table>${'<tr><td colspan="99999" rowspan="99999">x'.repeat(200)}</table>`;
    await expect(htmlExtract({ html, tables: true })).rejects.toMatchObject({ status: 400 });
  });
});

describe("html.extract reads pages as browsers do", () => {
  const read = async (html: string, fields = {}) => (await htmlExtract({ html, fields, tables: true })).items[0];

  it.each([
    [
      "<table><td>a<td>b<tr><td>c<td>d</table>",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["<table><th>a<th>b<tbody><td>c<tr><td>d</table>", [["a", "b"], ["c"], ["d"]]],
    ["<table><tbody><td>1</td><td>2</td></tbody></table>", [["1", "2"]]],
    ["<table>stray<tr><td>1<tr></tr><td>2</table>", [["1"], [], ["2"]]],
  ])("loses no row of %s", async (html, rows) => {
    expect((await read(html))?.tables.map((table) => table.rows)).toEqual([rows]);
  });

  it("loses no row of a page that is too deep to be read so", async () => {
    const html = `${"<b>".repeat(200)}<table><td>1</td><td>2</td><tr><td>3</td></tr></table>`;
    expect((await read(html))?.tables[0]?.rows).toEqual([["1", "2"], ["3"]]);
  });

  it("finds what selectors of browsers find, and attributes as they were written", async () => {
    const html = `<head><noscript><img src=p></noscript><title>t</title><meta name=d content='<noscript> "&amp;'></head>
      <p>a<p>b<table><td width=050 CLASS='x y' data-a=1/>c<svg><path d="M0"/><g id=g /></svg><script>"<noscript>&amp;"</script>`;
    const fields = {
      title: { selector: "head > title" },
      meta: { selector: "head > meta", attribute: "content" },
      second: { selector: "p + p" },
      width: { selector: "table > tbody > tr > td", attribute: "width" },
      class: { selector: "td", attribute: "class" },
      data: { selector: "td", attribute: "data-a" },
      sibling: { selector: "path + g", attribute: "id" },
      script: { selector: "script", html: true },
    };
    expect((await read(html, fields))?.fields).toEqual({
      ...{ title: "t", meta: '<noscript> "&', second: "b", width: "050", class: "x y" },
      ...{ data: "1/", sibling: "g", script: '"<noscript>&amp;"' },
    });
  });
});
