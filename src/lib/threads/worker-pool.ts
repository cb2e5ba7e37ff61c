/**
 * Runs heavy computations in worker threads, so that the event loop stays free. Payers take turns, and one place is kept
 * for what is quick: what is small is tried there, and what takes longer than that waits for another place.
 */
import type { Worker } from "node:worker_threads";
import { abortError } from "../abort.js";
import { createLanes } from "./lanes.js";
import type { Caller, Payer } from "./payer.js";
import { createPlaces } from "./places.js";
import { noteEnded, notePool } from "./pool-loads.js";
import { closing, excused, OutOfTime, overloaded } from "./task-errors.js";
import { taskSize } from "./task-size.js";
import { createTurns } from "./turns.js";
import type { TaskReply } from "./worker-tasks.js";

export { isOutOfMemory, isOutOfTime } from "./task-errors.js";

export interface WorkerPoolOptions<Task = unknown> {
  /** Name of the work in errors. */
  name: string;
  /**
   * Starts a thread whose file calls `answerTasks`. A callback and not a path, because bundlers recognise
   * `new Worker(new URL("./file.js", import.meta.url))` only as a literal.
   */
  start: () => Worker;
  /** Maximum number of threads. The first starts with the first task. From two on, one place is kept for quick tasks. */
  size: number;
  /** Maximum number of waiting tasks; another is refused with OVERLOADED. */
  maxQueued: number;
  /** Maximum number of waiting tasks of one payer. Default 16. */
  maxOfOne?: number;
  /** Milliseconds for which an idle thread is kept. Default 10 s. */
  idleMs?: number;
  /** Whether a task of this many bytes is likely to be quick. Default: up to 64 KB. */
  isQuick?: (task: Task, bytes: number) => boolean;
}

export interface WorkerPool<Task, Result> {
  /**
   * Runs a task in a thread of its own, for a call: a capability's context is one. Aborting ends that thread at once, or
   * removes the task from the queue. After `taskMs` of work, without waiting for a thread, the thread is ended and the error
   * is that of `isOutOfTime`. What waited in vain is refused with an error that does not count as its payer's failure.
   */
  run(task: Task, caller: Caller, taskMs?: number): Promise<Result>;
  /** Number of living threads, and of waiting tasks. */
  readonly load: { threads: number; queued: number };
  /** Ends every thread and refuses waiting and later tasks. Resolves when all threads have ended. */
  close(): Promise<void>;
}

export const MAX_OF_ONE = 16;
/** Waiting tasks are held in memory. */
export const MAX_WAITING_BYTES = 64 * 2 ** 20;
const QUICK_BYTES = 64 * 1024;
/** How long to wait before it is asked again whether a payer's calls under way were charged. */
const UNDECIDED_MS = 25;

interface Job<Task, Result> {
  task: Task;
  taskMs: number | undefined;
  payer: Payer | undefined;
  bytes: number;
  isQuick: boolean;
  /** Whether it has its place because it seemed quick. */
  wasQuick: boolean;
  madeWay: boolean;
  /** When it began to wait, and its work. */
  at: number;
  startedAt?: number | undefined;
  /** Milliseconds that it had a thread before it made way. */
  triedMs: number;
  refuse(): void;
  /** Both also stop listening for the caller's abort. */
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** How a task left its thread, and the milliseconds that it had it, if not since it began. */
interface End {
  failed: boolean;
  ms?: number | undefined;
}

interface Thread<Task, Result> {
  worker: Worker;
  /** Whether it has done a task. */
  isWarm: boolean;
  job?: Job<Task, Result> | undefined;
  idleTimer?: NodeJS.Timeout | undefined;
  taskTimer?: NodeJS.Timeout | undefined;
}

/**
 * A bounded pool of threads with a bounded queue. An idle thread does not keep the process alive and ends after a
 * while.
 */
export function createWorkerPool<Task, Result>(options: WorkerPoolOptions<Task>): WorkerPool<Task, Result> {
  const { name, size, maxQueued, maxOfOne = MAX_OF_ONE, idleMs = 10_000 } = options;
  const { isQuick = (_: Task, bytes: number) => bytes <= QUICK_BYTES } = options;
  const threads = new Set<Thread<Task, Result>>();
  const places = createPlaces<Job<Task, Result>>({ maxOfOne, max: maxQueued, maxBytes: MAX_WAITING_BYTES });
  const turns = createTurns();
  const lanes = createLanes<Job<Task, Result>>(size, () => fill());
  let again: NodeJS.Timeout | undefined;
  let closed = false;
  const forget = notePool(name, () => ({ running: lanes.running, waiting: places.count }));

  function startThread(): Thread<Task, Result> {
    const worker = options.start();
    const thread: Thread<Task, Result> = { worker, isWarm: false };
    threads.add(thread);
    worker.on("message", (reply: TaskReply<Result>) => {
      const { job } = thread;
      if ("began" in reply) return job && began(job, thread);
      thread.isWarm = true;
      release(thread, { failed: !reply.ok || reply.failed === true, ms: reply.ms });
      if (reply.ok) job?.resolve(reply.result);
      else job?.reject(new Error(`${name}: ${reply.error}`));
    });
    worker.on("error", (error) => drop(thread, error));
    worker.on("exit", (code) => drop(thread, new Error(`${name}: the worker thread ended with code ${code}`)));
    return thread;
  }

  function assign(thread: Thread<Task, Result>, job: Job<Task, Result>): void {
    clearTimeout(thread.idleTimer);
    thread.job = job;
    job.startedAt = performance.now();
    lanes.start(job);
    turns.started(job);
    const { taskMs } = job;
    if (taskMs !== undefined) thread.taskTimer = setTimeout(() => drop(thread, new OutOfTime(name)), taskMs);
    // A caller waits for this result, so the process must not exit before it is there.
    thread.worker.ref();
    try {
      thread.worker.postMessage(job.task);
    } catch (error) {
      release(thread, { failed: true, ms: 0 });
      job.reject(error);
    }
  }

  /** Time in which a thread starts and loads its engine is nobody's. */
  function began(job: Job<Task, Result>, { isWarm }: Thread<Task, Result>): void {
    job.startedAt = performance.now();
    lanes.began(job, !isWarm);
  }

  /** Takes the job from its thread, and notes whose time it was. */
  function finish(thread: Thread<Task, Result>, { failed, ms }: End): void {
    const { job } = thread;
    thread.job = undefined;
    clearTimeout(thread.taskTimer);
    if (!job) return;
    lanes.end(job);
    const took = ms ?? performance.now() - (job.startedAt ?? 0);
    turns.took(job.payer?.name, took);
    job.payer?.spend(took, failed);
    if (failed) job.payer?.lost(job.triedMs);
  }

  function release(thread: Thread<Task, Result>, end: End): void {
    finish(thread, end);
    fill();
    if (thread.job) return;
    thread.worker.unref();
    clearTimeout(thread.idleTimer);
    thread.idleTimer = setTimeout(() => drop(thread, undefined), idleMs).unref();
  }

  /** Ends a thread, even during a task, and gives a waiting task to a new one. */
  function drop(thread: Thread<Task, Result>, error: unknown, end: End = { failed: true }): void {
    if (!threads.delete(thread)) return;
    const { job } = thread;
    if (job && !closed) noteEnded(name);
    clearTimeout(thread.idleTimer);
    void thread.worker.terminate();
    finish(thread, end);
    job?.reject(error);
    fill();
  }

  /** Ends the thread of a task that takes its time, which begins anew when it has a place again. */
  function putBack(job: Job<Task, Result>): void {
    const thread = [...threads].find((candidate) => candidate.job === job);
    if (!thread) return;
    threads.delete(thread);
    clearTimeout(thread.taskTimer);
    void thread.worker.terminate();
    lanes.end(job);
    const took = performance.now() - (job.startedAt ?? 0);
    turns.took(job.payer?.name, took);
    job.payer?.spend(took, false);
    job.triedMs += took;
    job.startedAt = undefined;
    job.madeWay ||= !job.wasQuick;
    job.wasQuick = false;
    places.enterFirst(job.payer?.name, job);
  }

  /** Gives places to whom they are due. */
  function fill(): void {
    clearTimeout(again);
    refuseSpent();
    for (let job = due(); job; job = due()) {
      places.leave(job.payer?.name, job);
      assign([...threads].find((candidate) => !candidate.job) ?? startThread(), job);
    }
    if (lanes.running < size && places.count > 0) again = setTimeout(fill, UNDECIDED_MS);
  }

  /** The next job that has a place, or for which another one makes way. */
  function due(): Job<Task, Result> | undefined {
    if (closed) return undefined;
    const next = turns.next(places.lists, lanes.mayStart);
    if (next) return next;
    const urgent = turns.next(places.lists, (job) => lanes.inTheWayOf(job) !== undefined);
    const slow = urgent && lanes.inTheWayOf(urgent);
    if (slow) putBack(slow);
    return urgent;
  }

  /** A payer that has used up its budget meanwhile would wait for nothing. */
  function refuseSpent(): void {
    for (const [caller, list] of [...places.lists]) {
      try {
        list[0]?.payer?.assertLeft();
      } catch (error) {
        for (const job of list) {
          places.leave(caller, job);
          job.reject(error);
        }
      }
    }
  }

  function cancel(job: Job<Task, Result>, signal: AbortSignal): void {
    const error = abortError(signal, name);
    const isTimeUp = error.code === "UPSTREAM_TIMEOUT";
    if (places.leave(job.payer?.name, job)) {
      job.payer?.gaveUp(isTimeUp, job.triedMs);
      job.reject(excused(error));
      return;
    }
    const thread = [...threads].find((candidate) => candidate.job === job);
    const { at, startedAt = at, triedMs } = job;
    const ms = performance.now() - startedAt;
    // A task that was cut short because it had waited did not fail.
    const isLate = isTimeUp && startedAt - at > ms;
    if (!thread) job.reject(error);
    else if (!isLate) drop(thread, error);
    else {
      drop(thread, excused(error), { failed: false, ms });
      job.payer?.gaveUp(isTimeUp, triedMs + ms);
    }
  }

  return {
    get load() {
      return { threads: threads.size, queued: places.count };
    },
    async run(task, caller, taskMs) {
      const { signal, payer } = caller;
      if (signal.aborted) throw abortError(signal, name);
      if (closed) throw closing(name);
      payer?.assertLeft();
      const bytes = taskSize(task);
      return new Promise<Result>((resolve, reject) => {
        const onAbort = () => cancel(job, signal);
        const settled = () => signal.removeEventListener("abort", onAbort);
        const quick = lanes.isQuick(payer, isQuick(task, bytes));
        const job: Job<Task, Result> = {
          ...{ task, taskMs, payer, bytes, at: performance.now() },
          ...{ isQuick: quick, wasQuick: quick, madeWay: false, triedMs: 0 },
          refuse: () => job.reject(overloaded(name)),
          resolve: (result) => {
            settled();
            resolve(result);
          },
          reject: (error) => {
            settled();
            reject(error);
          },
        };
        signal.addEventListener("abort", onAbort, { once: true });
        if (places.enter(payer?.name, job)) fill();
        else job.refuse();
      });
    },
    async close() {
      closed = true;
      forget();
      clearTimeout(again);
      for (const job of places.clear()) job.reject(closing(name));
      const last = [...threads];
      for (const thread of last) drop(thread, closing(name), { failed: false, ms: 0 });
      await Promise.all(last.map(({ worker }) => worker.terminate()));
    },
  };
}
