/** The log of what a host's people did, and what each of them may do. */
import { createHash } from "node:crypto";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import type { AuditEntry, AuditQuery } from "../../src/audit/entry.js";
import { silent } from "../../src/lib/logger.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { createPostgresStore } from "../../src/stores/postgres/index.js";
import { createRedisStore } from "../../src/stores/redis/index.js";
import type { Store } from "../../src/stores/store.js";
import { fakeClock } from "../support/clock.js";
import { startPostgres } from "../support/postgres.js";
import { startRedis } from "../support/redis.js";
import { announceSkip } from "../support/server.js";
import { openShop, type Shop } from "../support/shop.js";

const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
if (!redis) announceSkip("the audit log on Redis", "there is no redis-server");
if (!postgres) announceSkip("the audit log on Postgres", "there is no Postgres here");
const clients = redis ? [new Redis(redis.url), new Redis(redis.url)] : [];
const pools = postgres ? [1, 2].map(() => new pg.Pool({ connectionString: postgres.url, max: 4 })) : [];
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await Promise.all(pools.map((pool) => pool.end()));
  await Promise.all([redis?.stop(), postgres?.stop()]);
});

const STORES: Record<string, () => Store[]> = {
  memory() {
    const store = { ...createMemoryStore(), shared: true };
    return [{ ...store }, { ...store }];
  },
  ...(redis ? { redis: () => clients.map((client) => createRedisStore(client, { prefix: "{audit}:" })) } : {}),
  ...(postgres ? { postgres: () => pools.map((pool) => createPostgresStore(pool, { schema: "audit" })) } : {}),
};

const open = (store: Store = createMemoryStore(), clock = fakeClock()) =>
  openShop({ store, clock, logger: silent, accounts: { keys: true } });

async function read({ handle }: Pick<Shop, "handle">, query?: AuditQuery): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for await (const entry of handle.audit(query)) entries.push(entry);
  return entries;
}

const shown = ({ by, what, of, asked, before, after, outcome, error }: AuditEntry) => ({
  ...{ by, what, of, outcome },
  ...(asked ? { asked } : {}),
  ...(before ? { before } : {}),
  ...(after ? { after } : {}),
  ...(error ? { error } : {}),
});

describe("AUD-1 the audit log", () => {
  it("has who did what, with what it was before and after, and no key", async () => {
    const shop = open();
    const { handle } = shop;
    const ada = handle.as({ by: "ada" });
    await ada.stop("test.work", "Its source is moved");
    await ada.resume("test.work");
    await handle.setPrice("test.work", "0.002");
    await handle.accounts.topUp("acme", "5", { reference: "p1" });
    await handle.accounts.setLimits("acme", { perMinute: 5 });
    await ada.accounts.setLimits("acme", { perMinute: 9 });
    const { key, id, prefix } = await ada.accounts.createKey("acme", { label: "laptop" });
    await ada.accounts.freeze("acme", { reason: "Disputed" });
    await expect(ada.refund({ requestId: "unknown" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(handle.stop("test.none" as "test.work", "gone")).rejects.toMatchObject({ code: "NOT_FOUND" });

    const entries = await read(shop);
    const stopped = { stopped: "Its source is moved." };
    expect(entries.map(shown)).toEqual([
      { by: "ada", what: "stop", of: "test.work", outcome: "done", before: { stopped: false }, after: stopped },
      { by: "ada", what: "resume", of: "test.work", outcome: "done", before: stopped, after: { stopped: false } },
      {
        ...{ by: "host", what: "setPrice", of: "test.work", outcome: "done", before: { prices: [] } },
        after: { prices: [{ usd: "0.002", from: expect.any(String) }] },
      },
      {
        ...{ by: "host", what: "accounts.topUp", of: "acme", outcome: "done" },
        ...{ asked: { usd: "5", reference: "p1" }, after: { entry: "0", usd: "5" } },
      },
      {
        ...{ by: "host", what: "accounts.setLimits", of: "acme", outcome: "done" },
        ...{ before: { limits: {} }, after: { limits: { perMinute: 5 } } },
      },
      {
        ...{ by: "ada", what: "accounts.setLimits", of: "acme", outcome: "done" },
        ...{ before: { limits: { perMinute: 5 } }, after: { limits: { perMinute: 9 } } },
      },
      {
        ...{ by: "ada", what: "accounts.createKey", of: "acme", outcome: "done" },
        ...{ asked: { label: "laptop" }, after: { id, prefix } },
      },
      {
        ...{ by: "ada", what: "accounts.freeze", of: "acme", outcome: "done", before: { frozen: false } },
        after: { frozen: { at: expect.any(Number), reason: "Disputed." } },
      },
      { by: "ada", what: "refund", of: "unknown", outcome: "failed", error: "NOT_FOUND" },
      { by: "host", what: "stop", of: "test.none", outcome: "failed", error: "NOT_FOUND" },
    ]);
    expect(JSON.stringify(entries)).not.toContain(key);
    for (const [i, { hash, ...entry }] of entries.entries()) {
      expect(hash).toBe(createHash("sha256").update(JSON.stringify(entry)).digest("hex"));
      expect(entry.previous).toBe(entries[i - 1]?.hash ?? "0".repeat(64));
    }
  });

  it("is read by time, a day alone meaning all of it", async () => {
    const clock = fakeClock("2026-05-01T10:00:00Z");
    const shop = open(createMemoryStore({ clock }), clock);
    for (const name of ["a", "b", "c"]) {
      await shop.handle.accounts.freeze(name);
      clock.advance(86_400);
    }
    const of = async (query: AuditQuery) => (await read(shop, query)).map((entry) => entry.of).join("");
    expect(await of({ from: "2026-05-02", to: "2026-05-02" })).toBe("b");
    expect(await of({ from: new Date("2026-05-01T10:00:01Z") })).toBe("bc");
    expect(await of({ to: "2026-05-02T09:00:00Z" })).toBe("a");
    await expect(read(shop, { from: "yesterday" })).rejects.toThrow("from must be");
  });

  it("tells of an entry that was changed, or taken out, in the store", async () => {
    for (const harm of ["changed", "removed"]) {
      const store = createMemoryStore();
      const shop = open(store);
      for (const name of ["a", "b", "c", "d"]) await shop.handle.accounts.freeze(name);
      const [, second] = await store.list("audit:", { limit: 5 });
      if (!second) throw new Error("there are four");
      const { key, value, version } = second;
      if (harm === "removed") await store.remove(key, version);
      else await store.put(key, value.replace('"of":"b"', '"of":"x"'), { ifVersion: version, ttlMs: 1e6 });
      expect((await read(shop)).filter(({ broken }) => broken).map(({ of }) => of)).toEqual(["c"]);
    }
  });

  it("has an act whose process ended before its entry, once, and what was asked for is bounded", async () => {
    const inner = createMemoryStore();
    let isDead = false;
    const dying: Store = {
      ...inner,
      put: async (key, value, options) => {
        if (isDead && key.startsWith("audit:")) throw new Error("the process is gone");
        return inner.put(key, value, options);
      },
    };
    const clock = fakeClock();
    const shop = open(dying, clock);
    await shop.handle.accounts.freeze("a");
    isDead = true;
    await shop.handle.accounts.freeze("b");
    isDead = false;
    const other = open(inner, clock);
    expect((await read(other)).length).toBe(1);
    clock.advance(601);
    await Promise.all([read(other), read(open({ ...inner }, clock))]);
    expect((await read(other)).map(({ of, outcome }) => `${of} ${outcome}`)).toEqual(["a done", "b unknown"]);
    expect((await inner.list("audit-note:", { limit: 5 })).length).toBe(0);

    const endpoints = Array.from({ length: 400 }, (_, i) => `no.${"x".repeat(90)}${i}`);
    await expect(other.handle.accounts.grant("a", { usd: "1", endpoints })).rejects.toThrow(TypeError);
    const last = (await read(other)).at(-1);
    expect(last).toMatchObject({ what: "accounts.grant", outcome: "failed", error: "TypeError" });
    expect(JSON.stringify(last).length).toBeLessThan(1000);
  });

  it("refuses an act that the store takes no note of", async () => {
    const inner = createMemoryStore();
    const put: Store["put"] = async (key, value, options) => {
      if (key.startsWith("audit-note:")) throw new Error("no room");
      return inner.put(key, value, options);
    };
    const { handle } = open({ ...inner, put });
    await expect(handle.accounts.topUp("acme", "5", { reference: "p" })).rejects.toThrow();
    await expect(handle.accounts.balance("acme")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe.each(Object.entries(STORES))("AUD-2 the audit log of two instances on %s", (_, make) => {
  it("is one chain without gaps, whoever writes", async () => {
    const shops = make().map((store) => open(store));
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => shops[i % 2]?.handle.as({ by: `p${i % 2}` }).accounts.freeze(`user_${i}`)),
    );
    for (const shop of shops) {
      const entries = await read(shop);
      expect(entries.map(({ id }) => Number(id))).toEqual([...Array(30).keys()]);
      expect(entries.some(({ broken }) => broken)).toBe(false);
      expect(new Set(entries.map(({ of }) => of)).size).toBe(30);
    }
  }, 30_000);
});

describe("AUD-3 a role", () => {
  it("has the methods that it may use, and no others", async () => {
    const { handle } = open();
    const reader = handle.as({ by: "rita", role: "read" });
    expect(Object.keys(reader).sort()).toEqual([
      ...["accounts", "audit", "earnings", "ledger", "payouts", "refundRequests", "statement"],
    ]);
    expect(Object.keys(reader.accounts).sort()).toEqual([
      "balance",
      "entries",
      "grants",
      "invoices",
      "list",
      "listKeys",
    ]);
    expect(Object.keys(reader.payouts)).toEqual(["list"]);
    expect(Object.keys(reader.refundRequests)).toEqual(["list"]);
    const refunder = handle.as({ by: "fred", role: "refund" });
    expect(Object.keys(refunder)).toContain("refund");
    expect(Object.keys(refunder)).not.toContain("setPrice");
    expect(Object.keys(refunder)).not.toContain("configure");
    expect(Object.keys(refunder.accounts)).not.toContain("topUp");
    expect(Object.keys(handle.as({ by: "ann", role: "administer" })).sort()).toEqual(
      [...Object.keys(refunder), "configure", "resume", "setPrice", "stop", "wallets"].sort(),
    );
    expect(() => handle.as({ by: "" })).toThrow("by must be");
    expect(() => handle.as({ by: "eve\nhost" })).toThrow("by must be");
    expect(() => handle.as({ by: "eve", role: "root" as "read" })).toThrow('role must be "read"');
  });
});
