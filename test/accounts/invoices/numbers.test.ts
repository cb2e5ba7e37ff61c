/** Numbers of invoices: without gaps and once each, over instances, on each store, and through death at each step. */
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { createSeries } from "../../../src/payment/accounts/invoices/series.js";
import type { StoredInvoice } from "../../../src/payment/accounts/record/invoice-record.js";
import { createMemoryStore } from "../../../src/stores/memory/memory.js";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { createRedisStore } from "../../../src/stores/redis/index.js";
import type { Store } from "../../../src/stores/store.js";
import { fated } from "../../support/mortal-store.js";
import { startPostgres } from "../../support/postgres.js";
import { startRedis } from "../../support/redis.js";
import { announceSkip } from "../../support/server.js";

const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
if (!redis) announceSkip("invoices on Redis", "there is no redis-server");
if (!postgres) announceSkip("invoices on Postgres", "there is no Postgres here");
const clients = redis ? [new Redis(redis.url), new Redis(redis.url)] : [];
const pools = postgres ? [1, 2].map(() => new pg.Pool({ connectionString: postgres.url, max: 4 })) : [];
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await Promise.all(pools.map((pool) => pool.end()));
  await Promise.all([redis?.stop(), postgres?.stop()]);
});

const STORES: Record<string, () => Store[]> = {
  memory() {
    const store = { ...createMemoryStore(), shared: true };
    return [{ ...store }, { ...store }];
  },
  ...(redis ? { redis: () => clients.map((client) => createRedisStore(client, { prefix: "{numbers}:" })) } : {}),
  ...(postgres ? { postgres: () => pools.map((pool) => createPostgresStore(pool, { schema: "numbers" })) } : {}),
};

const HOST = "eip155:8453:0xhost";
const make =
  (name: string, account = "a") =>
  (n: number): StoredInvoice => ({
    ...{ n, number: `N-${n}`, kind: "invoice", issuedAt: 1, at: 1, amount: 5n, name, account },
    ...{ tax: { percent: "0", category: "Z" }, seller: { name: "S", country: "DE" }, payment: name },
  });
/** All numbers of a store, and what each is of. */
const all = async (store: Store) =>
  (await store.list("invoice:", { limit: 1000 })).map(({ value }) => {
    const { n, name } = JSON.parse(value);
    return [n, name];
  });

describe.each(Object.entries(STORES))("on %s", (_, open) => {
  it("gives each purchase one number, and no number twice, while two instances race for the same ones", async () => {
    const [one, other] = open();
    if (!one || !other) throw new Error("there are two");
    const series = [one, other].map((store) => createSeries(store, [HOST]));
    const names = Array.from({ length: 30 }, (_, i) => `paid:${i}`);
    const orders = [names, names.toReversed()];
    const issued = await Promise.all(
      series.flatMap((each, i) => (orders[i] ?? []).map((name) => each.issue(name, make(name)))),
    );
    const found = await all(one);
    expect(found.map(([n]) => n)).toEqual(names.map((_, i) => i + 1));
    expect(new Set(found.map(([, name]) => name))).toEqual(new Set(names));
    for (const { n, name } of issued) expect(found).toContainEqual([n, name]);
    expect((await series[1]?.ofAccount("a", { after: 0, limit: 100 }))?.length).toBe(30);
  });
});

it.each([
  ["after it took effect", true],
  ["before it took effect", false],
])("leaves no gap and no copy if the process dies at any operation of the store, %s", async (_, done) => {
  let deaths = 0;
  for (let left = 0; ; left++) {
    const living = createMemoryStore();
    const next = createSeries(living, [HOST]);
    await next.issue("paid:1", make("paid:1"));
    const { store, failed } = fated(living, { left, done, forGood: true });
    const dying = createSeries(store, [HOST]);
    const ended = await Promise.race([failed, dying.issue("paid:2", make("paid:2"))]);
    // Another purchase first, as it comes.
    await next.issue("paid:3", make("paid:3"));
    await next.issue("paid:2", make("paid:2"));
    const found = await all(living);
    expect(
      found.map(([n]) => n),
      `${left}`,
    ).toEqual([1, 2, 3]);
    expect(found.map(([, name]) => name).sort(), `${left}`).toEqual(["paid:1", "paid:2", "paid:3"]);
    const listed = await next.ofAccount("a", { after: 0, limit: 10 });
    expect(
      listed.map(({ n }) => n),
      `${left}`,
    ).toEqual([1, 2, 3]);
    if (typeof ended !== "string") break;
    deaths++;
  }
  expect(deaths).toBeGreaterThan(5);
});

it("goes on where the answer of a store was lost", async () => {
  for (let left = 0; left < 8; left++) {
    const living = createMemoryStore();
    const { store } = fated(living, { left, done: true, forGood: false });
    const series = createSeries(store, [HOST]);
    const issue = () => series.issue("paid:1", make("paid:1"));
    await issue().catch(() => {});
    expect((await issue()).n).toBe(1);
    expect(await all(living)).toEqual([[1, "paid:1"]]);
  }
});

it("goes on with its numbers when the host gets another treasury", async () => {
  const store = createMemoryStore();
  await createSeries(store, [HOST]).issue("paid:1", make("paid:1"));
  const moved = createSeries(store, ["eip155:8453:0xnew", HOST]);
  expect((await moved.issue("paid:2", make("paid:2"))).n).toBe(2);
  expect((await moved.issue("paid:1", make("paid:1"))).n).toBe(1);
});

it("counts apart for two hosts on one store", async () => {
  const store = createMemoryStore();
  const numbers = [];
  for (const host of [HOST, "eip155:8453:0xother"])
    numbers.push((await createSeries(store, [host]).issue("paid:1", make("paid:1"))).n);
  expect(numbers).toEqual([1, 1]);
});

it("keeps nobody's name in its register, and lists accounts apart whose names begin alike", async () => {
  const store = createMemoryStore();
  const series = createSeries(store, [HOST]);
  await series.issue("paid:1", make("paid:1", "a"));
  await series.issue("paid:2", make("paid:2", "a:b"));
  const [register] = await store.list("invoice-series:", { limit: 1 });
  expect(JSON.parse(register?.value ?? "")).toEqual({ last: 2 });
  expect((await series.ofAccount("a", { after: 0, limit: 10 })).map(({ n }) => n)).toEqual([1]);
});

it("goes on after a number, page by page", async () => {
  const series = createSeries(createMemoryStore(), [HOST]);
  for (let i = 1; i <= 5; i++) await series.issue(`paid:${i}`, make(`paid:${i}`));
  const page = async (after: number) => (await series.ofAccount("a", { after, limit: 2 })).map(({ n }) => n);
  expect([await page(0), await page(2), await page(4), await page(5)]).toEqual([[1, 2], [3, 4], [5], []]);
});
