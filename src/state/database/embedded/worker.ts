/** The thread that PGlite runs in: it stops everything in its thread while a statement runs. */
import { mkdirSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { without } from "../../../errors.js";
import type { Answer, Question } from "./thread.js";

const { folder }: { folder: string } = workerData;
mkdirSync(folder, { recursive: true, mode: 0o700 });
const opening = openDatabase();
// Whoever asks is told.
opening.catch(() => {});

async function openDatabase() {
  const [{ PGlite }, { vector }] = await Promise.all([
    import("@electric-sql/pglite").catch(without("@electric-sql/pglite")),
    import("@electric-sql/pglite-pgvector").catch(without("@electric-sql/pglite-pgvector")),
  ]);
  return PGlite.create({
    dataDir: folder,
    extensions: { vector },
    // A small machine's share; its own default takes twice the memory and is no faster here.
    startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"],
  });
}

const send = (answer: Answer) => parentPort?.postMessage(answer);

async function answer({ id, text, values }: Question): Promise<void> {
  try {
    const database = await opening;
    const { rows } = await database.query(text, values);
    send({ id, rows });
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown };
    send({ id, error: message, ...(typeof code === "string" ? { code } : {}) });
  }
}

parentPort?.on("message", async (message: Question | "close") => {
  if (message !== "close") return answer(message);
  await opening.then((database) => database.close()).catch(() => {});
  process.exit(0);
});
