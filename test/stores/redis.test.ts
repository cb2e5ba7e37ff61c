import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRedisStore } from "../../src/stores/redis/index.js";
import type { Store } from "../../src/stores/store.js";
import { startRedis } from "../support/redis.js";
import { announceSkip } from "../support/server.js";
import { describeStore } from "./conformance.js";
import { expectToFollowModel } from "./model.js";

const server = await startRedis();
if (!server) announceSkip("Redis conformance", "no redis-server on this machine");
const HOUR = 3_600_000;
let states = 0;
const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe.skipIf(!server)("on a real Redis", () => {
  const url = server?.url ?? "";
  const ioredis = new Redis(url, { lazyConnect: true });
  const prefixed = new Redis(url, { lazyConnect: true, keyPrefix: "host:" });
  const nodeRedis = createClient({ url });

  beforeAll(async () => {
    await Promise.all([ioredis.connect(), prefixed.connect(), nodeRedis.connect()]);
  });
  afterAll(async () => {
    for (const client of [ioredis, prefixed]) client.disconnect();
    nodeRedis.destroy();
    await server?.stop();
  });

  async function open(): Promise<[Store, Store]> {
    states += 1;
    const options = { prefix: `{test ${states}}:` };
    return [createRedisStore(ioredis, options), createRedisStore(nodeRedis, options)];
  }

  describeStore("Redis store, ioredis beside node-redis", { open, pass });

  it("follows the model through any sequence of operations", async () => {
    await expectToFollowModel({ open, runs: 25 });
  });

  it("says that other processes see it", async () => {
    const [store] = await open();
    expect(store.shared).toBe(true);
  });

  it("honours the key prefix that a host has set on its ioredis client", async () => {
    const store = createRedisStore(prefixed, { prefix: "{prefixed}:" });
    await store.put("a", "1", { ifVersion: 0, ttlMs: HOUR, dueAt: 1 });
    await store.increment("a", 1, { ttlMs: HOUR });
    expect(await store.get("a")).toMatchObject({ value: "1" });
    expect(await store.due(1, 10)).toEqual(["a"]);
    expect(await store.list("", { limit: 10 })).toMatchObject([{ key: "a" }]);
    const keys = await ioredis.keys("*{prefixed}*");
    expect(keys.filter((key) => !key.startsWith("host:{prefixed}:"))).toEqual([]);
    expect(keys).toHaveLength(6);
  });

  it("keeps all of its keys in one slot of a cluster", async () => {
    const store = createRedisStore(ioredis);
    await store.put("{a}", "1", { ifVersion: 0, ttlMs: HOUR, dueAt: 1 });
    await store.increment("{b}", 1, { ttlMs: HOUR });
    const { 0: cursor, 1: keys } = await ioredis.scan(0, "MATCH", "*coinslot*", "COUNT", 100_000);
    expect(cursor).toBe("0");
    expect(keys).toHaveLength(6);
    expect(keys.filter((key) => !key.startsWith("{coinslot}:"))).toEqual([]);
  });

  it("sends its scripts again when Redis has forgotten them", async () => {
    const [store] = await open();
    await store.increment("a", 1, { ttlMs: HOUR });
    await ioredis.script("FLUSH");
    expect(await store.increment("a", 1, { ttlMs: HOUR })).toBe(2);
  });

  it("PAY-42 leaves nothing behind of records that have expired", async () => {
    const prefix = "{expired}:";
    const store = createRedisStore(ioredis, { prefix });
    const put = (key: string, ttlMs: number) => store.put(key, "1", { ifVersion: 0, ttlMs, dueAt: 1 });
    await Promise.all(Array.from({ length: 80 }, (_, index) => put(`short ${index}`, 1)));
    await pass(20);
    await Promise.all(Array.from({ length: 11 }, (_, index) => put(`long ${index}`, HOUR)));
    for (const index of ["key", "expiry", "due"]) expect(await ioredis.zcard(`${prefix}index:${index}`)).toBe(11);
    expect(await ioredis.keys(`${prefix}record:*`)).toHaveLength(11);
  });

  it("lists page by page from where the last one ended, reading each record once", async () => {
    const sent: string[][] = [];
    const watched = {
      call(...command: [string, ...string[]]) {
        sent.push(command);
        return ioredis.call(...command);
      },
    };
    const store = createRedisStore(watched, { prefix: "{pages}:" });
    const total = 1000;
    const keys = Array.from({ length: total }, (_, i) => `ledger:${String(i).padStart(4, "0")}`);
    await Promise.all(keys.map((key) => store.put(key, "1", { ifVersion: 0, ttlMs: HOUR })));
    await store.put("payment:1", "1", { ifVersion: 0, ttlMs: HOUR });
    sent.length = 0;
    const seen: string[] = [];
    for (let after = "ledger:"; ; after = seen.at(-1) ?? "") {
      const page = await store.list("ledger:", { limit: 100, after });
      seen.push(...page.map(({ key }) => key));
      if (page.length < 100) break;
    }
    expect(seen).toEqual(keys);
    const named = (name: string) => sent.filter(([command]) => command === name);
    expect(named("HMGET")).toHaveLength(total);
    // Of the index a page's keys and no more: each begins after the last of the one before.
    expect(named("ZRANGEBYLEX").map((command) => command[2])).toEqual([
      "(ledger:",
      ...keys.filter((_, i) => i % 100 === 99).map((key) => `(${key}`),
    ]);
    for (const command of named("ZRANGEBYLEX")) expect(Number(command.at(-1))).toBeLessThanOrEqual(100);
  });

  it("PAY-30 rejects rather than answers when Redis is gone", async () => {
    const gone = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null });
    const store = createRedisStore(gone, { prefix: "{gone}:" });
    await store.increment("a", 1, { ttlMs: HOUR });
    gone.disconnect();
    await expect(store.get("a")).rejects.toThrow();
    await expect(store.put("a", "1", { ifVersion: 0, ttlMs: HOUR })).rejects.toThrow();
    await expect(store.remove("a", 1)).rejects.toThrow();
    await expect(store.increment("a", 1, { ttlMs: HOUR })).rejects.toThrow();
    await expect(store.due(1, 1)).rejects.toThrow();
    await expect(store.list("", { limit: 1 })).rejects.toThrow();
  });
});
