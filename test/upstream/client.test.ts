import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createContext } from "../../src/capability/context.js";
import { defineProvider, type Provider } from "../../src/capability/provider.js";
import type { Cache, CallOptions } from "../../src/capability/types.js";
import { CapabilityError } from "../../src/errors.js";
import { segments, upstream } from "../../src/upstream/client.js";
import { fakeClock } from "../support/clock.js";
import { OPEN_TERMS } from "../support/terms.js";
import { type Exchange, fakeUpstream } from "../support/upstream.js";

const schema = z.object({ value: z.number(), note: z.string().nullish() });
const provider = (overrides: Partial<Provider> = {}): Provider =>
  defineProvider({
    name: "Testers",
    url: "https://testers.example",
    license: "CC0",
    terms: OPEN_TERMS,
    baseUrl: "https://api.testers.example/v1",
    timeoutMs: 200,
    ...overrides,
  });

function open(exchanges: Exchange[], { options = {}, of = provider() }: { options?: CallOptions; of?: Provider } = {}) {
  const fake = fakeUpstream(exchanges);
  const clock = fakeClock();
  const context = (more: CallOptions = {}) =>
    createContext({ fetch: fake.fetch, clock, secrets: {}, ...options, ...more }, { timeoutMs: 5000 });
  const get = (extra: Partial<Parameters<ReturnType<typeof upstream>["get"]>[1]> = {}, ctx = context()) =>
    upstream(ctx, of).get("/things", { schema, ...extra });
  return { ...fake, clock, context, get, of };
}

const nothing = () => {
  throw new Error("down");
};
const good: Exchange = { url: "/things", body: { value: 1, extra: "ignored" } };
const codeOf = async (work: Promise<unknown>) =>
  work.then(
    () => "resolved",
    (error: unknown) => (CapabilityError.is(error) ? error.code : String(error)),
  );

describe("a read", () => {
  it("builds the address from encoded parts and leaves out what is not set", async () => {
    const { context, seen, of } = open([{ url: "/v1/", body: { value: 1 } }]);
    const path = segments("a/b", "ü ?#");
    await upstream(context(), of).get(path, { schema, query: { q: "x&y", none: undefined, nil: null, zero: 0 } });
    expect(seen[0]?.url.href).toBe("https://api.testers.example/v1/a%2Fb/%C3%BC%20%3F%23?q=x%26y&zero=0");
    for (const bad of ["..", ".", "a\r\nb", "a\u0000"]) expect(() => segments(bad)).toThrow(CapabilityError);
  });

  it.each<[string, Exchange, string]>([
    ["a dropped connection", { url: "", drop: true }, "UPSTREAM_ERROR"],
    ["no answer in time", { url: "", hang: true }, "UPSTREAM_TIMEOUT"],
    ["status 500", { url: "", status: 500 }, "UPSTREAM_ERROR"],
    ["status 503", { url: "", status: 503 }, "UPSTREAM_ERROR"],
    ["status 404", { url: "", status: 404 }, "UPSTREAM_ERROR"],
    ["status 429", { url: "", status: 429 }, "UPSTREAM_RATE_LIMIT"],
    ["an HTML page with 200", { url: "", body: "<html>login</html>" }, "UPSTREAM_ERROR"],
    ["truncated JSON", { url: "", body: '{"value":1' }, "UPSTREAM_ERROR"],
    ["an empty body", { url: "", body: "" }, "UPSTREAM_ERROR"],
    ["a field of another type", { url: "", body: { value: "1" } }, "UPSTREAM_SCHEMA"],
    ["a renamed field", { url: "", body: { val: 1 } }, "UPSTREAM_SCHEMA"],
    [
      "a redirect to another host",
      { url: "", status: 302, headers: { location: "https://10.0.0.1/" } },
      "UPSTREAM_ERROR",
    ],
    ["a body over the cap", { url: "", body: "x".repeat(3000) }, "UPSTREAM_ERROR"],
  ])("UP-1 with %s is never an empty result", async (_, exchange, code) => {
    const { get } = open([exchange], { of: provider({ maxBytes: 2000 }) });
    expect(await codeOf(get())).toBe(code);
  });

  it("leaves a redirect to the provider's own reading where that is how it says no", async () => {
    const of = provider({
      followsRedirects: false,
      errorIn: (_, status) => (status === 302 ? new CapabilityError("PROVIDER_NOT_CONFIGURED", "key") : undefined),
    });
    const { get, seen } = open([{ url: "", status: 302, body: "", headers: { location: "/missing_key.html" } }], {
      of,
    });
    expect(await codeOf(get())).toBe("PROVIDER_NOT_CONFIGURED");
    expect(seen).toHaveLength(1);
  });

  it("UP-4 is tried again at most twice, and not after a 4xx", async () => {
    const flaky = open([{ url: "/things", status: 503 }, { url: "/things", drop: true }, good]);
    expect(await flaky.get()).toEqual({ value: 1 });
    expect(flaky.seen).toHaveLength(3);
    const down = open([{ url: "", status: 500 }]);
    await codeOf(down.get());
    expect(down.seen).toHaveLength(3);
    const refused = open([{ url: "", status: 400 }]);
    await codeOf(refused.get());
    expect(refused.seen).toHaveLength(1);
  });

  it.each([
    ["seconds", { "retry-after": "120" }],
    ["a date", { "retry-after": "Mon, 01 Jun 2026 12:02:00 GMT", date: "Mon, 01 Jun 2026 12:00:00 GMT" }],
  ])("UP-4 does not wait for a Retry-After of %s that is too long, but passes it on", async (_, headers) => {
    const { get, seen } = open([{ url: "", status: 429, headers }]);
    await expect(get()).rejects.toMatchObject({ code: "UPSTREAM_RATE_LIMIT", status: 429, retryAfter: 120 });
    expect(seen).toHaveLength(1);
  });

  it("resolves to undefined where the provider says that there is no such thing", async () => {
    expect(await open([{ url: "", status: 404 }]).get({ absent: [404] })).toBeUndefined();
  });

  it("reports the provider's own errors, also in an answer of status 200", async () => {
    const of = provider({
      errorIn: (body) =>
        JSON.stringify(body).includes("quota") ? new CapabilityError("UPSTREAM_RATE_LIMIT", "q") : undefined,
    });
    expect(await codeOf(open([{ url: "", body: { error: "quota" } }], { of }).get())).toBe("UPSTREAM_RATE_LIMIT");
  });
});

describe("answers that are kept", () => {
  it("are given out until they are old, and never when caches are off", async () => {
    const { get, seen, clock, context } = open([good]);
    await get({ ttlMs: 1000 });
    const ctx = context();
    await get({ ttlMs: 1000 }, ctx);
    expect([seen.length, ctx.reads]).toEqual([1, { cached: 1, fresh: 0, inner: [] }]);
    await get({ ttlMs: 1000 }, context({ cache: false }));
    clock.advance(2);
    await get({ ttlMs: 1000 });
    expect(seen).toHaveLength(3);
  });

  it("are kept in the cache that a host gives, which other hosts may share", async () => {
    const kept = new Map<string, unknown>();
    const lives: number[] = [];
    const cache: Cache = {
      get: async (key) => kept.get(key),
      set: async (key, value, ttlMs) => {
        lives.push(ttlMs);
        kept.set(key, structuredClone(value));
      },
    };
    const [first, second] = [open([good], { options: { cache } }), open([], { options: { cache } })];
    expect(await first.get({ ttlMs: 1000, staleMs: 500 })).toEqual({ value: 1 });
    expect(await second.get({ ttlMs: 1000 })).toEqual({ value: 1 });
    expect([first.seen.length, second.seen.length, lives]).toEqual([1, 0, [1500]]);
    // Its memory was not used beside it.
    await first.get({ ttlMs: 1000 }, first.context({ cache: { get: () => undefined, set: () => {} } }));
    expect(first.seen).toHaveLength(2);
  });

  it.each<[string, Cache]>([
    ["fails", { get: () => Promise.reject(new Error("down")), set: () => Promise.reject(new Error("down")) }],
    ["throws", { get: nothing, set: nothing }],
    ["has something else under the key", { get: () => "else", set: () => {} }],
    ["has lost when it was kept", { get: () => ({ value: { value: 9 } }), set: () => {} }],
  ])("are not looked for any more in a host's cache that %s", async (_, cache) => {
    expect(await open([good], { options: { cache } }).get({ ttlMs: 1000 })).toEqual({ value: 1 });
  });

  it("cannot be changed by who got one: what is kept is what was sent", async () => {
    const { get, context } = open([{ url: "/things", body: { value: 1, tags: ["a"] } }]);
    const tagged = z.object({ value: z.number(), tags: z.array(z.string()) });
    const read = (ctx = context()) => get({ ttlMs: 1000, schema: tagged }, ctx) as Promise<z.output<typeof tagged>>;
    const first = await read();
    expect(() => first.tags.push("b")).toThrow(TypeError);
    await expect(read()).resolves.toEqual({ value: 1, tags: ["a"] });
  });

  it("UP-10 are told apart by everything that was asked", async () => {
    const { get, seen } = open([good]);
    await get({ ttlMs: 1000, query: { a: 1 } });
    await get({ ttlMs: 1000, query: { a: 2 } });
    await get({ ttlMs: 1000, query: { a: 1 }, headers: { "x-lang": "de" } });
    expect(seen).toHaveLength(3);
  });

  it("UP-7 stand in for a failed upstream within their limit, with their age", async () => {
    const { get, clock, context } = open([good, { url: "/things", status: 500 }]);
    await get({ ttlMs: 1000, staleMs: 60_000 });
    clock.advance(30);
    const ctx = context();
    expect(await get({ ttlMs: 1000, staleMs: 60_000 }, ctx)).toEqual({ value: 1 });
    expect(ctx.reads.staleMs).toBe(30_000);
    clock.advance(60);
    expect(await codeOf(get({ ttlMs: 1000, staleMs: 60_000 }))).toBe("UPSTREAM_ERROR");
  });
});

describe("many callers", () => {
  it("UP-5 with one question are one request, and its failure reaches all but is not kept", async () => {
    const { get, seen } = open([{ url: "/things", status: 400 }, good]);
    const codes = await Promise.all(Array.from({ length: 1000 }, () => codeOf(get({ ttlMs: 1000 }))));
    expect(new Set(codes)).toEqual(new Set(["UPSTREAM_ERROR"]));
    expect(seen).toHaveLength(1);
    expect(await codeOf(get({ ttlMs: 1000 }))).toBe("resolved");
  });

  it("UP-5 the first who leaves does not end it for the rest; UP-9 the last who leaves does", async () => {
    const { get, signals, context } = open([{ url: "", hang: true }], { of: provider({ timeoutMs: 60_000 }) });
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [first, second].map(({ signal }) => codeOf(get({}, context({ signal }))));
    await new Promise((resolve) => setTimeout(resolve, 50));
    first.abort();
    expect(await calls[0]).toBe("UPSTREAM_ERROR");
    expect(signals[0]?.aborted).toBe(false);
    second.abort();
    await calls[1];
    expect(signals[0]?.aborted).toBe(true);
  });

  it("UP-6 after five failures in a row are refused without asking", async () => {
    const { get, seen } = open([{ url: "", status: 400 }]);
    for (let i = 0; i < 5; i++) await codeOf(get());
    await expect(get()).rejects.toMatchObject({ code: "UPSTREAM_ERROR", retryAfter: 10 });
    expect(seen).toHaveLength(5);
  });

  it("UP-4 share a known allowance, which is counted here", async () => {
    const { get, seen, clock } = open([good], { of: provider({ quota: { requests: 2, perMs: 3_600_000 } }) });
    await get();
    await get();
    await expect(get()).rejects.toMatchObject({ code: "UPSTREAM_RATE_LIMIT", retryAfter: 3600 });
    expect(seen).toHaveLength(2);
    clock.advance(3601);
    expect(await codeOf(get())).toBe("resolved");
  });
});

describe("a secret", () => {
  const secret = (place: NonNullable<Provider["secret"]>["in"]) =>
    provider({ secret: { name: "TEST_KEY", required: true, in: place } });
  const options = { secrets: { TEST_KEY: "s3cr3t" } };

  it("travels as a header or a query parameter, and is no part of what is kept or told", async () => {
    const byHeader = open([good], { of: secret({ header: "x-key", prefix: "Token " }), options });
    await byHeader.get();
    expect(byHeader.seen[0]?.headers.get("x-key")).toBe("Token s3cr3t");
    const byQuery = open([{ url: "", status: 500 }], { of: secret({ query: "api_key" }), options });
    const error = await byQuery.get().catch((thrown: unknown) => thrown);
    expect(byQuery.seen[0]?.url.searchParams.get("api_key")).toBe("s3cr3t");
    expect(JSON.stringify([error, String((error as Error).message), String((error as Error).cause)])).not.toContain(
      "s3cr3t",
    );
  });

  it("that is refused is a matter of the host's settings", async () => {
    const { get } = open([{ url: "", status: 401 }], { of: secret({ header: "x-key" }), options });
    await expect(get()).rejects.toMatchObject({
      code: "PROVIDER_NOT_CONFIGURED",
      message: expect.stringContaining("TEST_KEY"),
    });
  });
});

describe("a key", () => {
  const of = provider({
    quota: { requests: 1, perMs: 3_600_000 },
    secret: { name: "TEST_KEY", required: false, in: { header: "x-key" } },
    withKey: { quota: { requests: 3, perMs: 3_600_000 }, baseUrl: "https://pro.testers.example" },
  });

  it("changes what its provider says, and its allowance is counted apart from that without it", async () => {
    const { get, context, seen } = open([{ ...good, url: "" }], { of });
    await get();
    expect(await codeOf(get())).toBe("UPSTREAM_RATE_LIMIT");
    const keyed = () => get({}, context({ secrets: { TEST_KEY: "k" } }));
    for (let i = 0; i < 3; i++) await keyed();
    expect(await codeOf(keyed())).toBe("UPSTREAM_RATE_LIMIT");
    expect(seen.map(({ url }) => url.host)).toEqual([
      "api.testers.example",
      ...Array.from({ length: 3 }, () => "pro.testers.example"),
    ]);
  });
});

describe("the sender", () => {
  const agentOf = async (of: Provider, name?: string, secrets = {}) => {
    const { fetch, seen } = fakeUpstream([good]);
    const ctx = createContext(
      { fetch, secrets },
      { timeoutMs: 5000, ...(name ? { brand: { name, slug: "svc" } } : {}) },
    );
    await upstream(ctx, of).get("/things", { schema });
    return seen[0]?.headers.get("user-agent");
  };

  it("is named by the host's brand, as one token of ASCII", async () => {
    expect(await agentOf(provider())).toBe("Coinslot");
    expect(await agentOf(provider(), "Café (Data) APIs\r\n")).toBe("CafDataAPIs");
    // By its slug, where nothing of its name is left.
    expect(await agentOf(provider(), "数据")).toBe("svc");
  });

  it("looks like a browser where only those are answered, and says how to reach the host where that is asked for", async () => {
    expect(await agentOf(provider({ agent: "browser" }), "Acme")).toBe("Mozilla/5.0 (compatible; Acme)");
    const contact = provider({ agent: { contact: "TEST_CONTACT" } });
    expect(await agentOf(contact, "Acme")).toBe("Acme");
    expect(await agentOf(contact, "Acme", { TEST_CONTACT: "ops@acme.example\r\n" })).toBe("Acme (ops@acme.example)");
  });
});

describe("a status by which a provider refuses what the caller gave", () => {
  const of = provider({ refusals: { 400: "Testers cannot read this thing." } });

  it("is the caller's error, in the provider's words for it, and any other status is not", async () => {
    await expect(open([{ url: "", status: 400 }], { of }).get()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "Testers cannot read this thing.",
    });
    expect(await codeOf(open([{ url: "", status: 404 }], { of }).get())).toBe("UPSTREAM_ERROR");
  });
});

describe("a read with headers", () => {
  const answer: Exchange = { ...good, headers: { "x-left": "59" } };
  const pick = ["x-left", "x-missing"] as const;

  it("gives those that were asked for beside what it read, from the cache, too", async () => {
    const { context, get, of, seen } = open([answer]);
    const read = () =>
      upstream(context(), of).getWithHeaders("/things", { schema, ttlMs: 1000, responseHeaders: pick });
    const expected = { body: { value: 1 }, headers: { "x-left": "59", "x-missing": null } };
    expect(await read()).toEqual(expected);
    expect(await read()).toEqual(expected);
    expect(await get({ ttlMs: 1000 })).toEqual({ value: 1 });
    expect(seen).toHaveLength(2);
  });

  it("is undefined where there is no such thing", async () => {
    const { context, of } = open([{ url: "", status: 404 }]);
    const options = { schema, responseHeaders: pick, absent: [404] };
    expect(await upstream(context(), of).getWithHeaders("/things", options)).toBeUndefined();
  });
});
