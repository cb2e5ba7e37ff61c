/** What a worker pool does where there are no threads, or its worker's file got lost, as in a bundle of one file. */
import { CapabilityError } from "../errors.js";
import { beforeAbort } from "./abort.js";
import { onWorkers } from "./platform.js";
import type { WorkerPool } from "./worker-pool.js";

export interface InThreadOptions<Task, Result> {
  /** What the work is called in errors. */
  name: string;
  /** Loads what the worker would run. */
  load: () => Promise<(task: Task) => Result | Promise<Result>>;
  /** Tasks that may wait; one more is refused with OVERLOADED. */
  maxQueued: number;
}

/** The pool, or, once its thread's file turned out to be missing, the same work in this thread, one task at a time. */
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
    async run(task, signal) {
      if (handler || onWorkers()) return runHere(task, signal);
      try {
        return await pool.run(task, signal);
      } catch (error) {
        if (!isMissingFile(error)) throw error;
        return runHere(task, signal);
      }
    },
    close: () => pool.close(),
  };
}

const MISSING = ["MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND", "ERR_INVALID_URL"];

/** A bundle in CommonJS has no address of its own, and so not even a URL to look at. */
const isMissingFile = (error: unknown) =>
  error instanceof Error && "code" in error && MISSING.includes(String(error.code));
