/** Receivers of a host's webhooks beside each other: one that is down, or hangs, delays only itself. */
import { createHash } from "node:crypto";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, describe, expect, it, vi } from "vitest";
import { createHostWebhooks } from "../../src/host-webhooks/webhooks.js";
import { type Logger, silent } from "../../src/lib/logger.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { createPostgresStore } from "../../src/stores/postgres/index.js";
import { createRedisStore } from "../../src/stores/redis/index.js";
import type { Store } from "../../src/stores/store.js";
import { startPostgres } from "../support/postgres.js";
import { startRedis } from "../support/redis.js";
import { announceSkip } from "../support/server.js";

const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
if (!redis) announceSkip("lines of webhooks on Redis", "there is no redis-server");
if (!postgres) announceSkip("lines of webhooks on Postgres", "there is no Postgres here");
const client = redis && new Redis(redis.url);
const pool = postgres && new pg.Pool({ connectionString: postgres.url, max: 8 });
afterAll(async () => {
  client?.disconnect();
  await pool?.end();
  await Promise.all([redis?.stop(), postgres?.stop()]);
});

const STORES: [string, (name: string) => Store][] = [
  ["memory", () => createMemoryStore()],
  ...(client
    ? [
        ["redis", (name: string) => createRedisStore(client, { prefix: `{${name}}:` })] as [
          string,
          (name: string) => Store,
        ],
      ]
    : []),
  ...(pool
    ? [["postgres", (name: string) => createPostgresStore(pool, { schema: name })] as [string, (name: string) => Store]]
    : []),
];

const DOWN = "https://down.test/hooks";
const HANGS = "https://hangs.test/hooks";
const UP = "https://up.test/hooks";
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** Instances of a host; `down` are receivers that refuse, and HANGS never answers. */
function town(store: Store, { urls = [DOWN, UP], logger = silent as Logger, now = { at: 1_780_000_000_000 } } = {}) {
  const heard: string[] = [];
  const down = new Set([DOWN]);
  const hanging = { count: 0, end: new AbortController() };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input) === HANGS && !hanging.end.signal.aborted) {
      hanging.count++;
      const ends = AbortSignal.any([hanging.end.signal, init?.signal as AbortSignal]);
      await new Promise((_, reject) => ends.addEventListener("abort", () => reject(new Error("aborted"))));
    }
    if (down.has(String(input))) return new Response(null, { status: 500 });
    heard.push(`${new URL(String(input)).host} ${JSON.parse(String(init?.body)).data.n}`);
    return new Response(null, { status: 204 });
  };
  const open = () =>
    createHostWebhooks({
      ...{ store, fetch, logger, host: "host:1:0xabc", userAgent: "test" },
      webhooks: urls.map((url) => ({ url, secret })),
      find: async () => undefined,
      now: () => now.at,
    });
  const [one, other] = [open(), open()];
  const tell = (n: number) => one.tell("sale", { n }, { id: `sale${n}`, at: now.at + n });
  const tellAll = async (from: number, to: number) => {
    for (let n = from; n <= to; n += 200)
      await Promise.all(Array.from({ length: Math.min(200, to - n + 1) }, (_, i) => tell(n + i)));
  };
  return { one, other, tell, tellAll, heard, down, hanging, now };
}

describe.each(STORES)("receivers of webhooks on %s", (kind, make) => {
  it("ATK-11 hear what is due to them while one hangs, also what comes meanwhile", async () => {
    const { one, tell, tellAll, heard, hanging } = town(make(`${kind}_hangs`), { urls: [HANGS, UP] });
    await tellAll(1, 30);
    const endsAt = performance.now() + 20_000;
    const running = one.run(endsAt);
    await vi.waitUntil(() => heard.length === 30, { timeout: 20_000 });
    await tell(31);
    void one.run(endsAt);
    await vi.waitUntil(() => heard.length === 31, { timeout: 20_000 });
    expect(new Set(heard).size).toBe(31);
    // It has its own workers, and no more of them.
    expect(hanging.count).toBe(8);
    hanging.end.abort();
    await running;
  }, 60_000);

  it("ATK-11 hear each event once from two instances", async () => {
    const { one, other, tellAll, heard } = town(make(`${kind}_once`), { urls: [UP, "https://too.test/hooks"] });
    await tellAll(1, 60);
    await Promise.all([one.run(), other.run(), one.run()]);
    expect([heard.length, new Set(heard).size]).toEqual([120, 120]);
    expect((await one.run()) + (await other.run())).toBe(0);
  }, 60_000);
});

it("ATK-10 five thousand deliveries that wait for a receiver that is down hide no other's", async () => {
  const { one, tell, tellAll, heard, down, now } = town(createMemoryStore());
  await tellAll(1, 5200);
  await one.run();
  expect(heard).toHaveLength(5200);
  await tell(5201);
  expect(await one.run()).toBe(2);
  expect(heard.at(-1)).toBe("up.test 5201");
  // Nor its own.
  down.clear();
  await tell(5202);
  await one.run();
  expect(heard.slice(-2).sort()).toEqual(["down.test 5202", "up.test 5202"]);
  now.at += 10_000;
  await one.run();
  expect(new Set(heard).size).toBe(2 * 5202);
}, 120_000);

it("ATK-10 a round looks at what is due, not at what waits", async () => {
  const memory = createMemoryStore();
  const asked = { get: 0, list: 0 };
  const store: Store = {
    ...memory,
    get: (key) => {
      asked.get++;
      return memory.get(key);
    },
    list: (prefix, options) => {
      asked.list++;
      return memory.list(prefix, options);
    },
  };
  const { one, tell, tellAll } = town(store);
  await tellAll(1, 1000);
  await one.run();
  await tell(1001);
  Object.assign(asked, { get: 0, list: 0 });
  await one.run();
  expect(asked.get).toBeLessThan(20);
  expect(asked.list).toBeLessThan(20);
});

it("ATK-10 a receiver that is down for long leaves room for the others, and the log tells of it", async () => {
  const told: unknown[] = [];
  const logger: Logger = { ...silent, error: (...facts) => void told.push(facts) };
  const store = createMemoryStore({ maxBytes: 400_000 });
  const { one, tellAll, heard, now } = town(store, { logger });
  for (let from = 1; from <= 401; from += 50) {
    await tellAll(from, from + 49);
    await one.run();
    now.at += 1;
  }
  expect(new Set(heard).size).toBe(450);
  expect(JSON.stringify(told)).toContain("down.test");
  expect(JSON.stringify(told)).toContain("too many events wait for a receiver");
}, 60_000);

it("deliveries that a former release stored are sent", async () => {
  const store = createMemoryStore();
  const { one, heard, now } = town(store);
  const hash = createHash("sha256").update(UP).digest("hex").slice(0, 12);
  const body = JSON.stringify({ type: "sale", data: { n: 7 } });
  const value = JSON.stringify({ url: UP, body, attempts: 0, nextAt: now.at - 1000 });
  await store.put(`webhook:host:1:0xabc:evt_0abc_x ${hash}`, value, { ifVersion: 0, ttlMs: 1e9 });
  await one.run();
  expect(heard).toEqual(["up.test 7"]);
  expect(await store.list("webhook", { limit: 9 })).toEqual([]);
});

it("a delivery that was taken by a process that died is sent when its time is over", async () => {
  const store = createMemoryStore();
  const { one, other, tell, heard, now } = town(store, { urls: [HANGS] });
  await tell(1);
  void one.run();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await other.run()).toBe(0);
  now.at += 61_000;
  const third = town(store, { urls: [HANGS], now });
  void third.one.run();
  await vi.waitUntil(() => third.hanging.count === 1);
  expect(heard).toEqual([]);
});
