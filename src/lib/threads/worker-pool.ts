/** Runs heavy computations in worker threads, so that the event loop stays free. */
import type { Worker } from "node:worker_threads";
import { CapabilityError } from "../../errors.js";
import { abortError } from "../abort.js";
import type { TaskReply } from "./worker-tasks.js";

export interface WorkerPoolOptions {
  /** Name of the work in errors. */
  name: string;
  /**
   * Starts a thread whose file calls `answerTasks`. A callback and not a path, because bundlers recognise
   * `new Worker(new URL("./file.js", import.meta.url))` only as a literal.
   */
  start: () => Worker;
  /** Maximum number of threads. The first starts with the first task. */
  size: number;
  /** Maximum number of waiting tasks; another is refused with OVERLOADED. */
  maxQueued: number;
  /** Milliseconds for which an idle thread is kept. Default 10 s. */
  idleMs?: number;
}

export interface WorkerPool<Task, Result> {
  /**
   * Runs a task in a thread of its own. Aborting ends that thread at once, or removes the task from the queue. After
   * `taskMs` of work, without waiting for a thread, the thread is ended and the error is that of `isOutOfTime`.
   */
  run(task: Task, signal: AbortSignal, taskMs?: number): Promise<Result>;
  /** Number of living threads, and of waiting tasks. */
  readonly load: { threads: number; queued: number };
  /** Ends every thread and refuses waiting and later tasks. Resolves when all threads have ended. */
  close(): Promise<void>;
}

const RETRY_AFTER_SECONDS = 2;

interface Job<Task, Result> {
  task: Task;
  taskMs: number | undefined;
  /** Both also stop listening for the caller's abort. */
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Thread<Task, Result> {
  worker: Worker;
  job?: Job<Task, Result> | undefined;
  idleTimer?: NodeJS.Timeout | undefined;
  taskTimer?: NodeJS.Timeout | undefined;
}

/**
 * A bounded pool of threads with a bounded queue. An idle thread does not keep the process alive and ends after a
 * while.
 */
export function createWorkerPool<Task, Result>(options: WorkerPoolOptions): WorkerPool<Task, Result> {
  const { name, size, maxQueued, idleMs = 10_000 } = options;
  const threads = new Set<Thread<Task, Result>>();
  const queue: Job<Task, Result>[] = [];
  let closed = false;

  function startThread(): Thread<Task, Result> {
    const worker = options.start();
    const thread: Thread<Task, Result> = { worker };
    threads.add(thread);
    worker.on("message", (reply: TaskReply<Result>) => {
      const { job } = thread;
      release(thread);
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
    const { taskMs } = job;
    if (taskMs !== undefined) thread.taskTimer = setTimeout(() => drop(thread, new OutOfTime(name)), taskMs);
    // A caller waits for this result, so the process must not exit before it is there.
    thread.worker.ref();
    try {
      thread.worker.postMessage(job.task);
    } catch (error) {
      release(thread);
      job.reject(error);
    }
  }

  function release(thread: Thread<Task, Result>): void {
    thread.job = undefined;
    clearTimeout(thread.taskTimer);
    const next = queue.shift();
    if (next) {
      assign(thread, next);
    } else {
      thread.worker.unref();
      thread.idleTimer = setTimeout(() => drop(thread, undefined), idleMs).unref();
    }
  }

  /** Ends a thread, even during a task, and gives a waiting task to a new one. */
  function drop(thread: Thread<Task, Result>, error: unknown): void {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.idleTimer);
    clearTimeout(thread.taskTimer);
    void thread.worker.terminate();
    thread.job?.reject(error);
    const next = queue.shift();
    if (next) assign(startThread(), next);
  }

  function enqueue(job: Job<Task, Result>): void {
    if (closed) throw closing(name);
    const thread =
      [...threads].find((candidate) => !candidate.job) ?? (threads.size < size ? startThread() : undefined);
    if (thread) assign(thread, job);
    else if (queue.length < maxQueued) queue.push(job);
    else throw overloaded(name);
  }

  function cancel(job: Job<Task, Result>, error: unknown): void {
    const position = queue.indexOf(job);
    if (position >= 0) queue.splice(position, 1);
    job.reject(error);
    const thread = [...threads].find((candidate) => candidate.job === job);
    if (thread) drop(thread, error);
  }

  return {
    get load() {
      return { threads: threads.size, queued: queue.length };
    },
    async run(task, signal, taskMs) {
      if (signal.aborted) throw abortError(signal, name);
      return new Promise<Result>((resolve, reject) => {
        const onAbort = () => cancel(job, abortError(signal, name));
        const settled = () => signal.removeEventListener("abort", onAbort);
        const job: Job<Task, Result> = {
          task,
          taskMs,
          resolve: (result) => {
            settled();
            resolve(result);
          },
          reject: (error) => {
            settled();
            reject(error);
          },
        };
        enqueue(job);
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
    async close() {
      closed = true;
      for (const job of queue.splice(0)) job.reject(closing(name));
      const last = [...threads];
      for (const thread of last) drop(thread, closing(name));
      await Promise.all(last.map(({ worker }) => worker.terminate()));
    },
  };
}

class OutOfTime extends Error {
  constructor(name: string) {
    super(`${name}: the task took too long`);
  }
}

/** Whether a task was ended because it took longer than its `taskMs`. */
export const isOutOfTime = (error: unknown): boolean => error instanceof OutOfTime;

/** Whether a thread ended because it needed more memory than its limits allow. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

const closing = (name: string) => new CapabilityError("OVERLOADED", `${name} is being shut down.`);

function overloaded(name: string): CapabilityError {
  return new CapabilityError("OVERLOADED", `${name} is busy: try again in ${RETRY_AFTER_SECONDS} seconds.`, {
    retryAfter: RETRY_AFTER_SECONDS,
  });
}
