/** Many calls on one credit at once, on every store: each is answered, and together they spend what there is. */
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { createCredits } from "../../src/payment/refund/credit.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { createPostgresStore } from "../../src/stores/postgres/index.js";
import { createRedisStore } from "../../src/stores/redis/index.js";
import type { Store } from "../../src/stores/store.js";
import { fakeClock } from "../support/clock.js";
import { startPostgres } from "../support/postgres.js";
import { startRedis } from "../support/redis.js";
import { announceSkip } from "../support/server.js";
import { failing, openShop } from "../support/shop.js";
import { alice } from "../support/wallets.js";

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

let states = 0;

function twice(make: (state: string) => Store): [Store, Store] {
  states++;
  return [make(`state_${states}`), make(`state_${states}`)];
}

/** Two processes on the same state, as far as the store can tell. */
const stores: [string, () => [Store, Store], boolean][] = [
  ["memory", () => new Array(2).fill(createMemoryStore()) as [Store, Store], true],
  [
    "Redis",
    () => twice((prefix) => createRedisStore(client as Redis, { prefix: `{${prefix}}:` })),
    client !== undefined,
  ],
  ["Postgres", () => twice((schema) => createPostgresStore(pool as pg.Pool, { schema })), pool !== undefined],
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

describe.each(stores)("two instances on %s", (_, open, there) => {
  it.skipIf(!there)(
    "ATK-12 answer 120 parallel calls each on one token with a result or a 402, and lock none of it",
    async () => {
      const clock = fakeClock(new Date().toISOString());
      const [store, otherStore] = open();
      const shop = openShop({ store, clock });
      const other = openShop({ store: otherStore, clock, facilitator: shop.facilitator });
      const credits = createCredits(store, () => clock().getTime());
      // Enough for half of the calls, beside those that fail.
      const token = await credits.issue(`order ${Math.random()}`, alice.address, 120_000n);
      for (const { behaviours } of [shop, other]) behaviours.push(failing(), failing());

      const calls = Array.from({ length: 2 * CALLS }, (_, n) =>
        (n % 2 ? shop : other).get(`/test/work?n=${n}`, { "x-svc-credit": token }),
      );
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      const count = (wanted: number) => statuses.filter((status) => status === wanted).length;
      expect(new Set(statuses)).toEqual(new Set([200, 402, 502]));
      const failed = 4 - shop.behaviours.length - other.behaviours.length;
      expect(count(502), "the runs that failed, and nothing else").toBe(failed);
      shop.behaviours.length = 0;
      expect(count(200)).toBeLessThanOrEqual(120);

      // Whatever is left can be spent at once: no call that has ended holds any of it.
      const left = 120 - count(200);
      expect((await credits.find(token))?.available).toBe(BigInt(left) * 1000n);
      for (let n = 0; n < left; n++)
        expect((await shop.get("/test/work?n=1", { "x-svc-credit": token })).status).toBe(200);
      expect((await shop.get("/test/work?n=1", { "x-svc-credit": token })).status).toBe(402);
      expect((await shop.handle.ledger({ by: [] })).total.creditUsedUsd).toBe("0.12");
    },
  );
});
