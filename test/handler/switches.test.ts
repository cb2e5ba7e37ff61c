/** What a host switches while it runs: stops of endpoints, prices, on all instances of a store. */
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { batchRun } from "../../src/capabilities/batch/index.js";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createHandler } from "../../src/handler/handler.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { openShop } from "../support/shop.js";
import { quoteOf, TREASURY, toHeader } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const amountOf = (response: Response) => quoteOf(response).accepts[0]?.amount;

/** Two instances on one store, as long apart as told. */
function twins() {
  const store = createMemoryStore();
  const shared = { store, facilitator: fakeFacilitator(), clock: fakeClock(), trial: false as const };
  return { store, one: openShop(shared), other: openShop(shared) };
}

/** Lets so much time pass that a process reads the switches again. */
async function later<T>(work: () => Promise<T>): Promise<T> {
  const now = performance.now.bind(performance);
  const ahead = vi.spyOn(performance, "now").mockImplementation(() => now() + 4000);
  try {
    return await work();
  } finally {
    ahead.mockRestore();
  }
}

describe("a stopped endpoint", () => {
  it("answers 503 with the reason before any price, whatever comes along, until it is resumed", async () => {
    const shop = openShop();
    const payment = await shop.payFor(WORK);
    await shop.handle.stop("test.work", "Its source is being moved");
    const answers = [shop.get(WORK), shop.get("/test/work"), shop.get("/test/work?n=x"), shop.pay(WORK, payment)];
    for (const answer of [...answers, shop.get(WORK, { "x-svc-trial": "1" })]) {
      const response = await answer;
      expect([response.status, response.headers.has("payment-required")]).toEqual([503, false]);
      const detail = "test.work is stopped: Its source is being moved. Nothing was charged.";
      expect(await bodyOf(response)).toMatchObject({ code: "STOPPED", detail });
    }
    expect([shop.runs(), shop.facilitator.calls]).toEqual([0, []]);
    expect((await shop.get("/test/other?n=1")).status).toBe(402);
    await shop.handle.resume("test.work");
    expect((await shop.pay(WORK, payment)).status).toBe(200);
  });

  it("ATK-16 is not run by another endpoint that calls it, whose call is uncharged and no failure of its payer", async () => {
    let runs = 0;
    const facts = { price: "0.001", source: { provider: "test", url: "", license: "MIT" }, example: {} } as const;
    const inner = defineCapability({
      ...{ id: "test.inner", summary: "Is called by another.", ...facts },
      input: () => z.strictObject({}),
      output: one(z.object({ runs: z.int() })),
      run: () => ({ item: { runs: ++runs } }),
    });
    const outer = defineCapability({
      ...{ id: "test.outer", summary: "Calls another.", ...facts },
      input: () => z.strictObject({}),
      output: one(z.object({ runs: z.int() })),
      run: async (_, ctx) => ({ item: (await ctx.call(inner, {})).items[0] as { runs: number } }),
    });
    const shop = openShop({
      ...{ trial: false, capabilities: [inner, outer] },
      payment: {
        treasury: { "eip155:8453": TREASURY },
        facilitator: { url: "https://facilitator.test" },
        maxFailures: { runs: 1 },
      },
    });
    const payment = await shop.payFor("/test/outer");
    const handle = shop.handle as unknown as ReturnType<typeof createHandler>;
    await handle.stop("test.inner", "Its source is being moved");
    for (let i = 0; i < 3; i++) {
      const answer = await shop.pay("/test/outer", payment);
      expect([answer.status, (await bodyOf(answer)).code]).toEqual([503, "STOPPED"]);
    }
    await handle.resume("test.inner");
    expect((await shop.pay("/test/outer", payment)).status).toBe(200);
    expect(runs).toBe(1);
  });

  it("ACC-22 stays stopped although a reading of the store began before the stop", async () => {
    const inner = createMemoryStore();
    let resolve = () => {};
    const answered = new Promise<void>((done) => {
      resolve = done;
    });
    let begun = false;
    const get: Store["get"] = async (key) => {
      const found = await inner.get(key);
      const isFirst = !begun && key.startsWith("switches:");
      begun ||= isFirst;
      if (isFirst) await answered;
      return found;
    };
    const shop = openShop({ store: { ...inner, get } });
    const early = shop.get(WORK);
    await vi.waitUntil(() => begun);
    await shop.handle.stop("test.work", "Broken.");
    resolve();
    await early;
    expect((await shop.get(WORK)).status).toBe(503);
  });

  it("is stopped on every instance of the store, also on one that starts later", async () => {
    const { store, one, other } = twins();
    expect((await other.get(WORK)).status).toBe(402);
    await one.handle.stop("test.work", "Broken.");
    expect((await later(() => other.get(WORK))).status).toBe(503);
    expect((await openShop({ store }).get(WORK)).status).toBe(503);
    await one.handle.resume("test.work");
    expect((await openShop({ store }).get(WORK)).status).toBe(402);
  });

  it("ACC-29 stays stopped when the host's treasuries are named in another order, or one is added", async () => {
    const store = createMemoryStore();
    const facilitator = { url: "https://facilitator.test" };
    const [first, second, third] = ["eip155:8453", "eip155:137", "eip155:10"].map((network) => ({
      [network]: TREASURY,
    }));
    const among = (...treasuries: object[]) =>
      openShop({ store, payment: { treasury: Object.assign({}, ...treasuries), facilitator } });
    const [one, reordered, more] = [
      among(first ?? {}, second ?? {}),
      among(second ?? {}, first ?? {}),
      among(third ?? {}, first ?? {}, second ?? {}),
    ];
    await one.handle.stop("test.work", "Broken.");
    expect([(await reordered.get(WORK)).status, (await more.get(WORK)).status]).toEqual([503, 503]);
    // What is switched under the new name goes on from the old one, and is not undone by it.
    await more.handle.setPrice("test.other", "0.5");
    expect((await later(() => more.get(WORK))).status).toBe(503);
    await more.handle.resume("test.work");
    expect((await later(() => more.get(WORK))).status).toBe(402);
  });

  it("ACC-29 are read where an older host wrote them, under its first treasury", async () => {
    const store = createMemoryStore();
    const treasury = { "eip155:8453": TREASURY, "eip155:137": TREASURY };
    const value = JSON.stringify({ stopped: { "test.work": { reason: "Old.", at: 1 } }, prices: {} });
    await store.put(`switches:eip155:8453:${TREASURY.toLowerCase()}`, value, { ifVersion: 0, ttlMs: 1e9 });
    const shop = openShop({ store, payment: { treasury, facilitator: { url: "https://facilitator.test" } } });
    expect((await shop.get(WORK)).status).toBe(503);
  });

  it("is none of another host's on the same store", async () => {
    const { store, one } = twins();
    const treasury = { "eip155:8453": "0x000000000000000000000000000000000000dEaD" };
    const other = openShop({ store, payment: { treasury, facilitator: { url: "https://facilitator.test" } } });
    await one.handle.stop("test.work", "Broken.");
    expect((await other.get(WORK)).status).toBe(402);
  });

  it("is not called by a batch", async () => {
    const unit = openShop().handle.catalogue.byId.get("test.work");
    if (!unit) throw new Error("not mounted");
    const handle = createHandler({ capabilities: [batchRun, unit], payment: false });
    await handle.stop("test.work", "Broken.");
    const body = JSON.stringify({ calls: [{ endpoint: "test.work", params: { n: 1 } }] });
    const response = await handle(new Request("http://h.test/api/batch/run", { method: "POST", body }));
    expect([response.status, (await bodyOf(response)).code]).toEqual([503, "STOPPED"]);
  });

  it("is found by one read of the store in seconds", async () => {
    const inner = createMemoryStore();
    let asked = 0;
    const store: Store = {
      ...inner,
      get: (key) => {
        if (key.startsWith("switches:")) asked++;
        return inner.get(key);
      },
    };
    const shop = openShop({ store, trial: false });
    await Promise.all(Array.from({ length: 20 }, () => shop.get(WORK)));
    for (let i = 0; i < 20; i++) await shop.get(WORK);
    expect(asked).toBe(1);
    await later(() => Promise.all(Array.from({ length: 20 }, () => shop.get(WORK))));
    expect(asked).toBe(2);
  });

  /** A store that answers questions for switches after so many milliseconds, or fails for so many. */
  function slowly(inner: Store, ms: number, fails = 0): Store {
    let left = fails;
    const get: Store["get"] = async (key) => {
      if (!key.startsWith("switches:")) return inner.get(key);
      await new Promise((resolve) => setTimeout(resolve, ms));
      if (left-- > 0) throw new Error("away");
      return inner.get(key);
    };
    return { ...inner, get };
  }
  const stopped = async () => {
    const store = createMemoryStore();
    const first = openShop({ store, trial: false });
    await first.handle.stop("test.work", "Broken.");
    await first.handle.setPrice("test.other", "0.007");
    return store;
  };

  it("is stopped at a cold instance, and its prices hold, however slow the store is", async () => {
    const shop = openShop({ store: slowly(await stopped(), 900), trial: false });
    const paid = await shop.payFor("/test/dear?n=1");
    const cold = openShop({ store: slowly(await stopped(), 900), trial: false });
    const [work, other] = await Promise.all([cold.pay(WORK, paid), cold.get("/test/other?n=1")]);
    expect([work.status, amountOf(other)]).toEqual([503, "7000"]);
    expect(cold.runs()).toBe(0);
  });

  it("is stopped by a reading that came too late to be waited for, too", async () => {
    const inner = createMemoryStore();
    const [one, other] = [
      openShop({ store: inner, trial: false }),
      openShop({ store: slowly(inner, 900), trial: false }),
    ];
    expect((await other.get(WORK)).status).toBe(402);
    await one.handle.stop("test.work", "Broken.");
    // Not waited for, and not thrown away either.
    expect((await later(() => other.get(WORK))).status).toBe(402);
    await vi.waitFor(async () => expect((await other.get(WORK)).status).toBe(503), 3000);
  });

  it("is sold by no cold instance whose store is away, and is again once it answers", async () => {
    const shop = openShop({ store: slowly(createMemoryStore(), 1, 3), trial: false });
    // A quote sells nothing.
    const payment = await shop.payFor(WORK);
    for (let i = 0; i < 2; i++) {
      const refused = await shop.pay(WORK, payment);
      expect([refused.status, (await bodyOf(refused)).code]).toEqual([502, "OVERLOADED"]);
    }
    expect([shop.runs(), shop.facilitator.calls]).toEqual([0, []]);
    expect((await shop.pay(WORK, payment)).status).toBe(200);
  });

  it("has a reason, and is one that is mounted", async () => {
    const { handle } = openShop();
    await expect(handle.stop("test.work", " ")).rejects.toThrow("stop: the reason must be a sentence");
    for (const act of [handle.stop("no.such", "Why."), handle.resume("no.such"), handle.setPrice("no.such", "1")])
      await expect(act).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("switches that a later release wrote", () => {
  const OWN = `switches:eip155:8453:${TREASURY.toLowerCase()}`;
  const later = {
    stopped: { "test.work": { state: "draining", until: "2027-01-01" } },
    prices: { "test.other": [{ usd: "0.002", from: 1, why: "more" }], "test.dear": [{ usd: "EUR 1", from: 1 }] },
    quotas: { "test.other": 5 },
    changedAt: 1,
  };
  const opened = async (value: string) => {
    const store = createMemoryStore();
    const found = openShop({ store, trial: false });
    await found.handle.stop("test.work", "Where is it kept?");
    const [key = OWN] = (await store.list("switches:", { limit: 2 })).map(({ key }) => key);
    const { version } = (await store.get(key)) ?? { version: 0 };
    await store.put(key, value, { ifVersion: version, ttlMs: 1e9 });
    return { key, store, shop: openShop({ store, trial: false }) };
  };

  it("stop what is stopped there, fail no call, and outlive a change by an older one", async () => {
    const { key, store, shop } = await opened(JSON.stringify(later));
    const answers = async () => {
      const got = await Promise.all(["work", "other", "dear"].map((id) => shop.get(`/test/${id}?n=1`)));
      return got.map((response) => [response.status, response.status === 402 ? amountOf(response) : undefined]);
    };
    expect(await answers()).toEqual([
      [503, undefined],
      [402, "2000"],
      [402, "500000"],
    ]);
    expect((await bodyOf(await shop.get(WORK))).detail).toBe("test.work is stopped. Nothing was charged.");
    await shop.handle.stop("test.other", "Broken.");
    const { "test.work": stop } = later.stopped;
    expect(JSON.parse((await store.get(key))?.value ?? "")).toMatchObject({
      stopped: { "test.work": stop },
      prices: { "test.other": later.prices["test.other"] },
      quotas: later.quotas,
    });
  });

  it.each(["nonsense", "[]", "null", '{"stopped":[],"prices":5}'])(
    "and are damaged (%s) fail no call",
    async (value) => {
      const { shop } = await opened(value);
      expect((await shop.get(WORK)).status).toBe(402);
      await shop.handle.stop("test.work", "Broken.");
      expect((await shop.get(WORK)).status).toBe(503);
    },
  );
});

/** Two instances on one store, the second's clock some seconds ahead of the first's, or behind it. */
function apart(seconds: number) {
  const [store, facilitator] = [createMemoryStore(), fakeFacilitator()];
  const clocks = [fakeClock(), fakeClock()] as const;
  clocks[1].advance(seconds);
  const [one, other] = clocks.map((clock) => openShop({ store, facilitator, clock, trial: false })) as [
    ReturnType<typeof openShop>,
    ReturnType<typeof openShop>,
  ];
  const advance = (by: number) => clocks.forEach((clock) => void clock.advance(by));
  return { one, other, advance, facilitator, clocks };
}
/** Valid on the clock that is ahead, too. */
const LONG = { authorization: { validBefore: "4102444800" } };

describe.each([
  ["a price that rises", "0.003", "3000"],
  ["a price that falls", "0.0005", "500"],
])("%s, with clocks that are minutes apart", (_, usd, amount) => {
  it.each([
    // The new price is in force at one of them only.
    [150, -60],
    [150, -10],
    [-150, 30],
    [-150, 140],
  ])("%i seconds, %i seconds after the change: each honours what the other has quoted", async (seconds, after) => {
    const { one, other, advance, facilitator } = apart(seconds);
    const change = new Date(one.clock().getTime() + 600_000);
    await one.handle.setPrice("test.work", usd, { from: change });
    advance(600 + after);
    await later(() => other.get(WORK));
    for (const [quoting, paid] of [
      [one, other],
      [other, one],
    ] as const) {
      const payment = await quoting.payFor(WORK, LONG);
      const answer = await paid.pay(WORK, payment);
      expect([answer.status, payment.accepted?.amount]).toEqual([200, facilitator.settled.at(-1)?.value.toString()]);
    }
    const signed = facilitator.settled.map(({ value }) => value.toString()).sort();
    expect(signed).toEqual(["1000", amount].sort());
  });
});

describe("a clock that jumps", () => {
  it("back and forth charges nobody more than was signed, and leaves stops and prices as they are", async () => {
    const { one, advance, facilitator, clocks } = apart(0);
    await one.handle.setPrice("test.work", "0.003");
    const jumps = [-3600, 3600 * 24 * 400, -3600 * 24 * 400, 7200];
    for (const jump of jumps) {
      advance(jump);
      const quoted = await one.get(WORK);
      const answer = await one.pay(WORK, await one.payFor(WORK, LONG));
      expect([answer.status, amountOf(quoted)]).toEqual([200, facilitator.settled.at(-1)?.value.toString()]);
    }
    expect(facilitator.settled.map(({ value }) => value)).toEqual([1000n, 3000n, 1000n, 3000n]);
    await one.handle.stop("test.work", "Broken.");
    for (const jump of jumps) {
      clocks[0].advance(-jump);
      expect((await later(() => one.get(WORK))).status).toBe(503);
    }
    await one.handle.resume("test.work");
    expect((await one.get(WORK)).status).toBe(402);
  });

  it("leaves an account's book as it is, whatever the price does meanwhile", async () => {
    const clock = fakeClock();
    const { handle, get } = openShop({ clock, trial: false, accounts: { keys: true } });
    await handle.accounts.topUp("acme", "1", { reference: "first" });
    const { key } = await handle.accounts.createKey("acme");
    const call = async () => (await get(WORK, { authorization: `Bearer ${key}` })).status;
    expect(await call()).toBe(200);
    await handle.setPrice("test.work", "0.003", { from: new Date(clock().getTime() + 60_000) });
    const before = await handle.accounts.entries("acme");
    for (const jump of [120, -7200, 3600 * 24 * 400, -3600 * 24 * 400]) {
      clock.advance(jump);
      expect(await handle.accounts.entries("acme")).toEqual(before);
      expect(await handle.accounts.balance("acme")).toMatchObject({ availableUsd: "0.999" });
    }
    expect(await call()).toBe(200);
    expect(await handle.accounts.balance("acme")).toMatchObject({ availableUsd: "0.998" });
    clock.advance(7200);
    expect(await call()).toBe(200);
    expect(await handle.accounts.balance("acme")).toMatchObject({ availableUsd: "0.995" });
  });

  it("lets nobody pay a coming price hours before it comes", async () => {
    const shop = openShop({ trial: false });
    const early = await shop.payFor(WORK, { authorization: { value: "500" } });
    await shop.handle.setPrice("test.work", "0.0005", { from: new Date(shop.clock().getTime() + 3600_000) });
    const accepted = { ...early.accepted, amount: "500" };
    expect((await shop.pay(WORK, { ...early, accepted })).status).toBe(402);
    expect(shop.facilitator.settled).toEqual([]);
  });
});

describe("a payment that fits no price", () => {
  /** Thirty endpoints, whose prices changed within the last minute, and a batch of them. */
  async function changed() {
    let judged = 0;
    const numbered = (index: number) =>
      defineCapability({
        ...{ id: `test.c${index}`, summary: `Tells ${index}.`, price: "0.001", example: { n: 1 } },
        source: { provider: "test", url: "", license: "MIT" },
        input: () => z.strictObject({ n: z.int().refine(() => ++judged > 0) }),
        output: one(z.object({ n: z.number() })),
        run: async ({ n }) => ({ item: { n } }),
      });
    const capabilities = [...Array.from({ length: 30 }, (_, index) => numbered(index)), batchRun];
    const shop = openShop({ trial: false, capabilities });
    for (const { id } of capabilities.slice(0, 30)) {
      await shop.handle.setPrice(id, "0.002");
      shop.clock.advance(1);
    }
    const times = async (call: () => Promise<Response>) => {
      judged = 0;
      expect((await call()).status).toBe(402);
      return judged;
    };
    return { shop, times };
  }

  it("is compared with the former prices of its endpoint alone", async () => {
    const { shop, times } = await changed();
    const payment = await shop.payFor("/test/c0?n=1", { authorization: { value: "7" } });
    const wrong = { ...payment, accepted: { ...payment.accepted, amount: "7" } };
    expect(await times(() => shop.pay("/test/c0?n=1", wrong))).toBe(2);
  });

  it("for a batch is compared with twenty former prices at most", async () => {
    const { shop, times } = await changed();
    const payment = await shop.payFor("/test/c0?n=1");
    const body = JSON.stringify({ calls: [{ endpoint: "test.c0", params: { n: 1 } }] });
    const headers = { "content-type": "application/json", "payment-signature": toHeader(payment) };
    const call = () => shop.handle(new Request("http://shop.test/api/batch/run", { method: "POST", body, headers }));
    const once = await times(() =>
      shop.handle(
        new Request("http://shop.test/api/batch/run", {
          method: "POST",
          body,
          headers: { "content-type": "application/json" },
        }),
      ),
    );
    const all = await times(call);
    expect([once > 0, all / once]).toEqual([true, 21]);
  });
});

describe("a price that changes", () => {
  it("is that of quotes and of every document at once", async () => {
    const shop = openShop({ trial: false });
    const documents = async () => {
      const { endpoints } = shop.handle.directory();
      const text = await (await shop.get("/openapi.json")).text();
      return [endpoints.find(({ id }) => id === "test.work")?.price, /"amount":"0.002"/.test(text)];
    };
    expect(await documents()).toEqual([{ mode: "fixed", usd: "0.001" }, false]);
    await shop.handle.setPrice("test.work", "0.002");
    expect(await documents()).toEqual([{ mode: "fixed", usd: "0.002" }, true]);
    expect(amountOf(await shop.get(WORK))).toBe("2000");
    expect(amountOf(await shop.get("/test/work"))).toBe("2000");
    expect((await shop.pay(WORK, await shop.payFor(WORK))).status).toBe(200);
    expect(shop.facilitator.settled).toMatchObject([{ value: 2000n }]);
  });

  it("comes at its time, on every instance", async () => {
    const { one, other } = twins();
    const from = new Date(one.clock().getTime() + 60_000);
    await one.handle.setPrice("test.work", "0.003", { from });
    const amounts = async () => [amountOf(await one.get(WORK)), amountOf(await later(() => other.get(WORK)))];
    expect(await amounts()).toEqual(["1000", "1000"]);
    one.clock.advance(60);
    expect(await amounts()).toEqual(["3000", "3000"]);
  });

  it.each(["0.002", "0.0005"])(
    "to %s honours payments for the former quote while that is valid, and none after",
    async (usd) => {
      const shop = openShop({ trial: false });
      const [first, late] = [
        await shop.payFor(WORK),
        await shop.payFor(WORK, { authorization: { validBefore: "4102444800" } }),
      ];
      await shop.handle.setPrice("test.work", usd);
      shop.clock.advance(20);
      const answer = await shop.pay(WORK, first);
      expect([answer.status, (await bodyOf(answer)).meta]).toMatchObject([
        200,
        { costUsd: "0.001", quotedUsd: "0.001" },
      ]);
      expect(shop.facilitator.settled).toMatchObject([{ value: 1000n }]);
      shop.clock.advance(300);
      const refused = await shop.pay(WORK, late);
      expect([refused.status, amountOf(refused)]).toEqual([402, usd === "0.002" ? "2000" : "500"]);
      // What was bought at the former price is still delivered.
      expect((await shop.pay(WORK, first)).status).toBe(200);
      expect(shop.facilitator.settled).toHaveLength(1);
    },
  );

  it("honours the quotes before two changes, and still refuses what was never the price", async () => {
    const shop = openShop({ trial: false });
    const first = await shop.payFor(WORK);
    await shop.handle.setPrice("test.work", "0.002");
    shop.clock.advance(5);
    const second = await shop.payFor(WORK);
    await shop.handle.setPrice("test.work", "0.004");
    shop.clock.advance(5);
    for (const payment of [first, second]) expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect(shop.facilitator.settled.map(({ value }) => value)).toEqual([1000n, 2000n]);
    const accepted = { ...second.accepted, amount: "3000" };
    const other = await shop.payFor(WORK, { authorization: { value: "3000" } });
    expect((await shop.pay(WORK, { ...other, accepted })).status).toBe(402);
  });

  it("honours a version-1 payment, which has no copy of its terms", async () => {
    const shop = openShop({ trial: false });
    const { payload } = await shop.payFor(WORK);
    await shop.handle.setPrice("test.work", "0.002");
    const payment = { x402Version: 1, scheme: "exact", network: "base", payload };
    expect((await shop.get(WORK, { "x-payment": toHeader(payment) })).status).toBe(200);
  });

  it("bills by usage what was signed as a maximum, although the new price is fixed", async () => {
    const metered = defineCapability({
      id: "test.metered",
      summary: "Bills what it uses.",
      price: { min: "0.001", max: "0.01", quote: async () => 10_000n },
      billing: "upto",
      source: { provider: "test", url: "", license: "MIT" },
      input: () => z.strictObject({ n: z.int().describe("Any number") }),
      output: one(z.object({ ok: z.boolean() })),
      example: { n: 1 },
      run: (_, ctx) => {
        ctx.meter.add("0.002");
        return { item: { ok: true } };
      },
    });
    const shop = openShop({ trial: false, capabilities: [metered] });
    const first = await shop.payFor("/test/metered?n=1");
    await (shop.handle as unknown as ReturnType<typeof createHandler>).setPrice("test.metered", "0.005");
    const answer = await shop.pay("/test/metered?n=1", first);
    expect([answer.status, (await bodyOf(answer)).meta]).toMatchObject([200, { costUsd: "0.002", quotedUsd: "0.01" }]);
  });

  it("refuses prices and times that are none, and free hosts", async () => {
    const { handle } = openShop();
    for (const usd of ["0", "-1", "a", "", 1 as never])
      await expect(handle.setPrice("test.work", usd), String(usd)).rejects.toThrow(TypeError);
    for (const from of ["soon", new Date(Number.NaN), 5 as never])
      await expect(handle.setPrice("test.work", "1", { from })).rejects.toThrow("setPrice: from must be a Date");
    const free = createHandler({ capabilities: [batchRun], payment: false });
    await expect(free.setPrice("batch.run", "1")).rejects.toThrow("every call is free");
  });
});
