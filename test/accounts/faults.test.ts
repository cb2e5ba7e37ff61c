/** What a caller gets, and what the book says afterwards, when an operation of the store fails: done or not. */
import { describe, expect, it } from "vitest";
import { silent } from "../../src/lib/logger.js";
import { createNotes, notedCallOf } from "../../src/payment/accounts/notes.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { failingAt } from "../support/mortal-store.js";
import { failing, openShop, type ShopOptions } from "../support/shop.js";

const WORK = "/test/work?n=1";
const identify = (request: Request) => {
  const id = request.headers.get("cookie");
  return id ? { id } : undefined;
};

function open(options: ShopOptions = {}) {
  const clock = fakeClock();
  const living = createMemoryStore({ clock });
  const { wrap, fail } = failingAt();
  const shared = { accounts: { keys: true, identify }, trial: false, clock, logger: silent } as const;
  const shop = openShop({ ...shared, ...options, store: wrap(living) });
  const other = openShop({ ...shared, ...options, store: living });
  const { accounts } = other.handle;
  const call = (headers: Record<string, string> = {}) => shop.get(WORK, { cookie: "ada", ...headers });
  const sales = async () => (await accounts.entries("ada")).filter(({ kind }) => kind === "sale").length;
  return { ...shop, shop, other, accounts, living, fail, call, sales, clock };
}

describe("ACC-10 a call without a key, when the store fails at its charge", () => {
  it.each([
    ["took effect", true],
    ["did not", false],
  ])("is answered and charged once, whether the write %s", async (_, done) => {
    const { accounts, call, fail, sales, behaviours, runs } = open();
    await accounts.topUp("ada", "1", { reference: "r" });
    behaviours.push(async () => fail("put account", { done }));
    const answer = await call();
    expect([answer.status, runs(), await sales()]).toEqual([200, 1, 1]);
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "0.999", heldUsd: "0" });
    expect(await accounts.refund((await bodyOf(answer)).meta.requestId)).toMatchObject({ usd: "0.001" });
  });

  it("is not charged twice although its entry has moved to a page of the book meanwhile", async () => {
    const { accounts, call, fail, sales, behaviours, living } = open();
    await accounts.topUp("ada", "1", { reference: "r" });
    for (let i = 0; i < 18; i++) await accounts.adjust("ada", "0.01", { reference: `a${i}` });
    let resolve = () => {};
    const moved = new Promise<void>((done) => {
      resolve = done;
    });
    behaviours.push(async () => fail("put account", { done: true, until: moved }));
    const called = call();
    // The page is full with the sale, and moved by another process before the charge is repeated.
    await expect.poll(sales).toBe(1);
    await accounts.adjust("ada", "0.01", { reference: "last" });
    await expect.poll(() => living.list("account-book:", { limit: 9 })).toHaveLength(1);
    resolve();
    expect((await called).status).toBe(200);
    expect(await sales()).toBe(1);
  });

  it("that gets no answer holds nothing, and is not charged", async () => {
    const { accounts, call, fail, behaviours } = open();
    await accounts.topUp("ada", "1", { reference: "r" });
    behaviours.push(async () => fail("put account", { done: false, times: 3 }));
    expect((await call()).status).toBe(502);
    await expect.poll(() => accounts.balance("ada")).toEqual({ availableUsd: "1", heldUsd: "0" });
  });
});

describe("ACC-11 a call under an Idempotency-Key", () => {
  const key = { "idempotency-key": "mine" };

  it.each([
    ["its claim", "put account-order", 0, true],
    ["its claim, not made,", "put account-order", 0, false],
    ["its answer", "put account-order", 1, true],
    ["its answer, not kept,", "put account-order", 1, false],
    ["its note", "put account-call", 0, true],
    ["its note, not made,", "put account-call", 0, false],
  ] as const)("goes on when the answer to %s is lost, and can be given back", async (_, at, from, done) => {
    const { accounts, call, fail, behaviours, runs, sales } = open();
    await accounts.topUp("ada", "1", { reference: "r" });
    if (from === 0) fail(at, { done });
    else behaviours.push(async () => fail(at, { done }));
    const answer = await call(key);
    expect([answer.status, runs(), await sales()]).toEqual([200, 1, 1]);
    expect((await accounts.refund((await bodyOf(answer)).meta.requestId)).usd).toBe("0.001");
  });

  it("whose answer is kept and not charged is charged from what it holds, to the last micro-dollar", async () => {
    const { accounts, call, fail, behaviours, other, runs, sales } = open();
    await accounts.topUp("ada", "0.001", { reference: "r" });
    behaviours.push(async () => fail("put account", { done: false, times: 3 }));
    expect((await call(key)).status).toBe(502);
    const again = await other.get(WORK, { cookie: "ada", ...key });
    expect([again.status, runs(), await sales()]).toEqual([200, 1, 1]);
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "0", heldUsd: "0" });
  });

  it("uses the free call that it began with, although another process charges it", async () => {
    const { accounts, call, fail, behaviours, other } = open();
    await accounts.setLimits("ada", { freePerMonth: { calls: 1 } });
    behaviours.push(async () => fail("put account", { done: false, times: 3 }));
    expect((await call(key)).status).toBe(502);
    expect((await other.get(WORK, { cookie: "ada", ...key })).status).toBe(200);
    expect(await accounts.entries("ada")).toMatchObject([{ kind: "sale", usd: "0", freeUsd: "0.001" }]);
  });

  it("lets the next attempt begin when its answer could not be kept", async () => {
    const { accounts, call, fail, behaviours, sales } = open();
    await accounts.topUp("ada", "1", { reference: "r" });
    behaviours.push(async () => fail("put account-order", { done: false, times: 2 }));
    expect((await call(key)).status).toBe(502);
    await expect.poll(() => accounts.balance("ada")).toMatchObject({ heldUsd: "0" });
    expect([(await call(key)).status, await sales()]).toEqual([200, 1]);
  });
});

it("ACC-12 a call whose hold was made and not heard of frees it", async () => {
  const { accounts, call, fail } = open();
  await accounts.topUp("ada", "0.001", { reference: "r" });
  fail("put account", { done: true });
  expect((await call()).status).toBe(502);
  await expect.poll(() => accounts.balance("ada")).toEqual({ availableUsd: "0.001", heldUsd: "0" });
});

it("ACC-32 a hold that was made, not heard of and made again takes its price once, of grants and of limits", async () => {
  const { accounts, call, fail, behaviours } = open();
  await accounts.setLimits("ada", { usdPerDay: "1" });
  await accounts.grant("ada", { usd: "0.005", endpoints: ["test.work"] });
  // One that its call could not free, which the next one does.
  behaviours.push(async () => {
    fail("put account", { done: false });
    throw new Error("The work failed.");
  });
  expect((await call()).status).toBe(502);
  expect(await accounts.balance("ada")).toMatchObject({ heldUsd: "0.001" });
  fail("put account", { done: true });
  expect((await call()).status).toBe(200);
  expect((await accounts.grants("ada"))[0]).toMatchObject({ usd: "0.005", leftUsd: "0.004" });
  expect(await accounts.balance("ada")).toEqual({ availableUsd: "0.004", heldUsd: "0", restrictedUsd: "0.004" });
});

it("ACC-25 a hold that a clock a year ahead has made ends in a day", async () => {
  const { accounts, call, clock, behaviours } = open();
  await accounts.topUp("ada", "0.001", { reference: "r" });
  clock.advance(365 * 86_400);
  behaviours.push(() => new Promise(() => {}));
  void call();
  await expect.poll(() => accounts.balance("ada")).toMatchObject({ heldUsd: "0.001" });
  clock.advance(-365 * 86_400);
  await accounts.setLimits("ada", {});
  clock.advance(86_401);
  expect(await accounts.balance("ada")).toEqual({ availableUsd: "0.001", heldUsd: "0" });
});

it("ACC-28 a call that outlived its hold counts in the limits, of its account and of its key", async () => {
  const { accounts, shop, behaviours, clock } = open();
  await accounts.topUp("ada", "1", { reference: "r" });
  await accounts.setLimits("ada", { usdPerMonth: "0.0015" });
  const { key } = await accounts.createKey("ada", { limits: { usdPerMonth: "0.0015" } });
  const call = () => shop.get(WORK, { authorization: `Bearer ${key}` });
  let finish = () => {};
  behaviours.push(() => new Promise((resolve) => (finish = resolve)));
  const slow = call();
  await expect.poll(() => accounts.balance("ada")).toMatchObject({ heldUsd: "0.001" });
  clock.advance(3600);
  expect(await accounts.balance("ada")).toMatchObject({ heldUsd: "0" });
  await accounts.setLimits("ada", { usdPerMonth: "0.0015" });
  finish();
  expect((await slow).status).toBe(200);
  expect((await bodyOf(await call())).detail).toContain("The key may spend");
  await accounts.revokeKey((await accounts.listKeys("ada"))[0]?.id ?? "");
  const own = await shop.get(WORK, { cookie: "ada" });
  expect([own.status, (await bodyOf(own)).detail]).toEqual([402, expect.stringContaining("0.0005 USD are left")]);
});

it("ACC-13 a memory store keeps the notes of so many calls, and the youngest can be given back", async () => {
  const store = createMemoryStore();
  const notes = createNotes(store, 3);
  for (let i = 0; i < 5; i++) await notes.add(`call ${i}`, { account: "ada", from: i });
  const kept = await store.list("account-call:", { limit: 9 });
  expect(kept.map(({ key }) => key)).toEqual(["account-call:call 2", "account-call:call 3", "account-call:call 4"]);
  expect(await notedCallOf(store, "call 4")).toEqual({ account: "ada", from: 4 });
});

it("ACC-13 calls that failed leave no rows behind", async () => {
  const { accounts, call, behaviours, living } = open();
  await accounts.topUp("ada", "1", { reference: "r" });
  for (let i = 0; i < 5; i++) {
    behaviours.push(failing());
    expect((await call()).status).toBe(502);
  }
  expect(await living.list("account-call:", { limit: 9 })).toEqual([]);
});
