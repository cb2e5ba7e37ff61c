/** Buyers that withdraw: what they owe is claimed before the end of it, and what cannot be is told. */
import { describe, expect, it } from "vitest";
import type { ChannelConfig } from "../../../src/payment/rails/evm/channel-typed-data.js";
import type { ChannelChain } from "../../support/channel-chain.js";
import { type ChannelShop, correctionOf, craft, offerOf, WORK } from "../../support/channel-shop.js";
import { newTreasury, onChannelChain } from "../../support/on-channel-chain.js";

const DELAY = 900;
let chain: ChannelChain;
/** How far the chain's clock, and with it those of the services, is ahead. */
const ahead = { ms: 0 };
const shops = onChannelChain((started) => {
  chain = started;
});

async function open(channels = {}): Promise<ChannelShop> {
  const treasury = newTreasury();
  const options = { withdrawDelaySeconds: DELAY, ...channels };
  return shops.open({ treasury, channels: options, ahead, maxTimeoutSeconds: 10_000_000 });
}

async function buyerOf(shop: ChannelShop, calls: number) {
  const buyer = await chain.buyer(shop.fetch);
  for (let n = 0; n < calls; n++) expect((await buyer.fetch(`${WORK}?n=${n}`)).status).toBe(200);
  const offer = await offerOf(shop.fetch);
  const { payload } = await craft(offer, buyer.account, 1n);
  const config = payload.channelConfig as ChannelConfig;
  return {
    ...buyer,
    offer,
    id: payload.voucher.channelId,
    withdraw: (amount: bigint) => chain.withdraw.begin(buyer.account, config, amount),
    finalize: () => chain.withdraw.end(buyer.account, config),
    send: async (ceiling: bigint) =>
      shop.fetch(`${WORK}?n=99`, {
        headers: { "payment-signature": (await craft(offer, buyer.account, ceiling)).header },
      }),
  };
}

async function pass(seconds: number) {
  await chain.passTime(seconds);
  ahead.ms += seconds * 1000;
}
const channelsOf = async (shop: ChannelShop) => (await shop.handle.ledger()).channels;
const lost = (shop: ChannelShop) =>
  shop.events.flatMap((event) => (event.kind === "channel" && event.outcome === "lost" ? event.channelUsd : []));

describe("a withdrawal", () => {
  it("CH-40 is seen while calls go on: they are claimed before its end, and the last minutes are for other payments", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 3);
    await buyer.withdraw(900_000n);
    await shop.handle.tick();
    expect((await chain.stateOf(buyer.id)).claimed).toBe(3000n);
    await pass(300);
    expect((await buyer.fetch(`${WORK}?n=5`)).status).toBe(200);
    expect(await channelsOf(shop)).toMatchObject({ atRiskUsd: "0.001" });
    await shop.handle.tick();
    await pass(301);
    const closing = await buyer.send(5000n);
    expect(closing.status).toBe(402);
    expect(correctionOf(closing).schemes).toEqual(["exact"]);
    await pass(301);
    await buyer.finalize();
    await shop.handle.tick();
    expect(await chain.stateOf(buyer.id)).toEqual({ balance: 100_000n, claimed: 4000n });
    expect(await channelsOf(shop)).toMatchObject({ earnedUsd: "0.004", claimedUsd: "0.004", lostUsd: "0" });
    expect((await buyer.send(5000n)).status).toBe(200);
  });

  it("CH-38 of all takes nothing from the claims of others; its loss is told once, and taken back by a later deposit", async () => {
    const shop = await open({ claimAfterSeconds: 450 });
    const honest = [await buyerOf(shop, 1), await buyerOf(shop, 2)];
    const gone = await buyerOf(shop, 2);
    await gone.withdraw(1_000_000n);
    // Nobody ticks for as long as it takes.
    await pass(DELAY + 1);
    await gone.finalize();
    await shop.handle.tick();
    for (const { id } of honest) expect((await chain.stateOf(id)).claimed).toBeGreaterThan(0n);
    for (let i = 0; i < 3; i++) {
      await pass(1000);
      await shop.handle.tick();
    }
    expect(lost(shop)).toEqual(["0.002"]);
    expect(chain.asked.filter((name) => name === "settle claim")).toHaveLength(1);
    expect(await channelsOf(shop)).toMatchObject({ earnedUsd: "0.005", claimedUsd: "0.003", lostUsd: "0.002" });

    // It believes to have a balance, is corrected, and deposits anew on top of what it owes.
    await gone.fetch(`${WORK}?n=7`);
    expect((await gone.fetch(`${WORK}?n=8`)).status).toBe(200);
    await pass(1000);
    await shop.handle.tick();
    expect((await chain.stateOf(gone.id)).claimed).toBeGreaterThanOrEqual(3000n);
    expect(await channelsOf(shop)).toMatchObject({ lostUsd: "0", unclaimedUsd: "0" });
  });

  it("CH-38 that is paid out between the look and the claim spoils its own row alone", async () => {
    const shop = await open();
    const buyers = [];
    for (let i = 0; i < 6; i++) buyers.push(await buyerOf(shop, 1));
    const gone = buyers[2];
    await gone?.withdraw(1_000_000n);
    await pass(DELAY + 1);
    chain.before.set("settle claim", () => gone?.finalize() ?? Promise.resolve());
    await shop.handle.tick();
    for (const buyer of buyers) expect((await chain.stateOf(buyer.id)).claimed).toBe(buyer === gone ? 0n : 1000n);
    for (let i = 0; i < 3; i++) {
      await pass(1000);
      await shop.handle.tick();
    }
    expect(lost(shop)).toEqual(["0.001"]);
    expect(await channelsOf(shop)).toMatchObject({ claimedUsd: "0.005", lostUsd: "0.001" });
  });

  it("CH-39 of a part leaves what is there to be claimed", async () => {
    const shop = await open({ minDepositUsd: "0.005", claimAfterSeconds: 450 });
    const buyer = await buyerOf(shop, 4);
    await buyer.withdraw(3000n);
    await pass(DELAY + 1);
    await buyer.finalize();
    await shop.handle.tick();
    expect(await chain.stateOf(buyer.id)).toEqual({ balance: 2000n, claimed: 2000n });
    expect(await channelsOf(shop)).toMatchObject({ claimedUsd: "0.002", lostUsd: "0.002", unclaimedUsd: "0" });
  });

  it("CH-41 that nobody saw costs what was not claimed, and no call more once the mirror is read again", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 3);
    await buyer.withdraw(1_000_000n);
    await pass(DELAY + 1);
    await buyer.finalize();
    const runs = shop.runs();
    expect((await buyer.send(4000n)).status).toBe(402);
    expect(shop.runs()).toBe(runs);
    await shop.handle.tick();
    await pass(1000);
    await shop.handle.tick();
    expect(lost(shop)).toEqual(["0.003"]);
  });
});
