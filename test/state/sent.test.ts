/** Statements that leave together: what failed fails its transaction, and names are an advantage that nothing relies on. */
import "../support/typescript-workers.js";
import pg from "pg";
import { afterAll, afterEach, describe, expect, inject, it } from "vitest";
import { queueAck, queueEnqueue, queueLease, queueStats } from "../../src/capabilities/queue/index.js";
import { storeDocPut, storeErase, storeKvGet, storeKvPut } from "../../src/capabilities/store/index.js";
import type { PostgresConnection, PostgresConnections, WalletOptions } from "../../src/capability/wallets.js";
import { createHandler } from "../../src/index.js";
import { createResources } from "../../src/lib/resources.js";
import { openFolder } from "../../src/state/database/embedded/database.js";
import { openWallets } from "../../src/state/database/open.js";
import { postgresDriver } from "../../src/state/database/postgres.js";
import { inTurnOfWallet } from "../../src/state/wallet/concurrency.js";
import { hasReceipt } from "../../src/state/wallet/receipts.js";
import { freshFolder } from "../support/fresh-folder.js";
import { openPostgres } from "../support/run-postgres.js";
import { onBothEngines } from "../support/wallets-engine.js";

const INSERT = "insert into @settings (name, value) values ($1, $2)";

onBothEngines("what is sent", (engine) => {
  const resources = createResources();
  const open = () => openWallets({ wallets: engine.options({ schema: "sent" }), resources });
  afterAll(() => resources.close());

  it("is written with the commit, and undone with it if it fails", async () => {
    const database = await open();
    const names = async () => {
      const { rows } = await database.query("select name from @settings where name like 'sent%' order by name");
      return rows.map((row) => (row as { name: string }).name);
    };
    const write = (first: string, last: string) =>
      database.transaction(async (tx) => {
        await tx.query(INSERT, [first, ""]);
        // Parsed anew, though the commit behind it need not be.
        tx.send(`${INSERT} /* ${first} */`, [last, ""]);
        return "done";
      });
    expect(await write("sent 1", "sent 2")).toBe("done");
    await expect(write("sent 3", "sent 1")).rejects.toMatchObject({ code: "23505" });
    expect(await names()).toEqual(["sent 1", "sent 2"]);
    expect(await write("sent 3", "sent 4")).toBe("done");
    expect(await names()).toEqual(["sent 1", "sent 2", "sent 3", "sent 4"]);
  });
});

onBothEngines("transactions that follow each other", (engine) => {
  const resources = createResources();
  const open = () => openWallets({ wallets: engine.options({ schema: "follow" }), resources });
  afterAll(() => resources.close());

  it("RES-1 do not undo each other, when a commit or a work fails before the next one begins", async () => {
    const database = await open();
    const failed = new Error("failed");
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) =>
        database.transaction(async (tx) => {
          await tx.query(INSERT, [`follow ${i}`, ""]);
          // Each second third fails before its commit, and each last third with it.
          if (i % 3 === 1) throw failed;
          if (i % 3 === 2) tx.send(INSERT, [`follow ${i}`, ""]);
        }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(
      Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? "fulfilled" : "rejected")),
    );
    const { rows } = await database.query("select name from @settings where name like 'follow%' order by name");
    expect(rows).toEqual([0, 3, 6, 9].map((i) => ({ name: `follow ${i}` })));
  });
});

it("RES-1 the embedded database begins the next transaction when the end of the last one has left", async () => {
  const driver = await openFolder(await freshFolder());
  const events: string[] = [];
  const transaction = (name: string, work: () => Promise<void>) =>
    driver
      .transaction(async (tx) => {
        events.push(`${name} begins`);
        await tx.query("select 1");
        await work();
      })
      .finally(() => events.push(`${name} ended`))
      .catch(() => {});
  await Promise.all([
    transaction("first", async () => {}),
    transaction("second", () => Promise.reject(new Error("undone"))),
    transaction("third", async () => {}),
  ]);
  await driver.close();
  expect(events).toEqual([
    "first begins",
    "second begins",
    "first ended",
    "third begins",
    "second ended",
    "third ended",
  ]);
});

const capabilities = [storeKvPut, storeKvGet, storeDocPut, storeErase, queueEnqueue, queueLease, queueAck, queueStats];

onBothEngines("a change that is one statement", (engine) => {
  const shops: ReturnType<typeof createHandler>[] = [];
  afterEach(async () => {
    for (const shop of shops.splice(0)) await shop.close();
  });
  type Call = (id: string, input: object, options?: object) => Promise<{ items: Record<string, unknown>[] }>;
  function open(wallet: string, more: Partial<WalletOptions> = {}): Call {
    const shop = createHandler({ capabilities, payment: false, wallets: engine.options(more) });
    shops.push(shop);
    const call = shop.call as unknown as Call;
    return (id, input, options) => call(id, input, { wallet, ...options });
  }

  it("WAL-9 is made once, and is answered as it was the first time", async () => {
    // Each forgets what the other answered: only the receipt tells.
    const both = [open("once"), open("once")];
    const twice = async (id: string, input: object) => {
      const answers = [];
      for (const call of both) answers.push((await call(id, input, { idempotencyKey: id })).items);
      expect(answers[1]).toEqual(answers[0]);
      return answers[0]?.[0] as { id: string; leaseToken: string };
    };
    await both[0]?.("store.kv-put", { ns: "n", key: "before", value: 1 });
    await twice("store.kv-put", { ns: "n", key: "k", value: 1 });
    await twice("queue.enqueue", { queue: "q", body: 1, ttlSeconds: 600 });
    const { id, leaseToken } = await twice("queue.lease", { queue: "q", visibilitySeconds: 60 });
    expect(leaseToken).toMatch(/^1\./);
    await twice("queue.ack", { queue: "q", id, leaseToken });
    expect((await both[0]?.("queue.stats", { queue: "q" }))?.items).toMatchObject([{ total: 0 }]);
  });

  it("WAL-28 is answered as erased where all was erased, and by the release that knows no receipts of facts", async () => {
    const call = open("erased");
    const put = { ns: "n", key: "k", value: 1 };
    await call("store.kv-put", { ...put, key: "before" });
    await call("store.kv-put", put, { idempotencyKey: "again" });
    const resources = createResources();
    const database = await openWallets({ wallets: engine.options(), resources });
    // What release 0.1.0 reads: to it, this is the mark of an erased result.
    const read = () => database.query("select result from @receipts where wallet = 'erased'");
    expect((await read()).rows).toEqual([{ result: "null" }]);
    await resources.close();
    await call("store.erase", { confirm: "erase everything" });
    await expect(open("erased")("store.kv-put", put, { idempotencyKey: "again" })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "The result of this call was erased.",
    });
  });

  it.each([
    ["a statement", "kv", (call: Call, text: string) => call("store.kv-put", { ns: "n", key: "k", value: text })],
    [
      "a transaction",
      "docs",
      (call: Call, text: string) => call("store.doc-put", { ns: "n", id: `${text.length}`, body: text }),
    ],
  ] as const)("WAL-19 counts every byte once, however many instances write at once by %s", async (_, kind, write) => {
    const wallet = `sizes-${kind}`;
    const instances = Array.from({ length: 4 }, () => open(wallet));
    const put = (call: Call, size: number) => write(call, "x".repeat(size));
    await Promise.all(instances.map((call) => put(call, 1)));
    const resources = createResources();
    const database = await openWallets({ wallets: engine.options(), resources });
    const begun: Promise<unknown>[] = [];
    // All of them begin, and wait for the lock, before the first ends.
    await database.transaction(async (tx) => {
      await tx.query("select from @wallets where wallet = $1 for update", [wallet]);
      for (const [i, call] of instances.entries()) begun.push(put(call, 10 * (i + 1)));
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    await Promise.all(begun);
    const count = (table: string) => `(select sum(bytes)::int from @${table} where wallet = $1)`;
    const { rows } = await database.query(`select ${count("wallets")} as counted, ${count(kind)} as there`, [wallet]);
    const { counted, there } = rows[0] as { counted: number; there: number };
    expect(there).toBeGreaterThan(0);
    expect(counted).toBe(there);
    await resources.close();
  });

  it("WAL-33 hands a message to one of the instances that ask at once", async () => {
    const instances = Array.from({ length: 4 }, () => open("workers"));
    for (let i = 0; i < 20; i++) await instances[0]?.("queue.enqueue", { queue: "q", body: i });
    const leased: unknown[] = [];
    for (let round = 0; round < 5; round++)
      for (const { items } of await Promise.all(
        instances.map((call) => call("queue.lease", { queue: "q", visibilitySeconds: 600 })),
      ))
        leased.push(...items.map(({ body }) => body));
    expect(leased.sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  it("WAL-10 that is on its way ends before it is said whether it was made", async () => {
    const resources = createResources();
    const database = await openWallets({ wallets: engine.options(), resources });
    const ended: string[] = [];
    const change = inTurnOfWallet(database, "late", async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      ended.push("change");
    });
    await hasReceipt(database, { id: "late", callId: "call" }).then(() => ended.push("look"));
    await change;
    expect(ended).toEqual(["change", "look"]);
    await resources.close();
  });

  it.skipIf(!engine.shared)("RES-1 goes there and back once, behind what prepares it", async () => {
    const asked: string[] = [];
    const pool = engine.options().db as PostgresConnections;
    const db: PostgresConnections = {
      query: (text, values) => pool.query(text, values),
      async connect() {
        const connection = await pool.connect();
        const query: PostgresConnection["query"] = (text, values) => {
          asked.push(text);
          return connection.query(text, values);
        };
        return { query, release: (error) => connection.release(error) };
      },
    };
    const call = open("counted", { db });
    const put = { ns: "n", key: "k", value: 1 };
    await call("store.kv-put", put);
    const count = async (id: string, input: object) => {
      asked.length = 0;
      const { items } = await call(id, input, { idempotencyKey: id });
      return { items, asked: asked.length };
    };
    expect(await count("store.kv-put", put)).toMatchObject({ asked: 1 });
    expect(await count("queue.enqueue", { queue: "q", body: 1 })).toMatchObject({ asked: 2 });
    const { items, asked: leasing } = await count("queue.lease", { queue: "q" });
    expect(leasing).toBe(1);
    expect(await count("queue.ack", { queue: "q", id: items[0]?.id, leaseToken: items[0]?.leaseToken })).toMatchObject({
      asked: 1,
      items: [{ acked: true }],
    });
  });
});

/** A client that answers when it is told to. */
function slowClient(more: object) {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const client: PostgresConnection = {
    query(statement: string | { text: string }) {
      asked.push(typeof statement === "string" ? statement : statement.text);
      return new Promise((resolve) => answers.push(() => resolve({ rows: [] })));
    },
    release: () => {},
    ...more,
  };
  return { asked, answers, driver: postgresDriver({ connect: async () => client, query: client.query }) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("a transaction", () => {
  const run = ({ driver }: ReturnType<typeof slowClient>) =>
    driver.transaction(async (tx) => {
      await tx.query("first", []);
      tx.send("last", []);
    });

  it("RES-1 goes there and back twice, where the client takes several statements at once", async () => {
    const client = slowClient({ pipeline: false });
    const done = run(client);
    await settled();
    expect(client.asked).toEqual([expect.stringMatching(/^begin/), "first"]);
    for (const answer of client.answers) answer();
    await settled();
    expect(client.asked.slice(2)).toEqual(["last", "commit"]);
    for (const answer of client.answers) answer();
    await done;
  });

  it("asks any other client one statement after another", async () => {
    const client = slowClient({});
    const done = run(client);
    for (let count = 1; count <= 4; count++) {
      await settled();
      expect(client.asked).toHaveLength(count);
      client.answers[count - 1]?.();
    }
    await done;
    expect(client.asked).toEqual([expect.stringMatching(/^begin/), "first", "last", "commit"]);
  });
});

describe.skipIf(inject("postgresUrl") === "")("names of statements", () => {
  it("RES-1 are kept by a connection, and are missed by nobody behind a pooler that forgets them", async () => {
    const server = await openPostgres();
    const pool = new pg.Pool({ connectionString: server?.url ?? "", max: 1 });
    const options = { wallet: "names", wallets: { db: pool, schema: "named" } };
    const put = (value: number) => storeKvPut({ ns: "n", key: "k", value }, options);
    const named = async () =>
      (await pool.query("select from pg_prepared_statements where name like 'coinslot%'")).rows.length;
    await put(1);
    expect(await named()).toBeGreaterThan(3);
    await pool.query("deallocate all");
    expect((await put(2)).items).toMatchObject([{ stored: true }]);
    expect((await storeKvGet({ ns: "n", key: "k" }, options)).items).toMatchObject([{ value: 2 }]);
    await pool.query("deallocate all");
    await put(3);
    expect(await named()).toBe(0);
    await pool.end();
    await server?.stop();
  });
});
