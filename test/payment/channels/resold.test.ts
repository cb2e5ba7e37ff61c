/** Calls that are bought elsewhere, sold in batches and paid for by voucher: what was paid there is charged here. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { batchRun } from "../../../src/capabilities/batch/index.js";
import { createClient } from "../../../src/client/index.js";
import { resold } from "../../../src/resell/index.js";
import { type ChannelChain, startChannelChain } from "../../support/channel-chain.js";
import { type ChannelShop, openChannelShop, receiptOf } from "../../support/channel-shop.js";
import { payerOf, wireTo } from "../../support/client.js";
import { fakeClock } from "../../support/clock.js";
import { doubled } from "../../support/doubled.js";
import { openShop } from "../../support/shop.js";

let chain: ChannelChain;
const shops: ChannelShop[] = [];
beforeAll(async () => {
  chain = await startChannelChain();
});
afterEach(async () => {
  for (const { handle } of shops.splice(0)) await handle.close();
});
afterAll(() => chain.stop());

const work = doubled();

/** A reseller with a margin of 30 %, and a buyer of its batches. */
async function open() {
  const origin = openShop({ clock: fakeClock(new Date().toISOString()), capabilities: [work], trial: false });
  const wire = wireTo((request) => origin.handle(request));
  const client = createClient({ baseUrl: "http://origin.test", fetch: wire.fetch, pay: payerOf().client });
  const shop = openChannelShop(chain, { more: [...resold([work], client), batchRun], pricing: { markup: 1.3 } });
  shops.push(shop);
  const buyer = await chain.buyer(shop.fetch);
  const batch = (...numbers: number[]) =>
    buyer.fetch("http://shop.test/api/batch/run", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ calls: numbers.map((n) => ({ endpoint: "their.work", params: { n } })) }),
    });
  const paidThere = () => origin.facilitator.settled.reduce((sum, { value }) => sum + value, 0n);
  return { shop, batch, paidThere };
}

describe("a batch of resold calls over a channel", () => {
  it("is charged for what was bought there although its last call fails, and tells what that was", async () => {
    const { shop, batch, paidThere } = await open();
    const failed = await batch(1, 2, 13);
    expect(failed.status).toBe(400);
    expect(await failed.json()).toMatchObject({
      code: "BATCH_FAILED",
      failures: [{ index: 2, code: "NOT_FOUND" }],
      items: [{ result: { items: [{ twice: 2 }] } }, { result: { items: [{ twice: 4 }] } }],
    });
    expect(receiptOf(failed).extra).toMatchObject({ chargedAmount: "2600" });
    expect(paidThere()).toBe(2000n);
    expect((await shop.handle.ledger()).total.earnedUsd).toBe("0.0026");
    const next = await batch(3);
    expect([next.status, receiptOf(next).extra.channelState.chargedCumulativeAmount]).toEqual([200, "3900"]);
  });

  it("costs the reseller nothing however often it fails, and is refused once it failed too often", async () => {
    const { shop, batch, paidThere } = await open();
    let refused: Response | undefined;
    for (let i = 0; i < 25 && !refused; i++) {
      const answer = await batch(i + 100, 13);
      if (answer.status === 429) refused = answer;
    }
    expect(await refused?.json()).toMatchObject({ code: "TOO_MANY_FAILURES" });
    const earned = Number((await shop.handle.ledger()).total.earnedUsd) * 1e6;
    expect(paidThere()).toBe(20_000n);
    expect(Math.round(earned)).toBe(26_000);
  });
});
