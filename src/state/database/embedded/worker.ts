/** The thread of PGlite, which blocks its thread while a statement runs. */
import { mkdirSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { without } from "../../../errors.js";
import { BYTES } from "./bytes.js";
import { preparedStatements } from "./prepared.js";
import type { ThreadReply, ThreadRequest } from "./thread.js";

const { folder }: { folder: string } = workerData;
mkdirSync(folder, { recursive: true, mode: 0o700 });
const opening = openDatabase();
// The rejection is reported to each caller.
opening.catch(() => {});

async function openDatabase() {
  const [{ PGlite, protocol }, { vector }] = await Promise.all([
    import("@electric-sql/pglite").catch(without("@electric-sql/pglite")),
    import("@electric-sql/pglite-pgvector").catch(without("@electric-sql/pglite-pgvector")),
  ]);
  const database = await PGlite.create({
    dataDir: folder,
    extensions: { vector },
    ...BYTES,
    // Suitable for a small machine; the default takes twice the memory and is not faster here.
    startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"],
  });
  return { query: preparedStatements(database, protocol), close: () => database.close() };
}

const send = (answer: ThreadReply) => parentPort?.postMessage(answer);

async function answer({ id, text, values }: ThreadRequest): Promise<void> {
  try {
    const database = await opening;
    const { rows } = await database.query(text, values);
    send({ id, rows });
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown };
    send({ id, error: message, ...(typeof code === "string" ? { code } : {}) });
  }
}

/** Statements run in the order of their arrival, also one that is parsed first and one that need not be. */
let last: Promise<void> = Promise.resolve();

parentPort?.on("message", async (message: ThreadRequest | "close") => {
  if (message !== "close") {
    last = last.then(() => answer(message));
    return;
  }
  await last;
  await opening.then((database) => database.close()).catch(() => {});
  process.exit(0);
});
