/** The thread's side of a worker pool: called by a worker's own file. */
import { parentPort } from "node:worker_threads";

/** A worker's messages for each task: that it began, and its end with the milliseconds that it took. */
export type TaskReply<Result> =
  | { began: true }
  | { ok: true; result: Result; ms?: number; failed?: boolean }
  | { ok: false; error: string; ms?: number };

export interface TaskOptions<Task, Result> {
  /** Loads what the task needs, which is not a part of its time. */
  prepare?: (task: Task) => unknown;
  /** Whether a result tells that the task was refused. */
  isRefusal?: (result: Result) => boolean;
}

/** Answers the tasks of this thread's pool, one after the other. */
export function answerTasks<Task, Result>(
  handle: (task: Task) => Result | Promise<Result>,
  { prepare, isRefusal = () => false }: TaskOptions<Task, Result> = {},
): void {
  const post = (reply: TaskReply<Result>) => parentPort?.postMessage(reply);
  // A library may leave a promise behind when it throws. Its task is answered, and the thread serves the next.
  process.on("unhandledRejection", () => undefined);
  parentPort?.on("message", async (task: Task) => {
    let from = performance.now();
    try {
      await prepare?.(task);
      post({ began: true });
      from = performance.now();
      const result = await handle(task);
      post({ ok: true, result, ms: performance.now() - from, failed: isRefusal(result) });
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      post({ ok: false, error: text, ms: performance.now() - from });
    }
  });
}
