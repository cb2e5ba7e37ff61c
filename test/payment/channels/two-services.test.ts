/** Two services with one claim key and stores of their own: a deposit is spent at both, and each takes the other's claims for its own. */
import { describe, expect, it } from "vitest";
import type { ChannelChain } from "../../support/channel-chain.js";
import { type ChannelShop, correctionOf, craft, offerOf, type sharedStore, WORK } from "../../support/channel-shop.js";
import { newTreasury, onChannelChain } from "../../support/on-channel-chain.js";

const DAY = 86_400_000;
let chain: ChannelChain;
const shops = onChannelChain((started) => {
  chain = started;
});

interface Told {
  level: string;
  facts: Record<string, unknown>;
  text: string;
}

async function open(treasury: string, store?: ReturnType<typeof sharedStore>) {
  const told: Told[] = [];
  const log = (level: string) => (facts: unknown, text?: string) =>
    void told.push({ level, facts: facts as Record<string, unknown>, text: text ?? "" });
  const logger = { debug() {}, info() {}, warn: log("warn"), error: log("error") };
  const ahead = { ms: 0 };
  const options = { treasury, logger: logger as never, maxTimeoutSeconds: 10_000_000, ahead };
  const shop = await shops.open(store ? { ...options, store } : options);
  return { ...shop, told };
}
type Shop = Awaited<ReturnType<typeof open>>;

const errors = ({ told }: Shop) => told.filter(({ level }) => level === "error");
const lost = ({ events }: ChannelShop) => events.filter(({ outcome }) => outcome === "lost");
const channelsOf = async ({ handle }: ChannelShop) => (await handle.ledger()).channels;

/** A buyer of the first, who signs what it likes. */
async function buyerOf(shop: ChannelShop, calls: number) {
  const buyer = await chain.buyer(shop.fetch);
  for (let n = 0; n < calls; n++) expect((await buyer.fetch(`${WORK}?n=${n}`)).status).toBe(200);
  const offer = await offerOf(shop.fetch);
  const { payload } = await craft(offer, buyer.account, 1n);
  const pay = async (at: ChannelShop, ceiling: bigint, type = "voucher") => {
    const { header } = await craft(offer, buyer.account, ceiling, { payload: { type } });
    return at.fetch(`${WORK}?n=${ceiling}`, { headers: { "payment-signature": header } });
  };
  return { ...buyer, pay, id: payload.voucher.channelId };
}

/** One deposit that bought ten calls at each; the first has claimed what it sold. */
async function spentTwice() {
  const at = newTreasury();
  const [first, second] = [await open(at), await open(at)];
  const buyer = await buyerOf(first, 10);
  for (let i = 1n; i <= 10n; i++) expect((await buyer.pay(second, i * 1000n)).status).toBe(200);
  first.ahead.ms += DAY;
  await first.handle.tick();
  expect((await chain.stateOf(buyer.id)).claimed).toBe(10_000n);
  return { first, second, buyer, at };
}

describe("a deposit that is spent at two services with one claim key", () => {
  it("buys nothing more where the other's claim shows, and what that took is told as lost, once", async () => {
    const { second, buyer } = await spentTwice();
    second.ahead.ms += DAY;
    for (let i = 0; i < 3; i++) await second.handle.tick();
    expect(await channelsOf(second)).toMatchObject({
      ...{ earnedUsd: "0.01", claimedUsd: "0", lostUsd: "0.01", unclaimedUsd: "0" },
    });
    expect(lost(second)).toMatchObject([{ channelUsd: "0.01", channel: buyer.id.toLowerCase() }]);
    const [error, ...more] = errors(second);
    expect(more).toEqual([]);
    expect(error?.facts).toMatchObject({ channels: 1, usd: "0.01" });
    expect(error?.text).toMatch(/another service claims with the same key.*signer.*store/);
    const runs = second.runs();
    const refused = await buyer.pay(second, 11_000n);
    expect(refused.status).toBe(402);
    expect(correctionOf(refused).schemes).toEqual(["exact"]);
    expect(second.runs()).toBe(runs);
  });

  it("is refused by the call that sees it, before the claimer comes, and deposits nothing more", async () => {
    const { second, buyer } = await spentTwice();
    second.ahead.ms += 400_000;
    const runs = second.runs();
    expect((await buyer.pay(second, 11_000n)).status).toBe(402);
    chain.asked.length = 0;
    expect((await buyer.fetch(`${WORK}?n=99`)).status).toBe(200);
    const fresh = await chain.buyer(second.fetch, { account: buyer.account });
    expect((await fresh.fetch("http://shop.test/api/test/dear?n=1")).status).toBe(402);
    expect((await fresh.fetch("http://shop.test/api/test/dear?n=2")).status).toBe(402);
    expect(chain.asked).not.toContain("settle deposit");
    expect(second.runs()).toBe(runs);
    await second.handle.tick();
    expect(lost(second)).toMatchObject([{ channelUsd: "0.01" }]);
  });

  it("is told again when a service starts on a store that shows it", async () => {
    const { second, at } = await spentTwice();
    second.ahead.ms += DAY;
    await second.handle.tick();
    const later = await open(at, second.store);
    await later.handle.tick();
    expect(errors(later)).toHaveLength(1);
    expect(errors(later)[0]?.text).toMatch(/another service claims with the same key/);
    expect(lost(later)).toEqual([]);
  });

  it("is no loss of the service whose claims came first, which sells nothing on it any more either", async () => {
    const { first, second, buyer } = await spentTwice();
    // Not seen yet by the second, which goes on by its own count and claims.
    for (let i = 11n; i <= 12n; i++) expect((await buyer.pay(second, i * 1000n)).status).toBe(200);
    second.ahead.ms += DAY;
    await second.handle.tick();
    expect((await chain.stateOf(buyer.id)).claimed).toBe(12_000n);
    expect(await channelsOf(second)).toMatchObject({ earnedUsd: "0.012", claimedUsd: "0.002", lostUsd: "0.01" });
    first.ahead.ms += DAY;
    expect((await buyer.pay(first, 11_000n)).status).toBe(402);
    await first.handle.tick();
    expect(await channelsOf(first)).toMatchObject({ earnedUsd: "0.01", claimedUsd: "0.01", lostUsd: "0" });
    expect(errors(first)).toHaveLength(1);
    expect(lost(first)).toEqual([]);
  });
});

describe("what is no such thing", () => {
  it("CH-50 is a store that was lost: nobody can tell it from another service, and it goes on", async () => {
    const at = newTreasury();
    const before = await open(at);
    const buyer = await buyerOf(before, 5);
    before.ahead.ms += DAY;
    await before.handle.tick();
    const after = await open(at);
    after.ahead.ms += DAY;
    for (let i = 6n; i <= 8n; i++) expect((await buyer.pay(after, i * 1000n)).status).toBe(200);
    after.ahead.ms += DAY;
    for (let i = 0; i < 2; i++) await after.handle.tick();
    expect((await buyer.pay(after, 9000n)).status).toBe(200);
    expect(errors(after)).toEqual([]);
    expect(lost(after)).toEqual([]);
  });

  it("CH-50 is a claim of a store that was lost and lands once its successor knows the channel", async () => {
    const at = newTreasury();
    const before = await open(at);
    const buyer = await buyerOf(before, 5);
    const after = await open(at);
    expect((await buyer.pay(after, 6000n)).status).toBe(200);
    before.ahead.ms += DAY;
    await before.handle.tick();
    expect((await chain.stateOf(buyer.id)).claimed).toBe(5000n);
    after.ahead.ms += DAY;
    expect((await buyer.pay(after, 7000n)).status).toBe(200);
    expect(errors(after)).toEqual([]);
  });

  it("is a claim or a refund of our own whose answer was lost", async () => {
    const shop = await open(newTreasury());
    const buyer = await buyerOf(shop, 3);
    chain.faults.set("settle claim", ["lose the answer"]);
    shop.ahead.ms += DAY;
    await shop.handle.tick();
    expect((await buyer.fetch(`${WORK}?n=7`)).status).toBe(200);
    chain.faults.set("settle refund", ["lose the answer"]);
    await buyer.channel.refund(WORK, { amount: "2000", fetch: shop.fetch }).catch(() => undefined);
    shop.ahead.ms += 400_000;
    expect((await buyer.pay(shop, 5000n)).status).toBe(200);
    expect(errors(shop)).toEqual([]);
    expect(await channelsOf(shop)).toMatchObject({ earnedUsd: "0.005", claimedUsd: "0.004", lostUsd: "0" });
  });

  it("is a record of an earlier release, which does not say what was asked for", async () => {
    const shop = await open(newTreasury());
    const buyer = await buyerOf(shop, 4);
    shop.ahead.ms += DAY;
    for (const { key, value, version } of await shop.store.list("channel:", { limit: 10 })) {
      const { reach: _, ...old } = JSON.parse(value);
      await shop.store.put(key, JSON.stringify(old), { ifVersion: version, ttlMs: DAY });
    }
    await shop.handle.tick();
    expect((await buyer.fetch(`${WORK}?n=7`)).status).toBe(200);
    expect(await channelsOf(shop)).toMatchObject({ earnedUsd: "0.005", claimedUsd: "0.004", lostUsd: "0" });
  });
});
