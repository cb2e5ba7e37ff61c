/** The threads that encode and draw codes: an Aztec code of 2000 letters takes a quarter of a second. */
import { availableParallelism } from "node:os";
import { orInThread } from "../../lib/threads/in-thread.js";
import { threadOptions } from "../../lib/threads/thread-options.js";
import { Worker } from "../../lib/threads/threads.js";
import { createWorkerPool, type WorkerPool } from "../../lib/threads/worker-pool.js";
import type { CodeTask, Drawn } from "./draw.js";

const NAME = "barcode.generate";
const MAX_QUEUED = 200;

export function openBarcodeDrawing(): WorkerPool<CodeTask, Drawn> {
  const pool = createWorkerPool<CodeTask, Drawn>({
    name: NAME,
    // A literal, because bundlers recognise workers only so; the build places this file beside the worker's.
    start: () => new Worker(new URL("./worker.js", import.meta.url), threadOptions()),
    // One core is left to the event loop. At most two, because the largest picture takes 150 MB while it is drawn.
    size: Math.min(2, Math.max(1, availableParallelism() - 1)),
    maxQueued: MAX_QUEUED,
  });
  const load = async () => (await import("./draw.js")).drawCode;
  return orInThread(pool, { name: NAME, load, maxQueued: MAX_QUEUED });
}
