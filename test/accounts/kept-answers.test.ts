/** Answers that are kept for an Idempotency-Key: how much room they have, and what becomes of the oldest. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { bodyOf } from "../support/body.js";
import { openShop } from "../support/shop.js";

const MB = 1024 * 1024;

/** As Redis and Postgres: shared, and it drops nothing by itself. */
function sharedStore(): Store {
  const memory = createMemoryStore({ maxBytes: 4096 * MB });
  return {
    ...memory,
    room: undefined,
    shared: true,
    put: (key, value, { compact: _, ...options }) => memory.put(key, value, options),
  };
}

const STORES: [string, () => Store, number][] = [
  ["a memory store", () => createMemoryStore(), 8 * MB],
  ["a small memory store", () => createMemoryStore({ maxBytes: 8 * MB }), 2 * MB],
  ["a shared store", sharedStore, 8 * MB],
];

function open(store: Store, instances = 1) {
  let runs = 0;
  const large = defineCapability({
    id: "test.large",
    summary: "Answers with much text.",
    price: "0.001",
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ n: z.int().describe("Any number"), kb: z.int().describe("Its size") }),
    output: one(z.object({ run: z.int(), text: z.string() })),
    example: { n: 1, kb: 1 },
    async run({ kb }) {
      runs++;
      return { item: { run: runs, text: "x".repeat(kb * 1024) } };
    },
  });
  const accounts = { identify: ({ headers }: Request) => ({ id: headers.get("x-user") ?? "ada" }) };
  const shops = Array.from({ length: instances }, () =>
    openShop({ store, trial: false, accounts, capabilities: [large] }),
  );
  const [shop] = shops as [(typeof shops)[0]];
  const ask = (user: string, n: number, kb = 900) =>
    (shops[n % instances] ?? shop).get(`/test/large?n=${n}&kb=${kb}`, {
      "x-user": user,
      "idempotency-key": `${user}-${n}`,
    });
  return { accounts: shop.handle.accounts, ask, runs: () => runs };
}

const keptBytes = async (store: Store) => {
  let bytes = 0;
  for (let after: string | undefined; ; ) {
    const page = await store.list("account-order:", { limit: 50, ...(after === undefined ? {} : { after }) });
    for (const { value } of page) bytes += value.length;
    after = page.at(-1)?.key;
    if (after === undefined || page.length < 50) return bytes;
  }
};

describe.each(STORES)("ATK-10 on %s", (_, make, share) => {
  it("an account that keeps more than its share loses its oldest answers, and nobody else does", async () => {
    const store = make();
    const { accounts, ask, runs } = open(store, 2);
    for (const user of ["ada", "bob"]) await accounts.topUp(user, "1", { reference: "r" });
    const first = await bodyOf(await ask("bob", 1, 10));
    for (let n = 1; n <= 20; n++) expect((await ask("ada", n)).status).toBe(200);
    expect(await keptBytes(store)).toBeLessThan(share + 64 * 1024);

    const before = runs();
    expect((await bodyOf(await ask("ada", 20))).meta.requestId).toBeDefined();
    expect((await bodyOf(await ask("bob", 1, 10))).meta.requestId).toBe(first.meta.requestId);
    expect((await ask("bob", 2)).status).toBe(200);
    for (let times = 0; times < 2; times++) {
      const gone = await ask("ada", 1);
      expect(gone.status).toBe(410);
      expect(await gone.json()).toMatchObject({ code: "ANSWER_NOT_KEPT" });
    }
    expect(runs()).toBe(before + 1);
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "0.98", heldUsd: "0" });
    expect(await accounts.balance("bob")).toEqual({ availableUsd: "0.998", heldUsd: "0" });
    // Another call under the key of a dropped answer is still another call.
    expect((await ask("ada", 1, 1)).status).toBe(402);
  }, 60_000);
});

it("ATK-10 all accounts together have their room, too, and the oldest answer of all goes first", async () => {
  const store = sharedStore();
  const { accounts, ask } = open(store);
  const users = Array.from({ length: 12 }, (_, i) => `user${i}`);
  for (const user of users) {
    await accounts.topUp(user, "1", { reference: "r" });
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => ask(user, n)));
  }
  expect(await keptBytes(store)).toBeLessThan(65 * MB);
  expect((await ask("user0", 1)).status).toBe(410);
  expect((await ask("user11", 8)).status).toBe(200);
}, 60_000);

it("ATK-10 answers larger than a share are kept until the next one", async () => {
  const store = sharedStore();
  const { accounts, ask, runs } = open(store);
  await accounts.topUp("ada", "1", { reference: "r" });
  for (const n of [1, 2, 3]) expect((await ask("ada", n, 5000)).status).toBe(200);
  expect([(await ask("ada", 3, 5000)).status, (await ask("ada", 1, 5000)).status, runs()]).toEqual([200, 410, 3]);
}, 60_000);

it("ATK-10 many calls at once are counted and dropped exactly", async () => {
  const store = sharedStore();
  const { accounts, ask, runs } = open(store, 3);
  await accounts.topUp("ada", "1", { reference: "r" });
  const asked = (from: number) => Promise.all(Array.from({ length: 30 }, (_, i) => ask("ada", from + i)));
  for (const from of [1, 31]) expect((await asked(from)).every(({ status }) => status === 200)).toBe(true);
  expect(await keptBytes(store)).toBeLessThan(9 * MB);
  const statuses = [...(await asked(1)), ...(await asked(31))].map(({ status }) => status);
  expect([statuses.filter((status) => status === 200).length > 5, runs()]).toEqual([true, 60]);
  expect(await accounts.balance("ada")).toEqual({ availableUsd: "0.94", heldUsd: "0" });
}, 60_000);
