import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { urlFeed } from "../../../src/capabilities/url/index.js";
import { cleanHtml } from "../../../src/engines/feeds/clean.js";
import { instantOf } from "../../../src/engines/feeds/dates.js";
import { pathFromRoot } from "../../support/render-indexes.js";

interface Case {
  file: string;
  path: string;
  expected: string;
  text: string;
}
const SUITE: Case[] = readFileSync(pathFromRoot("test/suites/domains/feeds.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const at = (value: unknown, path: string) =>
  path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);

const read = async (text: string) => (await urlFeed({ text })).items[0];
const item = async (inner: string) =>
  (
    await read(
      `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><item>${inner}</item></channel></rss>`,
    )
  )?.entries[0];
const lookup = async () => [{ address: "93.184.216.34", family: 4 }];

describe("url.feed", () => {
  it("reads a feed with its entries", async () => {
    const text = `<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://my.netscape.com/rss.dtd">
<rss version="2.0" xml:base="https://example.com/blog/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:c="http://purl.org/rss/1.0/modules/content/">
<channel><title>Tea &amp; more</title><link>https://example.com/</link><description>News&nbsp;of tea</description><language>en</language>
<lastBuildDate>Mon, 06 Apr 2026 09:00:00 +0200</lastBuildDate>
<item><guid isPermaLink="false">a1</guid><title>First</title><link>post/1</link><pubDate>Mon, 6 Apr 26 07:00 EST</pubDate><dc:creator>Jane</dc:creator>
<description>short</description><c:encoded><![CDATA[<p onclick="x()">Hi <a href="more">more</a><script>bad()</script></p>]]></c:encoded>
<enclosure url="/a.mp3" type="audio/mpeg" length="1200"/></item>
<item><title>Second</title><guid>https://example.com/2</guid></item></channel></rss>`;
    const { items, meta } = await urlFeed({ text });
    expect(items).toEqual([
      {
        format: "rss",
        title: "Tea & more",
        url: "https://example.com/",
        description: "News\u00a0of tea",
        language: "en",
        updated: "2026-04-06T07:00:00Z",
        entries: [
          {
            id: "a1",
            title: "First",
            url: "https://example.com/blog/post/1",
            published: "2026-04-06T12:00:00Z",
            updated: null,
            author: "Jane",
            summary: "short",
            html: '<p>Hi <a href="https://example.com/blog/more">more</a></p>',
            enclosures: [{ url: "https://example.com/a.mp3", type: "audio/mpeg", length: 1200 }],
          },
          {
            ...{
              id: "https://example.com/2",
              title: "Second",
              url: "https://example.com/2",
              published: null,
              updated: null,
            },
            ...{ author: null, summary: null, html: null, enclosures: [] },
          },
        ],
      },
    ]);
    expect(meta).toMatchObject({ method: { engine: "built-in" } });
  });

  it("agrees with feedparser's tests", async () => {
    const wrong = [];
    for (const { file, path, expected, text } of SUITE) {
      const found = at(await read(text), path);
      if (found !== (expected === "" ? null : expected)) wrong.push([file, path, expected, found]);
    }
    expect(wrong).toEqual([]);
    expect(SUITE.length).toBeGreaterThan(400);
  });

  it("ATK-18 keeps every digit of an entry's number", async () => {
    const text =
      '{"version":"https://jsonfeed.org/version/1.1","items":[{"id":9007199254740993},{"id":9007199254740992}]}';
    expect((await read(text))?.entries.map(({ id }) => id)).toEqual(["9007199254740993", "9007199254740992"]);
  });

  it("reads JSON Feed", async () => {
    const feed = {
      version: "https://jsonfeed.org/version/1.1",
      title: "Tea",
      home_page_url: "https://example.com/",
      language: "en",
      items: [
        {
          id: 7,
          url: "https://example.com/7",
          title: "Seven",
          content_html: "<b>x</b><script>y</script>",
          date_published: "2026-04-06T09:00:00+02:00",
          authors: [{ name: "Jane" }],
          attachments: [{ url: "https://example.com/a.mp3", mime_type: "audio/mpeg", size_in_bytes: 5 }],
        },
        { id: "8", content_text: "a < b", external_url: "javascript:alert(1)" },
      ],
    };
    expect(await read(JSON.stringify(feed))).toMatchObject({
      format: "jsonfeed",
      title: "Tea",
      url: "https://example.com/",
      entries: [
        {
          id: "7",
          url: "https://example.com/7",
          html: "<b>x</b>",
          published: "2026-04-06T07:00:00Z",
          author: "Jane",
          enclosures: [{ length: 5 }],
        },
        { id: "8", summary: "a < b", html: "a &lt; b", url: null },
      ],
    });
  });

  it("fetches a feed, and resolves what it links to", async () => {
    const body = Buffer.from(
      '<?xml version="1.0" encoding="iso-8859-1"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Caf\xe9</title><link href="/home"/></feed>',
      "latin1",
    );
    const fetch = async () => new Response(body, { headers: { "content-type": "application/atom+xml" } });
    const { items } = await urlFeed({ url: "https://example.com/feeds/a.xml" }, { fetch, outbound: { lookup } });
    expect(items[0]).toMatchObject({ format: "atom", title: "Café", url: "https://example.com/home" });
  });

  it.each([
    ["Thu, 01 Jan 2004 19:48:21 GMT", "2004-01-01T19:48:21Z"],
    ["01 Jan 04 19:48 EST", "2004-01-02T00:48:00Z"],
    ["Thursday, Jan 1 2004 19:48:21 GMT+02:00", "2004-01-01T17:48:21Z"],
    ["Sun Jan  4 16:29:06 PST 2004", "2004-01-05T00:29:06Z"],
    ["2003-12-31T10:14:55-08:00", "2003-12-31T18:14:55Z"],
    ["2003-12-31T10:14:55.123Z", "2003-12-31T10:14:55Z"],
    ["20031231", "2003-12-31T00:00:00Z"],
    ["2003-12", "2003-12-01T00:00:00Z"],
    ["2003", "2003-01-01T00:00:00Z"],
    ["2003335", "2003-12-01T00:00:00Z"],
    ["2004-07-08 23:56:58 -08:00", "2004-07-09T07:56:58Z"],
    ["2004년 05월 28일 01:31:15", "2004-05-27T16:31:15Z"],
    ["2004-05-28 오후 11:23:17", "2004-05-28T14:23:17Z"],
    ["Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T17:00:00Z"],
    ["2004-július-13T9:15-05:00", "2004-07-13T14:15:00Z"],
    ["31 Feb 2004 00:00:00 GMT", null],
    ["tomorrow", null],
    ["", null],
  ])("reads the date %j", (text, instant) => expect(instantOf(text)).toBe(instant));

  it.each([
    ['<a href="javascript:alert(1)">x</a>', '<a href="">x</a>'],
    ['<a href="java&#115;cript:alert(1)">x</a>', '<a href="">x</a>'],
    ['<a href="javascript&colon;alert(1)">x</a>', '<a href="">x</a>'],
    ['<a href=" java\nscript:alert(1)">x</a>', '<a href="">x</a>'],
    ['<img src="data:text/html,x" onerror=alert(1)>', '<img src="" />'],
    ["<svg><script>alert(1)</script></svg>", ""],
    ["<scr<script>ipt>alert(1)</scr</script>ipt>", "ipt>"],
    ["<iframe src=//evil>x</iframe>", "x"],
    ['<p style="background: url(javascript:x); color: red">x</p>', '<p style="color: red;">x</p>'],
    ["<b<i>x", "<b><i>x"],
    ["<!-- <b> --><i>x</i>", "<i>x</i>"],
    ["1 < 2 && 3 > 2", "1 &lt; 2 && 3 > 2"],
    ['<a title="a&quot;onclick=x">x', '<a title="a&quot;onclick=x">x'],
  ])("cleans %s", (html, clean) => expect(cleanHtml(html, { base: undefined })).toBe(clean));

  it("leaves no tag in a plain title that would run something", async () => {
    const entry = await item(
      "<title>&lt;img src=x onerror=alert(1)&gt;</title><description>&lt;script&gt;alert(1)&lt;/script&gt;ok</description>",
    );
    expect(entry).toMatchObject({ title: "&lt;img src=x onerror=alert(1)>", summary: "ok" });
  });

  it.each<[string, Parameters<typeof urlFeed>[0], string]>([
    ["nothing", {}, "text"],
    ["both", { text: "<rss/>", url: "https://example.com/" }, "url"],
    ["blanks", { text: " \n" }, "text"],
    ["no feed", { text: "hello" }, "text"],
    ["a page", { text: "<!doctype html><html></html>" }, "text"],
    ["another root", { text: "<opml/>" }, "text"],
    ["broken XML", { text: "<rss><channel></rss>" }, "text"],
    ["broken JSON", { text: '{"version":' }, "text"],
    ["other JSON", { text: "{}" }, "text"],
    [
      "an external entity",
      {
        text: '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><channel><title>&x;</title></channel></rss>',
      },
      "text",
    ],
    ["an entity bomb", { text: '<!DOCTYPE rss [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><rss>&b;</rss>' }, "text"],
    ["an inner address", { url: "http://10.0.0.1/feed" }, "url"],
    ["too many entries", { text: "<rss/>", limit: 501 }, "limit"],
    ["a long text", { text: "a".repeat(3_000_001) }, "text"],
    ["deep elements", { text: `<rss>${"<a>".repeat(5_000)}${"</a>".repeat(5_000)}</rss>` }, "text"],
    [
      "many namespaces",
      { text: `<rss ${Array.from({ length: 300 }, (_, i) => `xmlns:n${i}="u"`).join(" ")}/>` },
      "text",
    ],
  ])("refuses %s", async (_what, input, path) => {
    const error = await urlFeed(input).catch((thrown) => thrown);
    expect(error).toMatchObject({ status: 400 });
    expect(error.issues[0].path).toBe(path);
  });

  it("returns as many entries as are asked for", async () => {
    const text = `<rss><channel>${"<item><title>a</title></item>".repeat(700)}</channel></rss>`;
    expect((await read(text))?.entries).toHaveLength(100);
    expect((await urlFeed({ text, limit: 500 })).items[0]?.entries).toHaveLength(500);
  });

  it.each([
    ["comments that do not end", "<!--".repeat(100_000)],
    ["sections that do not end", `<rss>${"<![CDATA[".repeat(50_000)}`],
    [
      "tags that do not end",
      `<rss><channel><description>${"&lt;a b=&quot;".repeat(30_000)}</description></channel></rss>`,
    ],
    ["comments within HTML", `<rss><channel><description>${"&lt;!--".repeat(60_000)}</description></channel></rss>`],
    ["ampersands", `<rss><channel><title>${"&".repeat(200_000)}</title></channel></rss>`],
    ["brackets", `<rss><channel><description>${"&lt;".repeat(200_000)}</description></channel></rss>`],
  ])("ends at %s", async (_what, text) => {
    const outcome = await read(text).then(
      () => 200,
      (error) => error.status,
    );
    expect([200, 400]).toContain(outcome);
  });
});
