import { expect, it } from "vitest";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import { lockAcquire } from "../../src/capabilities/lock/index.js";
import { queueEnqueue, queueLease } from "../../src/capabilities/queue/index.js";
import * as store from "../../src/capabilities/store/index.js";
import { createContext } from "../../src/capability/context.js";
import { createHandler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import { type ExportedTable, KINDS } from "../../src/state/tables.js";
import { databaseOf } from "../../src/state/wallet/account.js";
import { onBothEngines } from "../support/wallets-engine.js";

/** Tables that know no wallet. */
const NOT_OF_WALLETS: string[] = ["challenges", "migrations"];
/** Columns that are no value of the wallet's, by table. */
const LEFT_OUT: Record<string, string[]> = {
  callbacks: ["secret_version", "rotated_at", "origin", "failing_since"],
  deliveries: ["lease", "lease_until"],
  docs: ["document", "meta", "words", "worded"],
  locks: ["token_hash", "kept_until"],
  messages: ["lease", "leased_since"],
  subscriptions: ["challenges", "url"],
  topics: ["numbers"],
  vectors: ["dim"],
  watchers: ["lease", "lease_until", "question"],
};

onBothEngines("all that a wallet has", (engine) => {
  const as = (wallet: string) => ({ wallet, wallets: engine.options() });
  const database = () => databaseOf(createContext({ wallets: engine.options() }, { timeoutMs: 10_000 }));
  const everything = async (wallet: string, input: Parameters<typeof store.storeExport>[0] = {}) => {
    const items: Record<string, unknown>[] = [];
    for (let after: string | undefined; ; ) {
      const page = await store.storeExport({ ...input, ...(after ? { after } : {}) }, as(wallet));
      items.push(...page.items);
      after = page.meta?.nextCursor as string | undefined;
      if (!after) return items;
    }
  };

  /** How many rows each table has of a wallet: whatever tables there are. */
  async function rowsLeft(wallet: string) {
    const db = await database();
    const { rows } = await db.query(
      "select table_name as name from information_schema.columns where table_schema = 'coinslot_wallets' and column_name = 'wallet'",
    );
    const counts: [string, number][] = [];
    for (const { name } of rows as { name: string }[]) {
      const found = await db.query(`select count(*)::int as count from @${name} where wallet = $1`, [wallet]);
      counts.push([name, (found.rows[0] as { count: number }).count]);
    }
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }

  async function fill(wallet: string): Promise<void> {
    await store.storeKvPut(
      { ns: "n", key: "k", value: { deep: ["ü", null] } },
      { ...as(wallet), idempotencyKey: "once" },
    );
    await store.storeKvPut({ ns: "other", key: "k", value: "x".repeat(1000) }, as(wallet));
    await store.storeDocPut({ ns: "n", id: "d", body: { a: 1 }, meta: { m: true } }, as(wallet));
    await store.storeDocPut({ ns: "n", id: "t", body: "text" }, as(wallet));
    await store.storeBlobPut({ ns: "n", key: "f", data: Buffer.alloc(300, 7).toString("base64") }, as(wallet));
    if (engine.name === "PGlite")
      await store.storeVectorUpsert({ ns: "n", id: "v", embedding: [0.5, 1], body: "b" }, as(wallet));
    await queueEnqueue({ queue: "q", body: { job: 1 } }, as(wallet));
    await queueEnqueue({ queue: "q", body: 2, dedupId: "same" }, as(wallet));
    await queueLease({ queue: "q" }, as(wallet));
    await lockAcquire({ key: "l", ttlSeconds: 60 }, as(wallet));
    // What is called back has no operations in this test: its rows are made as they are.
    const db = await database();
    for (const text of [
      "insert into @callbacks (id, wallet, url, origin, state, created_at) values ('cal' || $1, $1, 'https://a.test/?token=x', 'https://a.test', 'active', now())",
      "insert into @schedules (id, wallet, callback, kind, payload, catch_up, max_fires, status, expires_at, created_at) values ('sch' || $1, $1, 'cal' || $1, 'every', '{\"a\":1}', 'once', 1, 'active', now(), now())",
      "insert into @watchers (id, wallet, callback, endpoint, params, every_seconds, condition, max_fires, max_polls, status, expires_at, created_at) values ('wat' || $1, $1, 'cal' || $1, 'x.y', '{}', 60, '{}', 1, 1, 'armed', now(), now())",
      "insert into @topics (id, wallet, name, expires_at, created_at) values ('top' || $1, $1, 'news', now() + interval '1 day', now())",
      "insert into @subscriptions (id, topic, wallet, callback, url, expires_at, created_at) values ('sub' || $1, 'top' || $1, $1, 'cal' || $1, 'https://a.test', now() + interval '1 day', now())",
      "insert into @events (id, wallet, source, number, type, body, created_at, expires_at) values ('eve' || $1, $1, 'sch' || $1, 1, 't', '{}', now(), now() + interval '1 day')",
      "insert into @deliveries (event, callback, wallet, state, due_at, created_at) values ('eve' || $1, 'cal' || $1, $1, 'pending', now(), now())",
    ])
      await db.query(text.replaceAll("$1", "$1::text"), [wallet]);
  }

  it("WAL-28 is exported, erased, and put back from what was exported", async () => {
    await fill("a");
    await fill("b");
    const before = await everything("a");
    const kinds = ["kv", "docs", ...(engine.name === "PGlite" ? ["vectors"] : []), "blobs", "queue", "dedups", "locks"];
    const others = ["callbacks", "schedules", "watchers", "topics", "subscriptions", "events", "deliveries"];
    expect([...new Set(before.map(({ kind }) => kind))]).toEqual([...kinds, ...others]);
    expect(before.length).toBe(kinds.length + others.length + 3);
    expect(before[0]).toMatchObject({ kind: "kv", ns: "n", key: "k", value: { deep: ["ü", null] } });
    expect(before[0]?.expiresAt).toMatch(/^\d{4}-.*Z$/);
    expect(before.find(({ kind }) => kind === "blobs")).toMatchObject({
      data: Buffer.alloc(300, 7).toString("base64"),
    });
    expect(JSON.stringify(before)).not.toMatch(/token_?hash|leaseToken|"lease"|secretVersion/i);
    const there = await rowsLeft("b");

    const ns = await store.storeErase({ confirm: "erase everything", ns: "other" }, as("a"));
    expect(ns.items[0]?.erased).toMatchObject({ kv: 1, docs: 0, blobs: 0 });
    const erased = await store.storeErase({ confirm: "erase everything" }, as("a"));
    expect(erased.items[0]?.erased).toMatchObject({
      kv: 1,
      docs: 2,
      blobs: 1,
      queue: 2,
      locks: 1,
      deliveries: 1,
      schedules: 1,
    });
    expect(await everything("a")).toEqual([]);
    expect(await rowsLeft("a")).toEqual({ wallets: 1, receipts: 1 });
    const db = await database();
    const receipts = await db.query("select result from @receipts where wallet = 'a'");
    expect(receipts.rows).toEqual([{ result: "null" }]);
    const again = store.storeKvPut({ ns: "n", key: "k", value: 1 }, { ...as("a"), idempotencyKey: "once" });
    await expect(again).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await store.storeUsage({}, as("a"))).items[0]).toMatchObject({ totalBytes: 0, kv: { count: 0 }, locks: 0 });
    const kept = await db.query("select bytes::int as bytes from @wallets where wallet = 'a'");
    expect(kept.rows).toEqual([{ bytes: 0 }]);
    expect(await rowsLeft("b")).toEqual(there);

    const rowsOf = (kind: string) => before.filter((row) => row.kind === kind) as never[];
    for (const { ns, key, value } of rowsOf("kv")) await store.storeKvPut({ ns, key, value }, as("a"));
    for (const { ns, id, body, meta } of rowsOf("docs")) await store.storeDocPut({ ns, id, body, meta }, as("a"));
    for (const { ns, key, data, contentType, sha256 } of rowsOf("blobs"))
      await store.storeBlobPut({ ns, key, data, contentType, sha256 }, as("a"));
    for (const { ns, id, embedding, body, meta } of rowsOf("vectors"))
      await store.storeVectorUpsert({ ns, id, embedding, body, meta }, as("a"));
    const bare = (rows: Record<string, unknown>[]) =>
      rows
        .filter(({ kind }) => ["kv", "docs", "vectors", "blobs"].includes(kind as string))
        .map(({ version: _, expiresAt: __, updatedAt: ___, ...row }) => row);
    expect(bare(await everything("a"))).toEqual(bare(before));
  });

  it("WAL-28 is exported and erased by the host, too, page after page", async () => {
    const handle = createHandler({
      capabilities: [convertUnit],
      payment: false,
      wallets: engine.options(),
      logger: silent,
    });
    const large = { ns: "n", value: "x".repeat(900_000) };
    for (const key of ["1", "2", "3"]) await store.storeKvPut({ ...large, key }, as("h"));
    await fill("h");
    const rows: Record<string, unknown>[] = [];
    for await (const row of handle.wallets.export("h")) rows.push(row);
    expect(rows).toEqual(await everything("h"));
    expect(rows.length).toBeGreaterThan(15);
    expect(await handle.wallets.erase("h")).toMatchObject({ kv: 5, queue: 2, schedules: 1, deliveries: 1 });
    expect(await rowsLeft("h")).toEqual({ wallets: 1, receipts: 1 });
    await expect(handle.wallets.erase("no wallet")).rejects.toMatchObject({ code: "WALLET_REQUIRED" });
    await handle.close();
    const without = createHandler({ capabilities: [convertUnit], payment: false, logger: silent });
    await expect(without.wallets.erase("h")).rejects.toMatchObject({ code: "PROVIDER_NOT_CONFIGURED" });
    await expect(without.wallets.export("h").next()).rejects.toMatchObject({ code: "PROVIDER_NOT_CONFIGURED" });
  });

  it("WAL-28 is whole: every table of the database is exported and erased, or is none of a wallet's values", async () => {
    await fill("w");
    const db = await database();
    const { rows } = await db.query(
      `select table_name::text as "table", array_agg(column_name::text) as columns from information_schema.columns
        where table_schema = 'coinslot_wallets' group by table_name order by table_name`,
    );
    const tables = rows as { table: string; columns: string[] }[];
    // What holds nothing of a wallet's own, or keeps it from being paid for twice: a new name here needs a reason.
    const apart = ["receipts", "settings", "wallets"];
    const exported = Object.values<ExportedTable>(KINDS);
    expect(tables.map(({ table }) => table).filter((name) => !exported.some(({ table }) => table === name))).toEqual(
      apart.concat(NOT_OF_WALLETS).sort(),
    );
    const filled = await rowsLeft("w");
    for (const { table, columns } of tables) {
      const kind = exported.find((one) => one.table === table);
      if (!kind) continue;
      expect([table, "has a row in this test", filled[table] ?? 0]).not.toEqual([table, "has a row in this test", 0]);
      // A new column is exported, or named here with what it is: bookkeeping, an index, a secret.
      const shown = new Set(kind.columns.match(/\w+/g));
      const known = new Set([...shown, ...(LEFT_OUT[table] ?? []), "wallet", "rolling"]);
      expect([table, columns.filter((column) => !known.has(column))]).toEqual([table, []]);
    }
  });

  it("WAL-28 is exported in pages of 2 MB, each row once, in kinds of choice", async () => {
    const large = "x".repeat(900_000);
    for (const key of ["1", "2", "3", "4", "5"]) await store.storeKvPut({ ns: "n", key, value: large }, as("p"));
    for (const id of ["1", "2"]) await store.storeDocPut({ ns: "n", id, body: large }, as("p"));
    await store.storeBlobPut({ ns: "n", key: "f", data: Buffer.alloc(3_000_000).toString("base64") }, as("p"));
    const first = await store.storeExport({}, as("p"));
    expect(first.items.map(({ key }) => key)).toEqual(["1", "2"]);
    const all = await everything("p");
    expect(all.map(({ kind, key, id }) => `${kind} ${key ?? id}`)).toEqual([
      ...["kv 1", "kv 2", "kv 3", "kv 4", "kv 5", "docs 1", "docs 2", "blobs f"],
    ]);
    expect((await everything("p", { kinds: ["docs"] })).map(({ id }) => id)).toEqual(["1", "2"]);
    const cursor = (position: unknown) => Buffer.from(JSON.stringify(position)).toString("base64url");
    for (const made of [
      { kind: "receipts", names: [""] },
      { kind: "kv", names: ["n"] },
      { kind: "kv", names: ["\0", ""] },
      { kind: "constructor", names: [] },
    ])
      await expect(store.storeExport({ after: cursor(made) }, as("p")), JSON.stringify(made)).rejects.toMatchObject({
        issues: [{ path: "after" }],
      });
    await expect(store.storeErase({ confirm: "yes" } as never, as("p"))).rejects.toMatchObject({
      issues: [{ path: "confirm" }],
    });
  });
});
