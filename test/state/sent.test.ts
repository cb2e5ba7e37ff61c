/** Statements that leave together: what failed fails its transaction, and names are an advantage that nothing relies on. */
import pg from "pg";
import { afterAll, describe, expect, inject, it } from "vitest";
import { queueAck, queueEnqueue, queueLease, queueStats } from "../../src/capabilities/queue/index.js";
import { storeKvGet, storeKvPut } from "../../src/capabilities/store/index.js";
import type { PostgresConnection } from "../../src/capability/wallets.js";
import { createHandler } from "../../src/index.js";
import { createResources } from "../../src/lib/resources.js";
import { openWallets } from "../../src/state/database/open.js";
import { postgresDriver } from "../../src/state/database/postgres.js";
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

onBothEngines("a change whose first statement leaves with the lock", (engine) => {
  it("WAL-9 is made once, and is answered as it was the first time", async () => {
    const capabilities = [storeKvPut, storeKvGet, queueEnqueue, queueLease, queueAck, queueStats];
    // Each forgets what the other answered: only the receipt tells.
    const shops = [1, 2].map(() => createHandler({ capabilities, payment: false, wallets: engine.options() }));
    const twice = async (id: string, input: object) => {
      const answers = [];
      for (const { call } of shops as {
        call(id: string, input: object, options: object): Promise<{ items: unknown[] }>;
      }[])
        answers.push((await call(id, input, { wallet: "early", idempotencyKey: id })).items);
      expect(answers[1]).toEqual(answers[0]);
      return answers[0]?.[0] as { id: string; leaseToken: string };
    };
    await twice("store.kv-put", { ns: "n", key: "k", value: 1 });
    await twice("queue.enqueue", { queue: "q", body: 1, ttlSeconds: 600 });
    const { id, leaseToken } = await twice("queue.lease", { queue: "q", visibilitySeconds: 60 });
    expect(leaseToken).toMatch(/^1\./);
    await twice("queue.ack", { queue: "q", id, leaseToken });
    const { items } = (await shops[0]?.call("queue.stats", { queue: "q" }, { wallet: "early" })) ?? {};
    expect(items).toMatchObject([{ total: 0 }]);
    for (const shop of shops) await shop.close();
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
