/** Shares and payouts on every store, counted and paid by two instances at once. */
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { createMemoryStore } from "../../../src/stores/memory/memory.js";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { createRedisStore } from "../../../src/stores/redis/index.js";
import type { Store } from "../../../src/stores/store.js";
import { fakeClock } from "../../support/clock.js";
import { fakeFacilitator } from "../../support/facilitator.js";
import { startRedis } from "../../support/redis.js";
import { openPostgres } from "../../support/run-postgres.js";
import { announceSkip } from "../../support/server.js";
import { NETWORK, openShop } from "../../support/shop.js";
import { mallory, TREASURY } from "../../support/wallets.js";

const PARTNER = "0x00000000000000000000000000000000000ab001";
const SALES = 12;
const redis = await startRedis();
if (!redis) announceSkip("payouts on Redis", "no redis-server on this machine");
const postgres = await openPostgres();
if (!postgres) announceSkip("payouts on Postgres", "no Postgres on this machine");
const client = redis && new Redis(redis.url);
const pool = postgres && new pg.Pool({ connectionString: postgres.url });

afterAll(async () => {
  client?.disconnect();
  await pool?.end();
  await Promise.all([redis?.stop(), postgres?.stop()]);
});

const memory = createMemoryStore();
const stores: [string, () => Store, boolean][] = [
  ["memory", () => memory, true],
  ["Redis", () => createRedisStore(client as Redis, { prefix: "{payouts}:" }), client !== undefined],
  ["Postgres", () => createPostgresStore(pool as pg.Pool, { schema: "payouts" }), pool !== undefined],
];

describe.each(stores)("PAY-47 on %s", (_, openStore, there) => {
  it.skipIf(!there)("every sale is counted once and its share paid once", async () => {
    const clock = fakeClock(new Date().toISOString());
    const facilitator = fakeFacilitator();
    const shares = [
      { payTo: TREASURY, share: 6667 },
      { payTo: PARTNER, share: 3333 },
    ];
    const payment = {
      treasury: { [NETWORK]: shares },
      facilitator: { url: "https://facilitator.test" },
      payouts: { [NETWORK]: mallory },
    };
    const open = () => openShop({ trial: false, store: openStore(), clock, facilitator, payment });
    const shops = [open(), open()];
    for (let n = 0; n < SALES; n++) {
      const path = `/test/work?n=${n}`;
      const shop = shops[n % 2];
      expect((await shop?.pay(path, await shop.payFor(path)))?.status).toBe(200);
      if (n % 4 === 3) await Promise.all(shops.map(({ handle }) => handle.payouts.pay()));
    }
    clock.advance(120);
    await Promise.all(shops.map(({ handle }) => handle.tick()));
    await shops[0]?.handle.payouts.pay();
    const owed = BigInt(SALES * 1000 * 3333) / 10_000n;
    const sent = facilitator.settled.filter(({ from }) => from === mallory.address);
    expect(sent.reduce((sum, { value }) => sum + value, 0n)).toBe(owed);
    const [first, partner] = (await shops[1]?.handle.payouts.list()) ?? [];
    expect(partner).toMatchObject({ earnedUsd: "0.003999", paidUsd: "0.003999", pendingUsd: "0", owedUsd: "0" });
    expect(first).toMatchObject({ earnedUsd: "0.008001" });
  });
});
