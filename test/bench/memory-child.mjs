// Run by memory.mjs as `node --expose-gc memory-child.mjs <mode>`: prints what a process keeps, as JSON.
import { setTimeout as sleep } from "node:timers/promises";

const UNPAID = { ahead: 100_000, calls: 900_000 };
/** Ahead are more than a process remembers of chains. */
const PAID = { ahead: 20_000, calls: 80_000 };
const REPLIES = 10_000;
const RECORDS = 100_000;
const DAY_MS = 86_400_000;

async function kept() {
  for (let i = 0; i < 3; i++) {
    await sleep(100);
    globalThis.gc();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}

/** A shop with every capability, its store's days pass with its calls. */
async function openShop(spy = (store) => store) {
  const { createMemoryStore } = await import("coinslot");
  const { CALL, offerOf, openOurs, PROBE, signPayments } = await import("./shops.mjs");
  let days = 0;
  const store = spy(createMemoryStore({ clock: () => new Date(days * DAY_MS) }));
  const handle = openOurs({ store });
  const offer = offerOf(await handle(new Request(PROBE)));
  let payments = [];
  const call = async (url, headers, status) => {
    const response = await handle(new Request(url, { headers }));
    await response.text();
    if (response.status !== status) throw new Error(`answered ${response.status}`);
  };
  return {
    unpaid: () => call(PROBE, {}, 402),
    async paid() {
      days++;
      if (payments.length === 0) payments = signPayments(offer, 1000);
      await call(CALL, { "payment-signature": payments.pop() }, 200);
    },
  };
}

async function growth(call, { ahead, calls }) {
  for (let i = 0; i < ahead; i++) await call();
  const before = await kept();
  for (let i = 0; i < calls; i++) await call();
  const after = await kept();
  return { before: before.heap, after: after.heap, calls };
}

/** What a store in this process keeps for a sale whose answer can be sent again, and for one without it. */
async function records() {
  const { createMemoryStore } = await import("coinslot");
  let sale;
  const shop = await openShop((store) => ({
    ...store,
    put(key, value, options) {
      if (key.startsWith("payment:")) sale = { key, value, options };
      return store.put(key, value, options);
    },
  }));
  await shop.paid();
  const { key, value, options } = sale;
  const bytesEach = async (text, count) => {
    const store = createMemoryStore({ maxBytes: Number.MAX_SAFE_INTEGER });
    const before = await kept();
    for (let i = 0; i < count; i++) {
      // A text of its own, as each sale has.
      const own = Buffer.from(text.replace("settled", () => "settled")).toString("latin1");
      await store.put(`${key}${i}`, own, { ...options, ifVersion: 0 });
    }
    const bytes = ((await kept()).heap - before.heap) / count;
    if (!(await store.get(`${key}0`))) throw new Error("a record is missing");
    return bytes;
  };
  const short = options.compact?.(value) ?? value;
  return {
    reply: { characters: value.length, bytes: await bytesEach(value, REPLIES) },
    record: { characters: short.length, bytes: await bytesEach(short, RECORDS) },
  };
}

const modes = {
  empty: kept,
  async mounted() {
    const { unpaid } = await openShop();
    await unpaid();
    return kept();
  },
  records,
  unpaid: async () => growth((await openShop()).unpaid, UNPAID),
  paid: async () => growth((await openShop()).paid, PAID),
};
console.log(JSON.stringify(await modes[process.argv[2]]()));
process.exit();
