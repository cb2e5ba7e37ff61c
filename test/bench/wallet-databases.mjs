/** The databases that wallets' state is measured in: ours, and the same database asked plainly. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { createHandler } from "coinslot";
import * as queue from "coinslot/capabilities/queue";
import * as store from "coinslot/capabilities/store";
import pg from "pg";
import { startStores } from "./servers.mjs";

/** Statements to a PGlite in a thread of its own. */
function plainThread(folder) {
  const worker = new Worker(new URL("./pglite-thread.mjs", import.meta.url), { workerData: folder });
  const waiting = new Map();
  let last = 0;
  worker.on("message", ({ id, rows }) => {
    waiting.get(id)({ rows });
    waiting.delete(id);
  });
  const query = (text, values = []) =>
    new Promise((resolve) => {
      waiting.set(++last, resolve);
      worker.postMessage({ id: last, text, values });
    });
  return { query, close: () => worker.terminate() };
}

/** Each with `call`, ours under a name of its own so that receipts are kept, and `query`, the plain way. */
export async function openDatabases() {
  const folder = await mkdtemp(join(tmpdir(), "coinslot-bench-"));
  const stores = await startStores();
  const capabilities = [...Object.values(store), ...Object.values(queue)];
  const plain = plainThread(join(folder, "plain"));
  const pool = stores.postgres && new pg.Pool({ connectionString: stores.postgres.url });
  let calls = 0;
  const caller = (wallets) => {
    const handle = createHandler({ capabilities, payment: false, wallets });
    const call = (id, input) => handle.call(id, input, { wallet: "bench", idempotencyKey: `${++calls}` });
    return { call, close: () => handle.close() };
  };
  const databases = [{ name: "PGlite", ...caller({ dataDir: join(folder, "ours") }), query: plain.query }];
  if (pool)
    databases.push({ name: "Postgres", ...caller({ db: pool }), query: (text, values) => pool.query(text, values) });
  return {
    databases,
    async close() {
      for (const { close } of databases) await close();
      await plain.close();
      await pool?.end();
      await stores.postgres?.stop();
      await stores.redis?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
