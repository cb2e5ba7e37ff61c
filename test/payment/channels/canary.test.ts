/** What a thief could use: it stands in no log, no event and no answer to others, whatever goes wrong. */
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChannelChain, startChannelChain } from "../../support/channel-chain.js";
import { craft, offerOf, openChannelShop, sharedStore, WORK } from "../../support/channel-shop.js";
import { fated } from "../../support/mortal-store.js";
import { mallory } from "../../support/wallets.js";

const KEY = "22".repeat(32);
let chain: ChannelChain;
beforeAll(async () => {
  chain = await startChannelChain();
});
afterAll(() => chain.stop());

describe("a channel's secrets", () => {
  it("CH-57 appear in no log, error or event: neither the key that signs claims nor any voucher", async () => {
    const logged: unknown[] = [];
    const told: unknown[] = [];
    const log = (...facts: unknown[]) => void logged.push(facts);
    const ahead = { ms: 0 };
    const fate = { left: Number.POSITIVE_INFINITY, done: false, forGood: false };
    const { store } = fated(sharedStore(ahead), fate);
    const shop = openChannelShop(chain, {
      ...{ store, ahead, treasury: `0x${"7d".repeat(20)}`, channels: { claimAboveUsd: "0.001" } },
      logger: { debug: log, info: log, warn: log, error: log },
      onCall: (event) => told.push(event),
    });
    await shop.fetch(WORK);
    const buyer = await chain.buyer(shop.fetch);
    const answers: string[] = [];
    const signatures: string[] = [];
    const pay = async (ceiling: bigint, more: Parameters<typeof craft>[3] = {}) => {
      const made = await craft(await offerOf(shop.fetch), buyer.account, ceiling, more);
      signatures.push(made.payload.voucher.signature);
      const response = await shop.fetch(`${WORK}?n=2`, { headers: { "payment-signature": made.header } });
      answers.push(await response.text());
      return response.status;
    };
    chain.faults.set("settle deposit", ["refuse", "fall silent"]);
    for (let i = 0; i < 3; i++) await buyer.fetch(`${WORK}?n=1`).catch(() => undefined);
    shop.behaviours.push(async () => {
      throw new Error("broken");
    });
    expect(await pay(2000n)).toBe(500);
    for (const ceiling of [2001n, 0n, 10n ** 12n]) expect(await pay(ceiling)).toBe(402);
    expect(await pay(2000n, { signer: mallory })).toBe(402);
    fate.left = 0;
    expect(await pay(2000n)).toBe(502);
    expect(await pay(2000n)).toBe(200);
    expect(await pay(2000n, { payload: { type: "refund", amount: "x" } })).toBe(402);
    for (const fault of ["refuse", "fall silent", "lose the answer"] as const) {
      chain.faults.set("settle claim", [fault]);
      ahead.ms += 90_000_000;
      await shop.handle.tick().catch(log);
    }
    chain.faults.set("settle refund", ["refuse"]);
    expect(await pay(2000n, { payload: { type: "refund" } })).toBe(402);
    await shop.handle.close();

    expect(logged.length).toBeGreaterThan(3);
    expect(told.length).toBeGreaterThan(8);
    const heard = inspect([logged, told, answers], { depth: 20, maxStringLength: null, maxArrayLength: null });
    expect(heard).not.toContain(KEY);
    for (const signature of new Set(signatures)) {
      expect(heard).not.toContain(signature);
      expect(heard).not.toContain(signature.slice(2, 66));
    }
  }, 30_000);
});
