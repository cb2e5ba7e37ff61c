import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createHandler } from "../../src/handler/handler.js";
import type { HandlerOptions } from "../../src/host/options.js";
import { bodyOf } from "../support/body.js";
import { openShop } from "../support/shop.js";
import { quoteOf, TREASURY } from "../support/wallets.js";

const needsKey = defineCapability({
  id: "test.keyed",
  summary: "Needs a key.",
  price: "0.001",
  requires: ["TEST_KEY"],
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({}),
  output: one(z.object({ ok: z.boolean() })),
  example: {},
  run: () => ({ item: { ok: true } }),
});

const echo = defineCapability({
  id: "test.echo",
  method: "POST",
  summary: "Echoes a body.",
  price: "0.001",
  source: { provider: "test", url: "", license: "MIT" },
  input: () =>
    z.strictObject({
      text: z.string().max(100).describe("Text"),
      flag: z.boolean().default(false).describe("A flag"),
    }),
  output: one(z.object({ text: z.string() })),
  example: { text: "hello" },
  run: ({ text }) => ({ item: { text } }),
});

const payment: HandlerOptions["payment"] = {
  treasury: { "eip155:8453": TREASURY },
  facilitator: { url: "https://facilitator.test" },
};
const mount = (options: Partial<HandlerOptions> = {}) =>
  createHandler({ capabilities: [needsKey, echo], payment, secrets: {}, ...options });
const request = (path: string, init?: RequestInit) => new Request(`http://shop.test${path}`, init);
const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  request("/api/test/echo", { method: "POST", body: body as string, headers });

describe("the order of answers", () => {
  it.each([
    "/api/nosuch/endpoint",
    "/api/test.echo",
    "/api/test/..%2fecho",
    "//api/test/echo",
    "/api/test/echo/",
    "/API/test/echo",
    "/api/__proto__/toString",
    "/api/test/echo%00",
    "/other",
  ])("1. an unknown path such as %s is 404", async (path) => {
    const response = await mount()(request(path));
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await bodyOf(response)).toMatchObject({ status: 404, code: "NOT_FOUND", requestId: expect.any(String) });
  });

  it.each(["GET", "PUT", "DELETE", "PATCH", "HEAD"])("1. the wrong method %s is 405 with Allow", async (method) => {
    const response = await mount()(
      request("/api/test/echo", { method, headers: { "x-http-method-override": "POST" } }),
    );
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toContain("POST");
  });

  it("1. OPTIONS answers CORS, free, with what paying browsers send and read", async () => {
    const response = await mount()(request("/api/test/echo", { method: "OPTIONS" }));
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-headers")).toContain("PAYMENT-SIGNATURE");
    expect(response.headers.get("access-control-allow-headers")).toContain("Access-Control-Expose-Headers");
    for (const name of ["PAYMENT-REQUIRED", "PAYMENT-RESPONSE", "X-PAYMENT-RESPONSE"])
      expect(response.headers.get("access-control-expose-headers")).toContain(name);
  });

  it("2. what lacks its secret is 502 before any price", async () => {
    const response = await mount()(request("/api/test/keyed"));
    expect(response.status).toBe(502);
    expect(await bodyOf(response)).toMatchObject({
      code: "PROVIDER_NOT_CONFIGURED",
      detail: expect.stringContaining("not configured"),
    });
    expect((await mount({ secrets: { TEST_KEY: "x" } })(request("/api/test/keyed"))).status).toBe(402);
  });

  it("3. a bare probe gets the quote; a valid input gets its quote; an invalid one a free 400", async () => {
    const handle = mount();
    const statuses = async (...requests: Request[]) =>
      Promise.all(requests.map(async (one) => (await handle(one)).status));
    const bare = request("/api/test/echo", { method: "POST" });
    const reserved = request("/api/test/echo?sign=1&x402Version=2", { method: "POST", body: "{}" });
    expect(await statuses(bare, reserved, post("{}"))).toEqual([402, 402, 402]);
    expect(await statuses(post('{"text":"hi"}'))).toEqual([402]);
    expect(
      await statuses(
        post('{"text":1}'),
        post('{"txt":"hi"}'),
        request("/api/test/echo?x=1", { method: "POST", body: "{}" }),
      ),
    ).toEqual([400, 400, 400]);
  });

  it.each<[string, string | Uint8Array]>([
    ["broken JSON", "{"],
    ["null", "null"],
    ["a list", "[]"],
    ["a string", '"text"'],
    ["a trailing comma", '{"text":"a",}'],
    ["invalid UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ["100,000 open brackets", "[".repeat(100_000)],
    ["nesting of 65 levels", `${'{"text":'.repeat(65)}1${"}".repeat(65)}`],
    ["a number beyond doubles", '{"text":1e999}'],
    ["__proto__", '{"__proto__":{"polluted":"yes"},"text":"x"}'],
    ["a string where a truth value is due", '{"text":"x","flag":"true"}'],
  ])("4. a body of %s is 400 that names what is wrong", async (_, body) => {
    const response = await mount()(post(body));
    expect(response.status).toBe(400);
    expect((await bodyOf(response)).detail.length).toBeGreaterThan(10);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("IN-2 a body nested beyond 64 levels is refused for that, before anything walks through it", async () => {
    const response = await mount()(post(`${'{"text":'.repeat(65)}1${"}".repeat(65)}`));
    expect((await bodyOf(response)).detail).toContain("nested deeper than 64");
  });

  it("ATK-18 a whole number that JavaScript would round is refused by name, and never read as another", async () => {
    const rounded = await mount()(post('{"text":"x","more":[9007199254740992,{"a":-9007199254740993}]}'));
    expect(rounded.status).toBe(400);
    expect((await bodyOf(rounded)).detail).toContain("has the number 9007199254740993, which");
    expect((await mount()(post('{"text":"9007199254740993 and 12345678901234567890"}'))).status).toBe(402);
  });

  it("IN-1 a body over the cap is 413, read no further", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
      },
    });
    const init = { method: "POST", body: endless, duplex: "half" } as RequestInit;
    const response = await mount()(request("/api/test/echo", init));
    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(25);
  });

  it("IN-3 a compressed body is refused, not inflated", async () => {
    expect((await mount()(post("x", { "content-encoding": "gzip" }))).status).toBe(400);
  });

  it.each(["", " ", "12abc", "NaN", "1e400", "1,5", "0x10", "+1", "01", ".5", "1e1000"])(
    "IN-7 the query number %j is refused",
    async (n) => {
      const { get } = openShop();
      expect((await get(`/test/work?n=${encodeURIComponent(n)}`)).status).toBe(400);
    },
  );

  it("IN-9 a parameter given twice is refused; unknown names are ignored", async () => {
    const { get } = openShop();
    expect((await get("/test/work?n=1&n=1")).status).toBe(400);
    expect((await get("/test/work?n=1&utm_source=x&utm_source=y")).status).toBe(402);
  });

  it("refuses a query that is not percent-encoded UTF-8", async () => {
    const { get } = openShop();
    expect((await get("/test/work?n=1&text=%E0%A4%A")).status).toBe(400);
  });

  it("gives everything away only when the host says payment: false", async () => {
    expect(() => createHandler({ capabilities: [echo] } as never)).toThrow(/payment/);
    const handle = mount({ payment: false });
    const response = await handle(post('{"text":"hi"}'));
    expect(await bodyOf(response)).toMatchObject({
      data: { items: [{ text: "hi" }] },
      meta: { caller: "free", costUsd: "0" },
    });
    expect((await handle(post("{}"))).status).toBe(400);
  });

  it("answers an unexpected fault with 500 that shows nothing of it", async () => {
    const broken = defineCapability({
      id: "test.broken",
      summary: "Breaks.",
      price: "0.001",
      source: { provider: "test", url: "", license: "MIT" },
      input: () => z.strictObject({}),
      output: one(z.object({})),
      example: {},
      run() {
        throw new Error("secret path /etc/passwd");
      },
    });
    const logged: unknown[] = [];
    const log = (facts: object) => void logged.push(facts);
    const handle = createHandler({
      capabilities: [broken],
      payment: false,
      logger: { debug: log, info: log, warn: log, error: log },
    });
    const response = await handle(request("/api/test/broken"));
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toContain("passwd");
    expect(String((logged[0] as { cause: Error }).cause)).toContain("passwd");
  });
});

describe("the host's choices", () => {
  it("hang endpoints under the base path, brand headers and quote the public address", async () => {
    const handle = mount({
      basePath: "/v1/tools/",
      brand: { slug: "acme", name: "Acme", baseUrl: "https://api.acme.test" },
    });
    const response = await handle(request("/v1/tools/test/echo", { method: "POST" }));
    expect(quoteOf(response).resource.url).toBe("https://api.acme.test/v1/tools/test/echo");
    const trial = await handle(
      request("/v1/tools/test/echo", { method: "POST", body: '{"text":"a"}', headers: { "X-ACME-Trial": "1" } }),
    );
    expect(trial.status).toBe(200);
    expect((await handle(request("/api/test/echo", { method: "POST" }))).status).toBe(404);
  });

  it("a base URL may have the path that a proxy cuts off: quotes and documents name it, routes do not", async () => {
    const handle = mount({ brand: { baseUrl: "https://acme.test/paid/" } });
    const response = await handle(request("/api/test/echo", { method: "POST" }), { prefix: "/cut" });
    expect(quoteOf(response).resource.url).toBe("https://acme.test/paid/api/test/echo");
    expect(handle.directory({ q: "test.echo" }).endpoints).toMatchObject([{ path: "/paid/api/test/echo" }]);
    const search = await (await handle(request("/api/search/endpoints?q=echo"))).json();
    expect(search).toMatchObject({ results: [{ path: "/paid/api/test/echo" }] });
    const document = handle.openapi();
    expect([document.servers, Object.keys(document.paths)]).toEqual([
      [{ url: "https://acme.test/paid" }],
      expect.arrayContaining(["/api/test/echo", "/api/directory"]),
    ]);
    expect(document.info["x-guidance"]).toContain("/paid/api/search/endpoints");
    expect((await handle(request("/paid/api/test/echo", { method: "POST" }))).status).toBe(404);
  });

  it("without a base URL, quotes name what the adapter says was cut off", async () => {
    const response = await mount()(request("/api/test/echo", { method: "POST" }), { prefix: "/prod" });
    expect(new URL(quoteOf(response).resource.url).pathname).toBe("/prod/api/test/echo");
  });

  it("cors: false leaves every CORS header to the host", async () => {
    const handle = mount({ cors: false });
    for (const method of ["POST", "OPTIONS"]) {
      const { headers } = await handle(request("/api/test/echo", { method }));
      expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
    expect((await handle(request("/api/test/echo", { method: "OPTIONS" }))).headers.get("allow")).toBe("POST, OPTIONS");
  });

  it("mark prices up exactly, rounded up, and override single ones", async () => {
    const quote = async (pricing: HandlerOptions["pricing"]) =>
      quoteOf(await mount(pricing ? { pricing } : {})(post('{"text":"a"}'))).accepts[0]?.amount;
    expect(await quote(undefined)).toBe("1000");
    expect(await quote({ markup: 1.2 })).toBe("1200");
    expect(await quote({ markup: 1.0001 })).toBe("1001");
    expect(await quote({ markup: 3, overrides: { "test.echo": "0.0042" } })).toBe("4200");
  });

  it.each<[string, Partial<HandlerOptions>]>([
    ["capabilities", { capabilities: [echo, echo] }],
    ["treasury", { payment: { treasury: {}, facilitator: { url: "https://f.test" } } }],
    ["treasury", { payment: { treasury: { "eip155:8453": "0x12" }, facilitator: { url: "https://f.test" } } }],
    ["assets", { payment: { treasury: { "eip155:1": TREASURY }, facilitator: { url: "https://f.test" } } }],
    ["markup", { pricing: { markup: -1 } }],
    ["overrides", { pricing: { overrides: { "test.echo": "1,5" } } }],
    ["slug", { brand: { slug: "a b" } }],
    ["baseUrl", { brand: { baseUrl: "api.acme.test/x" } }],
    ["basePath", { basePath: "api v1" }],
    ["basePath", { basePath: "/../x" }],
    ["basePath", { basePath: "/v1/." }],
  ])("that cannot work are refused at start, naming %s", (name, options) => {
    expect(() => mount(options)).toThrow(new RegExp(name));
  });

  it("D11 of a store in memory are warned about, and refused for several instances with Solana", () => {
    const warnings: string[] = [];
    const note = (_: object, message: string) => void warnings.push(message);
    const logger = { debug() {}, info() {}, warn: note, error() {} };
    mount({ logger });
    expect(warnings).toEqual([]);
    vi.stubEnv("NODE_ENV", "production");
    mount({ logger, instances: 1 });
    mount({ logger, payment: false });
    expect(warnings).toEqual([]);
    mount({ logger });
    vi.unstubAllEnvs();
    expect(warnings).toEqual([expect.stringContaining("shared store")]);
    const treasury = { "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse" };
    const solana = { treasury, facilitator: { url: "https://facilitator.test" }, rpc: false as const };
    expect(() => mount({ payment: solana, instances: 2 })).toThrow(/shared store/);
  });

  it("are used in-process too, unpaid", async () => {
    expect(await mount().call("test.echo", { text: "a" })).toMatchObject({ ok: true, items: [{ text: "a" }] });
    // @ts-expect-error: "text" is a text.
    await expect(mount().call("test.echo", { text: 1 })).rejects.toMatchObject({ code: "INVALID_INPUT", status: 400 });
    // @ts-expect-error: no such capability is mounted.
    await expect(mount().call("no.such", {})).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(mount().call("test.keyed", {})).rejects.toMatchObject({ code: "PROVIDER_NOT_CONFIGURED" });
  });
});
