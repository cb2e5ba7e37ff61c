/** JOB-10: who may know of a job, and when its money moves. */
import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { NETWORK } from "../support/shop.js";
import { mallory, toHeader, withoutRetryKey } from "../support/wallets.js";
import { ASYNC, held, type Job, open, rested, WORK } from "./job-shop.js";

it("JOB-10 answers a payment at once that the chain will show in full, so that nobody finds its job by it", async () => {
  const { get, payFor, runs } = open();
  const payment = withoutRetryKey(await payFor(WORK));
  const plain = await get(WORK, { "payment-signature": toHeader(payment), ...ASYNC });
  expect([plain.status, plain.headers.get("preference-applied")]).toEqual([200, null]);
  const named = { "idempotency-key": "0123456789abcdef" };
  const other = withoutRetryKey(await payFor(WORK));
  expect((await get(WORK, { "payment-signature": toHeader(other), ...named, ...ASYNC })).status).toBe(202);
  const stranger = await get(WORK, { "payment-signature": toHeader(other), ...ASYNC });
  expect(stranger.status).toBe(402);
  expect(runs()).toBe(2);
});

it("JOB-11 is another host's that shares the store", async () => {
  const clock = fakeClock();
  const shared = { clock, store: createMemoryStore({ clock }), facilitator: fakeFacilitator() };
  const one = open(shared);
  const payment = { treasury: { [NETWORK]: mallory.address }, facilitator: { url: FACILITATOR_URL } };
  const other = open({ ...shared, payment });
  one.behaviours.push(held().run);
  const { id } = await one.take(await one.paid(WORK, { authorization: { validBefore: "4102444800" } }));
  for (const answer of [await other.get(`/jobs/get?id=${id}`), await other.cancel({ id })])
    expect([answer.status, (await bodyOf(answer)).code]).toEqual([404, "JOB_NOT_FOUND"]);
  clock.advance(600);
  await other.handle.reconcile();
  await rested(20);
  expect(other.runs()).toBe(0);
  expect((await one.fetchJob(id)).state).not.toBe("cancelled");
});

it("JOB-12 is settled first where its payment would expire before the work is done", async () => {
  const { get, paid, ended, behaviours, facilitator, clock } = open();
  const work = held();
  behaviours.push(work.run);
  // Enough for a settlement, and too little for 30 seconds of work.
  const soon = { authorization: { validBefore: String(clock.seconds() + 45) } };
  expect((await get(WORK, await paid(WORK, soon))).status).toBe(402);
  const answer = await get(WORK, { ...(await paid(WORK, soon)), ...ASYNC });
  expect(answer.status).toBe(202);
  await work.begun;
  expect(facilitator.settled.length).toBe(1);
  work.letGo();
  expect(await ended(((await answer.json()) as Job).id)).toMatchObject({ state: "done", costUsd: "0.001" });
  expect(facilitator.settled.length).toBe(1);
});

it("JOB-13 that another instance began anew is settled first if little time is left, or given back if none is", async () => {
  for (const [left, state, settled] of [
    [100, "done", 1],
    [20, "failed", 0],
  ] as const) {
    const clock = fakeClock();
    const shared = { clock, store: createMemoryStore({ clock }), facilitator: fakeFacilitator() };
    const one = open(shared);
    const other = open(shared);
    one.behaviours.push(held().run);
    const { id } = await one.take(
      await one.paid(WORK, { authorization: { validBefore: String(clock.seconds() + 600 + left) } }),
    );
    clock.advance(600);
    await other.handle.reconcile();
    expect(await other.ended(id)).toMatchObject({ state });
    expect(shared.facilitator.settled.length).toBe(settled);
  }
});

it("JOB-14 keeps no key of an account, and forgets the request at its end", async () => {
  const store = createMemoryStore();
  const { take, ended, behaviours, handle } = open({ store, accounts: { keys: true } });
  await handle.accounts.topUp("ada", "1", { reference: "first" });
  const { key } = await handle.accounts.createKey("ada");
  const work = held();
  behaviours.push(work.run);
  const { id } = await take({ authorization: `Bearer ${key}` });
  const written = async () => [...(await store.list("job", { limit: 10 }))].map(({ value }) => value).join("\n");
  expect(await written()).toContain("/api/test/work?n=1");
  expect(await written()).not.toContain(key);
  work.letGo();
  await ended(id);
  await rested(5);
  expect(await written()).not.toContain("/api/test/work?n=1");
  expect(await handle.accounts.balance("ada")).toMatchObject({ availableUsd: "0.999", heldUsd: "0" });
});

it("JOB-15 stays open while it is not known whether its payment was settled", async () => {
  const { take, paid, fetchJob, ended, clock, handle, facilitator } = open();
  facilitator.faults.settle.push("drop-after");
  const { id } = await take(await paid(WORK, { authorization: { validBefore: "4102444800" } }));
  while (facilitator.settled.length === 0) await rested(5);
  await rested(20);
  expect(await fetchJob(id)).toMatchObject({ state: "queued" });
  facilitator.showChain(true);
  for (let round = 0; round < 3; round++) {
    clock.advance(20);
    await handle.reconcile();
    await rested(20);
  }
  expect(await ended(id)).toMatchObject({
    state: "done",
    costUsd: "0.001",
    result: { data: { items: [{ n: 1, run: 1 }] } },
  });
  expect(facilitator.settled.length).toBe(1);
});
