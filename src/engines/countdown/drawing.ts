/** The threads that draw countdowns. */
import { availableParallelism } from "node:os";
import { orInThread } from "../../lib/threads/in-thread.js";
import { threadOptions } from "../../lib/threads/thread-options.js";
import { Worker } from "../../lib/threads/threads.js";
import { createWorkerPool, type WorkerPool } from "../../lib/threads/worker-pool.js";
import type { CountdownTask } from "./design.js";

const NAME = "countdown.gif";
const MAX_QUEUED = 200;

export function openCountdownDrawing(): WorkerPool<CountdownTask, Uint8Array> {
  const pool = createWorkerPool<CountdownTask, Uint8Array>({
    name: NAME,
    // A literal, because bundlers recognise workers only so; the build places this file beside the worker's.
    start: () => new Worker(new URL("./worker.js", import.meta.url), threadOptions()),
    // One core is left to the event loop.
    size: Math.min(4, Math.max(1, availableParallelism() - 1)),
    maxQueued: MAX_QUEUED,
    isQuick: () => false,
  });
  return orInThread(pool, { name: NAME, load: loadAnimate, maxQueued: MAX_QUEUED });
}

async function loadAnimate() {
  return (await import("./animate.js")).animate;
}
