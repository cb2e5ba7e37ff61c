/** Replaces a worker pool if there are no threads, or the worker's file is missing, as in a single-file bundle. */
import { abortError } from "../abort.js";
import { onWorkers } from "../packages/platform.js";
import type { Caller, Payer } from "./payer.js";
import { createPlaces } from "./places.js";
import { excused, overloaded } from "./task-errors.js";
import { taskSize } from "./task-size.js";
import { createTurns, isStranger } from "./turns.js";
import { MAX_OF_ONE, MAX_WAITING_BYTES, type WorkerPool } from "./worker-pool.js";

export interface InThreadOptions<Task, Result> {
  /** Name of the work in errors. */
  name: string;
  /** Loads the function that the worker would run. */
  load: () => Promise<(task: Task) => Result | Promise<Result>>;
  /** Maximum number of waiting tasks; another is refused with OVERLOADED. */
  maxQueued: number;
  /** Whether a result tells that the task was refused. */
  isRefusal?: (result: Result) => boolean;
}

interface Job {
  payer: Payer | undefined;
  bytes: number;
  refuse(): void;
  run(): Promise<unknown>;
}

/** The pool, or, if its thread's file is missing, the same work in this thread, one task at a time. */
export function orInThread<Task, Result>(
  pool: WorkerPool<Task, Result>,
  { name, load, maxQueued, isRefusal = () => false }: InThreadOptions<Task, Result>,
): WorkerPool<Task, Result> {
  let handler: ReturnType<typeof load> | undefined;
  const places = createPlaces<Job>({ maxOfOne: MAX_OF_ONE, max: maxQueued, maxBytes: MAX_WAITING_BYTES });
  const turns = createTurns();
  let isBusy = false;

  async function serve(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    const next = () =>
      turns.next(places.lists, (job) => !(isStranger(job) && job.payer?.isUndecided)) ??
      turns.next(places.lists, () => true);
    for (let job = next(); job; job = next()) {
      places.leave(job.payer?.name, job);
      turns.started(job);
      await job.run();
    }
    isBusy = false;
  }

  async function work(handle: Awaited<ReturnType<typeof load>>, task: Task, payer: Payer | undefined): Promise<Result> {
    const from = performance.now();
    let failed = true;
    try {
      const result = await handle(task);
      failed = isRefusal(result);
      return result;
    } finally {
      const ms = performance.now() - from;
      turns.took(payer?.name, ms);
      payer?.spend(ms, failed);
    }
  }

  async function runHere(task: Task, { signal, payer }: Caller): Promise<Result> {
    payer?.assertLeft();
    handler ??= load();
    const handle = await handler;
    if (signal.aborted) throw abortError(signal, name);
    return new Promise<Result>((resolve, reject) => {
      const job: Job = {
        payer,
        bytes: taskSize(task),
        refuse: () => reject(overloaded(name)),
        async run() {
          try {
            payer?.assertLeft();
            resolve(await work(handle, task, payer));
          } catch (error) {
            reject(error);
          } finally {
            signal.removeEventListener("abort", leave);
          }
        },
      };
      const leave = () => {
        const error = abortError(signal, name);
        const waited = places.leave(payer?.name, job);
        if (waited) payer?.gaveUp(error.code === "UPSTREAM_TIMEOUT", 0);
        reject(waited ? excused(error) : error);
      };
      signal.addEventListener("abort", leave, { once: true });
      if (places.enter(payer?.name, job)) void serve();
      else job.refuse();
    });
  }

  return {
    get load() {
      return handler ? { threads: 0, queued: places.count + (isBusy ? 1 : 0) } : pool.load;
    },
    async run(task, caller, taskMs) {
      if (handler || onWorkers()) return runHere(task, caller);
      try {
        return await pool.run(task, caller, taskMs);
      } catch (error) {
        if (!isMissingFile(error)) throw error;
        return runHere(task, caller);
      }
    },
    close: () => pool.close(),
  };
}

const MISSING = ["MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND", "ERR_INVALID_URL"];

/** A CommonJS bundle has no address of its own, and therefore no URL of the file. */
const isMissingFile = (error: unknown) =>
  error instanceof Error && "code" in error && MISSING.includes(String(error.code));
