import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { urlRobots } from "../../../src/capabilities/url/index.js";
import { matches } from "../../../src/engines/robots/pattern.js";
import { pathFromRoot } from "../../support/render-indexes.js";

interface Case {
  test: string;
  robots: string;
  ua: string;
  url: string;
  allowed: boolean;
}
const SUITE: Case[] = readFileSync(pathFromRoot("test/suites/domains/robots.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const ask = async (robots: string, url = "https://example.com/x/page", userAgent = "FooBot") =>
  (await urlRobots({ url, userAgent, robots })).items[0];
const lookup = async () => [{ address: "93.184.216.34", family: 4 }];
const site = (status: number, body = "") => ({
  outbound: { lookup },
  fetch: async (url: unknown) => {
    expect(String(url)).toBe("https://example.com/robots.txt");
    return new Response(body, { status });
  },
});

describe("url.robots", () => {
  it("tells the verdict, and the line that decides", async () => {
    const robots =
      "# hello\nSitemap: https://example.com/map.xml\nUser-agent: FooBot\nUser-agent: BarBot\nCrawl-delay: 2.5\nDisallow: /x/ # private\nAllow: /x/open\n";
    const { items, meta } = await urlRobots({ url: "https://example.com/x/page", userAgent: "foobot/2.1", robots });
    expect(items).toEqual([
      {
        allowed: false,
        rule: "Disallow: /x/",
        line: 6,
        group: "FooBot",
        crawlDelay: 2.5,
        sitemaps: ["https://example.com/map.xml"],
        reason: "rule",
      },
    ]);
    expect(meta).toMatchObject({ method: { engine: "built-in" } });
  });

  it("agrees with Google's tests, but for the four without a crawler or an address, and three of its own way", async () => {
    const wrong: Case[] = [];
    const cases = SUITE.filter(({ ua, url }) => ua !== "" && url !== "");
    for (const one of cases) if ((await ask(one.robots, one.url, one.ua))?.allowed !== one.allowed) wrong.push(one);
    // Google takes octets of addresses as they stand; RFC 9309 has letters unescaped and what is no ASCII escaped first.
    expect(wrong.map(({ url }) => url)).toEqual([
      "http://foo.bar/foo/bar/ツ",
      "http://foo.bar/foo/bar/ツ",
      "http://foo.bar/foo/bar/baz",
    ]);
    expect([SUITE.length, cases.length]).toEqual([142, 138]);
  });

  it.each<[rule: string, path: string, isMatched: boolean]>([
    ["/foo/bar?baz=quz", "/foo/bar?baz=quz", true],
    ["/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", true],
    ["/foo/bar?baz=https%3a%2f%2ffoo.bar", "/foo/bar?baz=https://foo.bar", true],
    ["/foo/bar/ツ", "/foo/bar/%E3%83%84", true],
    ["/foo/bar/%e3%83%84", "/foo/bar/ツ", true],
    ["/foo/bar/%62%61%7A", "/foo/bar/baz", true],
    ["/foo/bar/baz", "/foo/bar/%62%61%7a", true],
    ["/path/file-with-a-%2A.html", "/path/file-with-a-*.html", true],
    ["/path/file-with-a-%2A.html", "/path/file-with-a-%2a.html", true],
    ["/path/file-with-a-%2A.html", "/path/file-with-a-b.html", false],
    ["/path/foo-%24", "/path/foo-$", true],
    ["/path/foo-%24", "/path/foo-$-more", true],
    ["/path/foo-%24", "/path/foo-", false],
    ["/path/foo-%24$", "/path/foo-$", true],
    ["/path/foo-%24$", "/path/foo-$x", false],
    ["/a$b", "/a$b", true],
    ["/a$b", "/a%24b", true],
    ["/%7Euser/", "/~user/", true],
    ["/~user/", "/%7euser/", true],
    ["/a%2Fb", "/a/b", false],
    ["/a/b", "/a%2Fb", false],
    ["/a%2fb", "/a%2Fb", true],
    ["/a?b=1%26c", "/a?b=1&c", false],
    ["/a b", "/a%20b", true],
    ["/a,b;c:d@e", "/a%2Cb%3Bc%3Ad%40e", true],
    ["/100%", "/100%25", true],
    ["/*url=http://", "/go?url=http://example.com", true],
    ["/*?url=http%3A%2F%2F", "/go?url=http://example.com", true],
    ["/%62*%7A$", "/bar-baz", true],
  ])("compares octets as RFC 9309 has it, 2.2.2: %s and %s", async (rule, path, isMatched) => {
    const verdict = await ask(`User-agent: *\nDisallow: ${rule}`, `https://example.com${path}`);
    expect(verdict?.allowed).toBe(!isMatched);
    if (isMatched) expect(verdict?.rule).toBe(`Disallow: ${rule}`);
  });

  it("takes a rule for as long as its octets, however they were written", async () => {
    const robots = "User-agent: *\nDisallow: /foo/%62%61%7A\nAllow: /foo/bazaar";
    expect((await ask(robots, "https://example.com/foo/bazaar"))?.allowed).toBe(true);
  });

  it.each([
    ["", { allowed: true, reason: "no-group", group: null, rule: null, line: null }],
    ["User-agent: BarBot\nDisallow: /", { allowed: true, reason: "no-group" }],
    ["User-agent: *\nDisallow: /y", { allowed: true, reason: "no-rule", group: "*" }],
    ["\uFEFFUser-agent: *\rDisallow: /x\r\n", { allowed: false, line: 2 }],
    ["User agent: *\nDissallow /x", { allowed: false, rule: "Dissallow /x" }],
    ["User-agent: *\nDisallow: /x\nAllow: /x", { allowed: true, line: 3 }],
    ["User-agent: *\nDisallow:", { allowed: true, reason: "no-rule" }],
  ])("reads %j", async (robots, parts) => expect(await ask(robots)).toMatchObject(parts));

  it("allows robots.txt itself", async () =>
    expect(await ask("User-agent: *\nDisallow: /", "https://example.com/robots.txt")).toMatchObject({
      allowed: true,
      reason: "robots-file",
    }));

  it.each([
    [200, "User-agent: *\nDisallow: /x", { allowed: false, reason: "rule" }],
    [404, "", { allowed: true, reason: "unavailable" }],
    [429, "", { allowed: false, reason: "unreachable" }],
    [503, "User-agent: *\nAllow: /", { allowed: false, reason: "unreachable" }],
  ])("goes by the site's own file, which it answers with %i", async (status, body, parts) => {
    const { items } = await urlRobots({ url: "https://example.com/x/page", userAgent: "FooBot" }, site(status, body));
    expect(items[0]).toMatchObject(parts);
  });

  it.each([
    [{ url: "example.com", userAgent: "a", robots: "" }, "url"],
    [{ url: "ftp://example.com/", userAgent: "a", robots: "" }, "url"],
    [{ url: "https://example.com/", userAgent: "", robots: "" }, "userAgent"],
    [{ url: "https://example.com/", userAgent: "a".repeat(201), robots: "" }, "userAgent"],
    [{ url: "https://example.com/", userAgent: "a", robots: "a".repeat(500_001) }, "robots"],
    [{ url: "http://127.0.0.1/", userAgent: "a" }, "url"],
    [{ url: "http://router.lan/", userAgent: "a" }, "url"],
  ])("refuses %#", async (input, path) =>
    expect(urlRobots(input)).rejects.toMatchObject({ status: 400, issues: [{ path }] }),
  );

  it("tries no place of a path twice for stars", async () => {
    const path = `/${"a".repeat(2000)}`;
    expect(matches(path, `/${"a*".repeat(7000)}b`)).toBe(false);
    const robots = `User-agent: *\n${`Disallow: /${"*a".repeat(500)}*b\n`.repeat(480)}`;
    expect(await ask(robots, `https://example.com${path}`)).toMatchObject({ allowed: true });
  });

  it("reads 16,000 characters of a line", async () => {
    const url = "https://example.com/x/page";
    expect(await ask(`User-agent: *\nDisallow: /x/${"*".repeat(15_985)}page`, url)).toMatchObject({ allowed: false });
    expect(await ask(`User-agent: *\nDisallow: /x/${"*".repeat(16_000)}page`, url)).toMatchObject({ allowed: false });
    expect(await ask(`User-agent: *\nDisallow: /y${"*".repeat(20_000)}page`, url)).toMatchObject({ allowed: true });
  });
});
