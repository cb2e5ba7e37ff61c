// The thread that bench's plain PGlite runs in, as ours does.
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";

const database = await PGlite.create({
  dataDir: workerData,
  startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"],
});
parentPort.on("message", async ({ id, text, values }) => {
  const { rows } = await database.query(text, values);
  parentPort.postMessage({ id, rows });
});
