import { HtmlRenderer, Parser } from "commonmark";
import { tests as examples } from "commonmark-spec";
import { describe, expect, test } from "vitest";
import { htmlToMarkdown } from "../../../src/capabilities/html/to-markdown.js";
import { pageToMarkdown } from "../../../src/engines/markdown/page.js";

type Input = Parameters<typeof htmlToMarkdown>[0];
const convert = async (input: Input) => (await htmlToMarkdown(input)).items[0];
const markdown = (html: string, more: object = {}) => pageToMarkdown({ html, ...more }).markdown;

const ARTICLE = `<html lang="en-GB"><head><title>Tea | Shop</title><meta name="author" content="A. Baker">
<meta property="article:published_time" content="2026-05-01T08:00:00Z"></head><body>
<nav><a href="/a">Home</a> <a href="/b">Cart</a></nav>
<article><h1>Tea</h1>${"<p>Boil <b>fresh</b> water, and pour it over the leaves as soon as it has cooled a little, or the cup turns bitter.</p>".repeat(8)}
<p>See <a href="/green" title="Green">green tea</a>.</p></article><footer>Imprint</footer></body></html>`;

test("a page becomes Markdown, with what it says of itself", async () => {
  const page = await convert({ html: ARTICLE, baseUrl: "https://tea.example/guide/" });
  expect(page).toMatchObject({
    ...{ title: "Tea | Shop", byline: "A. Baker", published: "2026-05-01T08:00:00Z", language: "en-GB" },
  });
  expect(page?.markdown).toContain("# Tea\n\nBoil **fresh** water");
  expect(page?.markdown).toContain('See [green tea](https://tea.example/green "Green").');
  expect(page?.markdown).toContain("[Home](https://tea.example/a)");
  expect(page?.words).toBeGreaterThan(160);
});

test("the article alone leaves out menus and footers", async () => {
  const page = await convert({ html: ARTICLE, main: true, baseUrl: "https://tea.example/guide/" });
  expect(page).toMatchObject({ byline: "A. Baker", language: "en-GB" });
  expect(page?.markdown).toContain("[green tea](https://tea.example/green");
  expect(page?.markdown).not.toMatch(/Home|Imprint/);
});

test("links are kept, or become their text, or go", () => {
  const html = '<p>See <a href="/a">this <b>page</b></a> now.</p>';
  expect(markdown(html)).toBe("See [this **page**](/a) now.\n");
  expect(markdown(html, { links: "text" })).toBe("See this **page** now.\n");
  expect(markdown(html, { links: "none" })).toBe("See  now.\n");
});

describe("what a page shows", () => {
  test.each([
    [
      "tables",
      "<table><tr><th>A</th><th align=right>B</th></tr><tr><td>1|2</td><td>x<br>y</td></tr></table>",
      "| A | B |\n| --- | --: |\n| 1\\|2 | x y |\n",
    ],
    [
      "cells over several columns",
      "<table><tr><th colspan=2>A</th></tr><tr><td>1</td><td>2</td></tr></table>",
      "| A |  |\n| --- | --- |\n| 1 | 2 |\n",
    ],
    ["lists within lists", "<ol start=3><li>a<ul><li>b</li></ul></li><li>c</li></ol>", "3. a\n   * b\n4. c\n"],
    [
      "code as it stands",
      '<pre><code class="language-js">if (a &lt; b) {\n  c();\n}</code></pre>',
      "```js\nif (a < b) {\n  c();\n}\n```\n",
    ],
    [
      "text that looks like Markdown",
      "<p># no *heading* 1. [x](y) &lt;b&gt;</p>",
      "\\# no \\*heading\\* 1. \\[x]\\(y) \\<b>\n",
    ],
    ["pictures", '<p><img src="a.png" alt="A cat"></p>', "![A cat](a.png)\n"],
    [
      "tasks",
      "<ul><li><input type=checkbox checked> done</li><li><input type=checkbox> open</li></ul>",
      "* [x] done\n* [ ] open\n",
    ],
    ["struck text", "<p><del>old</del> new</p>", "~~old~~ new\n"],
  ])("%s", (_, html, written) => {
    expect(markdown(html)).toBe(written);
  });
});

describe("what a page hides from a reader", () => {
  test.each([
    ["scripts and styles", "<p>a</p><script>steal()</script><style>p{}</style><noscript>b</noscript>", "a\n"],
    ["links that are scripts", '<p><a href=" java\nscript:alert(1)">a</a></p>', "a\n"],
    ["embedded data", '<p><img alt="dot" src="data:image/png;base64,iVBORw0KGgo"> end</p>', "dot end\n"],
    ["frames", '<p>a</p><iframe src="https://evil.example"></iframe>', "a\n"],
  ])("%s", (_, html, written) => {
    expect(markdown(html)).toBe(written);
  });
});

/** Of the examples of CommonMark's specification, those without raw HTML: their HTML is written back as Markdown. */
test("Markdown of CommonMark's examples renders to the same document", () => {
  const render = (text: string) => new HtmlRenderer().render(new Parser().parse(text));
  const normal = (html: string) =>
    html
      .replace(/ alt=""/g, "")
      .replace(/\s*\/>/g, ">")
      .replace(/>\s+</g, "><")
      .replace(/\s+/g, " ")
      .trim();
  const used = examples.filter(({ section }) => !/^(?:Raw HTML|HTML blocks)$/.test(section));
  const right = used.filter(({ html }) => normal(render(markdown(html))) === normal(html));
  expect(used.length).toBeGreaterThan(570);
  expect(used.length - right.length).toBeLessThanOrEqual(13);
});

describe("refused with the field", () => {
  test.each<[string, Input, string]>([
    ["neither", {} as Input, "html"],
    ["both", { html: "<p>a", url: "https://example.com/" }, "url"],
    ["empty", { html: "" }, "html"],
    ["an inner address", { url: "http://127.0.0.1/" }, "url"],
  ])("%s", async (_, input, path) => {
    await expect(htmlToMarkdown(input)).rejects.toMatchObject({
      issues: [{ path }, ...(path === "html" && !("html" in input) ? [{}] : [])],
    });
  });
});

test("a page whose first tag is broken is read as far as it goes", async () => {
  const html =
    "<!doctype html><<!--html lang=<head><title>Tea</title></head><body><article><h1>Tea</h1><p>Boil.</p></article>";
  expect(typeof (await convert({ html, main: true }))?.markdown).toBe("string");
});

test("a page in whose tree the article is not found for lack of a parent is read whole", async () => {
  const { items } = await htmlToMarkdown({ html: "<d><div>aaaaaaaaaaaaaaaaaaaaaead><body>", main: true });
  expect(items[0]?.markdown).toBe("aaaaaaaaaaaaaaaaaaaaaead>\n");
});

test.each(["999999999", "2999999999<tr2", "'1e9'"])(
  "a cell that reaches over %s columns reaches over fifty",
  async (span) => {
    const html = `<table><tr><th colspan=${span}>a<th rowspan=${span}>b</th></tr><tr><td>1</table>`;
    const { markdown = "" } = (await convert({ html })) ?? {};
    expect(markdown).toContain("| a |");
    expect(markdown.split("\n")[0]?.split("|").length).toBeLessThan(60);
  },
);

test("comments are left out, whatever they say", async () => {
  const html =
    "<p>a<!-- obey me --> b</p><!--[if IE 9]><p>old</p><![endif]--><div><!-- <a href='x'>y</a> --></div><p>c</p>";
  expect((await convert({ html }))?.markdown).toBe("a b\n\nc\n");
});

describe("a hostile page ends", () => {
  test.each([
    ["50,000 levels", `${"<div><b>".repeat(25_000)}x${"</b></div>".repeat(25_000)}`],
    ["levels that never end", "<div>".repeat(300_000)],
    ["openings of tags", "<a ".repeat(600_000)],
    ["quotes within quotes", "<blockquote>".repeat(4_000)],
    ["lists within lists", `${"<ul><li>".repeat(2_000)}x`],
    ["tables within tables", `${"<table><tr><td>".repeat(1_000)}x`],
    ["many empty paragraphs", "<p>".repeat(8_000)],
  ])(
    "%s",
    async (_, html) => {
      const outcome = await convert({ html }).catch((error: { status: number }) => error.status);
      expect(typeof outcome === "number" ? outcome : typeof outcome?.markdown).toBeOneOf(["string", 400, 422, 413]);
    },
    15_000,
  );
});
