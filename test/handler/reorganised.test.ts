/** A chain may take its newest blocks back, and with them what was settled and delivered. */
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { fakeClock } from "../support/clock.js";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { failing, NETWORK, openShop, type ShopOptions } from "../support/shop.js";
import { alice, mallory, quoteOf, TREASURY } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const MODEL = "/test/model?n=1";

function open(options: ShopOptions = {}) {
  const store = createMemoryStore();
  const shop = openShop({ node: true, store, ...options });
  shop.facilitator.showChain();
  /** Time goes by, and the background comes by as it does. */
  const pass = async (seconds: number) => {
    for (let gone = 0; gone < seconds; gone += 15) {
      shop.clock.advance(15);
      await shop.handle.reconcile();
    }
  };
  const buy = async () => {
    const payment = await shop.payFor(WORK);
    const response = await shop.pay(WORK, payment);
    expect(response.status).toBe(200);
    return { payment, text: await response.text() };
  };
  const due = () => store.due(Number.MAX_SAFE_INTEGER, 100);
  return { ...shop, store, pass, buy, due, asked: () => shop.facilitator.asked("settle") };
}

describe("PAY-34 a settlement that the chain takes back", () => {
  it("is made again while its authorization lives, and its answer stays the same", async () => {
    const shop = open();
    const { payment, text } = await shop.buy();
    shop.facilitator.reorganise();
    await shop.pass(300);
    expect(shop.facilitator.settled).toMatchObject([{ from: alice.address, value: 1000n }]);
    expect(shop.asked()).toBe(2);
    expect(await (await shop.pay(WORK, payment)).text()).toBe(text);
    expect((await shop.handle.ledger()).total).toMatchObject({ calls: 1, settledUsd: "0.001" });
    expect((await shop.handle.ledger()).total).not.toHaveProperty("lostUsd");
    // Its new block is looked for once more, when that is as old.
    expect(await shop.due()).toHaveLength(1);
    await shop.pass(700);
    expect(await shop.due()).toEqual([]);
  });

  it("is told as lost where the chain takes it back once more", async () => {
    const shop = open();
    await shop.buy();
    shop.facilitator.reorganise();
    await shop.pass(300);
    expect(shop.facilitator.settled).toHaveLength(1);
    shop.facilitator.reorganise();
    await shop.pass(3600);
    expect(shop.facilitator.settled).toEqual([]);
    expect((await shop.handle.ledger()).total).toMatchObject({ lostUsd: "0.001" });
    expect(await shop.due()).toEqual([]);
  });

  it("is made again although something is to go back of it, which waits for it", async () => {
    const payment = {
      treasury: { [NETWORK]: TREASURY },
      facilitator: { url: FACILITATOR_URL },
      rpc: { [NETWORK]: "https://mainnet.base.org" },
      refunds: { [NETWORK]: mallory },
    };
    const shop = open({ payment, capabilities: [billedByUsage(({ meter }) => void meter.add("0.0075"))] });
    const [terms] = quoteOf(await shop.get(MODEL)).accepts;
    const paid = {
      ...(await shop.payFor(MODEL, { authorization: { value: terms?.amount ?? "" } })),
      accepted: { ...terms },
    };
    // The settlement, and the first try to give the rest back.
    shop.facilitator.faults.settle.push("none", "drop");
    expect((await shop.pay(MODEL, paid)).status).toBe(200);
    shop.facilitator.reorganise();
    await shop.pass(300);
    expect(shop.facilitator.settled.map(({ from, value }) => [from, value])).toEqual([
      [alice.address, 20_000n],
      [mallory.address, 12_500n],
    ]);
    expect((await shop.handle.ledger()).total).toMatchObject({ settledUsd: "0.02", returnedUsd: "0.0125" });
    await shop.pass(700);
    expect(await shop.due()).toEqual([]);
  });

  it("is told as lost, once, in the ledger and by an event, where that cannot be done", async () => {
    const [facilitator, store, clock] = [fakeFacilitator(), createMemoryStore(), fakeClock()];
    const shop = open({ facilitator, store, clock });
    await shop.buy();
    facilitator.reorganise();
    facilitator.fund(alice.address, 0n);
    const other = openShop({ node: true, facilitator, store, clock });
    for (let gone = 0; gone < 1200; gone += 15) {
      clock.advance(15);
      await Promise.all([shop.handle.reconcile(), other.handle.reconcile()]);
    }
    const lost = [...shop.events, ...other.events].filter(({ outcome }) => outcome === "lost");
    expect(lost).toMatchObject([{ id: "test.work", lostUsd: "0.001", payer: alice.address, network: "eip155:8453" }]);
    expect((await shop.handle.ledger()).total).toMatchObject({ calls: 1, settledUsd: "0.001", lostUsd: "0.001" });
    expect(await store.due(Number.MAX_SAFE_INTEGER, 100)).toEqual([]);
  });

  it("is found by another process than the one that answered", async () => {
    const shared = { facilitator: fakeFacilitator(), store: createMemoryStore(), clock: fakeClock() };
    const first = open(shared);
    await first.buy();
    shared.facilitator.reorganise();
    await open(shared).pass(120);
    expect(shared.facilitator.settled).toHaveLength(1);
  });

  it("is not believed of a node that is silent", async () => {
    const shop = open();
    await shop.buy();
    const { fetch } = shop.facilitator;
    const silent = openShop({
      node: true,
      store: shop.store,
      clock: shop.clock,
      facilitator: shop.facilitator,
      fetch: (url, init) =>
        String(url).includes("base.org") ? Promise.reject(new TypeError("silent")) : fetch(url, init),
    });
    for (let gone = 0; gone < 3600; gone += 30) {
      shop.clock.advance(30);
      await silent.handle.reconcile();
    }
    expect((await shop.handle.ledger()).total).not.toHaveProperty("lostUsd");
    expect([shop.asked(), await shop.due()]).toEqual([1, []]);
  });
});

describe("PAY-40 what was to go back of a settlement that is lost for good", () => {
  const DAY_SECONDS = 24 * 3600;
  const DEAR = "/test/dear?n=1";
  const payment = (refunds: boolean) => ({
    treasury: { [NETWORK]: TREASURY },
    facilitator: { url: FACILITATOR_URL },
    rpc: { [NETWORK]: "https://mainnet.base.org" },
    settleFirst: ["test.dear"],
    ...(refunds ? { refunds: { [NETWORK]: mallory } } : {}),
  });
  const lost = ({ events }: ReturnType<typeof open>) =>
    events.flatMap((event) => (event.kind === "loss" ? event.lostUsd : []));

  /** Paid, and to be given back in part, which the facilitator does not do at once. */
  async function owing() {
    const capabilities = [billedByUsage(({ meter }) => void meter.add("0.0075"))];
    const shop = open({ payment: payment(true), capabilities });
    const [terms] = quoteOf(await shop.get(MODEL)).accepts;
    const signed = await shop.payFor(MODEL, { authorization: { value: terms?.amount ?? "" } });
    const paid = { ...signed, accepted: { ...terms } };
    shop.facilitator.faults.settle.push("none", "drop");
    expect((await shop.pay(MODEL, paid)).status).toBe(200);
    shop.facilitator.reorganise();
    shop.facilitator.fund(alice.address, 0n);
    return { ...shop, paid };
  }

  it("is owed no more after three days: told as lost once, and nothing is sent or looked for from then on", async () => {
    const shop = await owing();
    await shop.pass(2 * 3600);
    expect((await shop.handle.ledger()).total).toMatchObject({ owedUsd: "0.0125", lostUsd: "0.02" });
    for (let hours = 0; hours < 80; hours++) {
      shop.clock.advance(3601);
      await shop.handle.reconcile();
    }
    const { total, overdue } = await shop.handle.ledger();
    expect([total, overdue]).toMatchObject([
      { settledUsd: "0.02", earnedUsd: "0.0075", returnedUsd: "0", creditedUsd: "0", owedUsd: "0", lostUsd: "0.02" },
      undefined,
    ]);
    expect([lost(shop), shop.facilitator.settled, await shop.due()]).toEqual([["0.02"], [], []]);
    const before = [shop.asked(), shop.facilitator.reads()];
    for (let days = 0; days < 5; days++) {
      shop.clock.advance(DAY_SECONDS);
      await shop.handle.reconcile();
    }
    expect([shop.asked(), shop.facilitator.reads()]).toEqual(before);
  });

  it("is told as lost also where no node could tell at first", async () => {
    const shop = await owing();
    shop.facilitator.showChain(false);
    for (let hours = 0; hours < 3; hours++) {
      shop.clock.advance(3601);
      await shop.handle.reconcile();
    }
    expect(lost(shop)).toEqual([]);
    shop.facilitator.showChain();
    for (let hours = 0; hours < 80; hours++) {
      shop.clock.advance(3601);
      await shop.handle.reconcile();
    }
    expect([lost(shop), (await shop.handle.ledger()).total.owedUsd, await shop.due()]).toEqual([["0.02"], "0", []]);
  });

  it("counts as returned as soon as the chain shows an earlier try", async () => {
    const shop = await owing();
    // The refund landed in a block that stays, and its answer was lost.
    const [, back] = shop.facilitator.calls.filter(({ path }) => path === "settle");
    await shop.facilitator.fetch(`${FACILITATOR_URL}/settle`, { method: "POST", body: JSON.stringify(back?.body) });
    await shop.pass(1800);
    expect((await shop.handle.ledger()).total).toMatchObject({ returnedUsd: "0.0125", owedUsd: "0", lostUsd: "0.02" });
    expect(shop.facilitator.settled.map(({ value }) => value)).toEqual([12_500n]);
  });

  it.each([
    ["returned", true],
    ["credited", false],
  ] as const)("is told as lost where a prepaid call had failed and was %s before", async (_, refunds) => {
    const shop = open({ payment: payment(refunds) });
    shop.behaviours.push(failing());
    expect((await shop.pay(DEAR, await shop.payFor(DEAR))).status).toBe(502);
    shop.facilitator.reorganise();
    shop.facilitator.fund(alice.address, 0n);
    await shop.pass(1800);
    expect([lost(shop), await shop.due()]).toEqual([["0.5"], []]);
  });

  it("is told as lost where a prepaid call broke off and nobody came back", async () => {
    const shop = open({ payment: payment(true) });
    const paid = await shop.payFor(DEAR);
    shop.behaviours.push(() => new Promise(() => {}));
    void shop.pay(DEAR, paid);
    await expect.poll(() => shop.facilitator.settled.length).toBe(1);
    shop.facilitator.reorganise();
    shop.facilitator.fund(alice.address, 0n);
    const other = openShop({
      ...{ node: true, store: shop.store, clock: shop.clock, facilitator: shop.facilitator, payment: payment(true) },
    });
    for (let hours = 0; hours < 80; hours++) {
      shop.clock.advance(3601);
      await other.handle.reconcile();
    }
    const told = other.events.flatMap((event) => (event.kind === "loss" ? event.lostUsd : []));
    expect([told, (await other.handle.ledger()).total.owedUsd]).toEqual([["0.5"], "0"]);
    expect([shop.facilitator.settled, await shop.due()]).toEqual([[], []]);
  });
});

describe("a settlement that stays", () => {
  it("is looked for once more, and never again", async () => {
    const shop = open();
    await shop.buy();
    const before = shop.facilitator.reads();
    await shop.pass(300);
    const once = shop.facilitator.reads() - before;
    await shop.pass(3600);
    expect(once).toBeGreaterThan(0);
    expect(shop.facilitator.reads() - before).toBe(once);
    expect([shop.asked(), await shop.due()]).toEqual([1, []]);
  });

  it("is left alone where the host names no node", async () => {
    const shop = open({ node: false });
    await shop.buy();
    expect(await shop.due()).toEqual([]);
  });
});
