/** JOB-16: jobs of two instances on each store: taken at one, done, cancelled and fetched at either. */
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { createPostgresStore } from "../../src/stores/postgres/index.js";
import { createRedisStore } from "../../src/stores/redis/index.js";
import type { Store } from "../../src/stores/store.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { fated } from "../support/mortal-store.js";
import { startPostgres } from "../support/postgres.js";
import { startRedis } from "../support/redis.js";
import { announceSkip } from "../support/server.js";
import { held, isOpen, open, rested, WORK } from "./job-shop.js";

const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
if (!redis) announceSkip("jobs on Redis", "there is no redis-server");
if (!postgres) announceSkip("jobs on Postgres", "there is no Postgres here");
const clients = redis ? [new Redis(redis.url), new Redis(redis.url)] : [];
const pools = postgres ? [1, 2].map(() => new pg.Pool({ connectionString: postgres.url, max: 4 })) : [];
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await Promise.all(pools.map((pool) => pool.end()));
  await Promise.all([redis?.stop(), postgres?.stop()]);
});

const STORES: Record<string, (name: string) => Store[]> = {
  memory() {
    const store = { ...createMemoryStore(), shared: true };
    return [{ ...store }, { ...store }];
  },
  ...(redis ? { redis: (name) => clients.map((client) => createRedisStore(client, { prefix: `{${name}}:` })) } : {}),
  ...(postgres ? { postgres: (name) => pools.map((pool) => createPostgresStore(pool, { schema: name })) } : {}),
};
const LONG = { authorization: { validBefore: "4102444800" } };

describe.each(Object.entries(STORES))("JOB-16 on %s", (kind, make) => {
  function two(name: string, wrap = (store: Store) => store) {
    const clock = fakeClock(new Date().toISOString());
    const facilitator = fakeFacilitator();
    const [first, second] = make(`jobs_${kind}_${name}`);
    if (!first || !second) throw new Error("there are two");
    const shops = [open({ store: wrap(first), clock, facilitator }), open({ store: second, clock, facilitator })];
    const [one, other] = shops;
    if (!one || !other) throw new Error("there are two");
    return { one, other, clock, facilitator };
  }

  it("a result is fetched at either", async () => {
    const { one, other, facilitator } = two("either");
    const { id } = await one.take(await one.paid());
    const done = await other.ended(id);
    expect(done).toMatchObject({ state: "done", result: { data: { items: [{ n: 1, run: 1 }] } } });
    expect(await one.fetchJob(id)).toEqual(done);
    expect(facilitator.settled.length).toBe(1);
  });

  it("cancelling at one and ending at the other agree, whichever comes first", async () => {
    const { one, other, facilitator } = two("race");
    let charged = 0;
    for (let turn = 0; turn < 10; turn++) {
      const work = held();
      one.behaviours.push(work.run);
      const { id } = await one.take(await one.paid());
      await work.begun;
      const [told] = await Promise.all([
        rested(turn / 4).then(() => other.cancelled(id)),
        Promise.resolve().then(() => work.letGo()),
      ]);
      const job = await one.ended(id);
      if (job.state === "done") charged++;
      else expect(job).toMatchObject({ state: "cancelled", costUsd: "0" });
      if (!isOpen(told)) expect(told.state).toBe(job.state);
    }
    await one.handle.close();
    expect(facilitator.settled.length).toBe(charged);
  });

  it("a job whose process died is done by the other, once", async () => {
    const fate = { left: Number.POSITIVE_INFINITY, done: false, forGood: true };
    const { one, other, clock, facilitator } = two("died", (store) => fated(store, fate).store);
    const work = held();
    one.behaviours.push(work.run);
    const { id } = await one.take(await one.paid(WORK, LONG));
    await work.begun;
    fate.left = 0;
    // The store's own clock ends the lease; the job's record says when to look.
    clock.advance(30);
    for (let job = await other.fetchJob(id); isOpen(job); job = await other.fetchJob(id)) {
      await other.handle.reconcile();
      await rested(200);
    }
    expect(await other.fetchJob(id)).toMatchObject({ state: "done", costUsd: "0.001" });
    expect([other.runs(), facilitator.settled.length]).toEqual([1, 1]);
  }, 30_000);
});
