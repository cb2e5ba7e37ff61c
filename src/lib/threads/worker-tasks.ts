/** The thread's side of a worker pool: called by a worker's own file. */
import { parentPort } from "node:worker_threads";

/** A worker's message for each task. */
export type TaskReply<Result> = { ok: true; result: Result } | { ok: false; error: string };

/** Answers the tasks of this thread's pool, one after the other. */
export function answerTasks<Task, Result>(handle: (task: Task) => Result | Promise<Result>): void {
  // A library may leave a promise behind when it throws. Its task is answered, and the thread serves the next.
  process.on("unhandledRejection", () => undefined);
  parentPort?.on("message", async (task: Task) => {
    parentPort?.postMessage(await replyTo(task, handle));
  });
}

async function replyTo<Task, Result>(
  task: Task,
  handle: (task: Task) => Result | Promise<Result>,
): Promise<TaskReply<Result>> {
  try {
    return { ok: true, result: await handle(task) };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
