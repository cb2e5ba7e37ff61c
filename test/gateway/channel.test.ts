/** A route that changes something at its origin, paid from a payment channel. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { proxied } from "../../src/gateway/proxied.js";
import { type ChannelChain, startChannelChain } from "../support/channel-chain.js";
import { craft, openChannelShop, WORK } from "../support/channel-shop.js";
import { sendJson, startOrigin } from "../support/origin.js";
import { quoteOf } from "../support/wallets.js";

let chain: ChannelChain;
beforeAll(async () => {
  chain = await startChannelChain();
});
afterAll(() => chain?.stop());

it("GW-2 a voucher whose answer was lost sends its POST once, and another one charges it", async () => {
  const origin = await startOrigin();
  const more = proxied({
    origin: origin.url,
    group: "origin",
    routes: [
      {
        method: "POST",
        path: "/orders",
        name: "order",
        price: "0.002",
        input: { properties: { n: { type: "integer" } } },
      },
    ],
  });
  const shop = openChannelShop(chain, { more, secrets: {} });
  try {
    const buyer = await chain.buyer(shop.fetch);
    expect((await buyer.fetch(`${WORK}?n=1`)).status).toBe(200);
    const order = (headers: Record<string, string> = {}) =>
      shop.fetch("http://shop.test/api/origin/order", { method: "POST", body: JSON.stringify({ n: 1 }), headers });
    const offer = quoteOf(await order()).accepts.find(({ scheme }) => scheme === "batch-settlement");
    if (!offer) throw new Error("no channel is offered");
    const { header } = await craft(offer, buyer.account, 1000n + BigInt(offer.amount));
    origin.answer = (request) => request.socket.destroy();
    expect((await order({ "payment-signature": header })).status).toBe(502);
    origin.answer = (_, response) => sendJson(response, { ok: true });
    expect((await order({ "payment-signature": header })).status).toBe(410);
    expect(origin.asked.length).toBe(1);
    const named = { "payment-signature": header, "idempotency-key": "a-new-order-of-mine" };
    expect((await order(named)).status).toBe(200);
    expect((await order(named)).status).toBe(200);
    expect(origin.asked.length).toBe(2);
  } finally {
    await shop.handle.close();
  }
});
