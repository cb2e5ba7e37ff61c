/** Replaces a worker pool if there are no threads, or the worker's file is missing, as in a single-file bundle. */
import { CapabilityError } from "../../errors.js";
import { beforeAbort } from "../abort.js";
import { onWorkers } from "../packages/platform.js";
import type { WorkerPool } from "./worker-pool.js";

export interface InThreadOptions<Task, Result> {
  /** Name of the work in errors. */
  name: string;
  /** Loads the function that the worker would run. */
  load: () => Promise<(task: Task) => Result | Promise<Result>>;
  /** Maximum number of waiting tasks; another is refused with OVERLOADED. */
  maxQueued: number;
}

/** The pool, or, if its thread's file is missing, the same work in this thread, one task at a time. */
export function orInThread<Task, Result>(
  pool: WorkerPool<Task, Result>,
  { name, load, maxQueued }: InThreadOptions<Task, Result>,
): WorkerPool<Task, Result> {
  let handler: ReturnType<typeof load> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let queued = 0;

  async function runHere(task: Task, signal: AbortSignal): Promise<Result> {
    if (queued > maxQueued) throw new CapabilityError("OVERLOADED", `${name} is busy.`, { retryAfter: 2 });
    handler ??= load();
    const handle = handler;
    queued++;
    const work = last.then(async () => {
      signal.throwIfAborted();
      return (await handle)(task);
    });
    last = work.catch(() => {}).finally(() => queued--);
    return beforeAbort(work, signal, name);
  }

  return {
    get load() {
      return handler ? { threads: 0, queued } : pool.load;
    },
    async run(task, signal, taskMs) {
      if (handler || onWorkers()) return runHere(task, signal);
      try {
        return await pool.run(task, signal, taskMs);
      } catch (error) {
        if (!isMissingFile(error)) throw error;
        return runHere(task, signal);
      }
    },
    close: () => pool.close(),
  };
}

const MISSING = ["MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND", "ERR_INVALID_URL"];

/** A CommonJS bundle has no address of its own, and therefore no URL of the file. */
const isMissingFile = (error: unknown) =>
  error instanceof Error && "code" in error && MISSING.includes(String(error.code));
