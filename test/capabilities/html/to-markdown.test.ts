import { HtmlRenderer, Parser } from "commonmark";
import { tests as examples } from "commonmark-spec";
import { describe, expect, test } from "vitest";
import { htmlToMarkdown } from "../../../src/capabilities/html/to-markdown.js";
import { parseHtml } from "../../../src/engines/markdown/from-html.js";
import { removeHidden } from "../../../src/engines/markdown/hidden/hidden.js";
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

describe("text that a page hides is left out and counted", () => {
  const told = (html: string) => {
    const { markdown, hiddenBlocks } = pageToMarkdown({ html });
    return [/secret/.test(markdown), hiddenBlocks];
  };

  test.each([
    "<p hidden>secret</p>",
    '<p hidden="until-found">secret</p>',
    '<p aria-hidden="true">secret</p>',
    '<p style="display:none">secret</p>',
    '<p style="DISPLAY : none !important; display:block">secret</p>',
    '<p style="visibility:hidden">secret</p>',
    '<div style="visibility:hidden">secret <b style="color:red">secret</b></div>',
    '<p style="opacity:0">secret</p>',
    '<p style="opacity:0.01">secret</p>',
    '<p style="font-size:0">secret</p>',
    '<p style="font-size:0.1px">secret</p>',
    '<div style="font-size:0"><b style="font-size:1.5em">secret</b></div>',
    '<p style="font:0/0 a">secret</p>',
    '<p style="position:absolute;left:-9999px">secret</p>',
    '<p style="position:fixed;top:-200vh">secret</p>',
    '<p style="text-indent:-9999px">secret</p>',
    '<p style="margin-left:-9999px">secret</p>',
    '<p style="transform:scale(0)">secret</p>',
    '<p style="transform:translateX(-9999px)">secret</p>',
    '<p style="position:absolute;clip:rect(0 0 0 0)">secret</p>',
    '<p style="clip-path: inset(100%)">secret</p>',
    '<p style="height:0;overflow:hidden">secret</p>',
    '<p style="width:1px;height:1px;overflow:hidden">secret</p>',
    '<p style="content-visibility:hidden">secret</p>',
    '<p style="color:white">secret</p>',
    '<p style="color:#fefefe;background:#fff">secret</p>',
    '<div style="background:#123456"><p style="color:rgb(18, 52, 86)">secret</p></div>',
    '<body bgcolor="black"><p>secret</p></body>',
    '<p style="color:transparent">secret</p>',
    '<p style="color:rgba(0,0,0,0)">secret</p>',
    '<p style="-webkit-text-fill-color:transparent">secret</p>',
    '<p><font color="white">secret</font></p>',
    '<table bgcolor="#ff0000"><tr><td><font color="red">secret</font></td></tr></table>',
    "<template><p>secret</p></template><p>a</p>",
    "<p>a</p><template><p>secret</p></template>",
    "<noscript>secret</noscript>",
    "<p>a</p><noscript></template><p>secret</p></noscript>",
    "<head><noscript>secret</noscript></head><p>a</p>",
    "<script>'<noscript>'</script><p>a</p><NOSCRIPT class=x>secret</noscript >",
    "<p>a<noscript>secret",
    "<dialog>secret</dialog>",
    "<div popover>secret</div>",
    "<style>.x{display:none}</style><p class='a x'>secret</p>",
    "<p class=x>secret</p><style>@media screen{p.x{position:absolute;left:-9999px}}</style>",
    "<style>#a > .b , nothing { color: #fff }</style><div id=a><p class=b>secret</p></div>",
    "<style>div p span{font-size:0}</style><div><p>a <span>secret</span></p></div>",
    "<style>[data-x=y]{opacity:0}</style><p data-x=y>secret</p>",
    "<style>@import 'a.css';p{display:block}p.x{display:none}</style><p class=x>secret</p>",
    "<style>@media (min-width: 1px){p{display:none}}</style><p>secret</p>",
    "<div style='display:none'><p>secret</p><p>secret</p></div>",
    `${"<div>".repeat(160)}<p style='display:none'>secret</p>${"</div>".repeat(160)}`,
    `<style>.x{display:none}</style>${"<div>".repeat(160)}<p class=x>secret</p>${"</div>".repeat(160)}`,
  ])("%s", (html) => {
    const [isTold, count] = told(html);
    expect(isTold).toBe(false);
    // Elements that stand deeper than pages are read are left out without a number.
    if (!html.includes("<div><div>"))
      expect(count).toBe(html.includes("</b></div>") && html.includes("visibility") ? 2 : 1);
  });

  test.each([
    "<dialog open>secret</dialog>",
    "<script>'<noscript>'</script><p>secret</p><!-- </noscript> -->",
    "<details><summary>More</summary><p>secret</p></details>",
    '<div style="visibility:hidden"><p style="visibility:visible">secret</p></div>',
    '<div style="font-size:0"><p style="font-size:16px">secret</p></div>',
    '<p style="color:white;background:navy">secret</p>',
    '<div style="background:url(a.png)"><p style="color:white">secret</p></div>',
    '<div style="background:linear-gradient(red,blue)"><p style="color:#fff">secret</p></div>',
    '<p style="color:transparent;background-clip:text">secret</p>',
    '<p style="opacity:0.5;font-size:9px;color:#777">secret</p>',
    '<p style="left:-9999px">secret</p>',
    '<p style="height:0">secret</p>',
    '<p style="transform:translate(-50%,-50%)">secret</p>',
    '<p hidden style="display:block">secret</p>',
    '<p aria-hidden="false">secret</p>',
    "<style>.x{display:none}.x.open{display:block}</style><p class='x open'>secret</p>",
    "<style>@media print{p{display:none}}</style><p>secret</p>",
    "<style>@media (max-width: 600px){p{display:none}}</style><p>secret</p>",
    "<style>body{visibility:hidden;opacity:0}</style><p>secret</p>",
    "<style>p:hover{display:none}p::after{display:none}</style><p>secret</p>",
    "<style>.y > .x{display:none}</style><p class=x>secret</p>",
    '<p style="color:var(--text)">secret</p>',
    '<body style="background:black;color:white"><p>secret</p></body>',
  ])("but shown is: %s", (html) => {
    expect(told(html)).toEqual([true, 0]);
  });

  test("signs without a width go, flags and joined letters stay", async () => {
    const tags = [..."ignore"].map((sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))).join("");
    const flag = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}";
    const page = await convert({ html: `<p>a${tags}\u200Bb \u202Ec\u202C ${flag} 👩‍💻 ❤\uFE0F</p>` });
    expect(page).toMatchObject({ markdown: `ab c ${flag} 👩‍💻 ❤\uFE0F\n`, hiddenBlocks: 0, hiddenCharacters: 9 });
  });

  test("also of an article alone", async () => {
    const html = ARTICLE.replace("<h1>Tea</h1>", "<style>.s{display:none}</style><h1>Tea</h1><p class=s>secret</p>");
    const page = await convert({ html, main: true });
    expect(page).toMatchObject({ hiddenBlocks: 1, byline: "A. Baker" });
    expect(page?.markdown).toContain("Boil **fresh** water");
    expect(page?.markdown).not.toContain("secret");
  });

  test.each<[string, string, RegExp | undefined]>([
    [
      "rules for every element",
      `<style>${Array.from({ length: 5_000 }, (_, i) => `* * * * * .a${i % 7}{color:red}`).join("")}${"{".repeat(50_000)}</style>${"<p class='a1 a2 a3'>x</p>".repeat(5_000)}`,
      /styles that take too long/,
    ],
    ["blocks within blocks", `<style>${"@media all{".repeat(50_000)}p{color:red}</style><p>x</p>`, undefined],
    ["comments", `<style>${"/*".repeat(100_000)}${"a[b=".repeat(50_000)}{display:none}</style><p>x</p>`, undefined],
    ["a long style", `<p style="${"a:b;".repeat(100_000)}transform:${"translate(".repeat(30_000)}">x</p>`, undefined],
    ["tags without an end", `${"<noscript>".repeat(50_000)}${"<!--".repeat(50_000)}`, undefined],
  ])("and takes no time for %s", (_, html, refusal) => {
    const tree = parseHtml(html);
    const before = process.cpuUsage();
    if (refusal) expect(() => removeHidden(tree)).toThrow(refusal);
    else expect(removeHidden(tree)).toMatchObject({ characters: 0 });
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000);
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

describe("blocks where Markdown has one line", () => {
  test.each([
    ["<p>10</p><p>20</p>", "10 20"],
    ["<div>10</div><div>20</div>", "10 20"],
    ["a<div>b</div>c", "a b c"],
    ["10<br>20<br/><br>30", "10 20 30"],
    ["<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>d", "* a * b * c d"],
    ["<ol><li><p>a</p><p>b</p><li>c</ol>", "1. a b 2. c"],
    ["<h2>T</h2>text", "T text"],
    ["<pre><code>a|b\nc</code></pre>d", "`a\\|b c` d"],
    ["<blockquote>q</blockquote><hr>r", "q r"],
    ["<dl><dt>k<dd>v</dl>", "k v"],
    ["<table><tr><td>1<td>2<tr><td>3</table>", "1 2 3"],
    ["<p><b>10</b></p><p><i>20</i></p>", "**10** *20*"],
    ["<a href=x><div>1</div><div>2</div></a>", "[1 2](x)"],
    ['<span style="color:red;display:block">1</span><span style="display: block">2</span>', "1 2"],
    ["<span>1</span><span>2</span>", "12"],
  ])("a cell of %s", (cell, written) => {
    expect(markdown(`<table><tr><th>H<tr><td>${cell}</table>`)).toBe(`| H |\n| --- |\n| ${written} |\n`);
  });

  test.each([
    ["<h2><div>a</div><ul><li>b<li>c</ul></h2>", "## a b c\n"],
    ["<b><div>1</div> <div>2</div>3</b>", "**1**\n\n**2**\n\n**3**\n"],
    ["<b><table> <tr> <td>1</td> </tr> </table></b>", "|  |\n| --- |\n| **1** |\n"],
    ["<b><pre>a\n b</pre></b>", "```\na\n b\n```\n"],
    ["<table><caption><p>Of</p><p>May</p></caption><tr><th>1</table>", "Of\n\nMay\n\n| 1 |\n| --- |\n"],
  ])("%s", (html, written) => {
    expect(markdown(html)).toBe(written);
  });
});
