/** Many calls on one credit at once, on every store: each is answered, and together they spend what there is. */
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { createCredits } from "../../src/payment/refund/credit.js";
import { createMemoryStore } from "../../src/stores/memory.js";
import { createPostgresStore } from "../../src/stores/postgres.js";
import { createRedisStore } from "../../src/stores/redis.js";
import type { Store } from "../../src/stores/store.js";
import { startPostgres } from "../support/postgres.js";
import { startRedis } from "../support/redis.js";
import { announceSkip } from "../support/server.js";

const CALLS = 120;
const redis = await startRedis();
if (!redis) announceSkip("credit under load on Redis", "no redis-server on this machine");
const postgres = await startPostgres();
if (!postgres) announceSkip("credit under load on Postgres", "no Postgres on this machine");
const client = redis && new Redis(redis.url);
const pool = postgres && new pg.Pool({ connectionString: postgres.url });

afterAll(async () => {
  client?.disconnect();
  await pool?.end();
  await Promise.all([redis?.stop(), postgres?.stop()]);
});

/** Two processes on the same state, as far as the store can tell. */
const stores: [string, () => [Store, Store], boolean][] = [
  ["memory", () => [createMemoryStore(), createMemoryStore()].fill(createMemoryStore()) as [Store, Store], true],
  ["Redis", () => [createRedisStore(client as Redis), createRedisStore(client as Redis)], client !== undefined],
  ["Postgres", () => [createPostgresStore(pool as pg.Pool), createPostgresStore(pool as pg.Pool)], pool !== undefined],
];

describe.each(stores)("one credit on %s", (_, open, there) => {
  it.skipIf(!there)("is spent by 120 calls at once, half of which there is money for", async () => {
    const [one, other] = open().map((store) => createCredits(store, () => Date.now()));
    if (!one || !other) throw new Error("no store");
    const token = await one.issue(`order ${Math.random()}`, "payer", 600n);
    const id = (await one.find(token))?.id ?? "";
    const until = Date.now() + 60_000;
    const calls = Array.from({ length: CALLS }, (_, n) => ({ credits: n % 2 ? one : other, order: `call ${n}` }));
    const held = await Promise.all(calls.map(({ credits, order }) => credits.hold(id, order, { amount: 10n, until })));
    expect(held.filter(Boolean)).toHaveLength(60);
    const taken = calls.filter((_, n) => held[n]);
    await Promise.all(taken.map(({ credits, order }, n) => credits.capture(id, order, n % 3 === 0 ? 0n : 10n)));
    expect((await one.find(token))?.available).toBe(200n);
  });
});
