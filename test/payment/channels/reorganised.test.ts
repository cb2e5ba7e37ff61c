/** Claims and refunds that the chain takes back: what was earned is claimed again, and nothing is sold on what is gone. */
import { describe, expect, it } from "vitest";
import type { ChannelConfig } from "../../../src/payment/rails/evm/channel-typed-data.js";
import type { ChannelChain } from "../../support/channel-chain.js";
import { type ChannelShop, craft, offerOf, WORK } from "../../support/channel-shop.js";
import { newTreasury, onChannelChain } from "../../support/on-channel-chain.js";
import { toHeader } from "../../support/wallets.js";

const DAY = 86_400;
let chain: ChannelChain;
const shops = onChannelChain((started) => {
  chain = started;
});

/** A service and its node, which may stand still at a block. */
async function open() {
  const treasury = newTreasury();
  const node = { asked: 0, at: undefined as bigint | undefined };
  const fetch: typeof globalThis.fetch = (input, init) => {
    node.asked++;
    const body = String(init?.body);
    const now = node.at === undefined ? body : body.replace('"latest"', `"0x${node.at.toString(16)}"`);
    return globalThis.fetch(input, { ...init, body: now });
  };
  const shop = await shops.open({ treasury, fetch, maxTimeoutSeconds: 10_000_000 });
  return { ...shop, node };
}

async function buyerOf(shop: ChannelShop, calls: number) {
  const buyer = await chain.buyer(shop.fetch);
  for (let n = 0; n < calls; n++) expect((await buyer.fetch(`${WORK}?n=${n}`)).status).toBe(200);
  const offer = await offerOf(shop.fetch);
  const { payload } = await craft(offer, buyer.account, 1n);
  const config = payload.channelConfig as ChannelConfig;
  const pay = async (ceiling: bigint) => {
    const { header } = await craft(offer, buyer.account, ceiling);
    return (await shop.fetch(`${WORK}?n=${ceiling}`, { headers: { "payment-signature": header } })).status;
  };
  return { ...buyer, offer, pay, id: payload.voucher.channelId, config };
}

const later = (shop: ChannelShop, seconds: number) => {
  shop.ahead.ms += seconds * 1000;
};
const asked = (kind: string) => chain.asked.filter((name) => name === `settle ${kind}`).length;
const channelsOf = async (shop: ChannelShop) => (await shop.handle.ledger()).channels;
/** The chain goes another way from before `work` on, as if it had never been sent. */
async function takenBack(work: () => Promise<unknown>): Promise<void> {
  const id = await chain.client.snapshot();
  await work();
  await chain.client.revert({ id });
}

describe("a claim that is taken back", () => {
  it("CH-37 is made again once the chain has passed its block, and no sooner", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 10);
    later(shop, DAY);
    await takenBack(() => shop.handle.tick());
    expect(asked("claim")).toBe(1);
    expect((await chain.stateOf(buyer.id)).claimed).toBe(0n);
    for (let i = 0; i < 3; i++) await shop.handle.tick();
    expect(asked("claim")).toBe(1);
    await chain.client.mine({ blocks: 70 });
    for (let i = 0; i < 3; i++) await shop.handle.tick();
    expect(asked("claim")).toBe(2);
    expect((await chain.stateOf(buyer.id)).claimed).toBe(10_000n);
    expect(await channelsOf(shop)).toMatchObject({ earnedUsd: "0.01", claimedUsd: "0.01", unclaimedUsd: "0" });
    // Its voucher was read by everybody.
    expect(await buyer.pay(10_000n)).toBe(402);
    expect(await buyer.pay(11_000n)).toBe(200);
  });

  it("CH-55 has published its voucher: a stranger fetches no answer with it meanwhile", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 2);
    later(shop, DAY);
    await takenBack(() => shop.handle.tick());
    await chain.client.mine({ blocks: 70 });
    const { header } = await craft(buyer.offer, buyer.account, 2000n);
    later(shop, 400);
    expect(await buyer.pay(3000n)).toBe(200);
    expect(await channelsOf(shop)).toMatchObject({ claimedUsd: "0", unclaimedUsd: "0.003" });
    const stolen = await shop.fetch(`${WORK}?n=1`, { headers: { "payment-signature": header } });
    expect(stolen.status).toBe(402);
  });

  it("CH-41 leaves nothing to sell on: an emptied channel buys no call, and its loss is told", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 10);
    later(shop, DAY);
    await takenBack(() => shop.handle.tick());
    await chain.withdraw.begin(buyer.account, buyer.config, 1_000_000n);
    await chain.passTime(DAY + 1);
    await chain.withdraw.end(buyer.account, buyer.config);
    later(shop, DAY + 1);
    const runs = shop.runs();
    for (let i = 1n; i <= 3n; i++) expect(await buyer.pay(10_000n + i * 1000n)).toBe(402);
    expect(shop.runs()).toBe(runs);
    for (let i = 0; i < 3; i++) await shop.handle.tick();
    expect(await channelsOf(shop)).toMatchObject({ claimedUsd: "0", lostUsd: "0.01", unclaimedUsd: "0" });
  });

  it("CH-41 is not sold on either while it is not clear what the chain has", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 2);
    later(shop, DAY);
    await takenBack(() => shop.handle.tick());
    // The service looks while the new branch is shorter.
    await shop.handle.tick();
    expect(await buyer.pay(3000n)).toBe(502);
    expect(shop.runs()).toBe(2);
    await chain.client.mine({ blocks: 70 });
    expect(await buyer.pay(3000n)).toBe(200);
  });

  it("CH-36 is looked for until its block is final, and no longer", async () => {
    const shop = await open();
    await buyerOf(shop, 1);
    later(shop, DAY);
    await shop.handle.tick();
    later(shop, DAY);
    // The sweep.
    await shop.handle.tick();
    const looks = async () => {
      const before = shop.node.asked;
      await shop.handle.tick();
      return shop.node.asked - before;
    };
    const open_ = await looks();
    await chain.client.mine({ blocks: 200 });
    await shop.handle.tick();
    expect(open_).toBeGreaterThan(await looks());
  });

  it("CH-45 and a node that is behind are two things: what it shows is never believed", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 2);
    later(shop, DAY);
    shop.node.at = undefined;
    const before = await chain.client.getBlockNumber();
    await shop.handle.tick();
    await chain.client.mine({ blocks: 100 });
    await shop.handle.tick();
    shop.node.at = before;
    for (let hours = 0; hours < 40; hours += 4) {
      later(shop, 4 * 3600);
      await shop.handle.tick();
      expect(await buyer.pay(3000n)).toBe(502);
    }
    expect(asked("claim")).toBe(1);
    shop.node.at = undefined;
    expect(await buyer.pay(3000n)).toBe(200);
  });
});

describe("a refund that is taken back", () => {
  it("CH-30 takes no deposit while record and chain disagree, and the channel goes on with what it has", async () => {
    const shop = await open();
    const buyer = await buyerOf(shop, 3);
    await takenBack(async () => {
      expect(await buyer.channel.refund(WORK, { fetch: shop.fetch })).toMatchObject({ success: true });
    });
    expect((await chain.stateOf(buyer.id)).balance).toBe(1_000_000n);
    chain.asked.length = 0;
    later(shop, 30);
    // A buyer that believes the refund as the service does deposits anew.
    const { channel } = await chain.buyer(shop.fetch, { account: buyer.account, node: false });
    const made = await channel.createPaymentPayload(2, buyer.offer as never);
    const { payload } = await craft(buyer.offer, buyer.account, 4000n);
    const payment = { x402Version: 2, accepted: buyer.offer, payload: { ...made.payload, voucher: payload.voucher } };
    expect(payment.payload).toMatchObject({ type: "deposit" });
    const headers = { "payment-signature": toHeader(payment) };
    expect((await shop.fetch(`${WORK}?n=7`, { headers })).status).toBe(502);
    expect(asked("deposit")).toBe(0);
    expect(await chain.balanceOf(buyer.account.address)).toBe(19_000_000n);
    await chain.client.mine({ blocks: 70 });
    // It was signed and may come again, so what it takes is not for sale: what is deposited now is.
    expect(await buyer.pay(4000n)).toBe(402);
    expect((await shop.fetch(`${WORK}?n=7`, { headers })).status).toBe(200);
    expect(asked("deposit")).toBe(1);
    later(shop, DAY);
    await shop.handle.tick();
    expect((await chain.stateOf(buyer.id)).claimed).toBe(4000n);
  });
});
