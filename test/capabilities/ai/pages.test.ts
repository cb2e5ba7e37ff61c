import { describe, expect, it } from "vitest";
import { aiExtract, aiResearch, aiSummarize, aiWebAnswer } from "../../../src/capabilities/ai/index.js";
import { modelServer, promptOf, type Reply } from "../../support/model-server.js";

const lookup = async () => [{ address: "93.184.215.14", family: 4 }];
const ARTICLE = `<html><head><title>Coins &amp; slots</title><script>var x = "not text"</script></head><body><nav>Menu Home</nav>
<article>${"<p>Coins fall through a slot, and a lever weighs them. That is all there is to it, more or less, they say.</p>".repeat(20)}</article></body></html>`;
const SUMMARY = JSON.stringify({
  summary: "Coins are weighed.",
  keyPoints: ["One", "", "Two"],
  title: "Own title",
  audience: "Everybody",
});

/** The web that callers name, by address; the gateway stays on its real socket. */
function web(
  pages: Record<string, { body?: string | Uint8Array; type?: string; status?: number; location?: string }>,
): typeof fetch {
  return async (input, init) => {
    const url = new URL(String(input));
    const page = pages[url.href] ?? pages[url.origin + url.pathname];
    if (!page) return url.hostname === "127.0.0.1" ? fetch(input, init) : new Response("nothing here", { status: 404 });
    const { body = "", type = "text/html; charset=utf-8", status = 200, location } = page;
    return new Response(typeof body === "string" ? body : Buffer.from(body), {
      status: location ? 302 : status,
      headers: { "content-type": type, ...(location ? { location } : {}) },
    });
  };
}

const url = "https://pages.example/a";
const setUp = async (reply: Reply | (() => Reply), pages: Parameters<typeof web>[0]) => {
  const server = await modelServer(reply);
  return {
    ...server,
    options: { secrets: server.secrets, fetch: web(pages), outbound: { lookup }, cache: false as const },
  };
};

describe("ai.summarize", () => {
  it("reads the page's own text, and reckons what it can itself", async () => {
    const { options, asked } = await setUp(SUMMARY, {
      [url]: { location: "/b" },
      "https://pages.example/b": { body: ARTICLE },
    });
    const { items } = await aiSummarize({ url }, options);
    expect(items[0]).toEqual({
      ...{ url, finalUrl: "https://pages.example/b", summary: "Coins are weighed.", keyPoints: ["One", "Two"] },
      ...{ title: "Coins & slots", audience: "Everybody", estimatedReadingMinutes: 2, truncated: false },
    });
    const { user } = promptOf(asked[0] as (typeof asked)[0]);
    expect(user).toContain("Coins fall through a slot");
    expect(user).not.toMatch(/not text|Menu Home|<p>/);
  });

  it("says when it read the beginning only", async () => {
    const { options, asked } = await setUp(SUMMARY, {
      [url]: { body: `word ${"more words ".repeat(10_000)}`, type: "text/plain" },
    });
    const { items } = await aiSummarize({ url }, options);
    expect(items[0]).toMatchObject({ truncated: true, title: "Own title", estimatedReadingMinutes: 87 });
    expect(promptOf(asked[0] as (typeof asked)[0]).user.length).toBeLessThan(61_000);
  });

  it("reads a page in its own encoding", async () => {
    const body = Buffer.from("<title>Stra\xdfe</title><p>Gr\xfc\xdfe</p>", "latin1");
    const { options, asked } = await setUp(SUMMARY, { [url]: { body, type: "text/html; charset=iso-8859-1" } });
    const { items } = await aiSummarize({ url }, options);
    expect(items[0]?.title).toBe("Straße");
    expect(promptOf(asked[0] as (typeof asked)[0]).user).toContain("Grüße");
  });

  it.each([
    ["a picture", { body: "\x89PNG", type: "image/png" }, "INVALID_INPUT"],
    ["an archive without a type", { body: "PK\0\0", type: "application/octet-stream" }, "INVALID_INPUT"],
    ["a page that is not there", { status: 404 }, "UPSTREAM_ERROR"],
  ])("is refused for %s, and no model is asked", async (_, page, code) => {
    const { options, asked } = await setUp(SUMMARY, { [url]: page });
    await expect(aiSummarize({ url }, options)).rejects.toMatchObject({ code });
    expect(asked).toHaveLength(0);
  });
});

/** Each refers to the next twice. */
const doubling = (count: number, keyword: "allOf" | "properties" = "allOf") =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => {
      const next = { $ref: `#/$defs/a${n + 1}` };
      const both = keyword === "allOf" ? { allOf: [next, next] } : { properties: { a: next, b: next } };
      return [`a${n}`, both] as [string, object];
    }).concat([[`a${count}`, {}]]),
  );

describe("ai.extract", () => {
  const schema = {
    type: "object",
    properties: { name: { type: "string" }, price: { type: "number", minimum: 0 }, note: { type: "string" } },
    required: ["name", "price"],
  };
  const pages = { [url]: { body: ARTICLE } };

  it("gives what fits the caller's schema, asked for in its strict form", async () => {
    const { options, asked } = await setUp('{"name":"Coin","price":2.5,"note":null}', pages);
    const { items } = await aiExtract({ url, schema }, options);
    expect(items[0]).toMatchObject({ url, finalUrl: url, extracted: { name: "Coin", price: 2.5 }, truncated: false });
    expect(items[0]?.extracted).not.toHaveProperty("note");
    const format = asked[0]?.body.response_format as { json_schema: { schema: object } };
    expect(format.json_schema.schema).toMatchObject({
      required: ["name", "price", "note"],
      additionalProperties: false,
      properties: { note: { type: ["string", "null"] } },
    });
  });

  it("gives no date that is none, nor what a reference within the schema forbids", async () => {
    const days = [30, 28];
    const whole = {
      type: "object",
      properties: { day: { $ref: "#/$defs/day" } },
      $defs: { day: { type: "string", format: "date" } },
    };
    const { options } = await setUp(() => `{"day":"2026-02-${days.shift()}"}`, pages);
    const { items } = await aiExtract({ url, schema: whole }, options);
    expect(items[0]?.extracted).toEqual({ day: "2026-02-28" });
  });

  it("takes schemas that refer to themselves in their parts, and members with the names of keywords", async () => {
    const tree = {
      type: "object",
      properties: {
        $id: { type: "string" },
        $schema: { type: "string" },
        parts: { type: "array", items: { $ref: "#" } },
      },
      required: ["$id"],
    };
    const answer = { $id: "a", parts: [{ $id: "b", parts: [{ $id: "c" }] }] };
    const { options } = await setUp(JSON.stringify(answer), pages);
    const { items } = await aiExtract({ url, schema: tree }, options);
    expect(items[0]?.extracted).toEqual(answer);
  });

  it.each(['{"name":"Coin"}', '{"name":"Coin","price":-1}', '{"name":3,"price":1}', "[]"])(
    "LLM-3 never gives what does not: %s",
    async (answer) => {
      const { options, asked } = await setUp(answer, pages);
      await expect(aiExtract({ url, schema }, options)).rejects.toMatchObject({ code: "LLM_BAD_OUTPUT" });
      expect(asked).toHaveLength(2);
    },
  );

  it.each([
    ["is no object's", { type: "array" }],
    ["is large", { type: "object", description: "x".repeat(30_000) }],
    ["is deep", JSON.parse(`${'{"type":"object","properties":{"a":'.repeat(20)}{}${"}}".repeat(20)}`)],
    [
      "has too many parts",
      { type: "object", properties: Object.fromEntries(Array.from({ length: 1200 }, (_, n) => [`f${n}`, {}])) },
    ],
    ["refers to another document", { type: "object", properties: { a: { $ref: "https://evil.example/s.json" } } }],
    ["refers to nowhere", { type: "object", properties: { a: { $ref: "#/$defs/none" } } }],
    ["refers to nowhere in a part of a part", { type: "object", $defs: { a: { items: { $ref: "#none" } } } }],
    ["refers to itself without end", { type: "object", allOf: [{ $ref: "#" }] }],
    [
      "refers to itself by another",
      {
        type: "object",
        properties: { a: { $ref: "#/$defs/a" } },
        $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } },
      },
    ],
    ["has more ways than it has parts", { type: "object", allOf: [{ $ref: "#/$defs/a0" }], $defs: doubling(40) }],
    [
      "has more ways within its members",
      { type: "object", properties: { a: { $ref: "#/$defs/a0" } }, $defs: doubling(40, "properties") },
    ],
    ["has an id that is no text", { type: "object", $id: 5 }],
    ["has a pattern that explodes", { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } }],
    ["has a pattern of overlapping runs", { type: "object", properties: { a: { pattern: "a*a*a*a*b" } } }],
    ["has a type that there is not", { type: "object", properties: { a: { type: "strnig" } } }],
    ["has a broken pattern", { type: "object", properties: { a: { pattern: "(" } } }],
  ])("LLM-4 refuses a schema that %s, before anything is fetched", async (_, bad) => {
    const { options, asked } = await setUp("{}", pages);
    const call = aiExtract({ url, schema: bad }, { ...options, fetch: () => Promise.reject(new Error("fetched")) });
    await expect(call).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "schema" }] });
    expect(asked).toHaveLength(0);
  });
});

describe("ai.research", () => {
  const wiki = "https://en.wikipedia.org/w/api.php";
  const hits = { query: { search: [{ title: "Coin slot" }] } };
  const extract = { query: { pages: [{ title: "Coin slot", extract: "A coin slot takes coins." }] } };
  const wikipedia =
    (search: object): typeof fetch =>
    async (input, init) => {
      const at = new URL(String(input));
      if (at.origin + at.pathname !== wiki) return web({ [url]: { body: ARTICLE } })(input, init);
      return Response.json(at.searchParams.get("list") === "search" ? search : extract);
    };
  const brief = (fields: object) =>
    JSON.stringify({ summary: "Slots take coins.", keyFacts: [], usedSources: [1], ...fields });

  it("LLM-2 names only sources that were read, and no fact without one", async () => {
    const keyFacts = [
      { fact: "They take coins.", source: 1 },
      { fact: "Made up.", source: 7 },
    ];
    const { secrets } = await modelServer(brief({ keyFacts, usedSources: [1, 9] }));
    const options = { secrets, fetch: wikipedia(hits), outbound: { lookup }, cache: false as const };
    const { items, source } = await aiResearch({ query: "coin slots", urls: [url] }, options);
    expect(items[0]).toMatchObject({
      keyFacts: ["They take coins."],
      sources: [{ title: "Coin slot", url: "https://en.wikipedia.org/wiki/Coin_slot" }],
    });
    expect(source.license).toContain("CC BY-SA");
  });

  it("says so where there is no source, without asking a model", async () => {
    const { secrets, asked } = await modelServer(brief({}));
    const options = { secrets, fetch: wikipedia({ query: { search: [] } }), cache: false as const };
    const { items } = await aiResearch({ query: "xyzzy" }, options);
    expect(items[0]).toMatchObject({ keyFacts: [], sources: [] });
    expect(asked).toHaveLength(0);
  });

  it("goes on without a page that is down, and fails where nothing could be read", async () => {
    const { secrets } = await modelServer(brief({}));
    const good = { secrets, fetch: wikipedia(hits), outbound: { lookup }, cache: false as const };
    await expect(
      aiResearch({ query: "coin slots", urls: ["https://pages.example/gone"] }, good),
    ).resolves.toMatchObject({ ok: true });
    const bad = { ...good, fetch: wikipedia({ error: { code: "maxlag" } }) };
    await expect(aiResearch({ query: "coin slots" }, bad)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });
});

describe("ai.web-answer", () => {
  const secrets = { TAVILY_API_KEY: "key" };
  const found = {
    answer: "Somebody.",
    results: [{ title: "T", url: "https://a.example/", content: "c", score: 0.8 }, { url: "javascript:x" }],
  };

  it("gives the answer with its pages, whose addresses are of the web", async () => {
    const fetch = async () => Response.json(found);
    const { items } = await aiWebAnswer({ query: "Who?" }, { secrets, fetch, cache: false });
    expect(items[0]).toEqual({
      answer: "Somebody.",
      sources: [
        { title: "T", url: "https://a.example/", content: "c", score: 0.8 },
        { title: null, url: null, content: null, score: null },
      ],
    });
  });

  it("UP-3 pages whose fields were all renamed are not sold as nulls", async () => {
    const fetch = async () => Response.json({ ...found, results: [{ name: "T", link: "https://a.example/" }] });
    const asked = aiWebAnswer({ query: "Who?" }, { secrets, fetch, cache: false });
    await expect(asked).rejects.toMatchObject({ status: 502, code: "UPSTREAM_SCHEMA" });
  });

  it.each([
    [432, "UPSTREAM_ERROR"],
    [433, "UPSTREAM_ERROR"],
    [429, "UPSTREAM_RATE_LIMIT"],
  ])("says of status %i that it is %s", async (status, code) => {
    const fetch = async () =>
      Response.json({ detail: { error: "limit" } }, { status, headers: { "retry-after": "60" } });
    await expect(aiWebAnswer({ query: "Who?" }, { secrets, fetch, cache: false })).rejects.toMatchObject({ code });
  });
});
