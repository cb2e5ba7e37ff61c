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
// Each test has a store of its own on them.
for (const client of clients) client.setMaxListeners(50);
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

  it("close an account once beside calls and a purchase, and lose or double no money", async () => {
    const { one, other } = open("closing");
    const shops = [one, other];
    const buy = async (shop: typeof one) => {
      const post = (headers: Record<string, string> = {}) =>
        shop.handle(
          new Request("http://shop.test/api/account/top-up", {
            method: "POST",
            headers: { "content-type": "application/json", ...headers },
            body: '{"usd":"5","key":true}',
          }),
        );
      const [terms] = quoteOf(await post()).accepts;
      if (!terms) throw new Error("nothing offered");
      const paid = await post({ "payment-signature": toHeader(await sign(terms, { now: shop.clock.seconds() })) });
      return { status: paid.status, ...((await paid.json()) as { account: string; key: string }) };
    };
    const { account, key } = await buy(one);
    const headers = { authorization: `Bearer ${key}` };
    const close = (shop: typeof one) => shop.handle.accounts.close(account).catch(({ code }) => code as string);
    const [, second, ...calls] = await Promise.all([
      Promise.all([0, 1, 0, 1].map((i) => close(shops[i] as typeof one))),
      buy(other),
      ...Array.from({ length: 8 }, (_, i) => (i % 2 ? one : other).get("/test/work?n=1", headers)),
    ]);
    for (let left = 20; left > 0 && typeof (await close(one)) === "string"; left--);
    const sold = calls.filter(({ status }) => status === 200).length;
    const bought = second.status === 200 ? 2 : 1;
    const { total } = await one.handle.ledger();
    const { availableUsd } = await other.handle.accounts.balance(account);
    const micros = (usd: string) => Math.round(Number(usd) * 1e6);
    // A balance bought after the closing has opened the account anew, until the next one.
    expect(micros(total.creditedUsd) + sold * 1000 + micros(availableUsd)).toBe(bought * 5_000_000);
    expect([availableUsd, micros(total.earnedUsd)]).toEqual(["0", sold * 1000]);
    for (const shop of shops) expect((await shop.get("/test/work?n=1", headers)).status).toBe(401);
  });

  it("let a key with limits rotate into one other, and an owner revoke it at once", async () => {
    const { one, other, accounts } = open("own_keys");
    await accounts.topUp("ada", "1", { reference: "r" });
    const { key, id } = await accounts.createKey("ada", { limits: { usdPerDay: "0.5" } });
    const change = (shop: typeof one, method: string, body: object) =>
      shop.handle(
        new Request("http://shop.test/api/account/keys", {
          method,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      );
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, i) => change(i % 2 ? one : other, "POST", { rotate: id })),
    );
    expect(made.filter(({ status }) => status === 200)).toHaveLength(1);
    const keys = await other.handle.accounts.listKeys("ada");
    expect(keys.map(({ limits }) => limits)).toEqual([{ usdPerDay: "0.5" }, { usdPerDay: "0.5" }]);
    await Promise.all(keys.map((found) => one.handle.accounts.revokeKey(found.id)));
    expect((await change(other, "POST", { rotate: keys[1]?.id })).status).toBe(401);
  });
});
