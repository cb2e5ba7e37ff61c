import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMicros } from "../../src/lib/money.js";
import { createCredits } from "../../src/payment/refund/credit.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { failingAt } from "../support/mortal-store.js";
import { failing, openShop, type ShopOptions } from "../support/shop.js";

const WORK = "/test/work?n=1";

function open(options: ShopOptions = {}) {
  const clock = fakeClock();
  const store = createMemoryStore({ clock });
  const shop = openShop({ accounts: { keys: true, identify }, trial: false, clock, store, ...options });
  const { accounts } = shop.handle;
  const call = (path = WORK, headers: Record<string, string> = {}) => shop.get(path, { cookie: "ada", ...headers });
  return { ...shop, store, accounts, call };
}

const identify = (request: Request) => {
  const id = request.headers.get("cookie");
  return id ? { id } : undefined;
};

const micros = (usd: string) => (usd.startsWith("-") ? -toMicros(usd.slice(1)) : toMicros(usd));
const sumOf = (entries: { usd: string }[]) => entries.reduce((sum, { usd }) => sum + micros(usd), 0n);

describe("money that is paid in", () => {
  it("is booked once for its reference, however often and at once it is told", async () => {
    const { accounts } = open();
    const told = () => accounts.topUp("ada", "5.00", { reference: "pay_1" });
    const entries = await Promise.all([told(), told(), told()]);
    expect(new Set(entries.map(({ id }) => id))).toEqual(new Set(["0"]));
    await told();
    expect(await accounts.entries("ada")).toMatchObject([{ kind: "topup", usd: "5" }]);
    await expect(accounts.topUp("ada", "6", { reference: "pay_1" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "5", heldUsd: "0" });
  });

  it("ACC-5 is a name of its account's own: another account may be given the same", async () => {
    const { accounts } = open();
    for (const id of ["ada", "bob", "ada"]) await accounts.topUp(id, "1", { reference: "welcome" });
    expect(await accounts.balance("ada")).toMatchObject({ availableUsd: "1" });
    expect(await accounts.balance("bob")).toMatchObject({ availableUsd: "1" });
  });

  it("topUp answered another reference than it was given: it is the host's own, in answers and entries", async () => {
    const { accounts } = open();
    for (const reference of ["payment_8f3", "topup:payment_8f3", "a:b"]) {
      expect(await accounts.topUp("eve", "1", { reference })).toMatchObject({ kind: "topup", reference });
      expect(await accounts.adjust("eve", "-0.5", { reference })).toMatchObject({ kind: "adjustment", reference });
    }
    const told = (await accounts.entries("eve")).map(({ reference }) => reference);
    expect(told).toEqual(["payment_8f3", "payment_8f3", "topup:payment_8f3", "topup:payment_8f3", "a:b", "a:b"]);
  });

  it("ACC-2 is known by its reference while its entry moves: a page is there before a reference leads to it", async () => {
    const inner = createMemoryStore({ clock: fakeClock() });
    const written: string[] = [];
    const put: typeof inner.put = async (key, ...rest) => {
      // The page takes longest.
      if (key.startsWith("account-book:")) await new Promise((resolve) => setTimeout(resolve, 5));
      const done = await inner.put(key, ...rest);
      written.push(key.split(":")[0] ?? "");
      return done;
    };
    const { accounts } = open({ store: { ...inner, put } });
    for (let i = 0; i < 21; i++) await accounts.topUp("ada", "1", { reference: `pay ${i}` });
    await expect.poll(() => written).toContain("account-reference");
    expect(written.indexOf("account-book")).toBeLessThan(written.indexOf("account-reference"));
    expect(written).toContain("account-book");
  });

  it("is known by its reference after its entry has moved to a page of the book", async () => {
    const { accounts, store } = open();
    await accounts.topUp("ada", "5", { reference: "first" });
    for (let i = 0; i < 45; i++) await accounts.adjust("ada", "-0.01", { reference: `fee ${i}` });
    await expect.poll(() => store.list("account-book:", { limit: 9 })).toHaveLength(2);
    await accounts.topUp("ada", "5", { reference: "first" });
    await expect(accounts.topUp("ada", "5.000001", { reference: "first" })).rejects.toThrow("another amount");
    const entries = await accounts.entries("ada");
    expect(entries).toHaveLength(46);
    expect(entries.map(({ id }) => Number(id))).toEqual([...entries.keys()]);
    expect((await accounts.entries("ada", { after: "40" })).map(({ id }) => id)).toEqual([
      "41",
      "42",
      "43",
      "44",
      "45",
    ]);
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "4.55", heldUsd: "0" });
  });

  it.each([
    ["negative", "-1"],
    ["zero", "0"],
    ["huge", "1000000000.000001"],
    ["finer than a millionth", "0.0000001"],
    ["a number", 5],
    ["in exponents", "1e3"],
    ["empty", ""],
  ])("%s is refused by a TypeError, and the book is as before", async (_, usd) => {
    const { accounts } = open();
    await accounts.topUp("ada", "1", { reference: "r" });
    const asked = accounts.topUp("ada", usd as string, { reference: "s" });
    await expect(asked).rejects.toThrow(TypeError);
    await expect(asked).rejects.toThrow("usd");
    expect(await accounts.entries("ada")).toHaveLength(1);
  });

  it("needs a reference, and an account with a name", async () => {
    const { accounts } = open();
    await expect(accounts.topUp("ada", "1", {} as { reference: string })).rejects.toThrow("reference must be text");
    await expect(accounts.topUp("ada", "1", undefined as never)).rejects.toThrow("reference must be text");
    await expect(accounts.topUp("a b", "1", { reference: "r" })).rejects.toThrow("An account's id");
  });

  it("of an unknown account is no balance but an error", async () => {
    const { accounts } = open();
    for (const ask of [
      () => accounts.balance("nobody"),
      () => accounts.entries("nobody"),
      () => accounts.listKeys("nobody"),
      () => accounts.adjust("nobody", "1", { reference: "r" }),
      () => accounts.refund("nobody"),
    ])
      await expect(ask()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a call", () => {
  it("that fails costs nothing, and holds nothing", async () => {
    const { call, accounts, behaviours } = open();
    await accounts.topUp("ada", "1", { reference: "r" });
    behaviours.push(failing());
    expect((await call()).status).toBe(502);
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "1", heldUsd: "0" });
    expect(await accounts.entries("ada")).toHaveLength(1);
  });

  it("holds its price while it runs, so that two never spend the same money", async () => {
    const { call, accounts, behaviours } = open();
    await accounts.topUp("ada", "0.0015", { reference: "r" });
    let during: object = {};
    behaviours.push(async () => {
      during = await accounts.balance("ada");
    });
    const statuses = (await Promise.all([call(), call()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 402]);
    expect(during).toEqual({ availableUsd: "0.0005", heldUsd: "0.001" });
  });

  it("that broke off frees what it held by itself", async () => {
    const { accounts, clock, store, call } = open();
    await accounts.topUp("ada", "0.001", { reference: "r" });
    const dying = openShop({ accounts: { identify }, trial: false, clock, store });
    dying.behaviours.push(() => new Promise(() => {}));
    void dying.get(WORK, { cookie: "ada" });
    await expect.poll(() => accounts.balance("ada")).toEqual({ availableUsd: "0", heldUsd: "0.001" });
    expect((await call()).status).toBe(402);
    clock.advance(600);
    expect((await call()).status).toBe(200);
  });

  it("with an Idempotency-Key is made and charged once, and never for another request", async () => {
    const { call, accounts, runs, events } = open();
    await accounts.topUp("ada", "1", { reference: "r" });
    const headers = { "idempotency-key": "mine" };
    const [first, second] = await Promise.all([call(WORK, headers), call(WORK, headers)]);
    expect(await first?.text()).toBe(await second?.text());
    for (let i = 0; i < 25; i++) await call();
    const again = await call(WORK, headers);
    expect(again.headers.get("x-svc-replay")).toBe("1");
    expect(runs()).toBe(26);
    expect((await accounts.balance("ada")).availableUsd).toBe("0.974");
    const other = await call("/test/work?n=2", headers);
    expect(other.status).toBe(402);
    expect((await bodyOf(other)).error).toContain("another request");
    expect(events.filter((event) => event.kind === "call" && event.outcome === "replayed")).toHaveLength(2);
  });

  it("that comes with a payment is paid by it, and one with a spent trial by the account", async () => {
    const { call, accounts, payFor, pay } = open({ trial: {} });
    await accounts.topUp("ada", "1", { reference: "r" });
    const meta = async (response: Response) => (await bodyOf(response)).meta.caller;
    const payment = await payFor(WORK);
    const header = Buffer.from(JSON.stringify(payment)).toString("base64");
    expect(await meta(await call(WORK, { "payment-signature": header }))).toBe("paid");
    expect(await meta(await call(WORK, { "x-svc-trial": "1" }))).toBe("trial");
    expect(await meta(await call(WORK, { "x-svc-trial": "1" }))).toBe("account");
    expect((await pay(WORK, "nonsense")).status).toBe(402);
    expect((await call(WORK, { "payment-signature": "nonsense" })).status).toBe(402);
    expect((await accounts.balance("ada")).availableUsd).toBe("0.999");
  });

  it("that comes with credit is paid by one of the two, once: by the account where an Idempotency-Key says so", async () => {
    const { store, call, accounts, clock, runs, handle } = open();
    await accounts.topUp("ada", "1", { reference: "r" });
    const credits = createCredits(store, () => clock().getTime());
    const token = await credits.issue("earlier", "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A", 1500n);
    const left = async () => [
      (await credits.find(token))?.available ?? 0n,
      (await accounts.balance("ada")).availableUsd,
      (await accounts.balance("ada")).heldUsd,
    ];
    const both = (headers: Record<string, string> = {}) => call(WORK, { "x-svc-credit": token, ...headers });
    // The account answers copies, whatever becomes of the credit meanwhile.
    const keyed = { "idempotency-key": "0123456789abcdef" };
    expect([(await both(keyed)).status, await left()]).toEqual([200, [1500n, "0.999", "0"]]);
    expect([(await both()).status, await left()]).toEqual([200, [500n, "0.999", "0"]]);
    expect([(await both(keyed)).status, await left(), runs()]).toEqual([200, [500n, "0.999", "0"], 2]);
    // Credit that is too small stays as it is.
    expect([(await both()).status, await left()]).toEqual([200, [500n, "0.998", "0"]]);
    const { total } = await handle.ledger();
    expect(total).toMatchObject({ calls: 3, prepaidUsd: "0.002", creditUsedUsd: "0.001" });
  });

  it("that comes with credit, and whose process dies at its end, is charged to one of the two at most", async () => {
    const clock = fakeClock();
    const store = createMemoryStore({ clock });
    for (const at of ["put credit-call", "put credit", "put account"]) {
      const { wrap, fail } = failingAt();
      const dying = open({ store: wrap(store), clock });
      const living = open({ store, clock });
      await living.accounts.topUp("ada", "1", { reference: at });
      const credits = createCredits(store, () => clock().getTime());
      const token = await credits.issue(at, "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A", 1000n);
      const before = await living.accounts.balance("ada");
      dying.behaviours.push(async () => fail(at, { done: false, times: 99 }));
      await dying.call(WORK, { "x-svc-credit": token });
      clock.advance(3600);
      await living.handle.reconcile();
      expect(await living.accounts.balance("ada")).toEqual(before);
      const { total } = await living.handle.ledger();
      expect([total.calls, total.prepaidUsd]).toEqual([at === "put account" ? 1 : 0, undefined]);
    }
  });

  it("is given back once, whole or in part, and never more than it cost", async () => {
    const { call, accounts } = open();
    await accounts.topUp("ada", "1", { reference: "r" });
    const { requestId } = (await bodyOf(await call())).meta;
    await expect(accounts.refund(requestId, { usd: "0.0011" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    const given = await accounts.refund(requestId, { usd: "0.0004" });
    expect(given).toMatchObject({ kind: "refund", usd: "0.0004", requestId, endpoint: "test.work" });
    expect(await accounts.refund(requestId)).toEqual(given);
    await expect(accounts.refund(requestId, { usd: "0.0005" })).rejects.toThrow("0.0004 USD of this call");
    expect((await accounts.balance("ada")).availableUsd).toBe("0.9994");
  });

  it("is in the ledger, booked or not yet", async () => {
    const { call, accounts, handle } = open();
    await accounts.topUp("ada", "1", { reference: "r" });
    const { requestId } = (await bodyOf(await call())).meta;
    for (let i = 0; i < 24; i++) await call();
    await accounts.refund(requestId);
    const { total, rows } = await handle.ledger({ by: ["payer"] });
    expect(total).toMatchObject({
      calls: 25,
      prepaidUsd: "0.025",
      creditedUsd: "0.001",
      earnedUsd: "0.024",
      owedUsd: "0",
    });
    expect(rows).toMatchObject([{ payer: "acct:ada" }]);
  });
});

it("an account of another host on the same store is unknown here", async () => {
  const { accounts, store, clock } = open();
  await accounts.topUp("ada", "1", { reference: "r" });
  const { key } = await accounts.createKey("ada");
  const payment = {
    treasury: { "eip155:8453": "0x3333333333333333333333333333333333333333" },
    facilitator: { url: "https://facilitator.test" },
  };
  const other = openShop({ accounts: { keys: true }, payment, store, clock });
  await expect(other.handle.accounts.balance("ada")).rejects.toThrow("another service");
  await expect(other.handle.accounts.topUp("ada", "1", { reference: "s" })).rejects.toThrow("another service");
  expect((await other.get(WORK, { authorization: `Bearer ${key}` })).status).toBe(401);
  expect(await accounts.balance("ada")).toEqual({ availableUsd: "1", heldUsd: "0" });
});

it("the sum of the entries is the balance, whatever happens and whatever the clock does", {
  timeout: 60_000,
}, async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("topUp" as const), cents: fc.integer({ min: 1, max: 40 }), name: fc.nat(5) }),
    fc.record({ do: fc.constant("adjust" as const), cents: fc.integer({ min: -40, max: 40 }), name: fc.nat(5) }),
    fc.record({ do: fc.constant("call" as const), fails: fc.boolean(), key: fc.option(fc.nat(3)) }),
    fc.record({ do: fc.constant("refund" as const), which: fc.nat(9) }),
    fc.record({ do: fc.constant("clock" as const), seconds: fc.integer({ min: -90_000, max: 90_000 }) }),
  );
  const story = async (steps: (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) => {
    const { call, accounts, behaviours, clock } = open({ payment: GENEROUS });
    await accounts.topUp("ada", "0.02", { reference: "opening" });
    const bought: string[] = [];
    for (const one of steps) {
      if (one.do === "topUp")
        await accounts.topUp("ada", `${one.cents / 100}`, { reference: `t${one.name}` }).catch(() => {});
      if (one.do === "adjust")
        await accounts.adjust("ada", `${one.cents / 100}`, { reference: `a${one.name}` }).catch(() => {});
      if (one.do === "clock") clock.advance(one.seconds);
      if (one.do === "refund") await accounts.refund(bought[one.which] ?? "none").catch(() => {});
      if (one.do === "call") {
        if (one.fails) behaviours.push(failing());
        const headers: Record<string, string> = one.key === null ? {} : { "idempotency-key": `k${one.key}` };
        const answer = await call(WORK, headers);
        if (answer.status === 200) bought.push((await bodyOf(answer)).meta.requestId);
        behaviours.length = 0;
      }
      const entries = await accounts.entries("ada");
      const { availableUsd, heldUsd } = await accounts.balance("ada");
      expect(sumOf(entries)).toBe(micros(availableUsd) + micros(heldUsd));
      expect(heldUsd).toBe("0");
      const named = entries.flatMap(({ reference }) => reference ?? []);
      expect(new Set(named).size).toBe(named.length);
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60 }), story), { numRuns: 25 });
});

const GENEROUS = {
  treasury: { "eip155:8453": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C" },
  facilitator: { url: "https://facilitator.test" },
  maxFailures: { runs: 1000, usd: "1000" },
};
