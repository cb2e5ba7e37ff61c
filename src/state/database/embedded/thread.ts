/** A thread that runs the embedded database: statements go in, rows come out, in their order. */
import type { Worker } from "node:worker_threads";

export interface ThreadRequest {
  id: number;
  text: string;
  values: unknown[];
}

/** `code` is the SQLSTATE. */
export type ThreadReply = { id: number; rows: unknown[] } | { id: number; error: string; code?: string };

interface Waiting {
  resolve(answer: { rows: unknown[] }): void;
  reject(error: unknown): void;
}

export interface Thread {
  readonly alive: boolean;
  /** Resolves when the thread is gone and its files are free. */
  readonly ended: Promise<void>;
  ask(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /**
   * Ends the thread at once, even during a statement: committed data stays, waiting statements are rejected with
   * `error`.
   */
  end(error: Error): Promise<void>;
  /** Lets it close its files, then ends it. */
  close(): Promise<void>;
}

export function startThread(worker: Worker): Thread {
  worker.unref();
  const waiting = new Map<number, Waiting>();
  let alive = true;
  let last = 0;

  function drop(error: unknown): void {
    alive = false;
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  }
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  worker.on("error", drop);
  worker.on("exit", () => drop(new Error("the connection to the embedded database was closed")));
  worker.on("message", (answer: ThreadReply) => {
    const one = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker.unref();
    if ("rows" in answer) one?.resolve({ rows: answer.rows });
    else one?.reject(Object.assign(new Error(answer.error), answer.code ? { code: answer.code } : {}));
  });

  return {
    get alive() {
      return alive;
    },
    ended,
    ask: (text, values = []) =>
      new Promise((resolve, reject) => {
        if (!alive) return reject(new Error("the connection to the embedded database is closed"));
        const id = ++last;
        waiting.set(id, { resolve, reject });
        // A caller waits for this answer, so the process must not exit before it is there.
        worker.ref();
        worker.postMessage({ id, text, values } satisfies ThreadRequest);
      }),
    async end(error) {
      drop(error);
      await worker.terminate();
    },
    async close() {
      if (!alive) return;
      worker.ref();
      worker.postMessage("close");
      await ended;
    },
  };
}
