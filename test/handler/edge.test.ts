/** Payments that Cloudflare's gateway has taken: its token buys one call, and nothing else does. */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { aiChat } from "../../src/capabilities/ai/chat.js";
import { defineCapability } from "../../src/capability/define.js";
import { legacy, one } from "../../src/capability/output.js";
import { defineOwnCapability } from "../../src/capability/own/own.js";
import { createHandler } from "../../src/handler/handler.js";
import type { HandlerOptions } from "../../src/host/options.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { openShop, type ShopOptions } from "../support/shop.js";
import { TREASURY } from "../support/wallets.js";

const ORIGIN = "https://api.example.com";
const gateway = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
const other = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
const jwkOf = async ({ publicKey }: typeof gateway, kid?: string) => ({
  ...(await exportJWK(publicKey)),
  ...(kid ? { kid } : {}),
});
const jwks = { keys: [await jwkOf(gateway)] };
const payment = { edge: { cloudflare: { origin: ORIGIN, jwks } } };

const metered = defineCapability({
  id: "test.metered",
  summary: "Is billed by what it used.",
  price: "0.01",
  billing: "upto",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ n: z.coerce.number().default(1).describe("Any number") }),
  output: one(z.object({ n: z.number() })),
  example: { n: 1 },
  async run({ n }, ctx) {
    ctx.meter.add("0.004");
    return { item: { n } };
  },
});

function open(options: ShopOptions = {}) {
  const shop = openShop({ payment, ...options });
  const sign = async (path: string, claims: JWTPayload = {}, { key = gateway, alg = "EdDSA" } = {}) => {
    const iat = shop.clock.seconds();
    const whole = {
      iat,
      nbf: iat,
      exp: iat + 120,
      aud: `${ORIGIN}/api${path}`,
      scheme: "exact",
      amount: "1000",
      ...claims,
    };
    const known = Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
    return new SignJWT(known).setProtectedHeader({ alg }).sign(key.privateKey);
  };
  const buy = async (path: string, token: string | Promise<string> = sign(path)) =>
    shop.get(path, { "payment-context": await token });
  return { ...shop, sign, buy };
}

const problem = async (answer: Response) => {
  const { code, reasonCode } = (await answer.json()) as { code?: string; reasonCode?: string };
  return [answer.status, code, reasonCode];
};

describe("a payment that the edge has taken", () => {
  it("buys one call, without a 402 or a receipt of ours, and is booked", async () => {
    const { buy, handle, runs } = open();
    const answer = await buy("/test/work?n=1");
    expect([answer.status, (await bodyOf(answer)).meta]).toMatchObject([200, { caller: "paid", costUsd: "0.001" }]);
    expect(answer.headers.get("payment-response")).toBeNull();
    expect(runs()).toBe(1);
    expect(await handle.ledger()).toMatchObject({ total: { earnedUsd: "0.001" } });
  });

  it("is taken once, on whatever instance, and at once as well", async () => {
    const store = createMemoryStore();
    const [one, two] = [open({ store }), open({ store })];
    const token = await one.sign("/test/work?n=1");
    const answers = await Promise.all([one, two, one, two].map(({ buy }) => buy("/test/work?n=1", token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402, 402, 402]);
    expect(await problem(await two.buy("/test/work?n=1", token))).toEqual([
      402,
      "PAYMENT_REQUIRED",
      "PAYMENT_ALREADY_USED",
    ]);
    expect(one.runs() + two.runs()).toBe(1);
  });

  it("is the same token however its signature is spelled", async () => {
    const { buy, sign, runs } = open();
    const path = "/test/work?n=1";
    const token = await sign(path);
    expect((await buy(path, token)).status).toBe(200);
    const last = String.fromCharCode(token.charCodeAt(token.length - 1) + 1);
    const [signed, signature = ""] = [token.slice(0, token.lastIndexOf(".")), token.split(".")[2]];
    const spellings = [
      `${token}=`,
      `${token}==`,
      token.slice(0, -1) + last,
      `${signed}.${signature.slice(0, 9)}\t${signature.slice(9)}`,
      `${signed}. ${signature}`,
    ];
    for (const spelling of spellings) expect([spelling, (await buy(path, spelling)).status]).toEqual([spelling, 402]);
    expect(runs()).toBe(1);
  });

  it("is no payment for another address, price, time or signer, and nothing runs", async () => {
    const { buy, sign, runs, clock } = open();
    const path = "/test/work?n=1";
    const now = clock.seconds();
    const forged = await sign(path, {}, { key: other });
    const [head = "", claims = ""] = (await sign(path)).split(".");
    const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${claims}.`;
    const refused: [string | Promise<string>, string][] = [
      [sign("/test/other?n=1"), "PAYMENT_MISMATCH"],
      [sign("/test/work?n=2"), "PAYMENT_MISMATCH"],
      [sign(path, { aud: `http://shop.test/api${path}` }), "PAYMENT_MISMATCH"],
      [sign(path, { aud: [`${ORIGIN}/api${path}`, "https://elsewhere.example"] }), "PAYMENT_MISMATCH"],
      [sign(path, { amount: "999" }), "PAYMENT_MISMATCH"],
      [sign(path, { exp: now }), "PAYMENT_EXPIRED"],
      [sign(path, { exp: now - 3600 }), "PAYMENT_EXPIRED"],
      [sign(path, { nbf: now + 60 }), "PAYMENT_NOT_YET_VALID"],
      [sign(path, { exp: now + 86_400 }), "PAYMENT_MALFORMED"],
      [sign(path, { exp: undefined }), "PAYMENT_MALFORMED"],
      [sign(path, { amount: "1e9" }), "PAYMENT_MALFORMED"],
      [sign(path, { amount: 1000 }), "PAYMENT_MALFORMED"],
      [sign(path, { scheme: "batch-settlement" }), "PAYMENT_MALFORMED"],
      [forged, "PAYMENT_SIGNATURE_INVALID"],
      [none, "PAYMENT_SIGNATURE_INVALID"],
      [`${head}.${claims}.${"A".repeat(86)}`, "PAYMENT_SIGNATURE_INVALID"],
      ["x".repeat(20_000), "PAYMENT_MALFORMED"],
      ["no token", "PAYMENT_MALFORMED"],
    ];
    for (const [token, code] of refused)
      expect(await problem(await buy(path, token))).toEqual([402, "PAYMENT_REQUIRED", code]);
    expect(runs()).toBe(0);
  });

  it("tells what was used of a maximum before the body, and books no more", async () => {
    const { buy, sign, handle } = open({ capabilities: [metered] });
    const path = "/test/metered?n=1";
    const answer = await buy(path, sign(path, { scheme: "upto", amount: "20000" }));
    expect([answer.status, answer.headers.get("payment-settlement")]).toEqual([200, '{"amount":"4000"}']);
    expect(await handle.ledger()).toMatchObject({ total: { earnedUsd: "0.004" } });
  });

  it("is charged whole by the scheme exact, and booked as the edge takes it", async () => {
    const { buy, sign, handle } = open();
    const answer = await buy("/test/work?n=1", sign("/test/work?n=1", { amount: "2500" }));
    expect((await bodyOf(answer)).meta).toMatchObject({ costUsd: "0.0025" });
    expect(answer.headers.get("payment-settlement")).toBeNull();
    expect(await handle.ledger()).toMatchObject({ total: { earnedUsd: "0.0025" } });
  });

  it("is not taken where the caller's limit is below what was signed", async () => {
    const { get, sign, runs } = open();
    const path = "/test/work?n=1";
    const token = await sign(path, { amount: "900000" });
    const answer = await get(path, { "payment-context": token, "x-402-max-usd": "0.002" });
    expect([answer.status, (await bodyOf(answer)).code, runs()]).toEqual([400, "SPENDING_LIMIT", 0]);
    expect((await get(path, { "payment-context": token, "x-402-max-usd": "0.9" })).status).toBe(200);
  });

  it("that is no token holds no place and asks nothing of the store", async () => {
    const memory = createMemoryStore();
    let asked = 0;
    const counting = new Proxy(memory, {
      get(store, name: keyof typeof memory) {
        const member = store[name];
        if (typeof member !== "function") return member;
        return (...args: never[]) => {
          if (String(args[0]).startsWith("failures:") || String(args[0]).startsWith("edge:")) asked++;
          return (member as (...args: never[]) => unknown).apply(store, args);
        };
      },
    });
    const { buy, sign } = open({ store: counting });
    const path = "/test/work?n=1";
    for (const token of ["no token", await sign(path, {}, { key: other })])
      expect((await buy(path, token)).status).toBe(402);
    expect(asked).toBe(0);
    expect((await buy(path)).status).toBe(200);
    expect(asked).toBeGreaterThan(1);
  });

  it("names no sum where the sale cannot be booked, which is answered above 399", async () => {
    const memory = createMemoryStore();
    let down = false;
    const store = new Proxy(memory, {
      get(inner, name: keyof typeof memory) {
        const member = inner[name];
        if (typeof member !== "function") return member;
        return (...args: never[]) => {
          if (down && !String(args[0]).startsWith("edge:") && name !== "get") return Promise.reject(new Error("down"));
          return (member as (...args: never[]) => unknown).apply(inner, args);
        };
      },
    });
    const { buy, sign, behaviours } = open({ store });
    const path = "/test/work?n=1";
    behaviours.push(async () => {
      down = true;
    });
    const answer = await buy(path, sign(path, { scheme: "upto" }));
    expect([answer.status >= 400, answer.headers.get("payment-settlement")]).toEqual([true, null]);
  });

  it("by exact buys a stream whole, also one that breaks off after its first chunk", async () => {
    const ticks = defineOwnCapability({
      id: "test.ticks",
      method: "GET",
      summary: "Counts, and breaks off.",
      price: "0.01",
      source: { provider: "test", url: "", license: "MIT" },
      input: () => z.strictObject({ n: z.coerce.number().describe("Any number") }),
      output: legacy(() => z.object({ n: z.number() })),
      example: { n: 1 },
      async *stream({ n }) {
        yield { n };
        throw new Error("broken");
      },
    });
    const { get, sign, handle } = open({ capabilities: [ticks] });
    const path = "/test/ticks?n=1";
    const events = { accept: "text/event-stream" };
    const answer = await get(path, { "payment-context": await sign(path, { amount: "20000" }), ...events });
    const body = await answer.text();
    expect([answer.status, body.includes("event: error"), body.includes('"costUsd":"0.02"')]).toEqual([
      200,
      true,
      true,
    ]);
    expect(await handle.ledger()).toMatchObject({ total: { earnedUsd: "0.02" } });
    const upto = await sign(path, { scheme: "upto", amount: "20000" });
    expect((await get(path, { "payment-context": upto, ...events })).status).toBe(402);
  });

  it("costs nothing where the call fails, which is answered above 399 and not booked", async () => {
    const { buy, behaviours, handle } = open();
    behaviours.push(async () => {
      throw new Error("broken");
    });
    expect((await buy("/test/work?n=1")).status).toBe(500);
    expect(await handle.ledger()).toMatchObject({ total: { earnedUsd: "0" } });
  });
});

it("without a token a call gets a problem that offers nothing, and no other payment counts", async () => {
  const { get, runs } = open();
  for (const headers of [
    {},
    { "x-svc-trial": "1" },
    { "payment-signature": "e30=" },
    { authorization: "Payment e30" },
  ]) {
    const answer = await get("/test/work?n=1", headers as Record<string, string>);
    expect(answer.headers.get("payment-required")).toBeNull();
    expect(answer.headers.get("www-authenticate")).toBeNull();
    const body = await bodyOf(answer);
    expect([answer.status, body.code, "accepts" in body]).toEqual([402, "PAYMENT_REQUIRED", false]);
  }
  expect(runs()).toBe(0);
});

it("keys are read from their address once, and a gateway that replaces them is followed", async () => {
  let asked = 0;
  let listed: unknown = { keys: [await jwkOf(other)] };
  const fetch = async (input: string | URL | Request) => {
    asked++;
    expect(String(input)).toBe("https://keys.example/certs");
    return listed ? Response.json(listed) : new Response("down", { status: 503 });
  };
  const cloudflare = { origin: ORIGIN, jwks: "https://keys.example/certs" };
  const { buy, sign } = open({ payment: { edge: { cloudflare } }, fetch: fetch as typeof globalThis.fetch });
  const path = "/test/work?n=1";
  for (let i = 0; i < 3; i++)
    expect((await buy(path, sign(path, { jti: String(i) }, { key: other }))).status).toBe(200);
  expect(asked).toBe(1);
  listed = undefined;
  const down = open({ payment: { edge: { cloudflare } }, fetch: fetch as typeof globalThis.fetch });
  expect(await problem(await down.buy(path))).toEqual([502, "FACILITATOR_UNAVAILABLE", undefined]);
  listed = { keys: [await jwkOf(other), await jwkOf(gateway)] };
  expect((await down.buy(path)).status).toBe(200);
});

describe("the keys of a gateway", () => {
  const cloudflare = { origin: ORIGIN, jwks: "https://keys.example/certs" };
  const path = "/test/work?n=1";
  const withKeys = (answer: (signal: AbortSignal) => Response | Promise<Response>) =>
    open({
      payment: { edge: { cloudflare } },
      fetch: (async (_: unknown, init: RequestInit) => answer(init.signal as AbortSignal)) as typeof globalThis.fetch,
    });

  afterEach(() => {
    vi.useRealTimers();
  });

  it("are read no further than a key set can be long", async () => {
    let pulled = 0;
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          pulled++;
          controller.enqueue(new Uint8Array(65_536).fill(32));
        },
      });
    const { buy } = withKeys(() => new Response(endless()));
    expect((await buy(path)).status).toBe(502);
    expect(pulled).toBeLessThan(20);
  });

  it("that never come hold no call for longer than their time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let isAsked = false;
    const { buy } = withKeys(() => {
      isAsked = true;
      return new Promise<Response>(() => {});
    });
    const answer = buy(path);
    while (!isAsked) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(6000);
    expect((await answer).status).toBe(502);
  });

  it("serve on for a while where they cannot be read anew, and never from a redirect", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    let isDown = false;
    const { buy, sign } = withKeys(() =>
      isDown ? new Response(null, { status: 302, headers: { location: "https://evil.example" } }) : Response.json(jwks),
    );
    expect((await buy(path)).status).toBe(200);
    isDown = true;
    vi.advanceTimersByTime(30 * 60_000);
    expect((await buy(path, sign(path, { jti: "2" }))).status).toBe(200);
    vi.advanceTimersByTime(90 * 60_000);
    expect((await buy(path, sign(path, { jti: "3" }))).status).toBe(502);
  });
});

it("documents, tools and readiness stand where an edge is paid", async () => {
  const { handle } = open();
  const statusOf = async (path: string) => (await handle(new Request(`${ORIGIN}${path}`))).status;
  for (const path of ["/api/openapi.json", "/api/docs", "/api/readyz", "/.well-known/x402", "/llms.txt"])
    expect([path, await statusOf(path)]).toEqual([path, 200]);
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "test_work", arguments: { n: 1 } } };
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const answer = await handle(
    new Request(`${ORIGIN}/api/mcp`, { method: "POST", headers, body: JSON.stringify(call) }),
  );
  expect(await answer.text()).toContain('"isError":true');
});

it("a long address is paid for like a short one", async () => {
  const wordy = defineCapability({
    id: "test.wordy",
    summary: "Takes long texts.",
    price: "0.001",
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ text: z.string().max(6000).describe("Any text") }),
    output: one(z.object({ length: z.number() })),
    example: { text: "a" },
    run: async ({ text }) => ({ item: { length: text.length } }),
  });
  const { buy } = open({ capabilities: [wordy] });
  expect((await buy(`/test/wordy?text=${"a".repeat(6000)}`)).status).toBe(200);
});

it("clients of OpenAI's API read the error in its words", async () => {
  const secrets = { AI_GATEWAY_API_KEY: "key" };
  const { handle } = open({ capabilities: [aiChat], secrets });
  const answer = await handle(new Request(`${ORIGIN}/api/ai/chat/completions`, { method: "POST" }));
  expect([answer.status, (await bodyOf(answer)).error]).toMatchObject([402, { type: "insufficient_quota" }]);
});

it("the start warns where documents name another address than the gateway's", () => {
  const lines: string[] = [];
  const line = (_: object, message: string) => lines.push(message);
  const logger = { error: line, warn: line, info() {}, debug() {} };
  const told = (baseUrl: string) => {
    lines.length = 0;
    open({ logger, brand: { baseUrl }, instances: 1 });
    return lines.filter((message) => message.includes("brand.baseUrl"));
  };
  expect(told("https://other.example/v1")).toHaveLength(1);
  expect(told(`${ORIGIN}/v1`)).toEqual([]);
});

it.each<[string, object, RegExp]>([
  [
    "a list of payers beside it",
    { payment, payers: { allow: [TREASURY] } },
    /payers cannot stand beside payment\.edge/,
  ],
  ["the sanctions list beside it", { payment, sanctions: true }, /sanctions cannot stand beside payment\.edge/],
  ...[
    { keys: [] },
    { keys: [null] },
    { keys: [{ kty: "RSA", n: "AQAB", e: "AQAB" }] },
    { keys: [{ kty: "OKP", crv: "Ed25519", x: "short" }] },
    { keys: [{ kty: "EC", crv: "secp256k1", x: "A".repeat(43), y: "A".repeat(43) }] },
    { keys: [{ kty: "OKP", crv: "Ed25519", x: "A".repeat(43), d: "A".repeat(43) }] },
  ].map(
    (set) =>
      [
        `the keys ${JSON.stringify(set)}`,
        { payment: { edge: { cloudflare: { origin: ORIGIN, jwks: set } } } },
        /jwks/,
      ] as [string, object, RegExp],
  ),
  [
    "a treasury beside it",
    { payment: { ...payment, treasury: { "eip155:8453": TREASURY } } },
    /payment\.treasury cannot stand beside/,
  ],
  ["accounts beside it", { payment, accounts: { keys: true } }, /accounts cannot stand beside payment\.edge/],
  ["trials beside it", { payment, trial: { perHour: 1 } }, /trial cannot stand beside payment\.edge/],
  [
    "an address with a path",
    { payment: { edge: { cloudflare: { origin: `${ORIGIN}/v1` } } } },
    /payment\.edge\.cloudflare\.origin must be/,
  ],
  ["another gateway", { payment: { edge: { aws: {} } } }, /Unknown option "payment\.edge\.aws"/],
])("is refused at start with %s", (_, options, message) => {
  expect(() => createHandler({ capabilities: [metered], ...options } as unknown as HandlerOptions)).toThrow(message);
});
