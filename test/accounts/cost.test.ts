/** What an account's calls cost the host: counted, not timed. */
import { expect, it, vi } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { openShop } from "../support/shop.js";

const WORK = "/test/work?n=1";
const payment = {
  treasury: { "eip155:8453": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C" },
  facilitator: { url: "https://facilitator.test" },
  maxFailures: { runs: 1000, usd: "1000" },
};

function open() {
  const inner = createMemoryStore();
  const asked: string[] = [];
  const kindOf = (key: string) => key.split(":")[0];
  const store: typeof inner = {
    ...inner,
    get: (key) => {
      asked.push(`get ${kindOf(key)}`);
      return inner.get(key);
    },
    put: (key, ...rest) => {
      asked.push(`put ${kindOf(key)}`);
      return inner.put(key, ...rest);
    },
  };
  return { ...openShop({ store, trial: false, payment, accounts: { identify: () => ({ id: "ada" }) } }), asked, inner };
}

it("ATK-7 a hundred calls of an account at once read its record a few times, not once for each of them", async () => {
  const { get, handle, behaviours, runs } = open();
  await handle.accounts.topUp("ada", "1", { reference: "r" });
  await get(WORK);
  let go = () => {};
  const together = new Promise<void>((resolve) => {
    go = resolve;
  });
  for (let i = 0; i < 100; i++) behaviours.push(() => together);
  const parse = vi.spyOn(JSON, "parse");
  try {
    const calls = Array.from({ length: 100 }, () => get(WORK));
    await vi.waitUntil(() => runs() === 101, { timeout: 30_000 });
    go();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(100).fill(200));
    // Their holds, their charges, and the pages that they fill.
    expect(parse.mock.calls.filter(([text]) => text.includes('"holds":')).length).toBeLessThan(30);
  } finally {
    parse.mockRestore();
  }
  expect(await handle.accounts.balance("ada")).toEqual({ availableUsd: "0.899", heldUsd: "0" });
  expect(await handle.accounts.entries("ada")).toHaveLength(102);
});

it("ACC-24 a call asks the store as often with a book of 100,000 entries as with a new one", async () => {
  const { get, handle, asked, inner } = open();
  await handle.accounts.topUp("ada", "1", { reference: "r" });
  const costs: string[][] = [];
  for (const pages of [0, 5000]) {
    const { value = "", version = 0 } = (await inner.get("account:ada")) ?? {};
    const book = JSON.stringify({ ...JSON.parse(value), pages });
    await inner.put("account:ada", book, { ifVersion: version, ttlMs: 1e9 });
    await get(WORK);
    asked.length = 0;
    expect((await get(WORK)).status).toBe(200);
    costs.push(asked.filter((one) => one !== "get switches"));
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[0]).toEqual([
    "get failures",
    "get account",
    "put account",
    "put account-call",
    "get account",
    "put account",
  ]);
});
