/** The embedded database: PGlite in a thread, one statement or transaction at a time, one owner for each folder. */
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { CapabilityError } from "../../../errors.js";
import { threadOptions } from "../../../lib/threads/thread-options.js";
import { Worker } from "../../../lib/threads/threads.js";
import type { Driver, Limits, TransactionStatements } from "../database.js";
import { transact } from "../transact.js";
import { type FolderLock, lockFolder } from "./folder-lock.js";
import { startThread, type Thread } from "./thread.js";
import { createTurns, type Turns } from "./turns.js";

export interface EmbeddedOptions {
  /** Time limit of a statement, after which its thread is ended. Default 10 s. */
  statementMs?: number;
  /** Time limit of a transaction. Default 20 s. */
  transactionMs?: number;
  /** How long an idle thread is kept. Default 10 minutes. */
  idleMs?: number;
}

const MAX_QUEUED = 1000;
/** The first opening of a folder creates a whole database. */
const OPENING_MS = 60_000;

interface Owned {
  driver: Driver;
  users: number;
  /** Work done once, by name. */
  done: Map<string, Promise<unknown>>;
}

/** Open folders of this process, by real path, which all users share. Undefined while a folder is being closed. */
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

/** All users of the folder wait for the same work. */
function once<T>({ done }: Owned, name: string, work: () => Promise<T>): Promise<T> {
  const begun = (done.get(name) as Promise<T> | undefined) ?? work();
  // guard: wallets: who opens a folder beside the first waits for it | gone | embedded
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
  const turns = createTurns();
  let thread: Thread | undefined;
  let opening: Promise<Thread> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  async function open(): Promise<Thread> {
    // Two threads on one folder would lose each other's writes.
    await thread?.ended;
    // Computed in the file that is loaded on demand, because the build places it beside the thread's file.
    const workerData = { folder: join(path, "data") };
    thread = startThread(new Worker(new URL("./worker.js", import.meta.url), { ...threadOptions(), workerData }));
    // Opening has its own time limit, which must not count for a statement.
    await limited(OPENING_MS, thread, thread.ask("select 1"));
    return thread;
  }

  /** Statements that begin together share one opening. */
  async function ready(): Promise<Thread> {
    clearTimeout(idle);
    if (thread?.alive && !opening) return thread;
    opening ??= open().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  function rest(): void {
    clearTimeout(idle);
    if (turns.waiting() > 0 || closed) return;
    idle = setTimeout(() => void turns.alone(async () => thread?.close()), idleMs);
    idle.unref();
  }

  async function inTurn<T>(
    turn: Turns["alone"],
    work: (thread: Thread, isLast: () => void) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (closed) throw busy("is closed");
    if (turn === turns.alone && turns.waiting() >= MAX_QUEUED) throw busy("has too much to do");
    return turn(async (isLast) => {
      // A caller that gave up before its turn does nothing.
      signal?.throwIfAborted();
      try {
        return await work(await ready(), isLast);
      } finally {
        rest();
      }
    });
  }

  const ask = (thread: Thread, text: string, values?: unknown[], ms = statementMs) =>
    limited(ms, thread, thread.ask(text, values));

  async function transaction<T>(
    thread: Thread,
    work: (tx: TransactionStatements) => Promise<T>,
    { statementMs: ms, isLast }: Limits & { isLast: () => void },
  ): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
      isLast();
    };
    try {
      return await transact({ query: (text, values) => ask(thread, text, values, ms) }, "begin", work, over);
    } catch (error) {
      // Behind the commit it would end the transaction of another.
      // guard: wallets: nothing is rolled back behind a commit, where another's transaction has begun |
      //   - isOver || | sent
      if (isOver || !thread.alive) throw error;
      const undone = ask(thread, "rollback");
      isLast();
      await undone;
      throw error;
    }
  }

  const alone = <T>(work: (thread: Thread, isLast: () => void) => Promise<T>, signal?: AbortSignal) =>
    inTurn(turns.alone, work, signal);
  const query: Driver["query"] = (text, values, limits) =>
    alone((thread) => ask(thread, text, values, limits?.statementMs), limits?.signal);

  return {
    query,
    transaction: (work, limits = {}) =>
      alone(
        (thread, isLast) => limited(transactionMs, thread, transaction(thread, work, { ...limits, isLast })),
        limits.signal,
      ),
    reading: (work, limits) => work({ query: (text, values) => query(text, values, limits) }),
    // guard: wallets: payments go first in the embedded database | .urgent -> .alone | state/hostile
    urgent: { query: (text, values) => inTurn(turns.urgent, (thread) => ask(thread, text, values)) },
    async close() {
      closed = true;
      clearTimeout(idle);
      await turns.idle();
      await thread?.close();
      await lock.release();
    },
  };
}

/** PGlite cannot cancel, so an overlong statement is ended with its thread, and the next call opens another. */
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
