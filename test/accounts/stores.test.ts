import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { createPostgresStore } from "../../src/stores/postgres/index.js";
import { createRedisStore } from "../../src/stores/redis/index.js";
import type { Store } from "../../src/stores/store.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { startPostgres } from "../support/postgres.js";
import { startRedis } from "../support/redis.js";
import { announceSkip } from "../support/server.js";
import { openShop } from "../support/shop.js";
import { quoteOf, sign, toHeader } from "../support/wallets.js";

const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
if (!redis) announceSkip("accounts on Redis", "there is no redis-server");
if (!postgres) announceSkip("accounts on Postgres", "there is no Postgres here");

const clients = redis ? [new Redis(redis.url), new Redis(redis.url)] : [];
const pools = postgres ? [1, 2].map(() => new pg.Pool({ connectionString: postgres.url, max: 4 })) : [];
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await Promise.all(pools.map((pool) => pool.end()));
  await Promise.all([redis?.stop(), postgres?.stop()]);
});

/** Two instances, each with a connection of its own. */
const STORES: Record<string, (name: string) => Store[]> = {
  memory() {
    const store = { ...createMemoryStore(), shared: true };
    // The changes of one process go through one queue by store, so each instance has its own object.
    return [{ ...store }, { ...store }];
  },
  ...(redis ? { redis: (name) => clients.map((client) => createRedisStore(client, { prefix: `{${name}}:` })) } : {}),
  ...(postgres ? { postgres: (name) => pools.map((pool) => createPostgresStore(pool, { schema: name })) } : {}),
};

describe.each(Object.entries(STORES))("accounts of two instances on %s", (kind, make) => {
  function open(name: string) {
    const clock = fakeClock(new Date().toISOString());
    const facilitator = fakeFacilitator();
    const shops = make(`${kind}_${name}`).map((store) =>
      openShop({
        ...{ store, clock, facilitator, trial: false, accounts: { keys: true, topUp: { minUsd: "1", maxUsd: "9" } } },
        payment: {
          treasury: { "eip155:8453": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C" },
          facilitator: { url: "https://facilitator.test" },
          maxFailures: { runs: 1000, usd: "1000" },
        },
      }),
    );
    const [one, other] = shops;
    if (!one || !other) throw new Error("there are two");
    /** Statuses of many calls at once, by turns at both. */
    const storm = async (key: string, calls: number) => {
      const asked = Array.from({ length: calls }, (_, i) =>
        (i % 2 ? one : other).get("/test/work?n=1", { authorization: `Bearer ${key}` }),
      );
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      return (status: number) => statuses.filter((found) => found === status).length;
    };
    return { one, other, storm, accounts: one.handle.accounts, clock };
  }

  it("spend a balance to the last micro-dollar, and no further", async () => {
    const { accounts, other, storm } = open("balance");
    await accounts.topUp("ada", "0.03", { reference: "r" });
    const { key } = await accounts.createKey("ada");
    const count = await storm(key, 45);
    expect([count(200), count(402)]).toEqual([30, 15]);
    expect(await other.handle.accounts.balance("ada")).toEqual({ availableUsd: "0", heldUsd: "0" });
    const entries = await other.handle.accounts.entries("ada");
    expect(entries.map(({ id }) => Number(id))).toEqual([...Array(31).keys()]);
  });

  it.each([
    ["perMinute", { perMinute: 7 }, 429],
    ["usdPerHour", { usdPerHour: "0.007" }, 402],
    ["usdPerDay", { usdPerDay: "0.007" }, 402],
    ["usdPerMonth", { usdPerMonth: "0.007" }, 402],
  ] as const)("let %s pass exactly, of an account and of a key", async (name, limits, refusal) => {
    const { accounts, storm } = open(name.toLowerCase());
    await accounts.topUp("ada", "1", { reference: "r" });
    await accounts.topUp("bob", "1", { reference: "r" });
    await accounts.setLimits("ada", limits);
    const [{ key }, { key: limited }] = await Promise.all([
      accounts.createKey("ada"),
      accounts.createKey("bob", { limits }),
    ]);
    for (const one of [key, limited]) {
      const count = await storm(one, 20);
      expect([count(200), count(refusal)]).toEqual([7, 13]);
    }
  });

  it("give exactly the free calls of a month", async () => {
    const { accounts, storm } = open("free");
    await accounts.topUp("ada", "0.01", { reference: "r" });
    await accounts.setLimits("ada", { freePerMonth: { calls: 5 } });
    const { key } = await accounts.createKey("ada");
    const count = await storm(key, 20);
    expect([count(200), count(402)]).toEqual([15, 5]);
  });

  it("book a top-up once that a payment provider tells to both", async () => {
    const { one, other, accounts } = open("once");
    const told = Array.from({ length: 12 }, (_, i) =>
      (i % 2 ? one : other).handle.accounts.topUp("ada", "1", { reference: `pay_${i % 3}` }),
    );
    await Promise.all(told);
    expect((await accounts.balance("ada")).availableUsd).toBe("3");
    expect(await accounts.entries("ada")).toHaveLength(3);
  });

  it("give exactly the calls of a grant, and its end once", async () => {
    const { accounts, other, storm, clock } = open("grants");
    await accounts.topUp("ada", "0.01", { reference: "r" });
    const until = new Date(clock().getTime() + 60_000);
    await accounts.grant("ada", { calls: 4, endpoints: ["test.work"] });
    await accounts.grant("ada", { usd: "0.005", until });
    const { key } = await accounts.createKey("ada");
    const count = await storm(key, 30);
    // The money that ends first, then the calls, then the balance.
    expect([count(200), count(402)]).toEqual([19, 11]);
    await accounts.grant("ada", { usd: "0.5", until });
    clock.advance(61);
    await Promise.all([accounts, other.handle.accounts].map((one) => one.entries("ada")));
    const entries = await other.handle.accounts.entries("ada");
    expect(entries.filter(({ kind }) => kind === "expiry")).toMatchObject([{ usd: "-0.5" }]);
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "0", heldUsd: "0" });
  });

  it("book a bought balance once that is paid for at both", async () => {
    const { one, other } = open("bought");
    const post = (shop: typeof one, headers: Record<string, string> = {}) =>
      shop.handle(
        new Request("http://shop.test/api/account/top-up", {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: '{"usd":"5"}',
        }),
      );
    const [terms] = quoteOf(await post(one)).accepts;
    if (!terms) throw new Error("nothing offered");
    const paid = { "payment-signature": toHeader(await sign(terms, { now: one.clock.seconds() })) };
    const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => post(i % 2 ? one : other, paid)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const [{ account = "" } = {}] = await Promise.all(answers.map((answer) => answer.json() as { account?: string }));
    expect(await other.handle.accounts.balance(account)).toEqual({ availableUsd: "5", heldUsd: "0" });
    expect(await one.handle.accounts.entries(account)).toHaveLength(1);
  });
});
