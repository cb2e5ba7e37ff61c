/** Payments by voucher that somebody has bent: refused, or the voucher itself, and never an accident. `MUTATIONS=100000` is the whole proof. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { fastestRecovery } from "../../src/payment/rails/evm/chain/recover.js";
import { type ChannelChain, startChannelChain } from "../support/channel-chain.js";
import { craft, offerOf, openChannelShop, WORK } from "../support/channel-shop.js";

const MUTATIONS = Number(process.env.MUTATIONS ?? 10_000);
/** What is put in the place of a member. */
const STRANGE: unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e300, "", "0", "-1", "0x", "0x3e8", "1e3", " 1000", "9".repeat(80), "\u0000", "💸"],
  ...[[], {}, [[]], { toString: 1 }, "__proto__", `0x${"0".repeat(40)}`, `0x${"f".repeat(64)}`, `0x${"1".repeat(130)}`],
];

let state = 4711;
const below = (limit: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};

/** One member somewhere in it becomes something else, or is gone, or stands under another name. */
function bend(value: object): void {
  const members = Object.keys(value) as (keyof typeof value)[];
  const name = members[below(members.length)];
  if (name === undefined) return;
  const inner: unknown = value[name];
  if (typeof inner === "object" && inner !== null && below(5) > 0) {
    bend(inner);
    return;
  }
  const how = below(4);
  if (how === 0) Reflect.deleteProperty(value, name);
  else if (how === 1 && typeof inner === "string" && inner.length > 0) {
    const at = below(inner.length);
    Object.assign(value, { [name]: inner.slice(0, at) + "0123456789abcdefXYZ"[below(19)] + inner.slice(at + 1) });
  } else if (how === 2) Object.assign(value, { [`${name}_`]: inner });
  else Object.assign(value, { [name]: STRANGE[below(STRANGE.length)] });
}

/** One byte of its text becomes another. */
function blot(text: string): string {
  const at = below(text.length);
  return text.slice(0, at) + String.fromCharCode(below(256)) + text.slice(at + 1);
}

let chain: ChannelChain;
beforeAll(async () => {
  chain = await startChannelChain();
});
afterAll(() => chain.stop());

it(`CH-13 ${MUTATIONS} bent payments break nothing, leave no trace in logs, and reach the curve only with hashes that fit`, async () => {
  const trouble: unknown[] = [];
  let longest = "";
  /** One line a call, of which nothing is the caller's. */
  const line = (facts: object) => {
    const text = JSON.stringify(facts);
    if (text.length > longest.length) longest = text;
  };
  const alarm = (...facts: unknown[]) => void trouble.push(facts);
  const shop = openChannelShop(chain, { logger: { debug: line, info: line, warn: alarm, error: alarm } });
  await shop.fetch(WORK);
  const buyer = await chain.buyer(shop.fetch);
  expect((await buyer.fetch(`${WORK}?n=1`)).status).toBe(200);
  const { header } = await craft(await offerOf(shop.fetch), buyer.account, 2000n);
  const good = Buffer.from(header, "base64").toString();
  trouble.length = 0;
  longest = "";
  const recover = vi.spyOn(await fastestRecovery(), "recover");
  const statuses = new Map<number, number>();
  let reachedTheCurve = 0;
  for (let i = 0; i < MUTATIONS; i++) {
    const payment = JSON.parse(good);
    for (let bends = 1 + below(3); bends > 0; bends--) bend(payment);
    const bent = below(8) === 0 ? blot(good) : JSON.stringify(payment);
    const before = recover.mock.calls.length;
    const response = await shop.fetch(`${WORK}?n=2`, {
      headers: { "payment-signature": Buffer.from(bent).toString("base64") },
    });
    const { status } = response;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status !== 402 && status !== 200) expect(status, bent).toBe(402);
    if (recover.mock.calls.length === before) continue;
    reachedTheCurve++;
    const config = JSON.parse(bent).payload.channelConfig;
    for (const [name, value] of Object.entries(JSON.parse(good).payload.channelConfig))
      expect(String(config[name]).toLowerCase(), `${name} of ${bent}`).toBe(String(value).toLowerCase());
  }
  recover.mockRestore();
  // What was bent where it does not matter is the voucher itself: one run, and its answer again.
  expect(shop.runs()).toBe(2);
  expect(statuses.get(402)).toBeGreaterThan(MUTATIONS / 2);
  expect(reachedTheCurve).toBeLessThan(MUTATIONS / 2);
  expect(trouble).toEqual([]);
  expect(longest.length, longest).toBeLessThan(400);
  expect(longest).not.toContain(JSON.parse(good).payload.voucher.signature.slice(2, 40));
  expect((await shop.handle.ledger()).channels?.earnedUsd).toBe("0.002");
  await shop.handle.close();
}, 1_200_000);
