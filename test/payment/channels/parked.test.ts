/** Claims that fail: they are tried again, later each time, and the host is told what waits and why. */
import { describe, expect, it } from "vitest";
import type { ChannelConfig } from "../../../src/payment/rails/evm/channel-typed-data.js";
import type { ChannelChain, ChannelFault } from "../../support/channel-chain.js";
import { type ChannelShop, type ChannelShopOptions, craft, offerOf, WORK } from "../../support/channel-shop.js";
import { newTreasury, onChannelChain } from "../../support/on-channel-chain.js";

const DAY = 86_400;
const REASON = "invalid_batch_settlement_evm_claim_simulation_failed";
let chain: ChannelChain;
const shops = onChannelChain((started) => {
  chain = started;
});

async function open(options: ChannelShopOptions = {}) {
  const warnings: string[] = [];
  const treasury = newTreasury();
  const log = (_: unknown, text?: string) => void warnings.push(text ?? "");
  const logger = { debug() {}, info() {}, warn: log, error: log };
  const shop = await shops.open({ ...options, treasury, logger });
  const told = () => warnings.filter((text) => text.includes("tried again later")).length;
  return { ...shop, warnings, told };
}

async function buyerOf(shop: ChannelShop, calls = 1) {
  const buyer = await chain.buyer(shop.fetch);
  for (let n = 0; n < calls; n++) expect((await buyer.fetch(`${WORK}?n=${n}`)).status).toBe(200);
  const { payload } = await craft(await offerOf(shop.fetch), buyer.account, 1n);
  return { ...buyer, id: payload.voucher.channelId, config: payload.channelConfig as ChannelConfig };
}

const always = (fault: ChannelFault) => chain.faults.set("settle claim", Array(1000).fill(fault));
const claims = () => chain.asked.filter((name) => name === "settle claim").length;
const later = (shop: ChannelShop, seconds: number) => {
  shop.ahead.ms += seconds * 1000;
};
const claimedOf = async (buyers: { id: string }[]) => {
  const states = await Promise.all(buyers.map(({ id }) => chain.stateOf(id)));
  return states.map(({ claimed }) => claimed);
};

describe("claims that fail", () => {
  it("CH-38 for one bad round of the facilitator are made once it is well again, and the host is told until then", async () => {
    const shop = await open();
    const buyers = [];
    for (let i = 0; i < 6; i++) buyers.push(await buyerOf(shop));
    later(shop, DAY);
    always("fail to read");
    await shop.handle.tick();
    chain.faults.clear();
    const { channels } = await shop.handle.ledger();
    expect(channels).toMatchObject({ unclaimedUsd: "0.006", parkedUsd: "0.006" });
    expect(channels?.parked).toHaveLength(6);
    expect(channels?.parked?.[0]).toMatchObject({ usd: "0.001", reason: REASON, tries: 1, network: chain.network });
    const before = claims();
    await shop.handle.tick();
    expect(claims()).toBe(before);
    later(shop, 600);
    await shop.handle.tick();
    expect(await claimedOf(buyers)).toEqual(Array(6).fill(1000n));
    const after = (await shop.handle.ledger()).channels;
    expect(after).toMatchObject({ claimedUsd: "0.006", unclaimedUsd: "0" });
    expect(after).not.toHaveProperty("parkedUsd");
  });

  it("CH-38 again and again are asked for less and less, and told once", async () => {
    const shop = await open();
    await buyerOf(shop);
    later(shop, DAY);
    always("fail to read");
    for (let i = 0; i < 2 * DAY; i += 30 * 20) {
      later(shop, 30 * 20);
      await shop.handle.tick();
    }
    expect(claims()).toBeGreaterThan(4);
    expect(claims()).toBeLessThan(25);
    expect(shop.told()).toBe(1);
    expect(shop.warnings.length).toBeLessThan(60);
  });

  it("CH-38 for one row alone cost the others neither their claims nor a transaction each", async () => {
    const shop = await open();
    const good = [];
    for (let i = 0; i < 4; i++) good.push(await buyerOf(shop));
    const bad = await buyerOf(shop);
    // Its voucher is one that no contract takes.
    const key = `channel:${chain.network}:${bad.id}`;
    await shop.handle.tick();
    const found = await shop.store.get(key);
    const record = JSON.parse(found?.value ?? "");
    record.voucher.signature = `0x${"12".repeat(64)}1b`;
    await shop.store.put(key, JSON.stringify(record), { ifVersion: found?.version ?? 0, ttlMs: 1e9 });
    later(shop, DAY);
    await shop.handle.tick();
    expect(await claimedOf([...good, bad])).toEqual([1000n, 1000n, 1000n, 1000n, 0n]);
    const before = await chain.transactions("Claimed");
    for (let day = 0; day < 3; day++) {
      for (const [i, buyer] of good.entries())
        expect((await buyer.fetch(`${WORK}?n=${50 + 10 * day + i}`)).status).toBe(200);
      chain.sent.length = 0;
      later(shop, DAY);
      await shop.handle.tick();
      // The bad one is asked for by itself.
      const sizes = chain.sent
        .filter(({ asked }) => asked === "settle claim")
        .map(({ payload }) => payload.payload.claims?.length);
      expect(sizes).toEqual([4, 1]);
    }
    expect(await chain.transactions("Claimed")).toBe(before + 3);
    expect((await shop.handle.ledger()).channels).toMatchObject({ parkedUsd: "0.001", claimedUsd: "0.016" });
  });

  it("CH-40 are made at once when a withdrawal shows", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop);
    later(shop, DAY);
    always("fail to read");
    for (let i = 0; i < 8; i++) {
      later(shop, DAY);
      await shop.handle.tick();
    }
    chain.faults.clear();
    await shop.handle.tick();
    expect(await claimedOf([buyer])).toEqual([0n]);
    await chain.withdraw.begin(buyer.account, buyer.config, 500_000n);
    await shop.handle.tick();
    expect(await claimedOf([buyer])).toEqual([1000n]);
  });

  it("CH-37 with no clear end are in smaller transactions each time, so that one row spoils few others", async () => {
    const shop = await open();
    for (let i = 0; i < 7; i++) await buyerOf(shop);
    later(shop, DAY);
    always("fall silent");
    const sizes: number[][] = [];
    for (let i = 0; i < 6; i++) {
      chain.sent.length = 0;
      await shop.handle.tick();
      sizes.push(
        chain.sent
          .filter(({ asked }) => asked === "settle claim")
          .map(({ payload }) => payload.payload.claims?.length ?? 0),
      );
      later(shop, DAY);
    }
    expect(sizes).toEqual([[7], [7], [7], [5, 2], [5, 2], Array(7).fill(1)]);
  });

  it("CH-38 that an older release parked for good are tried again", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop);
    const key = `channel:${chain.network}:${buyer.id}`;
    const found = await shop.store.get(key);
    const record = JSON.parse(found?.value ?? "");
    later(shop, DAY);
    record.parked = `${record.balance} 0 0 0 0`;
    await shop.store.put(key, JSON.stringify(record), { ifVersion: found?.version ?? 0, ttlMs: 1e9 });
    await shop.handle.tick();
    expect(await claimedOf([buyer])).toEqual([1000n]);
  });
});
