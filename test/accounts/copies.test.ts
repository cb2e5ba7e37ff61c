/** Copies of one call under one Idempotency-Key, which come at once. */
import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { failing, openShop } from "../support/shop.js";

const WORK = "/test/work?n=1";

/** Two instances, whose claims of purchases are slow: between a hold and its claim the copies come. */
function open() {
  const clock = fakeClock();
  const inner = createMemoryStore({ clock });
  const put: typeof inner.put = async (key, ...rest) => {
    if (key.startsWith("account-order:")) await new Promise((resolve) => setTimeout(resolve, 30));
    return inner.put(key, ...rest);
  };
  const accounts = { identify: () => ({ id: "ada" }) };
  const shops = [1, 2].map(() => openShop({ trial: false, clock, store: { ...inner, put, shared: true }, accounts }));
  const copies = (count: number, key?: string, instances = 2) =>
    Promise.all(
      Array.from({ length: count }, (_, i) =>
        shops[i % instances]?.get(WORK, key === undefined ? {} : { "idempotency-key": key }),
      ),
    );
  const runs = () => shops.reduce((sum, shop) => sum + shop.runs(), 0);
  return { shops, copies, runs, accounts: shops[0]?.handle.accounts as (typeof shops)[0]["handle"]["accounts"] };
}

it("ACC-27 all get the answer that the balance pays for once, and none a 402", async () => {
  const { copies, runs, accounts } = open();
  await accounts.topUp("ada", "0.001", { reference: "r" });
  const answers = await copies(6, "mine");
  expect(answers.map((answer) => answer?.status)).toEqual(Array(6).fill(200));
  const ids = await Promise.all(answers.map(async (answer) => (await bodyOf(answer as Response)).meta.requestId));
  expect([new Set(ids).size, runs()]).toEqual([1, 1]);
  expect(await accounts.balance("ada")).toEqual({ availableUsd: "0", heldUsd: "0" });
  // Another purchase finds nothing left.
  expect((await copies(1, "other"))[0]?.status).toBe(402);
});

it("ACC-27 without a key they are calls of their own", async () => {
  const { copies, runs, accounts } = open();
  await accounts.topUp("ada", "0.001", { reference: "r" });
  const statuses = (await copies(3)).map((answer) => answer?.status).sort();
  expect([statuses, runs()]).toEqual([[200, 402, 402], 1]);
});

it("ACC-27 the next takes over from one that fails", async () => {
  const { copies, runs, accounts, shops } = open();
  await accounts.topUp("ada", "0.001", { reference: "r" });
  shops[0]?.behaviours.push(failing());
  const statuses = (await copies(3, "mine", 1)).map((answer) => answer?.status).sort();
  expect([statuses, runs()]).toEqual([[200, 200, 502], 2]);
});
