/** Orders whose price changes while they are under way: they are billed as they were quoted. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { legacy } from "../../src/capability/output.js";
import { defineOwnCapability } from "../../src/capability/own/own.js";
import type { createHandler } from "../../src/handler/handler.js";
import { toMicros } from "../../src/lib/money.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { fakeClock } from "../support/clock.js";
import { readEvents } from "../support/events.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { fated } from "../support/mortal-store.js";
import { NETWORK, openShop } from "../support/shop.js";
import { signUpto, uptoFacilitator } from "../support/upto.js";
import { mallory, quoteOf, TREASURY, toHeader } from "../support/wallets.js";

const TALK = "/test/talk?words=3";
const EVENTS = { accept: "text/event-stream" };

/** Talks for a tenth of a cent a word, up to two cents; `meanwhile` happens before the last word. */
async function open(options: { store?: Store; clock?: ReturnType<typeof fakeClock> } = {}) {
  const happens = { meanwhile: async () => {} };
  const talk = defineOwnCapability({
    id: "test.talk",
    summary: "Talks, by the word.",
    price: "0.02",
    billing: "upto",
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ words: z.int().min(1).max(100).describe("How many") }),
    output: legacy(() => z.object({ words: z.number() })),
    example: { words: 3 },
    async *stream({ words }, { meter }) {
      for (let word = 1; word <= words; word++) {
        if (word === words) await happens.meanwhile();
        meter.add("0.001");
        yield { word };
      }
      return { words };
    },
  });
  const facilitator = uptoFacilitator();
  const { store = createMemoryStore(), clock = fakeClock(new Date().toISOString()) } = options;
  const another = (on: Store) =>
    openShop({
      capabilities: [talk],
      payment: {
        treasury: { [NETWORK]: TREASURY },
        facilitator: { url: FACILITATOR_URL },
        schemes: ["exact", "upto"],
        refunds: { [NETWORK]: mallory },
      },
      accounts: { keys: true },
      trial: false,
      ...{ facilitator, clock, store: on },
    });
  const shop = another(store);
  await shop.get(TALK);
  await new Promise((resolve) => setImmediate(resolve));
  const handle = shop.handle as unknown as ReturnType<typeof createHandler>;
  const sign = async (scheme: "exact" | "upto") => {
    const terms = quoteOf(await shop.get(TALK)).accepts.find((offer) => offer.scheme === scheme);
    if (!terms) throw new Error(`no offer of ${scheme}`);
    // Valid for longer than any lease.
    const signed =
      scheme === "upto"
        ? await signUpto({ ...terms, maxTimeoutSeconds: 9000 })
        : await shop.payFor(TALK, { authorization: { validBefore: "4102444800" } });
    return toHeader({ ...signed, accepted: terms });
  };
  await handle.accounts.topUp("ada", "1", { reference: "first" });
  const { key } = await handle.accounts.createKey("ada");
  /** Credentials of each kind. */
  const pay = async (kind: "exact" | "upto" | "account"): Promise<Record<string, string>> =>
    kind === "account" ? { authorization: `Bearer ${key}` } : { "payment-signature": await sign(kind) };
  /** What came in by payments and from the account, less what went back. */
  const earned = async (by = handle) => {
    const spent = 1_000_000n - toMicros((await by.accounts.balance("ada")).availableUsd);
    return facilitator.settled.reduce((sum, { to, value }) => (to === TREASURY ? sum + value : sum - value), spent);
  };
  return { ...shop, another, handle, happens, pay, earned, facilitator, clock };
}

describe.each(["exact", "upto", "account"] as const)("a call by %s whose price changes while it runs", (kind) => {
  it.each(["0.02", "0.5", "0.000001"])("to %s is charged what it used, not its maximum", async (usd) => {
    const shop = await open();
    shop.happens.meanwhile = () => shop.handle.setPrice("test.talk", usd);
    const answer = await shop.get(TALK, await shop.pay(kind));
    expect([answer.status, answer.headers.get("x-svc-cost-usd")]).toEqual([200, "0.003"]);
    expect(await shop.earned()).toBe(3000n);
  });

  it("is charged what it used as a stream, too", async () => {
    const shop = await open();
    shop.happens.meanwhile = () => shop.handle.setPrice("test.talk", "0.5");
    const { meta } = readEvents(await (await shop.get(TALK, { ...EVENTS, ...(await shop.pay(kind)) })).text());
    expect(meta).toMatchObject({ costUsd: "0.003", quotedUsd: "0.02" });
    expect(await shop.earned()).toBe(3000n);
  });

  it("to its usage is charged the fixed price that was quoted", async () => {
    const shop = await open();
    await shop.handle.setPrice("test.talk", "0.01");
    const now = shop.clock().getTime();
    shop.happens.meanwhile = async () => shop.clock.advance(1);
    await shop.handle.setPrice("test.talk", "0.004", { from: new Date(now + 500) });
    if (kind === "upto") return;
    expect((await shop.get(TALK, await shop.pay(kind))).headers.get("x-svc-cost-usd")).toBe("0.01");
    expect(await shop.earned()).toBe(10_000n);
  });
});

describe.each(["exact", "upto"] as const)("a payment by %s that was signed before the price changed", (kind) => {
  it.each(["0.02", "0.5", "0.000001"])("to %s is billed by usage, as it was quoted", async (usd) => {
    const shop = await open();
    const signed = await shop.pay(kind);
    await shop.handle.setPrice("test.talk", usd);
    shop.clock.advance(5);
    shop.happens.meanwhile = () => shop.handle.setPrice("test.talk", "0.7");
    const answer = await shop.get(TALK, signed);
    expect([answer.status, answer.headers.get("x-svc-cost-usd")]).toEqual([200, "0.003"]);
    expect(await shop.earned()).toBe(3000n);
  });
});

describe.each(["exact", "upto", "account"] as const)(
  "a call by %s whose process dies after its price changed",
  (kind) => {
    it.each(["0.02", "0.5", "0.000001"])("to %s is billed by its retry as it was first quoted", async (usd) => {
      const clock = fakeClock(new Date().toISOString());
      const living = createMemoryStore({ clock });
      const fate = { left: Number.POSITIVE_INFINITY, done: false, forGood: true };
      const mortal = fated(living, fate);
      const shop = await open({ store: mortal.store, clock });
      const next = shop.another(living);
      const bought = { ...(await shop.pay(kind)), "idempotency-key": "the-very-same-purchase" };
      shop.happens.meanwhile = async () => {
        await shop.handle.setPrice("test.talk", usd);
        // Killed.
        fate.left = 0;
      };
      shop.get(TALK, bought).catch(() => {});
      await mortal.failed;
      shop.happens.meanwhile = async () => {};
      // No quote from before the change is valid any more.
      clock.advance(400);
      const answer = await next.get(TALK, bought);
      expect([answer.status, answer.headers.get("x-svc-cost-usd")]).toEqual([200, "0.003"]);
      expect(await shop.earned(next.handle as unknown as typeof shop.handle)).toBe(3000n);
    });
  },
);
