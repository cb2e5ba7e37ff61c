/** What brings the money home: claims, sweeps, refunds, and withdrawals that come in between. */
import { describe, expect, it } from "vitest";
import type { ChannelConfig } from "../../../src/payment/rails/evm/channel-typed-data.js";
import type { ChannelChain } from "../../support/channel-chain.js";
import {
  type ChannelShop,
  type ChannelShopOptions,
  correctionOf,
  craft,
  offerOf,
  receiptOf,
  sharedStore,
  WORK,
} from "../../support/channel-shop.js";
import { newTreasury, onChannelChain } from "../../support/on-channel-chain.js";

const DAY = 86_400;
let chain: ChannelChain;
const shops = onChannelChain((started) => {
  chain = started;
});

/** A shop with a treasury of its own, so that what others swept is not its business. */
async function open(options: ChannelShopOptions = {}): Promise<ChannelShop & { treasury: string }> {
  const treasury = options.treasury ?? newTreasury();
  const shop = await shops.open({ ...options, treasury });
  return { ...shop, treasury };
}

/** A buyer that has made some calls of a tenth of a cent. */
async function buyerOf(shop: ChannelShop, calls: number) {
  const buyer = await chain.buyer(shop.fetch);
  for (let n = 0; n < calls; n++) expect((await buyer.fetch(`${WORK}?n=${n}`)).status).toBe(200);
  const offer = await offerOf(shop.fetch);
  const { payload } = await craft(offer, buyer.account, 1n);
  return { ...buyer, offer, id: payload.voucher.channelId, config: payload.channelConfig as ChannelConfig };
}

const claims = () => chain.asked.filter((name) => name === "settle claim").length;
const later = (shop: ChannelShop, seconds: number) => {
  shop.ahead.ms += seconds * 1000;
};
const channelsOf = async (shop: ChannelShop) => (await shop.handle.ledger()).channels;
const events = (shop: ChannelShop, outcome: string) =>
  shop.events
    .filter(({ kind }) => kind === "channel" || kind === "refund")
    .filter((event) => event.outcome === outcome);
const usdOf = (shop: ChannelShop, outcome: string) =>
  events(shop, outcome).map((event) =>
    "channelUsd" in event ? event.channelUsd : "refundedUsd" in event && event.refundedUsd,
  );

describe("claims", () => {
  it("CH-36 come when so much is owed by one, when it is old, and otherwise never, however often the clock ticks", async () => {
    const shop = await open({ channels: { claimAboveUsd: "0.003", claimAfterSeconds: 3600 } });
    const buyer = await buyerOf(shop, 2);
    for (let i = 0; i < 5; i++) await shop.handle.tick();
    expect(claims()).toBe(0);
    await buyer.fetch(`${WORK}?n=7`);
    await shop.handle.tick();
    expect(claims()).toBe(1);
    expect((await chain.stateOf(buyer.id)).claimed).toBe(3000n);
    await buyer.fetch(`${WORK}?n=8`);
    for (let i = 0; i < 3; i++) await shop.handle.tick();
    expect(claims()).toBe(1);
    later(shop, 3601);
    await shop.handle.tick();
    await shop.handle.tick();
    expect(claims()).toBe(2);
    expect((await chain.stateOf(buyer.id)).claimed).toBe(4000n);
    expect(await channelsOf(shop)).toMatchObject({ earnedUsd: "0.004", claimedUsd: "0.004", unclaimedUsd: "0" });
  });

  it("CH-36 come when all together owe enough, once they are quiet", async () => {
    const shop = await open({ channels: { claimAboveUsd: "0.003" } });
    await buyerOf(shop, 2);
    await buyerOf(shop, 2);
    await shop.handle.tick();
    expect(claims()).toBe(0);
    later(shop, 601);
    await shop.handle.tick();
    expect(claims()).toBe(1);
    expect(usdOf(shop, "claimed")).toEqual(["0.002", "0.002"]);
  });

  it("CH-35 are one transaction for 25 channels, two for 26, at what was charged", async () => {
    const shop = await open();
    const buyers = [];
    for (let i = 0; i < 26; i++) buyers.push(await buyerOf(shop, 1));
    later(shop, DAY);
    await shop.handle.tick();
    const rows = chain.sent.filter(({ asked }) => asked === "settle claim");
    expect(rows.map(({ payload }) => payload.payload.claims?.length)).toEqual([25, 1]);
    for (const { requirements } of rows) expect(requirements.maxTimeoutSeconds).toBeGreaterThan(0);
    for (const { id } of buyers) expect((await chain.stateOf(id)).claimed).toBe(1000n);
  }, 30_000);

  it("CH-37 of two instances at once are one; one whose answer is lost is not sent again", async () => {
    const store = sharedStore();
    const first = await open({ store });
    const second = await open({ store, treasury: first.treasury });
    const buyer = await buyerOf(first, 2);
    for (const shop of [first, second]) later(shop, DAY);
    chain.faults.set("settle claim", ["lose the answer"]);
    await Promise.all([first.handle.tick(), second.handle.tick()]);
    for (const shop of [first, second, first]) await shop.handle.tick();
    expect(claims()).toBe(1);
    expect((await chain.stateOf(buyer.id)).claimed).toBe(2000n);
    expect(await channelsOf(second)).toMatchObject({ claimedUsd: "0.002", unclaimedUsd: "0" });
  });

  it("CH-37 that came to nothing are sent again, but not while they may be on their way", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 1);
    later(shop, DAY);
    chain.faults.set("settle claim", ["fall silent"]);
    await shop.handle.tick();
    await shop.handle.tick();
    expect(claims()).toBe(1);
    later(shop, 180);
    await shop.handle.tick();
    expect((await chain.stateOf(buyer.id)).claimed).toBe(1000n);
    expect(claims()).toBe(2);
  });

  it("CH-43 take no call away that is under way", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 1);
    later(shop, DAY);
    let go = () => {};
    shop.behaviours.push(
      () =>
        new Promise<void>((resolve) => {
          go = resolve;
        }),
    );
    const call = buyer.fetch(`${WORK}?n=5`);
    await expect.poll(() => shop.runs()).toBe(2);
    await shop.handle.tick();
    expect((await chain.stateOf(buyer.id)).claimed).toBe(1000n);
    go();
    expect((await call).status).toBe(200);
    expect(await channelsOf(shop)).toMatchObject({ earnedUsd: "0.002", claimedUsd: "0.001", unclaimedUsd: "0.001" });
    expect((await buyer.fetch(`${WORK}?n=6`)).status).toBe(200);
  });

  it("CH-42 are swept in a later round, once; that nothing waits is no error", async () => {
    const shop = await open({ channels: { claimAboveUsd: "0.001" } });
    await buyerOf(shop, 12);
    await shop.handle.tick();
    expect(chain.asked).toContain("settle claim");
    expect(chain.asked).not.toContain("settle settle");
    // By another instance, which knows of no claim of its own.
    const next = await open({ channels: { claimAboveUsd: "0.001" }, store: shop.store, treasury: shop.treasury });
    await next.handle.tick();
    await next.handle.tick();
    expect(chain.asked.filter((name) => name === "settle settle")).toHaveLength(1);
    expect(await chain.balanceOf(shop.treasury as `0x${string}`)).toBe(12_000n);
    expect(await channelsOf(shop)).toMatchObject({ sweptUsd: "0.012" });
    expect(events(next, "swept")).toMatchObject([{ channelUsd: "0.012" }]);
  });

  it("CH-51 are due for what is a year old as well", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 2);
    await shop.handle.tick();
    later(shop, 365 * DAY);
    await shop.handle.tick();
    expect((await chain.stateOf(buyer.id)).claimed).toBe(2000n);
  });

  it("CH-53 leave one sale a call in the ledger, and sums that add up", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 3);
    await shop.handle.tick();
    await buyer.fetch(`${WORK}?n=50`);
    later(shop, DAY);
    await shop.handle.tick();
    const { total, rows, channels } = await shop.handle.ledger({ by: ["endpoint"] });
    expect(total).toMatchObject({ calls: 4, earnedUsd: "0.004", owedUsd: "0" });
    expect(rows).toMatchObject([{ endpoint: "test.work", calls: 4, earnedUsd: "0.004" }]);
    expect(channels).toMatchObject({ channels: 1, earnedUsd: "0.004", claimedUsd: "0.004", lostUsd: "0" });
  });
});

describe("refunds", () => {
  it("CH-45 give back a part or all by the stock buyer's own call, and the channel can be opened again", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 3);
    const part = await buyer.channel.refund(WORK, { amount: "2000", fetch: shop.fetch });
    expect(part).toMatchObject({ success: true, amount: "2000" });
    expect(await chain.stateOf(buyer.id)).toEqual({ balance: 998_000n, claimed: 3000n });
    expect((await buyer.fetch(`${WORK}?n=9`)).status).toBe(200);
    later(shop, DAY + 1);
    expect(await buyer.channel.refund(WORK, { fetch: shop.fetch })).toMatchObject({ success: true, amount: "994000" });
    expect(await chain.stateOf(buyer.id)).toEqual({ balance: 4000n, claimed: 4000n });
    const reopened = await buyer.fetch(`${WORK}?n=10`);
    expect(reopened.status).toBe(200);
    expect(receiptOf(reopened).extra.channelState.chargedCumulativeAmount).toBe("5000");
    expect(usdOf(shop, "refunded")).toEqual(["0.002", "0.994"]);
  });

  it("CH-55 publish a voucher as claims do: nobody fetches the last answer with it", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 1);
    chain.faults.set("settle refund", ["fall silent"]);
    const part = { type: "refund", amount: "2000" };
    const { header } = await craft(buyer.offer, buyer.account, 1000n, { payload: part });
    expect((await shop.fetch(WORK, { headers: { "payment-signature": header } })).status).toBe(502);
    later(shop, 61);
    const read = await craft(buyer.offer, buyer.account, 1000n);
    const stolen = await shop.fetch(`${WORK}?n=0`, { headers: { "payment-signature": read.header } });
    expect(stolen.status).toBe(402);
    expect(correctionOf(stolen).extra).not.toHaveProperty("channelState");
    expect((await buyer.fetch(`${WORK}?n=1`)).status).toBe(200);
  });

  it("CH-45 are not undone by a node that is behind", async () => {
    const answers = new Map<string, string>();
    let behind = false;
    const node: typeof globalThis.fetch = async (input, init) => {
      const { method, params } = JSON.parse(String(init?.body));
      const asked = JSON.stringify([method, params]);
      const known = behind ? answers.get(asked) : undefined;
      if (known !== undefined) return new Response(known);
      const text = await (await globalThis.fetch(input, init)).text();
      answers.set(asked, text);
      return new Response(text);
    };
    const shop = await open({ fetch: node });
    const buyer = await buyerOf(shop, 2);
    later(shop, 400);
    // The state before the refund is read once more.
    await buyer.fetch(`${WORK}?n=5`);
    const before = new Map(answers);
    expect(await buyer.channel.refund(WORK, { fetch: shop.fetch })).toMatchObject({ success: true });
    for (const [asked, text] of before) answers.set(asked, text);
    behind = true;
    later(shop, 400);
    const { header } = await craft(buyer.offer, buyer.account, 4000n);
    expect((await shop.fetch(`${WORK}?n=6`, { headers: { "payment-signature": header } })).status).toBe(402);
    expect(shop.runs()).toBe(3);
  });

  it("CH-46 wait for the call that is under way, and nothing of it is lost", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 1);
    let go = () => {};
    shop.behaviours.push(
      () =>
        new Promise<void>((resolve) => {
          go = resolve;
        }),
    );
    const call = buyer.fetch(`${WORK}?n=5`);
    await expect.poll(() => shop.runs()).toBe(2);
    const { header } = await craft(buyer.offer, buyer.account, 2000n, { payload: { type: "refund" } });
    const refund = shop.fetch(WORK, { headers: { "payment-signature": header } });
    go();
    expect((await call).status).toBe(200);
    expect((await refund).status).toBe(200);
    expect(await chain.stateOf(buyer.id)).toEqual({ balance: 2000n, claimed: 2000n });
  });

  it("CH-47, CH-48 are for what was charged exactly, in digits, and one a day where little was earned", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 1);
    const ask = async (ceiling: bigint, more: object) => {
      const made = await craft(buyer.offer, buyer.account, ceiling, { payload: { type: "refund", ...more } });
      return shop.fetch(WORK, { headers: { "payment-signature": made.header } });
    };
    expect(correctionOf(await ask(2000n, {})).error).toMatch(/amount_mismatch/);
    for (const amount of ["0", "x", 5])
      expect((await ask(1000n, { amount: String(amount) })).status).toBe(amount === 5 ? 200 : 402);
    const second = await ask(1000n, {});
    expect(second.status).toBe(402);
    expect(correctionOf(second).error).toMatch(/initiateWithdraw/);
    expect((await buyer.fetch(`${WORK}?n=2`)).status).toBe(200);
  });

  it("CH-49 are not to be had from the facilitator, because the key is ours", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 1);
    const own = { type: "refund", amount: "999000", refundNonce: "0", claims: [] };
    const { payload } = await craft(buyer.offer, buyer.account, 1000n, { payload: own });
    const payment = { x402Version: 2, accepted: buyer.offer, payload };
    expect(await chain.facilitator.settle(payment, buyer.offer)).toMatchObject({ success: false });
    expect((await chain.stateOf(buyer.id)).balance).toBe(1_000_000n);
  });
});

describe("a store that was lost", () => {
  it("CH-50 is made good by the next call of an honest buyer", async () => {
    const before = await open();
    const buyer = await buyerOf(before, 5);
    const after = await open({ treasury: before.treasury });
    // It paid for five calls of which nobody here knows.
    const { header } = await craft(buyer.offer, buyer.account, 6000n);
    const response = await after.fetch(`${WORK}?n=5`, { headers: { "payment-signature": header } });
    expect(response.status).toBe(200);
    later(after, DAY);
    await after.handle.tick();
    expect((await chain.stateOf(buyer.id)).claimed).toBe(6000n);
    const old = await craft(buyer.offer, buyer.account, 5000n);
    const refused = await after.fetch(`${WORK}?n=4`, { headers: { "payment-signature": old.header } });
    expect(correctionOf(refused).error).toMatch(/below_claimed/);
    // One unit above what is claimed buys no call.
    const fresh = await open({ treasury: before.treasury });
    const cheap = await craft(buyer.offer, buyer.account, 6001n);
    const unit = await fresh.fetch(`${WORK}?n=7`, { headers: { "payment-signature": cheap.header } });
    expect(unit.status).toBe(402);
    expect(after.runs() + fresh.runs()).toBe(1);
  });

  it("CH-50 has its channels found again on chain", async () => {
    const before = await open();
    await buyerOf(before, 2);
    await buyerOf(before, 1);
    const after = await open({ treasury: before.treasury });
    await after.handle.tick();
    expect(await channelsOf(after)).toMatchObject({ channels: 2 });
  });
});
