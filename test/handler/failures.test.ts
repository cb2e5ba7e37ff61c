/** One budget of failing work for a payer, whatever it pays with: the upstreams behind a call cost money, and a failed call is charged nothing. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { batchRun } from "../../src/capabilities/batch/index.js";
import type { AnyCapability } from "../../src/capability/types.js";
import { createCredits } from "../../src/payment/refund/credit.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { failing, openShop, type Shop, type ShopOptions } from "../support/shop.js";
import { alice, mallory, TREASURY } from "../support/wallets.js";

const SETTLE_FIRST = {
  treasury: { "eip155:8453": TREASURY },
  facilitator: { url: "https://facilitator.test" },
  rpc: false as const,
  settleFirst: ["test.work", "test.dear"],
};

/** Credit of the same wallet that signs payments. */
const creditOf = (store: Store, clock = fakeClock(), amount = 90_000_000n) =>
  createCredits(store, () => clock().getTime()).issue("earlier", alice.address, amount);

/** Every run fails. */
function broken(options: ShopOptions = {}) {
  const shop = openShop({ trial: false, ...options });
  for (let i = 0; i < 2000; i++) shop.behaviours.push(failing(i % 2 ? "NOT_FOUND" : "UPSTREAM_ERROR"));
  return shop;
}

async function untilRefused(ask: () => Promise<Response>, most = 60) {
  for (let calls = 1; calls <= most; calls++) {
    const answer = await ask();
    if (answer.status === 429) return { answer, calls };
  }
  throw new Error(`${most} calls, and none was refused`);
}

async function expectTold(answer: Response) {
  expect([answer.status, (await bodyOf(answer)).code]).toEqual([429, "TOO_MANY_FAILURES"]);
  const wait = Number(answer.headers.get("retry-after"));
  expect([wait > 0, wait <= 3600]).toEqual([true, true]);
}

const ways: [
  name: string,
  options: ShopOptions,
  how: (shop: Shop, store: Store) => Promise<() => Promise<Response>>,
][] = [
  ["exact", {}, async (shop) => async () => shop.pay("/test/work?n=1", await shop.payFor("/test/work?n=1"))],
  [
    "settled first",
    { payment: SETTLE_FIRST },
    async (shop) => async () => shop.pay("/test/work?n=1", await shop.payFor("/test/work?n=1")),
  ],
  [
    "credit",
    {},
    async (shop, store) => {
      const token = await creditOf(store);
      return () => shop.get("/test/work?n=1", { "x-svc-credit": token });
    },
  ],
];

describe("failing work of one payer", () => {
  it.each(ways)(
    "is run twenty times an hour and no more, paid by %s, and again when the hour is over",
    async (_, options, how) => {
      const store = createMemoryStore();
      const shop = broken({ ...options, store });
      const ask = await how(shop, store);
      const { answer } = await untilRefused(ask);
      await expectTold(answer);
      expect(shop.runs()).toBe(20);
      shop.clock.advance(3601);
      expect((await ask()).status).not.toBe(429);
      expect(shop.runs()).toBe(21);
    },
  );

  it("of dear calls ends at a dollar of quotes", async () => {
    const shop = broken();
    const payment = await shop.payFor("/test/dear?n=1", { authorization: { validBefore: "4102444800" } });
    const { answer, calls } = await untilRefused(() => shop.pay("/test/dear?n=1", payment));
    await expectTold(answer);
    expect([calls, shop.runs()]).toEqual([3, 2]);
  });

  it("is counted together over ways of paying and over the instances of a store", async () => {
    const [store, clock, facilitator] = [createMemoryStore(), fakeClock(), fakeFacilitator()];
    const one = broken({ store, clock, facilitator });
    const other = broken({ store, clock, facilitator, payment: SETTLE_FIRST });
    const token = await creditOf(store, clock);
    const asks = [
      () => one.get("/test/work?n=1", { "x-svc-credit": token }),
      async () => other.pay("/test/work?n=1", await other.payFor("/test/work?n=1")),
      async () => one.pay("/test/work?n=1", await one.payFor("/test/work?n=1")),
    ];
    let calls = 0;
    await untilRefused(() => (asks[calls++ % 3] as (typeof asks)[0])());
    expect(one.runs() + other.runs()).toBe(20);
    for (const ask of asks) await expectTold(await ask());
    expect(one.runs() + other.runs()).toBe(20);
  });

  it("moves no money once the budget is spent", async () => {
    const shop = broken({ payment: { ...SETTLE_FIRST, refunds: { "eip155:8453": mallory } } });
    await untilRefused(async () => shop.pay("/test/work?n=1", await shop.payFor("/test/work?n=1")));
    const moved = shop.facilitator.settled.length;
    const calls = shop.facilitator.calls.length;
    await expectTold(await shop.pay("/test/work?n=1", await shop.payFor("/test/work?n=1")));
    expect([shop.facilitator.settled.length, shop.facilitator.calls.length]).toEqual([moved, calls]);
  });

  it("all at once is not more than one after the other", async () => {
    const store = createMemoryStore();
    const shop = broken({ store });
    const token = await creditOf(store);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => shop.get("/test/work?n=1", { "x-svc-credit": token })),
    );
    expect(shop.runs()).toBe(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(80);
  });

  it("all at once over two instances is not more either", async () => {
    const [store, clock] = [createMemoryStore(), fakeClock()];
    const shops = [openShop({ store, clock, trial: false }), openShop({ store, clock, trial: false })];
    const slowly = async () => {
      await sleep(30);
      await failing()();
    };
    for (const { behaviours } of shops) for (let i = 0; i < 100; i++) behaviours.push(slowly);
    const token = await creditOf(store, clock);
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => shops[i % 2]?.get("/test/work?n=1", { "x-svc-credit": token })),
    );
    // Each may begin its last one while the other's is under way.
    expect(shops.reduce((sum, { runs }) => sum + runs(), 0)).toBeLessThanOrEqual(21);
  });

  it("of trials is one caller's, over all endpoints", async () => {
    const many = Array.from({ length: 30 }, (_, i) => `test.one-${i}`);
    let runs = 0;
    const capabilities = (await import("../support/endpoints.js")).endpoints(many, () => {
      runs++;
      return failing()();
    });
    const shop = openShop({ capabilities });
    const ask = (id: string, address?: string) =>
      shop.get(`/${id.replace(".", "/")}?n=1`, { "x-svc-trial": "1" }, address);
    const answers = [];
    for (const id of many) answers.push(await ask(id));
    expect(answers.map(({ status }) => status)).toEqual(many.map((_, i) => (i < 20 ? 502 : 429)));
    await expectTold(answers.at(-1) as Response);
    expect((await ask("test.one-29", "198.51.100.1")).status).toBe(502);
    expect(runs).toBe(21);
    // Its payments are its wallet's, which failed nothing yet.
    const payment = await shop.payFor("/test/one-29?n=1");
    expect((await shop.pay("/test/one-29?n=1&trial=1", payment)).status).toBe(502);
  });

  it("counts a batch by its whole quote", async () => {
    const shop0 = openShop();
    const capabilities = [...(shop0.handle.catalogue.capabilities as AnyCapability[]), batchRun];
    for (let i = 0; i < 50; i++) shop0.behaviours.push(failing());
    const store = createMemoryStore();
    const shop = openShop({ capabilities, store, trial: false });
    const token = await creditOf(store);
    const body = JSON.stringify({ calls: [{ endpoint: "test.dear", params: { n: 1 } }] });
    const ask = () =>
      shop.handle(
        new Request("http://shop.test/api/batch/run", {
          method: "POST",
          body,
          headers: { "x-svc-credit": token, "content-type": "application/json" },
        }),
      );
    const { answer, calls } = await untilRefused(ask);
    await expectTold(answer);
    expect(calls).toBe(3);
  });

  it("is none where the input is refused before anything runs", async () => {
    const store = createMemoryStore();
    const shop = openShop({ store, trial: false });
    const token = await creditOf(store);
    for (let i = 0; i < 30; i++)
      expect((await shop.get("/test/work?n=-1", { "x-svc-credit": token })).status).toBe(400);
    expect((await shop.get("/test/work?n=1", { "x-svc-credit": token })).status).toBe(200);
  });

  it("keeps nobody from what was bought before", async () => {
    const shop = openShop({ trial: false });
    const bought = await shop.payFor("/test/work?n=7", { authorization: { validBefore: "4102444800" } });
    const first = await shop.pay("/test/work?n=7", bought);
    for (let i = 0; i < 50; i++) shop.behaviours.push(failing());
    await untilRefused(async () => shop.pay("/test/work?n=1", await shop.payFor("/test/work?n=1")));
    const again = await shop.pay("/test/work?n=7", bought);
    expect([again.status, await again.text()]).toEqual([200, await first.text()]);
  });

  it("lets a buyer whose calls succeed make as many at once as it likes", async () => {
    const store = createMemoryStore();
    const shop = openShop({ store, trial: false });
    const token = await creditOf(store);
    const answers = await Promise.all(
      Array.from({ length: 300 }, () => shop.get("/test/work?n=1", { "x-svc-credit": token })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });

  it("is what the host says", async () => {
    const payment = { ...SETTLE_FIRST, settleFirst: [], maxFailures: { runs: 3 } };
    const shop = broken({ payment });
    await untilRefused(async () => shop.pay("/test/work?n=1", await shop.payFor("/test/work?n=1")));
    expect(shop.runs()).toBe(3);
  });
});

describe("a call that succeeds", () => {
  /** A store that counts what it is asked. */
  function counting() {
    const memory = createMemoryStore();
    const asked: string[] = [];
    const note = (what: string, key: string) => void asked.push(`${what} ${key.split(":")[0]}`);
    const store: Store = {
      ...memory,
      async get(key) {
        note("get", key);
        return memory.get(key);
      },
      async put(key, ...rest) {
        note("put", key);
        return memory.put(key, ...rest);
      },
      async increment(key, ...rest) {
        note("increment", key);
        return memory.increment(key, ...rest);
      },
    };
    return { store, asked };
  }

  it("writes nothing about failures, and reads of them once", async () => {
    const { store, asked } = counting();
    const shop = openShop({ store, trial: false });
    const token = await creditOf(store);
    const payment = await shop.payFor("/test/work?n=1");
    asked.length = 0;
    expect((await shop.pay("/test/work?n=1", payment)).status).toBe(200);
    expect(asked.filter((one) => one.endsWith("failures") || one.endsWith("failed"))).toEqual(["get failures"]);
    asked.length = 0;
    expect((await shop.get("/test/work?n=2", { "x-svc-credit": token })).status).toBe(200);
    expect(asked.filter((one) => one.endsWith("failures"))).toEqual(["get failures"]);
  });
});
