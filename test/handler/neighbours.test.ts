/** Two hosts of different treasuries on one store, as happens where both take a store's defaults: each handles its own money. */
import { describe, expect, it, vi } from "vitest";
import { createCredits } from "../../src/payment/refund/credit.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { failing, openShop, type ShopOptions } from "../support/shop.js";
import { alice, mallory, quoteOf, sign, TREASURY, toHeader } from "../support/wallets.js";

const NETWORK = "eip155:8453";
const OTHER_TREASURY = "0x5AEDA56215b167893e80B4fE645BA6d5Bab767DE";
const WORK = "/test/work?n=1";
const DEAR = "/test/dear?n=1";
const MODEL = "/test/model?n=1";

interface Wish extends ShopOptions {
  treasury?: string;
  former?: string[];
  refunds?: boolean;
  settleFirst?: string[];
}

function street() {
  const store = createMemoryStore();
  const clock = fakeClock();
  const open = ({ treasury = TREASURY, former, refunds = false, settleFirst = [], ...options }: Wish = {}) =>
    openShop({
      store,
      clock,
      payment: {
        treasury: { [NETWORK]: treasury },
        facilitator: { url: "https://facilitator.test" },
        settleFirst,
        ...(former ? { formerTreasuries: { [NETWORK]: former } } : {}),
        ...(refunds ? { refunds: { [NETWORK]: mallory } } : {}),
      },
      ...options,
    });
  return { store, clock, open, beside: (wish: Wish = {}) => open({ treasury: OTHER_TREASURY, ...wish }) };
}

const asked = ({ facilitator }: ReturnType<typeof openShop>) => [
  facilitator.asked("verify"),
  facilitator.asked("settle"),
];
const model = (...used: string[]) => billedByUsage(({ meter }) => void meter.add(used.shift() ?? "0.02"));

describe("a host beside another one on the same store", () => {
  it("leaves the other's open settlements to it, when it reconciles and when their payer comes", async () => {
    const { clock, open, beside } = street();
    const [here, there] = [open(), beside()];
    const payment = await here.payFor(WORK);
    here.facilitator.faults.settle.push("drop");
    expect((await here.pay(WORK, payment)).status).toBe(502);
    clock.advance(20);
    expect(await there.handle.reconcile()).toBe(0);
    const answer = await there.pay(WORK, payment);
    expect([answer.status, (await bodyOf(answer)).code]).toEqual([502, "SETTLEMENT_PENDING"]);
    expect(asked(there)).toEqual([0, 0]);
    expect(await here.handle.reconcile()).toBe(1);
    expect(here.facilitator.settled).toMatchObject([{ to: TREASURY, value: 1000n }]);
    expect((await here.pay(WORK, payment)).headers.get("x-svc-replay")).toBe("1");
    expect([here.runs(), there.runs()]).toEqual([1, 0]);
  });

  it("returns nothing of what the other owes", async () => {
    const { clock, open, beside } = street();
    const here = open({ capabilities: [model("0.0075")], refunds: true });
    const there = beside({ capabilities: [model()], refunds: true });
    here.facilitator.faults.settle.push("none", "drop");
    expect((await here.pay(MODEL, await here.payFor(MODEL))).status).toBe(200);
    clock.advance(70);
    await there.handle.reconcile();
    expect(there.facilitator.settled).toEqual([]);
    await here.handle.reconcile();
    expect(here.facilitator.settled).toMatchObject([{ to: TREASURY }, { to: alice.address, value: 12_500n }]);
  });

  it("does not make the other's unreturned money its own credit", async () => {
    const { clock, open, beside } = street();
    const here = open({ capabilities: [model("0.0075")], refunds: true });
    here.facilitator.faults.settle.push("none", "drop");
    await here.pay(MODEL, await here.payFor(MODEL));
    clock.advance(70);
    const there = beside();
    await there.handle.reconcile();
    expect((await here.handle.ledger()).total).toMatchObject({ owedUsd: "0.0125", creditedUsd: "0" });
  });

  it("sells nothing for the other's credit, which stays good where it was given", async () => {
    const { open, beside } = street();
    const [here, there] = [open({ capabilities: [model("0.0075", "0.005")] }), beside({ capabilities: [model()] })];
    const bought = await here.pay(MODEL, await here.payFor(MODEL));
    const credit = { "x-svc-credit": bought.headers.get("x-svc-credit") ?? "" };
    expect(credit["x-svc-credit"]).not.toBe("");
    expect(quoteOf(await there.get(MODEL, credit)).accepts[0]?.amount).toBe("20000");
    expect(quoteOf(await here.get(MODEL, credit)).accepts[0]?.amount).toBe("7500");
  });

  it("takes credit of an older release, which names no host", async () => {
    const { store, clock, open } = street();
    const here = open({ capabilities: [model("0.005")] });
    const token = await createCredits(store, () => clock().getTime()).issue("earlier", alice.address, 20_000n);
    expect((await here.get(MODEL, { "x-svc-credit": token })).status).toBe(200);
    expect((await here.handle.ledger()).total).toMatchObject({ creditUsedUsd: "0.005" });
  });

  it("does no work for a payment to the other, however far that got", async () => {
    const { clock, open, beside } = street();
    const dying = open({ settleFirst: ["test.dear"] });
    const there = beside({ settleFirst: ["test.dear"] });
    dying.behaviours.push(() => new Promise(() => {}));
    dying.behaviours.push(() => new Promise(() => {}));
    const [broken, prepaid] = [await dying.payFor(WORK), await dying.payFor(DEAR)];
    void dying.pay(WORK, broken);
    void dying.pay(DEAR, prepaid);
    await vi.waitFor(() => expect(dying.runs()).toBe(2));
    clock.advance(150);
    const [first, second] = [await there.pay(WORK, broken), await there.pay(DEAR, prepaid)];
    expect([first.status, (await bodyOf(first)).extensions?.code]).toEqual([402, "PAYMENT_MISMATCH"]);
    expect([second.status, (await bodyOf(second)).code]).toEqual([502, "SETTLEMENT_PENDING"]);
    clock.advance(3600);
    await there.handle.reconcile();
    expect([there.runs(), asked(there)]).toEqual([0, [0, 0]]);
  });

  it("sells under the same idempotency key of the same wallet what its own buyers pay for", async () => {
    const { clock, open, beside } = street();
    const [here, there] = [open(), beside()];
    const keyed = async (shop: ReturnType<typeof open>) => {
      const [terms] = quoteOf(await shop.get(WORK)).accepts;
      if (!terms) throw new Error("nothing offered");
      const payment = await sign(terms, { now: clock.seconds() });
      return shop.get(WORK, { "payment-signature": toHeader(payment), "idempotency-key": "a purchase of this buyer" });
    };
    for (const shop of [here, there]) {
      const first = await keyed(shop);
      expect([first.status, first.headers.has("x-svc-replay")]).toEqual([200, false]);
      const second = await keyed(shop);
      expect(second.headers.get("x-svc-replay")).toBe("1");
      expect(await second.text()).toBe(await first.text());
    }
    expect(here.facilitator.settled).toMatchObject([{ to: TREASURY }]);
    expect(there.facilitator.settled).toMatchObject([{ to: OTHER_TREASURY }]);
  });

  it("tells in its ledger, and as pending, what it sold itself, and what an older release wrote without a name", async () => {
    const { store, open, beside } = street();
    const here = open({ capabilities: [model("0.0075", "0.0025")] });
    const there = beside();
    const bought = await here.pay(MODEL, await here.payFor(MODEL));
    await here.get(MODEL, { "x-svc-credit": bought.headers.get("x-svc-credit") ?? "" });
    await there.pay(WORK, await there.payFor(WORK));
    expect((await here.handle.ledger()).total).toMatchObject({ calls: 1, settledUsd: "0.02" });
    expect((await there.handle.ledger()).total).toMatchObject({ calls: 1, settledUsd: "0.001", earnedUsd: "0.001" });
    for (const { key, value, version } of await store.list("ledger:", { limit: 100 })) {
      const { account: _, ...entry } = JSON.parse(value);
      await store.put(key, JSON.stringify(entry), { ifVersion: version, ttlMs: 3_600_000 });
    }
    expect((await there.handle.ledger()).total).toMatchObject({ calls: 2, settledUsd: "0.021" });
    here.facilitator.faults.settle.push("drop");
    await here.pay(MODEL, await here.payFor(MODEL));
    const pendingAt = async (shop: ReturnType<typeof open>) => {
      const page = await (await shop.handle.earnings(new Request("http://shop.test/earnings"))).text();
      return /Settlements pending<\/dt><dd>(\d+)/.exec(page)?.[1];
    };
    expect([await pendingAt(here), await pendingAt(there)]).toEqual(["1", "0"]);
  });

  it("finishes its own behind any number of the other's, and tells its host of them once", async () => {
    const { store, clock, open, beside } = street();
    const warn = vi.fn();
    const logger = { debug() {}, info() {}, warn, error() {} };
    const [here, there] = [open(), beside({ logger })];
    here.facilitator.faults.settle.push("drop");
    const theirs = await here.payFor(WORK);
    await here.pay(WORK, theirs);
    const [found] = await store.list("payment:", { limit: 1 });
    for (let n = 0; n < 150; n++)
      await store.put(`payment:copy ${n}`, found?.value ?? "", { ifVersion: 0, ttlMs: 1e7, dueAt: clock().getTime() });
    clock.advance(5);
    there.facilitator.faults.settle.push("drop");
    await there.pay(WORK, await there.payFor(WORK));
    clock.advance(60);
    expect(await there.handle.reconcile()).toBe(1);
    expect(there.facilitator.settled).toMatchObject([{ to: OTHER_TREASURY }]);
    await there.handle.reconcile();
    const told = warn.mock.calls.filter(([, message]) => String(message).includes("payment.formerTreasuries"));
    expect(told).toEqual([[{ account: `${NETWORK}:${TREASURY.toLowerCase()}` }, expect.any(String)]]);
  });
});

describe("a host that changed its treasury and names the former one", () => {
  it("settles, returns and sells for credit what was begun for that, and tells it in its ledger", async () => {
    const { clock, open, beside } = street();
    const before = open({ capabilities: [model("0.0075", "0.0075", "0.0025")], refunds: true });
    const cheap = open({ capabilities: [model("0.0075")] });
    const credit = (await cheap.pay(MODEL, await cheap.payFor(MODEL))).headers.get("x-svc-credit") ?? "";
    before.facilitator.faults.settle.push("none", "drop", "drop");
    await before.pay(MODEL, await before.payFor(MODEL));
    const open2 = await before.payFor(MODEL);
    await before.pay(MODEL, open2);
    const after = beside({
      capabilities: [model("0.0025")],
      former: [TREASURY],
      refunds: true,
      facilitator: before.facilitator,
    });
    clock.advance(70);
    expect(await after.handle.reconcile()).toBe(2);
    expect(before.facilitator.settled.map(({ to, value }) => [to === alice.address ? "out" : "in", value])).toEqual(
      expect.arrayContaining([
        ["in", 20_000n],
        ["out", 12_500n],
        ["in", 20_000n],
        ["out", 12_500n],
      ]),
    );
    expect(quoteOf(await after.get(MODEL, { "x-svc-credit": credit })).accepts[0]?.amount).toBe("7500");
    expect((await after.handle.ledger()).total).toMatchObject({
      calls: 3,
      returnedUsd: "0.025",
      creditedUsd: "0.0125",
    });
  });

  it("does the work of calls to the former one that broke off", async () => {
    const { clock, open, beside } = street();
    const before = open();
    before.behaviours.push(failing());
    const payment = await before.payFor(WORK, { authorization: { validBefore: String(clock.seconds() + 900) } });
    expect((await before.pay(WORK, payment)).status).toBe(502);
    expect((await beside({ former: [TREASURY] }).pay(WORK, payment)).status).toBe(402);
    const dying = open();
    dying.behaviours.push(() => new Promise(() => {}));
    void dying.pay(WORK, payment);
    await vi.waitFor(() => expect(dying.runs()).toBe(1));
    clock.advance(150);
    expect((await beside({ former: [TREASURY] }).pay(WORK, payment)).status).toBe(200);
  });

  it.each([
    ["an address of another kind", { [NETWORK]: ["7dBjUHwp5t5C5VYKrfSD5Gf5K9xBqQjjVjHqjxKSaH2k"] }],
    ["a network that there is not", { basis: [TREASURY] }],
  ])("is told of %s", (_, formerTreasuries) => {
    const payment = {
      treasury: { [NETWORK]: TREASURY },
      facilitator: { url: "https://facilitator.test" },
      formerTreasuries,
    };
    expect(() => openShop({ payment })).toThrow(/payment\.formerTreasuries/);
  });
});
