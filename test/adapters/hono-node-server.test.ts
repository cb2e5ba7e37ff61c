/** Hono's server for Node puts a Response of its own in place of Node's, which keeps the headers object that it is given. */
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { expect, it } from "vitest";
import { hono } from "../../src/adapters/hono.js";
import { commonHeaders, toResponse } from "../../src/request/http/exchange.js";
import { openShop } from "../support/shop.js";
import { toHeader } from "../support/wallets.js";

const nodes = globalThis.Response;
getRequestListener(() => new Response());

it("SEC-1 the receipt of one caller stands in nobody else's answer", async () => {
  expect(globalThis.Response).not.toBe(nodes);
  const shop = openShop();
  const app = new Hono().use(hono(shop.handle, { clientAddress: () => "203.0.113.9" }));
  const get = (headers: Record<string, string> = {}) => app.request("/api/test/work?n=1", { headers });
  const { accepts } = JSON.parse(atob((await get()).headers.get("payment-required") ?? ""));
  expect(accepts).toHaveLength(1);
  const payment = toHeader(await shop.payFor("/test/work?n=1"));
  const paid = await get({ "payment-signature": payment });
  expect([paid.status, paid.headers.has("payment-response")]).toEqual([200, true]);
  const again = await get({ "payment-signature": payment });
  expect(again.headers.get("x-svc-replay")).toBe("1");
  const stranger = await get();
  expect([stranger.status, stranger.headers.get("payment-response"), stranger.headers.get("x-svc-replay")]).toEqual([
    402,
    null,
    null,
  ]);
  expect(
    (await get({ "payment-signature": toHeader(await shop.payFor("/test/work?n=2")) })).headers.get("x-svc-replay"),
  ).toBe(null);
});

it.each(["{}", new Uint8Array([1, 2]), null])(
  "SEC-1 answers with headers in common have their own as well: body %j",
  async (body) => {
    const common = commonHeaders({ "x-common": "yes" });
    const status = body === null ? 204 : 200;
    const first = toResponse({ status, headers: { "x-credit": "token" }, common, body });
    const second = toResponse({ status, headers: {}, common, body });
    expect([first.headers.get("x-credit"), second.headers.get("x-credit")]).toEqual(["token", null]);
    expect([first.headers.get("x-common"), second.headers.get("x-common")]).toEqual(["yes", "yes"]);
    expect(new Uint8Array(await second.arrayBuffer())).toEqual(new Uint8Array(await new nodes(body).arrayBuffer()));
  },
);
