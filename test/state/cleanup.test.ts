/** What is past its time goes in rounds that are bounded, whoever else works or clears at once. */
import { expect, it } from "vitest";
import { z } from "zod";
import { lockAcquire } from "../../src/capabilities/lock/index.js";
import { queueEnqueue } from "../../src/capabilities/queue/index.js";
import { storeKvGet, storeKvIncrement, storeKvPut, storeUsage } from "../../src/capabilities/store/index.js";
import { createHandler } from "../../src/handler/handler.js";
import { createResources } from "../../src/lib/resources.js";
import { cleanUp } from "../../src/state/cleanup.js";
import { type Database, rowsOf } from "../../src/state/database/database.js";
import { openWallets } from "../../src/state/database/open.js";
import { onBothEngines } from "../support/wallets-engine.js";

const START = Date.UTC(2027, 0, 1);
const DAY = 86_400_000;
const TABLES = ["wallets", "receipts", "kv", "messages", "dedups", "locks"];

onBothEngines("clean-up", (engine) => {
  let now = START;
  const resources = createResources();
  const as = (wallet: string, schema: string, more: object = {}) => ({
    ...{ wallet, wallets: engine.options({ schema }), clock: () => new Date(now), ...more },
  });
  const open = (schema: string) => openWallets({ wallets: engine.options({ schema }), resources });
  const counts = async (database: Database) => {
    const parts = TABLES.map((table) => `(select count(*) from @${table})::int as ${table}`);
    const row = z.record(z.string(), z.int());
    return (await rowsOf(database, row, `select ${parts.join(", ")}`, []))[0];
  };

  it("takes each kind at its time, and last of all the wallet itself", async () => {
    const schema = "clean_kinds";
    now = START;
    const own = as("w", schema, { idempotencyKey: "k" });
    await storeKvPut({ ns: "n", key: "short", value: 1, ttlSeconds: 60 }, own);
    await storeKvPut({ ns: "n", key: "long", value: 1, ttlSeconds: 20 * 86_400 }, as("w", schema));
    await queueEnqueue({ queue: "q", messages: [{ body: 1, dedupId: "d" }], ttlSeconds: 3600 }, as("w", schema));
    await lockAcquire({ key: "l", ttlSeconds: 60 }, as("w", schema));
    const database = await open(schema);
    const after = async (ms: number) => {
      now = START + ms;
      await cleanUp(database, new Date(now));
      return counts(database);
    };
    const all = { wallets: 1, receipts: 1, kv: 2, messages: 1, dedups: 1, locks: 1 };
    expect(await after(59_999)).toEqual(all);
    expect(await after(60_000)).toEqual({ ...all, kv: 1 });
    expect(await after(3_600_000)).toEqual({ ...all, kv: 1, messages: 0 });
    expect(await after(DAY)).toEqual({ ...all, kv: 1, messages: 0, dedups: 0 });
    expect(await after(8 * DAY)).toEqual({ ...all, receipts: 0, kv: 1, messages: 0, dedups: 0 });
    expect((await storeUsage({}, as("w", schema))).items).toMatchObject([{ totalBytes: 206, kv: { count: 1 } }]);
    expect(await after(90 * DAY)).toMatchObject({ wallets: 1, kv: 0, locks: 1 });
    expect(await after(91 * DAY)).toMatchObject({ wallets: 0, locks: 0 });
  });

  it("takes 500 rows of a wallet in a round, and gives their bytes back while the wallet works and others clear", async () => {
    const schema = "clean_rounds";
    now = START;
    await storeKvPut({ ns: "n", key: "stays", value: 1 }, as("big", schema));
    const database = await open(schema);
    await database.query(
      `insert into @kv (wallet, ns, key, value, bytes, version, rolling, expires_at, updated_at)
       select 'big', 'n', 'k' || n, '1', 10, n, false, $1::timestamptz, $1::timestamptz from generate_series(1, 1200) as n`,
      [new Date(START)],
    );
    await database.query("update @wallets set bytes = bytes + 12000 where wallet = 'big'");
    expect(await cleanUp(database, new Date(START))).toBe(500);
    const work = Array.from({ length: 20 }, () => storeKvIncrement({ ns: "n", key: "count" }, as("big", schema)));
    const clear = async (): Promise<number> => (await cleanUp(database, new Date(START))) || 0;
    const cleared = await Promise.all([clear(), clear(), clear(), ...work]);
    let rest = cleared.slice(0, 3).reduce<number>((sum, n) => sum + Number(n), 0);
    while (rest < 700) rest += await clear();
    expect([rest, await clear()]).toEqual([700, 0]);
    expect((await storeKvGet({ ns: "n", key: "count" }, as("big", schema))).items[0]?.value).toBe(20);
    const sum = "select (select bytes from @wallets)::float8 = (select sum(bytes) from @kv)::float8 as equal";
    expect((await database.query(sum)).rows).toEqual([{ equal: true }]);
  });

  it("is part of a tick, which begins no wallet after its budget", async () => {
    const schema = "clean_tick";
    now = START;
    const options = { payment: false, clock: () => new Date(now), wallets: engine.options({ schema }) } as const;
    const handle = createHandler({ capabilities: [storeKvPut], ...options });
    await handle.call("store.kv-put", { ns: "n", key: "k", value: 1, ttlSeconds: 60 }, { wallet: "w" });
    now += DAY;
    expect(await handle.tick({ budgetMs: 0 })).toBe(0);
    expect(await handle.tick()).toBe(1);
    expect(await handle.tick()).toBe(0);
    await handle.close();
  });
});
