/** The memory of a service that runs for long: flat, however many calls it has answered. */
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { DAY_MS } from "../../src/lib/time.js";
import type { Facilitator } from "../../src/payment/x402/transport.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { NETWORK, openShop } from "../support/shop.js";
import { quoteOf, sign, TREASURY } from "../support/wallets.js";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** More than noise, and less than the smallest leak that counts: an id of a call that somebody keeps. */
const MOST_BYTES = 100;
const LEAK_BYTES = 200;
const UNPAID = 6000;
const PAID = 2500;
/** More payments than a process remembers of chains. */
const REMEMBERED = 10_500;

async function heap(): Promise<number> {
  // Streams and sockets that have ended let go of their buffers in a later turn.
  for (let i = 0; i < 3; i++) {
    await sleep(20);
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** By how many bytes a call the heap has grown after `ahead` calls that fill what is bounded. */
async function growthOf(calls: number, call: (i: number) => Promise<unknown>, ahead = calls): Promise<number> {
  for (let i = 0; i < ahead; i++) await call(i);
  const full = await heap();
  for (let i = ahead; i < ahead + calls; i++) await call(i);
  return ((await heap()) - full) / calls;
}

/** Keeps as much of each call as a map of ids would. */
function leaking(call: (i: number) => Promise<unknown>) {
  const kept: string[] = [];
  return async (i: number) => {
    kept.push(Buffer.alloc(LEAK_BYTES, i % 256).toString("latin1"));
    await call(i);
  };
}

const payerOf = (payment: unknown) =>
  (payment as { payload: { authorization: { from: string; nonce: string } } }).payload.authorization;

/** Says yes; a real one, or a chain, remembers what it has seen, elsewhere. */
const forgetful: Facilitator = {
  supported: async () => ({ kinds: [{ x402Version: 2, scheme: "exact", network: NETWORK }] }),
  verify: async (payment) => ({ isValid: true, payer: payerOf(payment).from }),
  settle: async (payment) => ({
    success: true,
    transaction: payerOf(payment).nonce,
    network: NETWORK,
    payer: payerOf(payment).from,
  }),
};

async function openService() {
  let days = 0;
  // A day a call: what is kept for a while comes and goes as in a year.
  const store = createMemoryStore({ clock: () => new Date(days * DAY_MS) });
  const shop = openShop({
    store,
    payment: { treasury: { [NETWORK]: TREASURY }, facilitator: forgetful, rpc: false },
    onCall: () => {},
  });
  const quote = quoteOf(await shop.get("/test/work"));
  const [terms] = quote.accepts;
  if (!terms) throw new Error("nothing offered");
  return {
    unpaid: async (i: number) => {
      const response = await shop.get(`/test/work?n=${i % 1000}`, {}, `203.0.${(i >> 8) % 256}.${i % 256}`);
      await response.text();
      if (response.status !== 402) throw new Error(`answered ${response.status}`);
    },
    paid: async (i: number) => {
      days++;
      const payment = await sign(terms, { now: shop.clock.seconds() });
      const response = await shop.pay(`/test/work?n=${i % 1000}`, { ...payment, resource: quote.resource });
      await response.text();
      if (response.status !== 200) throw new Error(`answered ${response.status}`);
    },
  };
}

it("a 402 leaves nothing behind", { timeout: 300_000 }, async () => {
  const { unpaid } = await openService();
  expect(await growthOf(UNPAID, unpaid)).toBeLessThan(MOST_BYTES);
});

it("a paid call leaves nothing behind but records that expire", { timeout: 300_000 }, async () => {
  const { paid } = await openService();
  expect(await growthOf(PAID, paid, REMEMBERED)).toBeLessThan(MOST_BYTES);
});

it("would notice what keeps 200 bytes of a call", { timeout: 300_000 }, async () => {
  const { unpaid } = await openService();
  expect(await growthOf(UNPAID, leaking(unpaid))).toBeGreaterThan(MOST_BYTES);
});
