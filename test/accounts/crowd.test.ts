/** Many calls of one account at once: what they cost everybody else. Counted, not timed. */
import { expect, it, vi } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { openShop } from "../support/shop.js";

const WORK = "/test/work?n=1";
const payment = {
  treasury: { "eip155:8453": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C" },
  facilitator: { url: "https://facilitator.test" },
  maxFailures: { runs: 10_000, usd: "10000" },
};

async function open() {
  const inner = createMemoryStore();
  const longest = { holds: 0 };
  const store: typeof inner = {
    ...inner,
    put(key, value, options) {
      if (key === "account:ada") longest.holds = Math.max(longest.holds, value.split('"until"').length - 1);
      return inner.put(key, value, options);
    },
  };
  const shop = openShop({ store, trial: false, payment, accounts: { keys: true } });
  const { accounts } = shop.handle;
  await accounts.topUp("ada", "10", { reference: "r" });
  const { key } = await accounts.createKey("ada");
  const headers = { authorization: `Bearer ${key}` };
  return { ...shop, accounts, longest, call: (more = {}) => shop.get(WORK, { ...headers, ...more }) };
}

const countOf = (answers: Response[], status: number) => answers.filter((one) => one.status === status).length;

it("ATK-7 two thousand calls of an account at once leave everybody else their turns", async () => {
  const { accounts, call, runs, longest } = await open();
  await call();
  let turns = 0;
  let isOver = false;
  const tick = () => {
    turns++;
    if (!isOver) setImmediate(tick);
  };
  const parse = vi.spyOn(JSON, "parse");
  try {
    const calls = Array.from({ length: 2000 }, () => call());
    setImmediate(tick);
    const answers = await Promise.all(calls);
    isOver = true;
    expect(parse.mock.calls.filter(([text]) => String(text).includes('"holds":')).length).toBeLessThan(100);
    expect(turns).toBeGreaterThan(20);
    expect(countOf(answers, 200) + countOf(answers, 429)).toBe(2000);
    expect(countOf(answers, 200)).toBeGreaterThanOrEqual(500);
    expect(runs()).toBe(countOf(answers, 200) + 1);
    expect(longest.holds).toBeLessThanOrEqual(500);
    const spent = (10 - runs() * 0.001).toFixed(3).replace(/0+$/, "");
    expect(await accounts.balance("ada")).toEqual({ availableUsd: spent, heldUsd: "0" });
  } finally {
    isOver = true;
    parse.mockRestore();
  }
}, 120_000);

it("ATK-10 an account has five hundred calls under way at most, and the next one is told when to come", async () => {
  const { accounts, call, runs, behaviours } = await open();
  let go = () => {};
  const together = new Promise<void>((resolve) => {
    go = resolve;
  });
  for (let i = 0; i < 500; i++) behaviours.push(() => together);
  const calls = Array.from({ length: 500 }, () => call());
  await vi.waitUntil(() => runs() === 500, { timeout: 60_000 });
  for (const more of [{}, { "idempotency-key": "of-one-more-call-1" }]) {
    const refused = await call(more);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED" });
  }
  expect((await accounts.balance("ada")).heldUsd).toBe("0.5");
  go();
  expect(countOf(await Promise.all(calls), 200)).toBe(500);
  expect((await call({ "idempotency-key": "of-one-more-call-1" })).status).toBe(200);
  expect(await accounts.balance("ada")).toEqual({ availableUsd: "9.499", heldUsd: "0" });
}, 120_000);
