/**
 * CH-21, CH-22, CH-24, CH-52: channels with crashes, lost answers, skewed clocks and withdrawals, on each store.
 * `CHANNEL_SEEDS=500` lives through more, `CHANNEL_SEED=7` through one again.
 */
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory.js";
import { createPostgresStore } from "../../src/stores/postgres.js";
import { createRedisStore } from "../../src/stores/redis.js";
import type { Store } from "../../src/stores/store.js";
import { startPostgres } from "../support/postgres.js";
import { startRedis } from "../support/redis.js";
import { announceSkip } from "../support/server.js";
import { faultOf, live } from "./channels.js";

const { CHANNEL_SEEDS = "6", CHANNEL_SEED } = process.env;
const seeds = CHANNEL_SEED ? [Number(CHANNEL_SEED)] : Array.from({ length: Number(CHANNEL_SEEDS) }, (_, i) => i + 1);
const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
if (!postgres) announceSkip("channels on Postgres", "there is no binary of it here");
if (!redis) announceSkip("channels on Redis", "redis-server is not installed");
afterAll(async () => {
  await postgres?.stop();
  await redis?.stop();
});

async function check(seed: number, store: Store, clock = { ms: 0 }) {
  const life = await live(seed, store, { clock });
  expect(faultOf(life), `seed ${seed}`).toBeUndefined();
  return life;
}

describe("a life of channels", () => {
  it(
    "CH-52 adds up in memory, and serves in spite of everything",
    async () => {
      let [answers, crashes, claimed] = [0, 0, 0n];
      for (const seed of seeds) {
        const clock = { ms: 0 };
        const store = createMemoryStore({ clock: () => new Date(1_800_000_000_000 + clock.ms) });
        const life = await check(seed, { ...store, shared: true }, clock);
        answers += life.answers;
        crashes += life.crashes;
        claimed += life.claimed;
      }
      expect(answers).toBeGreaterThan(5 * seeds.length);
      expect(crashes).toBeGreaterThan(seeds.length);
      expect(claimed).toBeGreaterThan(0n);
    },
    20_000 + 5000 * seeds.length,
  );

  it.skipIf(!postgres)(
    "CH-21 adds up on Postgres",
    async () => {
      const pool = new pg.Pool({ connectionString: postgres?.url, max: 4 });
      for (const seed of seeds.slice(0, 2)) {
        await check(seed, createPostgresStore(pool, { schema: `life_${seed}` }));
      }
      await pool.end();
    },
    60_000,
  );

  it.skipIf(!redis)(
    "CH-21 adds up on Redis",
    async () => {
      const client = new Redis(redis?.url ?? "");
      for (const seed of seeds.slice(0, 2)) {
        await check(seed, createRedisStore(client, { prefix: `{life-${seed}}:` }));
        await client.flushall();
      }
      await client.quit();
    },
    60_000,
  );
});
