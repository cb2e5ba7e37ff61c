import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import type { CallEvent } from "../../src/payment/events/events.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { fakeClock } from "../support/clock.js";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { failing, NETWORK, openShop, type ShopOptions } from "../support/shop.js";
import { alice, mallory, quoteOf, TREASURY, toHeader } from "../support/wallets.js";

const alicePays = alice.address.toLowerCase();
const MODEL = "/test/model?n=1";
let reports: string[] = [];

const capabilities = [
  billedByUsage(({ meter }) => void meter.add(reports.shift() ?? "0.02")),
  defineCapability({
    id: "test.cheap",
    summary: "Costs a tenth of a cent.",
    price: "0.001",
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ n: z.int().describe("Any number") }),
    output: one(z.object({})),
    example: { n: 1 },
    async run({ n }) {
      if (n === 0) await failing()();
      return { item: {} };
    },
  }),
];

/** A store that takes no ledger entries while its disk is full, as it is at first. */
function fullDisk() {
  const memory = createMemoryStore();
  const put: Store["put"] = async (key, value, options) => {
    if (disk.isFull && key.startsWith("ledger:")) throw new Error("disk full");
    return memory.put(key, value, options);
  };
  const disk = { isFull: true, store: { ...memory, put } };
  return disk;
}

function open(options: ShopOptions & { refunds?: boolean } = {}) {
  reports = [];
  const { refunds = true, ...rest } = options;
  const shop = openShop({
    capabilities,
    payment: {
      treasury: { [NETWORK]: TREASURY },
      facilitator: { url: FACILITATOR_URL },
      rpc: false,
      ...(refunds ? { refunds: { [NETWORK]: mallory } } : {}),
    },
    ...rest,
  });
  return {
    ...shop,
    /** Pays for a call of the model that reports this usage. */
    async use(usd: string, wallet = alice) {
      reports = [usd];
      const payment = await shop.payFor(MODEL, { wallet });
      const response = await shop.pay(MODEL, payment);
      return { payment, response, credit: response.headers.get("x-svc-credit") ?? "" };
    },
    total: async () => (await shop.handle.ledger()).total,
    /** What the facilitator moved to the treasury, and away from it, in atomic units. */
    moved: () => {
      const sum = (values: bigint[]) => values.reduce((a, b) => a + b, 0n);
      const toTreasury = ({ to }: { to: string }) => to === TREASURY;
      const { settled } = shop.facilitator;
      const all = sum(settled.map(({ value }) => value));
      const received = sum(settled.filter(toTreasury).map(({ value }) => value));
      return { received, returned: all - received };
    },
  };
}

const micros = (usd: string) => BigInt(Math.round(Number(usd) * 1e6));

/** A store whose process dies when it is about to write `key`: from then on nothing gets through. */
function dyingAt(store: Store, matches: (key: string) => boolean): Store {
  let dead = false;
  const alive = async <T>(work: () => Promise<T>): Promise<T> => {
    if (dead) throw new Error("the process is gone");
    return work();
  };
  return {
    ...store,
    get: (key) => alive(() => store.get(key)),
    put: (key, value, options) => {
      dead ||= matches(key);
      return alive(() => store.put(key, value, options));
    },
    remove: (key, version) => alive(() => store.remove(key, version)),
    increment: (key, by, options) => alive(() => store.increment(key, by, options)),
  };
}

describe("the ledger", () => {
  it("tells by day, endpoint and payer what was settled, returned, credited and earned", async () => {
    const shop = open();
    await shop.use("0.0075");
    await shop.use("0.016");
    await shop.pay("/test/cheap?n=1", await shop.payFor("/test/cheap?n=1", { wallet: mallory }));
    shop.clock.advance(24 * 3600);
    await shop.use("0.02");

    const report = await shop.handle.ledger();
    expect(report).toMatchObject({ from: "2026-05-04", to: "2026-06-02" });
    const base = { creditUsedUsd: "0", owedUsd: "0", returnedUsd: "0", creditedUsd: "0" };
    expect(report.rows).toEqual([
      {
        ...base,
        day: "2026-06-01",
        endpoint: "test.cheap",
        payer: mallory.address.toLowerCase(),
        calls: 1,
        settledUsd: "0.001",
        earnedUsd: "0.001",
      },
      {
        ...base,
        day: "2026-06-01",
        endpoint: "test.model",
        payer: alicePays,
        calls: 2,
        settledUsd: "0.04",
        returnedUsd: "0.0125",
        creditedUsd: "0.004",
        earnedUsd: "0.0235",
      },
      {
        ...base,
        day: "2026-06-02",
        endpoint: "test.model",
        payer: alicePays,
        calls: 1,
        settledUsd: "0.02",
        earnedUsd: "0.02",
      },
    ]);
    expect(report.total).toEqual({
      ...base,
      calls: 4,
      settledUsd: "0.061",
      returnedUsd: "0.0125",
      creditedUsd: "0.004",
      earnedUsd: "0.0445",
    });
    const { received, returned } = shop.moved();
    expect([micros(report.total.settledUsd), micros(report.total.returnedUsd)]).toEqual([received, returned]);
  });

  it("leaves out own wallets in any case, other days, and what rows are not asked for", async () => {
    const shop = open();
    await shop.use("0.02");
    shop.clock.advance(24 * 3600);
    await shop.use("0.02", mallory);
    const ledger = shop.handle.ledger;
    expect((await ledger({ ownWallets: [mallory.address.toUpperCase().replace("0X", "0x")] })).rows).toMatchObject([
      { payer: alicePays },
    ]);
    expect((await ledger({ to: "2026-06-01" })).total.calls).toBe(1);
    expect((await ledger({ from: "2026-06-02" })).rows).toMatchObject([{ day: "2026-06-02" }]);
    expect((await ledger({ from: "2026-06-03", to: "2026-06-30" })).total.calls).toBe(0);
    expect((await ledger({ by: ["endpoint"] })).rows).toEqual([
      expect.not.objectContaining({ day: expect.anything(), payer: expect.anything() }),
    ]);
    expect((await ledger({ by: [] })).rows).toMatchObject([{ calls: 2 }]);
  });

  it.each([
    [{ from: "2026-02-30" }, /^from must be a day/],
    [{ to: "yesterday" }, /^to must be a day/],
    [{ from: "2026-06-02", to: "2026-06-01" }, /is after/],
    [{ by: ["network" as "day"] }, /unknown field "network". Known: day, endpoint, payer/],
  ])("refuses %j", async (query, message) => {
    await expect(open().handle.ledger(query)).rejects.toThrow(message);
  });

  it("has nothing of what was not paid in the end: quotes, trials, failures, refusals, zero usage", async () => {
    const shop = open();
    await shop.get(MODEL);
    await shop.get(MODEL, { "x-svc-trial": "1" });
    await shop.use("0");
    expect((await shop.pay("/test/cheap?n=0", await shop.payFor("/test/cheap?n=0"))).status).toBe(502);
    shop.facilitator.faults.settle.push("refuse-poor");
    expect((await shop.use("0.01")).response.status).toBe(402);
    expect((await shop.handle.ledger()).rows).toEqual([]);
  });

  it("has a payment once, however often it is sent, also when its answer came late", async () => {
    const shop = open();
    shop.facilitator.faults.settle.push("drop-after");
    const { payment, response } = await shop.use("0.02");
    expect(response.status).toBe(502);
    expect((await shop.total()).calls).toBe(0);
    for (let i = 0; i < 3; i++) expect((await shop.pay(MODEL, payment)).status).toBe(200);
    expect(await shop.total()).toMatchObject({ calls: 1, settledUsd: "0.02" });
  });

  it("books what goes back later on the day of its call", async () => {
    const shop = open({ clock: fakeClock("2026-06-01T23:59:30Z") });
    shop.facilitator.faults.settle.push("none", "drop");
    await shop.use("0.01");
    expect(await shop.total()).toMatchObject({ owedUsd: "0.01", earnedUsd: "0.01" });
    shop.clock.advance(120);
    await shop.handle.reconcile();
    expect((await shop.handle.ledger()).rows).toMatchObject([
      { day: "2026-06-01", calls: 1, owedUsd: "0", returnedUsd: "0.01", earnedUsd: "0.01" },
    ]);
  });

  it("counts credit once: when it is given, and as paid by it when it is used", async () => {
    const shop = open({ refunds: false });
    const { credit } = await shop.use("0.015");
    const headers = { "x-svc-credit": credit };
    expect((await shop.get("/test/cheap?n=1", headers)).status).toBe(200);
    expect((await shop.get("/test/cheap?n=0", headers)).status).toBe(502);
    // 4000 of credit are left, 16000 are to be paid.
    const [accepted] = quoteOf(await shop.get(MODEL, headers)).accepts;
    const payment = await shop.payFor(MODEL, { authorization: { value: accepted?.amount ?? "" } });
    reports = ["0.003"];
    expect(
      (await shop.get(MODEL, { ...headers, "payment-signature": toHeader({ ...payment, accepted }) })).status,
    ).toBe(200);
    const { rows } = await shop.handle.ledger({ by: ["endpoint"] });
    expect(rows).toMatchObject([
      { endpoint: "test.cheap", calls: 1, settledUsd: "0", creditUsedUsd: "0.001", earnedUsd: "0.001" },
      { endpoint: "test.model", calls: 2, settledUsd: "0.02", creditUsedUsd: "0.003", earnedUsd: "0.018" },
    ]);
    expect(micros((await shop.total()).settledUsd)).toBe(shop.moved().received);
  });

  it("of many pages is read whole", async () => {
    const store = createMemoryStore();
    const clock = fakeClock();
    const shop = open({ store, clock });
    await shop.use("0.02");
    const [entry] = await store.list("ledger:", { limit: 10 });
    for (let i = 0; i < 1200; i++)
      await store.put(`ledger:2026-06-01:copy ${i}`, entry?.value ?? "", { ifVersion: 0, ttlMs: 600_000 });
    expect(await shop.total()).toMatchObject({ calls: 1201, settledUsd: "24.02" });
  });

  it("ATK-10 of 40,000 sales is read in so many steps, and lets others have their turn between pages", async () => {
    const clock = fakeClock();
    let steps = 0;
    const counted = () => {
      steps += 1;
      return clock();
    };
    const store = createMemoryStore({ clock: counted });
    const shop = open({ store, clock });
    await shop.use("0.02");
    const [entry] = await store.list("ledger:", { limit: 10 });
    for (let i = 1; i < 40_000; i++)
      await store.put(`ledger:2026-06-01:copy ${i}`, entry?.value ?? "", { ifVersion: 0, ttlMs: 600_000 });

    steps = 0;
    let turns = 0;
    let isRead = false;
    const others = (async () => {
      while (!isRead) {
        await new Promise((resolve) => setImmediate(resolve));
        turns += 1;
      }
    })();
    expect((await shop.total()).calls).toBe(40_000);
    isRead = true;
    await others;
    expect(steps).toBeLessThan(4 * 40_000);
    expect(turns, "one after each page of 500").toBeGreaterThanOrEqual(79);
  });

  it("is kept for ledgerDays", async () => {
    const clock = fakeClock();
    const shop = open({ clock, ledgerDays: 3, store: createMemoryStore({ clock }) });
    await shop.use("0.02");
    clock.advance(2 * 24 * 3600);
    expect((await shop.total()).calls).toBe(1);
    clock.advance(12 * 3600);
    // What is about to expire is not told in part.
    expect((await shop.handle.ledger({ from: "2026-06-01" })).total.calls).toBe(0);
    expect(() => open({ ledgerDays: 0 })).toThrow(/^ledgerDays must be/);
  });
});

describe("a refund that a refund wallet without money cannot make", () => {
  it("PAY-40 is credit after six failures, also where they come long after the settlement", async () => {
    const shop = open();
    shop.facilitator.faults.settle.push("none", ...Array<"refuse-poor">(20).fill("refuse-poor"));
    await shop.use("0.01");
    expect(await shop.total()).toMatchObject({ owedUsd: "0.01" });
    // A sixteenth of these is no whole number of milliseconds.
    for (let tries = 0; tries < 6; tries++) {
      shop.clock.advance(1801);
      await shop.handle.reconcile();
    }
    expect(await shop.total()).toMatchObject({ owedUsd: "0", creditedUsd: "0.01" });
    expect(shop.facilitator.faults.settle).toHaveLength(14);
  });
});

describe("a ledger entry that cannot be written", () => {
  it("fails no paid answer, and is written in the background", async () => {
    const disk = fullDisk();
    const shop = open({ store: disk.store, refunds: false });
    const { response, credit } = await shop.use("0.01");
    expect(response.status).toBe(200);
    expect((await shop.get("/test/cheap?n=1", { "x-svc-credit": credit })).status).toBe(200);
    shop.clock.advance(61);
    await shop.handle.reconcile();
    expect((await shop.total()).calls).toBe(0);
    disk.isFull = false;
    shop.clock.advance(61);
    await shop.handle.reconcile();
    expect(await shop.total()).toMatchObject({ calls: 2, settledUsd: "0.02", creditedUsd: "0.01", earnedUsd: "0.011" });
    shop.clock.advance(3600);
    expect(await shop.handle.reconcile()).toBe(0);
  });

  it.each([
    ["before the sale's entry", (key: string) => key.startsWith("ledger:") && !key.endsWith(" return")],
    ["between the sale's and the return's", (key: string) => key.endsWith(" return")],
  ])("because the process dies %s is written by the next one, and the money goes back once", async (_, at) => {
    const memory = createMemoryStore();
    const [facilitator, clock] = [fakeFacilitator(), fakeClock()];
    const first = open({ store: dyingAt(memory, at), facilitator, clock });
    await first.use("0.0075");
    const second = open({ store: memory, facilitator, clock });
    clock.advance(61);
    await second.handle.reconcile();
    expect(await second.total()).toMatchObject({
      calls: 1,
      settledUsd: "0.02",
      returnedUsd: "0.0125",
      creditedUsd: "0",
      owedUsd: "0",
      earnedUsd: "0.0075",
    });
    expect(second.moved()).toEqual({ received: 20_000n, returned: 12_500n });
    clock.advance(3600);
    expect(await second.handle.reconcile()).toBe(0);
  });

  it.each([
    ["before its charge leaves the credit whole", "wallet-credit:", { calls: 1, creditUsedUsd: "0" }, "20000 10000"],
    ["after its charge is booked by the next one", "ledger:", { calls: 2, creditUsedUsd: "0.001" }, "20000 9000"],
  ])("because the process dies in a call on credit %s", async (_, prefix, expected, left) => {
    const memory = createMemoryStore();
    const [facilitator, clock] = [fakeFacilitator(), fakeClock()];
    const { credit } = await open({ store: memory, facilitator, clock, refunds: false }).use("0.01");
    let writes = 0;
    // The credit is written to hold the amount and again to take it.
    const at = (key: string) => key.startsWith(prefix) && ++writes === (prefix === "wallet-credit:" ? 2 : 1);
    const first = open({ store: dyingAt(memory, at), facilitator, clock, refunds: false });
    await first.get("/test/cheap?n=1", { "x-svc-credit": credit });
    const second = open({ store: memory, facilitator, clock, refunds: false });
    clock.advance(61);
    await second.handle.reconcile();
    expect(await second.total()).toMatchObject({ settledUsd: "0.02", ...expected });
    // What was held by a dead call is free after a day.
    clock.advance(25 * 3600);
    const { accepts } = quoteOf(await second.get(MODEL, { "x-svc-credit": credit }));
    expect(`20000 ${20_000 - Number(accepts[0]?.amount)}`).toBe(left);
  });
});

describe("onCall", () => {
  const told = (events: CallEvent[]) => events.map(({ outcome }) => outcome);

  it("tells of each call once, by what became of it", async () => {
    const shop = open({ refunds: false });
    await shop.get(MODEL);
    await shop.get(MODEL, { "x-svc-trial": "1" });
    const { payment } = await shop.use("0.02");
    await shop.pay(MODEL, payment);
    await shop.get(MODEL, { "payment-signature": "nonsense" });
    await shop.pay("/test/cheap?n=0", await shop.payFor("/test/cheap?n=0"));
    shop.facilitator.faults.settle.push("drop");
    await shop.use("0.02");
    await shop.get("/nowhere");
    const outcomes = ["challenged", "trial", "challenged", "paid", "replayed", "refused", "challenged", "failed"];
    expect(told(shop.events)).toEqual([...outcomes, "challenged", "pending"]);
    const [, , , paid, replayed] = shop.events;
    expect(paid).toMatchObject({
      id: "test.model",
      caller: "paid",
      status: 200,
      quotedUsd: "0.02",
      chargedUsd: "0.02",
      payer: alice.address,
      network: NETWORK,
      transaction: payment.payload.authorization.nonce,
    });
    expect(replayed).toMatchObject({
      caller: "paid",
      chargedUsd: "0",
      transaction: payment.payload.authorization.nonce,
    });
    expect(shop.events[5]).toMatchObject({ code: "PAYMENT_MALFORMED", status: 402 });
  });

  it("tells of a free call", async () => {
    const shop = open({ payment: false });
    await shop.get(MODEL);
    expect(shop.events).toMatchObject([{ outcome: "free", caller: "free", chargedUsd: "0" }]);
  });

  it("tells of a return as an event of its own", async () => {
    const shop = open();
    const { response } = await shop.use("0.0075");
    expect(told(shop.events)).toEqual(["challenged", "refunded", "paid"]);
    const [, refunded] = shop.events;
    expect(refunded).toMatchObject({
      id: "test.model",
      requestId: response.headers.get("x-request-id"),
      refundedUsd: "0.0125",
      payer: alice.address,
      network: NETWORK,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(refunded).toMatchObject({ kind: "refund" });
    for (const ofCalls of ["chargedUsd", "status", "caller"]) expect(refunded).not.toHaveProperty(ofCalls);
  });

  it("tells of a return that the background made, once", async () => {
    const shop = open();
    shop.facilitator.faults.settle.push("none", "status500", "status500");
    const { response } = await shop.use("0.0075");
    expect(told(shop.events)).toEqual(["challenged", "paid"]);
    for (let i = 0; i < 4; i++) {
      shop.clock.advance(61);
      await shop.handle.reconcile();
    }
    expect(told(shop.events)).toEqual(["challenged", "paid", "refunded"]);
    expect(shop.events.at(-1)).toMatchObject({
      requestId: response.headers.get("x-request-id"),
      refundedUsd: "0.0125",
      durationMs: 122_000,
    });
  });

  it("tells of a return once, also where its ledger entry has to be written again", async () => {
    const disk = fullDisk();
    const shop = open({ store: disk.store });
    await shop.use("0.0075");
    disk.isFull = false;
    shop.clock.advance(61);
    await shop.handle.reconcile();
    expect((await shop.total()).returnedUsd).toBe("0.0125");
    expect(told(shop.events)).toEqual(["challenged", "refunded", "paid"]);
  });

  it("that throws, at once or later, spoils no answer", async () => {
    const errors: string[] = [];
    const error = (_: object, message: string) => void errors.push(message);
    const logger = { debug() {}, info() {}, warn() {}, error };
    const broken = [
      () => {
        throw new Error("at once");
      },
      async () => {
        throw new Error("later");
      },
    ];
    for (const onCall of broken) {
      const shop = open({ onCall, logger });
      expect((await shop.use("0.01")).response.status).toBe(200);
    }
    await new Promise((resolve) => setImmediate(resolve));
    // A quote, a return and an answer each.
    expect(errors).toEqual(Array.from({ length: 6 }, () => "onCall threw"));
  });
});
