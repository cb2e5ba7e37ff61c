/** An API of somebody else, sold by this host: what its buyers see, and what its origin is asked. */
import { describe, expect, it } from "vitest";
import { createClient } from "../../src/client/index.js";
import { proxied } from "../../src/gateway/proxied.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { payerOf, wireTo } from "../support/client.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { failingAt } from "../support/mortal-store.js";
import { openGateway, sendJson, startOrigin } from "../support/origin.js";
import type { Shop } from "../support/shop.js";
import { quoteOf, sign, toHeader } from "../support/wallets.js";

// biome-ignore lint/suspicious/noTemplateCurlyInString: names a setting.
const BEARER = { header: "authorization", value: "Bearer ${ORIGIN_KEY}" };
const KEY = "a-key-of-the-host";
const secrets = { ORIGIN_KEY: KEY };

const FORECAST = {
  path: "/cities/{city}/forecast",
  name: "forecast",
  price: "0.002",
  summary: "The forecast of a city.",
  input: { properties: { days: { type: "integer", minimum: 1, maximum: 7 } } },
};
const ORDER = {
  method: "POST",
  path: "/orders",
  name: "order",
  price: "0.01",
  input: { properties: { item: { type: "string" } }, required: ["item"] },
} as const;

const post = (shop: Shop, path: string, body: unknown, headers: Record<string, string> = {}) =>
  shop.handle(
    new Request(`http://shop.test/api${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }),
    { clientAddress: "203.0.113.7" },
  );

/** A signed payment for a POST. */
async function payFor(shop: Shop, path: string, body: unknown) {
  const quote = quoteOf(await post(shop, path, body));
  const [terms] = quote.accepts;
  if (!terms) throw new Error("nothing offered");
  return toHeader({ ...(await sign(terms, { now: shop.clock.seconds() })), resource: quote.resource });
}

const buyerAt = (shop: Shop) => {
  const wire = wireTo((request) => shop.handle(request));
  return createClient({ baseUrl: "http://shop.test", fetch: wire.fetch, pay: payerOf().client });
};
const earned = (shop: Shop) => shop.facilitator.settled.map(({ value }) => value);

describe("a proxied route", () => {
  it("is sold to the typed client, and the origin is asked once with the host's credentials alone", async () => {
    const { origin, shop } = await openGateway(
      { base: "/v1", credentials: BEARER, routes: [FORECAST] },
      { secrets, answer: (_, response) => sendJson(response, { high: 21 }) },
    );
    const found = await buyerAt(shop).$call("origin.forecast" as never, { city: "São Paulo", days: 3 } as never);
    expect(found).toMatchObject({ data: { high: 21 }, meta: { costUsd: "0.002" } });
    expect(origin.asked).toMatchObject([
      {
        method: "GET",
        url: "/v1/cities/S%C3%A3o%20Paulo/forecast?days=3",
        headers: { authorization: `Bearer ${KEY}` },
      },
    ]);
    expect(earned(shop)).toEqual([2000n]);
    const payment = await shop.payFor("/origin/forecast?city=Bonn");
    const sent = {
      "payment-signature": toHeader(payment),
      cookie: "s=1",
      "x-forwarded-for": "1.2.3.4",
      "x-api-key": "mine",
    };
    expect((await shop.get("/origin/forecast?city=Bonn", sent)).status).toBe(200);
    const names = Object.keys(origin.asked[1]?.headers ?? {}).sort();
    expect(names.filter((name) => /payment|cookie|forwarded|api-key|sec-fetch-site/.test(name))).toEqual([]);
  });

  it("keeps the origin's own text: digits of large numbers, and the order of members", async () => {
    const text = '{"id":12345678901234567890,"b":1.50,"a":[1e400]}';
    const { shop } = await openGateway(
      { routes: [{ ...FORECAST, answers: ["application/json"] }] },
      { payment: false, answer: (_, response) => response.setHeader("content-type", "application/json").end(text) },
    );
    expect(await (await shop.get("/origin/forecast?city=Bonn")).text()).toBe(text);
  });

  it("GW-4 tells nobody its origin's address or key", async () => {
    const { origin, shop } = await openGateway(
      { credentials: BEARER, routes: [FORECAST, ORDER] },
      { secrets, docs: undefined as never },
    );
    const paths = [
      "/openapi.json",
      "/directory",
      "/llms.txt",
      "/docs/endpoint.json?id=origin.forecast",
      "/docs",
      "/origin/forecast",
    ];
    for (const path of paths) {
      const response = await shop.get(path);
      const told = `${await response.text()} ${JSON.stringify([...response.headers])}`;
      expect(told, path).not.toContain(KEY);
      expect(told, path).not.toContain(new URL(origin.url).host);
    }
  });

  it("is not sold while its key is not set", async () => {
    const { origin, shop } = await openGateway({ credentials: BEARER, routes: [FORECAST] });
    const response = await shop.get("/origin/forecast?city=Bonn");
    expect([response.status, (await bodyOf(response)).code]).toEqual([502, "PROVIDER_NOT_CONFIGURED"]);
    expect(origin.asked).toEqual([]);
  });

  it("sends keys in a query or as Basic, over what a caller or the document could set", async () => {
    const { origin, shop } = await openGateway(
      {
        credentials: [
          { query: "key", value: { env: "ORIGIN_KEY" } },
          { basic: { user: { text: "me" }, password: { env: "ORIGIN_KEY" } } },
        ],
        headers: { "X-Client": "gateway" },
        routes: [{ ...FORECAST, input: { properties: { key: { type: "string" }, days: { type: "integer" } } } }],
      },
      { secrets, payment: false },
    );
    expect((await shop.get("/origin/forecast?city=Bonn&key=mine&days=1")).status).toBe(200);
    const [asked] = origin.asked;
    expect(asked?.url).toBe(`/cities/Bonn/forecast?days=1&key=${KEY}`);
    expect(asked?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from(`me:${KEY}`).toString("base64")}`,
      "x-client": "gateway",
    });
  });

  it("sells files with their type, and lets none run as a page of the gateway", async () => {
    const { origin, shop } = await openGateway({ routes: [FORECAST] }, { payment: false });
    const answer = (type: string, body: string | Buffer) => {
      origin.answer = (_, response) =>
        response
          .setHeader("content-type", type)
          .setHeader("set-cookie", "a=1")
          .setHeader("content-disposition", 'inline; filename="a"')
          .end(body);
    };
    answer("image/png", Buffer.from([137, 80, 78, 71]));
    const picture = await shop.get("/origin/forecast?city=Bonn");
    expect(picture.headers.get("content-type")).toBe("image/png");
    expect(picture.headers.get("content-disposition")).toBe('inline; filename="a"');
    expect(picture.headers.has("set-cookie")).toBe(false);
    expect([...new Uint8Array(await picture.arrayBuffer())]).toEqual([137, 80, 78, 71]);
    answer("text/html; charset=utf-8", "<script>alert(1)</script>");
    const html = await shop.get("/origin/forecast?city=Bonn");
    expect([html.headers.get("content-security-policy"), html.headers.get("x-content-type-options")]).toEqual([
      "sandbox",
      "nosniff",
    ]);
    answer("weird type; x=y", "?");
    expect((await shop.get("/origin/forecast?city=Bonn")).headers.get("content-type")).toBe("application/octet-stream");
  });
});

describe("an origin's refusal", () => {
  it.each([
    [400, 400, "INVALID_INPUT"],
    [401, 502, "PROVIDER_NOT_CONFIGURED"],
    [402, 502, "UPSTREAM_ERROR"],
    [403, 403, "NOT_ALLOWED"],
    [404, 404, "NOT_FOUND"],
    [409, 409, "INVALID_INPUT"],
    [410, 410, "NOT_FOUND"],
    [413, 413, "PAYLOAD_TOO_LARGE"],
    [422, 422, "INVALID_INPUT"],
    [429, 429, "UPSTREAM_RATE_LIMIT"],
    [500, 502, "UPSTREAM_ERROR"],
    [503, 502, "UPSTREAM_ERROR"],
  ])("GW-1 %i is told as %i %s, and costs nothing", async (status, told, code) => {
    const { origin, shop } = await openGateway({ credentials: BEARER, routes: [FORECAST] }, { secrets, trial: false });
    origin.answer = (_, response) => {
      response.setHeader("retry-after", "7");
      sendJson(response, { error: { message: `No,\r\n not ${status}.` } }, status);
    };
    const payment = await shop.payFor("/origin/forecast?city=Bonn");
    const response = await shop.pay("/origin/forecast?city=Bonn", payment);
    const body = await bodyOf(response);
    expect([response.status, body.code]).toEqual([told, code]);
    expect(String(body.detail).includes(`No, not ${status}.`)).toBe(
      [400, 403, 404, 409, 410, 413, 422].includes(status),
    );
    if (status === 429) expect(response.headers.get("retry-after")).toBe("7");
    expect(earned(shop)).toEqual([]);
    // The payment is still good.
    origin.answer = (_, response) => sendJson(response, { ok: true });
    expect((await shop.pay("/origin/forecast?city=Bonn", payment)).status).toBe(200);
    expect(earned(shop)).toEqual([2000n]);
  });
});

describe("what changes something at the origin", () => {
  it("has no free trial, unless its route says so; a GET has the usual one", async () => {
    const { origin, shop } = await openGateway({
      routes: [FORECAST, ORDER, { ...ORDER, path: "/tries", name: "try", trial: true }],
    });
    const trial = { "x-svc-trial": "1" };
    expect((await shop.get("/origin/forecast?city=Bonn", trial)).status).toBe(200);
    const refused = await post(shop, "/origin/order", { item: "pen" }, trial);
    expect([refused.status, (await bodyOf(refused)).error]).toEqual([402, expect.stringContaining("no free trials")]);
    expect((await post(shop, "/origin/try", { item: "pen" }, trial)).status).toBe(200);
    expect(origin.asked.map(({ url }) => url)).toEqual(["/cities/Bonn/forecast", "/tries"]);
    const openapi = (await (await shop.get("/openapi.json")).json()) as {
      paths: Record<string, Record<string, object>>;
    };
    const parametersOf = (path: string, method: string) => JSON.stringify(openapi.paths[path]?.[method]);
    expect(parametersOf("/api/origin/forecast", "get")).toContain("X-SVC-Trial");
    expect(parametersOf("/api/origin/order", "post")).not.toContain("X-SVC-Trial");
  });

  it("GW-2 reaches the origin once for a payment whose answer was lost, on any instance", async () => {
    const [store, facilitator] = [createMemoryStore(), fakeFacilitator()];
    const { origin, shop } = await openGateway({ routes: [ORDER] }, { store, facilitator });
    const other = await openGateway({ routes: [ORDER] }, { store, facilitator, clock: shop.clock });
    origin.answer = (request) => request.socket.destroy();
    const payment = await payFor(shop, "/origin/order", { item: "pen" });
    const paid = { "payment-signature": payment };
    expect((await post(shop, "/origin/order", { item: "pen" }, paid)).status).toBe(502);
    origin.answer = (_, response) => sendJson(response, { ok: true });
    for (const one of [shop, other.shop]) {
      const again = await post(one, "/origin/order", { item: "pen" }, paid);
      expect([again.status, (await bodyOf(again)).code]).toEqual([410, "ANSWER_NOT_KEPT"]);
    }
    expect([origin.asked.length, other.origin.asked.length, earned(shop)]).toEqual([1, 0, []]);
    const fresh = { "payment-signature": await payFor(shop, "/origin/order", { item: "pen" }) };
    expect((await post(shop, "/origin/order", { item: "pen" }, fresh)).status).toBe(200);
    expect((await post(shop, "/origin/order", { item: "pen" }, fresh)).status).toBe(200);
    expect(origin.asked.length).toBe(2);
    const [first, second] = origin.asked.map(({ headers }) => headers["idempotency-key"]);
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(second).not.toBe(first);
    expect(earned(shop)).toEqual([10_000n]);
  });

  it("GW-2 reaches the origin once for an account's key of a purchase, and under another key again", async () => {
    const { origin, shop } = await openGateway({ routes: [ORDER] }, { accounts: { identify: () => ({ id: "ada" }) } });
    const { accounts } = shop.handle;
    await accounts.topUp("ada", "1", { reference: "first" });
    const buy = (key: string) => post(shop, "/origin/order", { item: "pen" }, { "idempotency-key": key });
    origin.answer = (request) => request.socket.destroy();
    expect((await buy("purchase-number-one")).status).toBe(502);
    origin.answer = (_, response) => sendJson(response, { ok: true });
    expect((await buy("purchase-number-one")).status).toBe(410);
    expect((await buy("purchase-number-two")).status).toBe(200);
    expect((await buy("purchase-number-two")).status).toBe(200);
    expect(origin.asked.length).toBe(2);
    expect(await accounts.balance("ada")).toMatchObject({ availableUsd: "0.99" });
  });

  it("GW-2 may be sent again under the same key where the route allows it, or where it cannot have arrived", async () => {
    const { origin, shop } = await openGateway({
      routes: [
        { ...ORDER, repeatable: true },
        { ...ORDER, path: "/refused", name: "refused" },
      ],
    });
    const paid = { "payment-signature": await payFor(shop, "/origin/order", { item: "pen" }) };
    origin.answer = (_, response) => sendJson(response, {}, 500);
    expect((await post(shop, "/origin/order", { item: "pen" }, paid)).status).toBe(502);
    origin.answer = (_, response) => sendJson(response, { ok: true });
    expect((await post(shop, "/origin/order", { item: "pen" }, paid)).status).toBe(200);
    const keys = origin.asked.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toBe(keys[1]);
    // The origin refused it.
    const second = { "payment-signature": await payFor(shop, "/origin/refused", { item: "pen" }) };
    origin.answer = (_, response) => sendJson(response, {}, 422);
    expect((await post(shop, "/origin/refused", { item: "pen" }, second)).status).toBe(422);
    expect((await post(shop, "/origin/refused", { item: "pen" }, second)).status).toBe(422);
    // Nobody listens.
    const away = await openGateway({ routes: [ORDER] });
    await away.origin.close();
    const third = { "payment-signature": await payFor(away.shop, "/origin/order", { item: "pen" }) };
    expect((await post(away.shop, "/origin/order", { item: "pen" }, third)).status).toBe(502);
    expect((await post(away.shop, "/origin/order", { item: "pen" }, third)).status).toBe(502);
  });

  it("GW-2 reaches the origin once where the store lost its answer before the request left, and is answered", async () => {
    for (const done of [true, false]) {
      const { wrap, fail } = failingAt();
      const { origin, shop } = await openGateway({ routes: [ORDER] }, { store: wrap(createMemoryStore()) });
      const paid = { "payment-signature": await payFor(shop, "/origin/order", { item: "pen" }) };
      fail("put claim", { done });
      expect((await post(shop, "/origin/order", { item: "pen" }, paid)).status).toBe(200);
      expect((await post(shop, "/origin/order", { item: "pen" }, paid)).status).toBe(200);
      expect([origin.asked.length, earned(shop)]).toEqual([1, [10_000n]]);
    }
  });

  it("GW-2 is in no batch, and two copies of one payment at a time reach the origin once", async () => {
    const { origin, shop, capabilities } = await openGateway({ routes: [ORDER] });
    expect(capabilities.map(({ batchable }) => batchable)).toEqual([false]);
    const paid = { "payment-signature": await payFor(shop, "/origin/order", { item: "pen" }) };
    const both = await Promise.all([1, 2].map(() => post(shop, "/origin/order", { item: "pen" }, paid)));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect([origin.asked.length, earned(shop)]).toEqual([1, [10_000n]]);
    expect(origin.asked[0]).toMatchObject({ method: "POST", url: "/orders", body: '{"item":"pen"}' });
  });
});

describe("options", () => {
  const base = { origin: "https://api.example.com", group: "a", price: "0.01", routes: [{ path: "/x" }] };
  it.each([
    [{ ...base, origin: "ftp://api.example.com" }, "proxied options.origin"],
    [{ ...base, origin: "https://me:secret@api.example.com" }, "(What was given is not shown.)"],
    [{ ...base, group: "A b" }, "proxied options.group"],
    [{ ...base, routes: [{ path: "x" }] }, "begins with a slash"],
    [{ ...base, routes: [{ path: "/a/../b" }] }, "not written as in an address"],
    [{ ...base, routes: [{ path: "/x" }, { path: "/x", method: "GET" as const }] }, "two routes have the id a.get-x"],
    [{ ...base, price: undefined, routes: [{ path: "/x" }] }, "a price is US dollars above 0"],
    [{ ...base, headers: { Authorization: "k" } }, "a key is an entry of credentials"],
    [{ ...base, credentials: { header: "a", value: "" } }, "credentials"],
    [{ ...base, credentials: { header: "a", value: { env: "my-key" } } }, "credentials"],
    [{ ...base, credentials: { header: "a", value: "Bearer $" + "{my-key}" } }, "credentials"],
    [{ ...base, credentials: { header: "a", value: { env: "A", text: "b" } } }, "credentials"],
    [
      { ...base, routes: [{ path: "/x", input: { properties: { cookie: { type: "string", in: "header" } } } }] },
      "callers cannot set",
    ],
    [
      { ...base, routes: [{ path: "/x", input: { properties: { a: { type: "string", in: "body" } } } }] },
      "a GET has no body",
    ],
    [{ ...base, openapi: { swagger: "2.0" } }, "must be of version 3.0 or 3.1, not Swagger 2.0"],
    [{ ...base, routes: [{ path: "/x/{id}", example: {} }] }, "refuses its example"],
  ])("%j is refused when the host starts", async (options, told) => {
    await startOrigin();
    expect(() => proxied(options as never)).toThrow(told);
  });
});
