/** A signed refund never expires: whoever holds it may bring it when it likes, and it takes nothing that was sold meanwhile. */
import { describe, expect, it } from "vitest";
import type { ChannelChain } from "../../support/channel-chain.js";
import { type ChannelShop, correctionOf, craft, offerOf, WORK } from "../../support/channel-shop.js";
import { onChannelChain } from "../../support/on-channel-chain.js";

const DEAR = "http://shop.test/api/test/dear";
let chain: ChannelChain;
const shops = onChannelChain((started) => {
  chain = started;
});

const { open } = shops;

/** A buyer that owes 1000 of a dollar, and whose refund was signed and is on its way. */
async function refunding(fault: "fall silent" | "refuse", amount?: string) {
  const shop = await open();
  const buyer = await chain.buyer(shop.fetch);
  expect((await buyer.fetch(`${WORK}?n=1`)).status).toBe(200);
  const work = await offerOf(shop.fetch);
  const dear = await offerOf(shop.fetch, `${DEAR}?n=1`);
  const ask = async (ceiling: bigint, asked = amount) => {
    const { header } = await craft(work, buyer.account, ceiling, {
      payload: { type: "refund", ...(asked ? { amount: asked } : {}) },
    });
    return shop.fetch(WORK, { headers: { "payment-signature": header } });
  };
  chain.faults.set("settle refund", [fault]);
  const before = chain.sent.length;
  expect((await ask(1000n)).status).toBe(fault === "refuse" ? 402 : 502);
  const signed = chain.sent.slice(before).find(({ asked }) => asked === "settle refund");
  const { id } = await craft(work, buyer.account, 1n).then(({ payload }) => ({ id: payload.voucher.channelId }));
  return {
    shop,
    buyer,
    id,
    ask,
    /** Whoever kept the signed refund sends it now. */
    bring: () => chain.facilitator.settle(signed?.payload as never, signed?.requirements as never),
    async buy(n: number, ceiling: bigint, url = DEAR, at: ChannelShop = shop) {
      const offer = url === DEAR ? dear : work;
      const { header } = await craft(offer, buyer.account, ceiling);
      return at.fetch(`${url}?n=${n}`, { headers: { "payment-signature": header } });
    },
    earned: async () => (await shop.handle.ledger()).channels,
  };
}

describe("ATK-4 a refund that was signed and comes late", () => {
  it.each(["fall silent", "refuse"] as const)(
    "takes nothing that was charged after it (the facilitator may %s): its amount is not for sale, here and elsewhere",
    async (fault) => {
      const { shop, id, buy, bring } = await refunding(fault, "600000");
      // Its lease is long over; another instance knows the channel from the store alone.
      shop.ahead.ms += 600_000;
      const other = await open({ store: shop.store, ahead: shop.ahead });
      for (const [n, at] of [shop, other].entries()) {
        const refused = await buy(n, 501_000n, DEAR, at);
        expect(refused.status).toBe(402);
        expect(correctionOf(refused).schemes).toEqual(["exact"]);
      }
      // What the refund leaves is sold.
      expect((await buy(7, 2000n, WORK, other)).status).toBe(200);
      expect((await buy(8, 3000n, WORK, shop)).status).toBe(200);
      expect(await bring()).toMatchObject({ success: true });
      expect((await chain.stateOf(id)).balance).toBe(400_000n);
      shop.ahead.ms += 90_000_000;
      await shop.handle.tick();
      expect((await shop.handle.ledger()).channels).toMatchObject({ claimedUsd: "0.003", lostUsd: "0" });
    },
  );

  it("is over once the chain shows the next nonce, and what is left is sold then", async () => {
    const { shop, buy, bring } = await refunding("fall silent", "300000");
    shop.ahead.ms += 600_000;
    expect((await buy(1, 501_000n)).status).toBe(200);
    // 1000 + 500000 charged of a million, of which 300000 may go.
    expect((await buy(2, 1_000_000n)).status).toBe(402);
    await bring();
    shop.ahead.ms += 600_000;
    expect(correctionOf(await buy(2, 1_001_000n)).error).toMatch(/mismatch/);
    expect((await buy(3, 502_000n, WORK)).status).toBe(200);
  });

  it("counts with the largest of those that were signed under one nonce", async () => {
    const { shop, ask, buy } = await refunding("fall silent", "700000");
    shop.ahead.ms += 600_000;
    chain.faults.set("settle refund", ["fall silent"]);
    expect((await ask(1000n, "100000")).status).toBe(502);
    shop.ahead.ms += 600_000;
    expect((await buy(1, 501_000n)).status).toBe(402);
    // A third one goes through, and ends them all.
    expect((await ask(1000n, "100000")).status).toBe(200);
    expect((await buy(2, 501_000n)).status).toBe(200);
  });

  it("that lands in the middle of a call takes neither its charge nor its answer", async () => {
    const { shop, id, buy, bring } = await refunding("fall silent", "600000");
    shop.ahead.ms += 600_000;
    shop.behaviours.push(async () => {
      expect(await bring()).toMatchObject({ success: true });
    });
    expect((await buy(1, 2000n, WORK)).status).toBe(200);
    expect((await chain.stateOf(id)).balance).toBe(400_000n);
    // Nor in the middle of the next, whose process saw the balance before.
    expect((await buy(2, 3000n, WORK)).status).toBe(200);
    shop.ahead.ms += 90_000_000;
    await shop.handle.tick();
    expect((await shop.handle.ledger()).channels).toMatchObject({
      earnedUsd: "0.003",
      claimedUsd: "0.003",
      lostUsd: "0",
    });
  });

  it("of all that is left leaves nothing for sale but what is deposited on top", async () => {
    const { shop, buyer, id, buy, bring } = await refunding("fall silent");
    shop.ahead.ms += 600_000;
    expect((await buy(1, 2000n, WORK)).status).toBe(402);
    const { payload } = await craft(await offerOf(shop.fetch), buyer.account, 1n);
    await chain.depositAs(buyer.account, payload.channelConfig, 1_000_000n);
    expect((await buy(1, 2000n, WORK)).status).toBe(200);
    expect((await buy(2, 1_002_000n)).status).toBe(402);
    await bring();
    expect((await buy(3, 502_000n)).status).toBe(200);
    expect((await chain.stateOf(id)).balance).toBe(1_001_000n);
  });

  it("is asked for while a call is under way, waits for it, and leaves its charge to be claimed", async () => {
    const shop = await open();
    const buyer = await chain.buyer(shop.fetch);
    expect((await buyer.fetch(`${WORK}?n=1`)).status).toBe(200);
    let end = () => {};
    shop.behaviours.push(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    const call = buyer.fetch(`${WORK}?n=2`);
    await expect.poll(() => shop.runs()).toBe(2);
    const { header } = await craft(await offerOf(shop.fetch), buyer.account, 2000n, { payload: { type: "refund" } });
    const refund = shop.fetch(WORK, { headers: { "payment-signature": header } });
    const other = await open({ store: shop.store });
    // Another instance has no line to wait in.
    expect((await other.fetch(WORK, { headers: { "payment-signature": header } })).status).toBe(502);
    end();
    expect((await call).status).toBe(200);
    expect((await refund).status).toBe(200);
    const { claimedUsd, unclaimedUsd } = (await shop.handle.ledger()).channels ?? {};
    expect([claimedUsd, unclaimedUsd]).toEqual(["0.002", "0"]);
  });
});
