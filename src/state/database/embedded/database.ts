/** The embedded database: PGlite in a thread, one statement or transaction at a time, one owner for each folder. */
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import PQueue from "p-queue";
import { CapabilityError } from "../../../errors.js";
import { threadOptions } from "../../../lib/thread-options.js";
import type { Driver, Limits, Statements } from "../database.js";
import { type FolderLock, lockFolder } from "./folder-lock.js";
import { startThread, type Thread } from "./thread.js";

export interface EmbeddedOptions {
  /** How long a statement may run before its thread is ended. Default 10 s. */
  statementMs?: number;
  /** The same for a transaction. Default 20 s. */
  transactionMs?: number;
  /** How long a thread without work is kept. Default 10 minutes. */
  idleMs?: number;
}

const MAX_QUEUED = 1000;
/** The first opening of a folder makes a whole database. */
const OPENING_MS = 60_000;

interface Turn {
  /** What has more goes first. */
  priority?: number;
  /** Who gave up before the turn came does nothing. */
  signal?: AbortSignal;
}

interface Owned {
  driver: Driver;
  users: number;
  /** What was done once, by name. */
  done: Map<string, Promise<unknown>>;
}

/** Of this process, by real path: whoever asks for a folder that is open here shares it. Undefined: it is being closed. */
const folders = new Map<string, Promise<Owned | undefined>>();

/** Rejects with PROVIDER_NOT_CONFIGURED while another process holds the folder. */
export async function openFolder(folder: string, options: EmbeddedOptions = {}): Promise<Driver> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = await realpath(folder);
  const owned = await own(path, options);
  owned.users++;
  let closed = false;
  return {
    ...owned.driver,
    once: (name, work) => once(owned, name, work),
    async close() {
      if (closed) return;
      closed = true;
      if (--owned.users > 0) return;
      const closing = owned.driver.close().finally(() => folders.delete(path));
      folders.set(
        path,
        closing.then(() => undefined),
      );
      await closing;
    },
  };
}

/** Whoever opens the folder beside the first waits for the same. */
function once<T>({ done }: Owned, name: string, work: () => Promise<T>): Promise<T> {
  const begun = (done.get(name) as Promise<T> | undefined) ?? work();
  done.set(name, begun);
  begun.catch(() => done.delete(name));
  return begun;
}

async function own(path: string, options: EmbeddedOptions): Promise<Owned> {
  for (;;) {
    const held = folders.get(path);
    const owned = held && (await held);
    if (owned) return owned;
    if (held) continue;
    const opening = lockFolder(path).then((lock) => {
      return { driver: embeddedDriver(path, lock, options), users: 0, done: new Map() };
    });
    folders.set(path, opening);
    opening.catch(() => folders.delete(path));
    return opening;
  }
}

function embeddedDriver(
  path: string,
  lock: FolderLock,
  { statementMs = 10_000, transactionMs = 20_000, idleMs = 600_000 }: EmbeddedOptions,
): Driver {
  // There is one connection: what comes while a transaction is open waits for its end.
  const queue = new PQueue({ concurrency: 1 });
  let thread: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  async function ready(): Promise<Thread> {
    clearTimeout(idle);
    if (thread?.alive) return thread;
    // Two on one folder would lose each other's writes.
    await thread?.ended;
    // Here, in the file that is loaded on demand: the build leaves it beside the thread's own.
    const workerData = { folder: join(path, "data") };
    thread = startThread(new Worker(new URL("./worker.js", import.meta.url), { ...threadOptions(), workerData }));
    // Opening has a time of its own, which no statement should pay for.
    await limited(OPENING_MS, thread, thread.ask("select 1"));
    return thread;
  }

  function rest(): void {
    if (queue.size > 0 || closed) return;
    idle = setTimeout(() => void queue.add(async () => thread?.close()), idleMs);
    idle.unref();
  }

  async function inTurn<T>(work: (thread: Thread) => Promise<T>, { priority = 0, signal }: Turn = {}): Promise<T> {
    if (closed) throw busy("is closed");
    if (priority === 0 && queue.size >= MAX_QUEUED) throw busy("has too much to do");
    return queue.add(
      async () => {
        signal?.throwIfAborted();
        try {
          return await work(await ready());
        } finally {
          rest();
        }
      },
      { priority },
    );
  }

  const ask = (thread: Thread, text: string, values?: unknown[], ms = statementMs) =>
    limited(ms, thread, thread.ask(text, values));

  async function transact<T>(
    thread: Thread,
    work: (tx: Statements) => Promise<T>,
    { statementMs: ms }: Limits,
  ): Promise<T> {
    await ask(thread, "begin");
    try {
      const result = await work({ query: (text, values) => ask(thread, text, values, ms) });
      await ask(thread, "commit");
      return result;
    } catch (error) {
      if (thread.alive) await ask(thread, "rollback");
      throw error;
    }
  }

  return {
    query: (text, values, limits) => inTurn((thread) => ask(thread, text, values, limits?.statementMs), limits),
    transaction: (work, limits = {}) =>
      inTurn((thread) => limited(transactionMs, thread, transact(thread, work, limits)), limits),
    reading: (work, limits) =>
      work({ query: (text, values) => inTurn((thread) => ask(thread, text, values, limits?.statementMs), limits) }),
    urgent: { query: (text, values) => inTurn((thread) => ask(thread, text, values), { priority: 1 }) },
    async close() {
      closed = true;
      clearTimeout(idle);
      await queue.onIdle();
      await thread?.close();
      await lock.release();
    },
  };
}

/** PGlite cannot be told to stop: what takes too long is ended with its thread, and the next call opens another. */
async function limited<T>(ms: number, thread: Thread, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = busy("took too long");
      void thread.end(error);
      reject(error);
    }, ms);
    timer.unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const busy = (how: string): CapabilityError =>
  new CapabilityError("OVERLOADED", `The embedded database ${how}; try the same request again shortly.`, {
    retryAfter: 2,
  });
