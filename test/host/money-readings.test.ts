/** Measurements of money that is owed or left, which are read from the store. */
import { describe, expect, it } from "vitest";
import { silent } from "../../src/lib/logger.js";
import { debtsOf } from "../../src/payment/debts.js";
import { ownAccounts } from "../../src/payment/record/own-accounts.js";
import { createCredits } from "../../src/payment/refund/credit.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { createPostgresStore } from "../../src/stores/postgres/index.js";
import type { Store } from "../../src/stores/store.js";
import { fakeClock } from "../support/clock.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { NETWORK, openShop } from "../support/shop.js";
import { alice, mallory, TREASURY } from "../support/wallets.js";

const RECEIVER = "https://hooks.test/events";
const payment = { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL } };

interface Line {
  text: string;
  part?: string;
}

function open(store: Store, clock: ReturnType<typeof fakeClock>, options: Parameters<typeof openShop>[0] = {}) {
  const lines: Line[] = [];
  const note = (facts: object, text: string) => void lines.push({ ...facts, text });
  const shop = openShop({
    ...{ metrics: true, store, clock, payment, accounts: { keys: true } },
    logger: { ...silent, error: note, info: note },
    ...options,
  });
  return { ...shop, lines: () => lines.filter(({ text }) => text.startsWith("metrics: these")) };
}

async function valuesOf({ handle }: Pick<ReturnType<typeof openShop>, "handle">): Promise<Map<string, number>> {
  const page = await handle(new Request("http://shop.test/api/metrics"));
  const samples = (await page.text()).split("\n").filter((line) => line.startsWith("coinslot_"));
  return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

const owedOn = (store: Store) => async (most: number) => {
  const own = ownAccounts({ treasury: { [NETWORK]: TREASURY } });
  return (await debtsOf({ store, own }, most)).credit;
};

const creditsOn = (store: Store, clock: ReturnType<typeof fakeClock>, treasury = TREASURY) =>
  createCredits(store, () => clock().getTime(), ownAccounts({ treasury: { [NETWORK]: treasury } }));

describe("money that a host owes", () => {
  it("is credit of wallets and balances of accounts, without those of another host on the store", async () => {
    const [store, clock] = [createMemoryStore(), fakeClock()];
    const credits = creditsOn(store, clock);
    await credits.issue("one", alice.address, 40_000n);
    await credits.issue("two", mallory.address, 2000n);
    await creditsOn(store, clock, mallory.address).issue("three", alice.address, 900_000n);
    const shop = open(store, clock);
    await shop.handle.accounts.topUp("ada", "3.5", { reference: "a" });
    await shop.handle.accounts.topUp("bob", "1", { reference: "b" });
    await shop.handle.accounts.adjust("bob", "-1.25", { reference: "c" });
    const values = await valuesOf(shop);
    expect(values.get(`coinslot_credit_owed_usd{network="${NETWORK}"}`)).toBe(0.042);
    expect(values.get("coinslot_balances_owed_usd")).toBe(3.5);
    expect(values.get("coinslot_balances_overdrawn_usd")).toBe(0.25);
    expect(values.get("coinslot_money_readable")).toBe(1);
    await shop.handle.close();
  });

  it("is still owed while a call holds it, and while it is on its way to the wallet", async () => {
    const [store, clock] = [createMemoryStore(), fakeClock()];
    const credits = creditsOn(store, clock);
    const owed = owedOn(store);
    await credits.issue("one", alice.address, 50_000n);
    const { id = "" } = (await credits.ofWallet(NETWORK, alice.address)) ?? {};
    await credits.hold(id, "call", { amount: 10_000n, until: clock().getTime() + 60_000 });
    await credits.takeOut(id, { name: "back", amount: 30_000n, until: clock().getTime() + 60_000 });
    expect(await owed(10)).toEqual(new Map([[NETWORK, 50_000n]]));
    await credits.paidOut(id, "back");
    expect(await owed(10)).toEqual(new Map([[NETWORK, 20_000n]]));
  });

  it("is summed by one instance in ten minutes, however many look", async () => {
    const [inner, clock] = [createMemoryStore(), fakeClock()];
    let read = 0;
    const list: Store["list"] = (prefix, options) => {
      if (prefix.startsWith("account:")) read += 1;
      return inner.list(prefix, options);
    };
    const store = { ...inner, list };
    const shops = [open(store, clock), open(store, clock)];
    await shops[0]?.handle.accounts.topUp("ada", "2", { reference: "a" });
    for (let minute = 0; minute < 9; minute++) {
      for (const shop of shops) await valuesOf(shop);
      clock.advance(60);
    }
    expect(read).toBe(1);
    clock.advance(120);
    await Promise.all(shops.map(valuesOf));
    expect(read).toBe(2);
    for (const shop of shops) {
      expect((await valuesOf(shop)).get("coinslot_balances_owed_usd")).toBe(2);
      await shop.handle.close();
    }
  });

  it("is read of a bounded number of accounts", async () => {
    const [store, clock] = [createMemoryStore(), fakeClock()];
    const credits = creditsOn(store, clock);
    const owed = owedOn(store);
    for (let i = 1; i <= 5; i++) await credits.issue(`o${i}`, `0x${String(i).padStart(40, "0")}`, 1000n);
    expect(await owed(3)).toEqual(new Map([[NETWORK, 3000n]]));
  });
});

describe("money that is left", () => {
  it("is that of trials, of upstreams' budgets, and events that wait for a receiver", async () => {
    const [store, clock] = [createMemoryStore(), fakeClock()];
    const shop = open(store, clock, {
      trial: { deploymentBudgetUsd: "0.5" },
      secrets: { KEY: "k" },
      budgets: { KEY: { usdPerDay: "2" } },
      webhooks: [{ url: RECEIVER, events: ["sale"], secret: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=" }],
    });
    await shop.get("/test/work?n=1&trial=1");
    await shop.pay("/test/work?n=2", await shop.payFor("/test/work?n=2"));
    const values = await valuesOf(shop);
    expect(values.get("coinslot_trials_budget_left_usd")).toBe(0.499);
    expect(values.get('coinslot_upstream_budget_left_usd{secret="KEY"}')).toBe(2);
    expect(values.get('coinslot_webhooks_waiting{receiver="hooks.test"}')).toBe(1);
    await shop.handle.close();
  });
});

describe("measurements of money that cannot be read", () => {
  it("are missing alone, and the log has one line when that begins and one when it ends", async () => {
    const [inner, clock] = [createMemoryStore(), fakeClock()];
    let broken = true;
    const list: Store["list"] = (prefix, options) =>
      broken && prefix.startsWith("wallet-credit:") ? Promise.reject(new Error("no")) : inner.list(prefix, options);
    const shop = open({ ...inner, list }, clock);
    for (let i = 0; i < 5; i++) {
      const values = await valuesOf(shop);
      expect([i, values.get("coinslot_money_readable")]).toEqual([i, 0]);
      expect(values.has("coinslot_trials_budget_left_usd")).toBe(true);
      clock.advance(i % 2 === 0 ? 700 : 70);
    }
    expect(shop.lines()).toMatchObject([{ part: "debts" }]);
    broken = false;
    clock.advance(700);
    expect((await valuesOf(shop)).get("coinslot_money_readable")).toBe(1);
    expect(shop.lines().map(({ text }) => text)).toEqual([
      "metrics: these figures cannot be read, so they are missing",
      "metrics: these figures can be read again",
    ]);
    await shop.handle.close();
  });
});

it("connections of the store's pool are told by their use", async () => {
  const pool = {
    ...{ totalCount: 7, idleCount: 3, waitingCount: 12 },
    query: async () => ({ rows: [] }),
  };
  expect(createPostgresStore(pool).connections?.()).toEqual({ idle: 3, used: 4, waiting: 12 });
  expect(createPostgresStore({ query: pool.query }).connections?.()).toBeUndefined();
  const store = { ...createMemoryStore(), connections: () => ({ idle: 1, used: 2, waiting: 3 }) };
  const shop = open(store, fakeClock());
  const values = await valuesOf(shop);
  expect(values.get('coinslot_store_connections{state="used"}')).toBe(2);
  expect(values.get("coinslot_store_requests_waiting")).toBe(3);
  await shop.handle.close();
});
