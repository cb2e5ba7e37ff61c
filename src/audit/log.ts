/**
 * The audit log of a host in its store: one record an entry, which is written only where none is. So all instances write
 * to one log, and no entry is changed. An act is noted before it is made and leaves the notes with its entry, so that a
 * process that ends between the two leaves an entry as well.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { once } from "../lib/lazy.js";
import type { Logger } from "../lib/logger.js";
import { DAY_MS, MINUTE_MS } from "../lib/time.js";
import type { ListedRecord, Store } from "../stores/store.js";
import { type Act, type AuditEntry, bounded, type Ending, FIRST, readEntry, sha256Of, textOf } from "./entry.js";

/** A memory store has little room, and ends with its process. */
const KEPT_MS = 400 * DAY_MS;
const KEPT_IN_MEMORY_MS = 30 * DAY_MS;
/** No act takes so long. */
const FORGOTTEN_MS = 10 * MINUTE_MS;
const LIST = 200;

const note = once(() =>
  z.object({
    act: z.custom<Act>((value) => typeof value === "object" && value !== null),
    at: z.number(),
    /** Number of the entry from which on its own one is found. */
    from: z.number(),
  }),
);

/** The first and last moment, in epoch milliseconds. */
export interface Moments {
  from: number;
  to: number;
}

/** An act that has begun. */
export interface BegunAct {
  /** Writes its entry. Never rejects: what the store did not take is written by a later reading of the log. */
  end(ending: Ending): Promise<void>;
}

export interface AuditLog {
  /** Rejects if the store takes no note of it; then it may not be made. */
  begin(act: Act): Promise<BegunAct>;
  /** Entries of a time, in the order in which they were written. */
  read(span: Moments): AsyncGenerator<AuditEntry, void>;
}

export interface AuditOptions {
  store: Store;
  /** Names the host: others may use the same store. */
  host: string;
  /** Names under which it may have written before. */
  formerNames: readonly string[];
  now: () => number;
  logger: Logger;
}

interface Last {
  seq: number;
  hash: string;
}

const keyOf = (host: string, seq: number) => `audit:${host} ${String(seq).padStart(12, "0")}`;
const seqOf = (key: string) => Number(key.slice(-12));
const noteKey = (host: string, id: string) => `audit-note:${host} ${id}`;

export function createAuditLog({ store, host, formerNames, now, logger }: AuditOptions): AuditLog {
  const ttlMs = store.shared ? KEPT_MS : KEPT_IN_MEMORY_MS;
  /** The last entry that this process has seen. */
  let seen: Last | undefined;
  /** Entries of one process follow one another, so they do not compete for their numbers. */
  let turn: Promise<unknown> = Promise.resolve();

  const textAt = async (name: string, seq: number) => (await store.get(keyOf(name, seq)))?.value;

  async function oldestOf(name: string): Promise<number | undefined> {
    const [first] = await store.list(`audit:${name} `, { limit: 1 });
    return first && seqOf(first.key);
  }

  /** The last entry from one on that is there, which is searched in steps that double and then halve. */
  async function lastFrom(first: number): Promise<number> {
    const isThere = async (seq: number) => (await textAt(host, seq)) !== undefined;
    let [low, step] = [first, 1];
    while (await isThere(low + step)) {
      low += step;
      step *= 2;
    }
    for (let high = low + step; high - low > 1; ) {
      const middle = Math.floor((low + high) / 2);
      if (await isThere(middle)) low = middle;
      else high = middle;
    }
    return low;
  }

  async function last(): Promise<Last | undefined> {
    const first = seen?.seq ?? (await oldestOf(host));
    if (first === undefined) return undefined;
    const seq = await lastFrom(first);
    if (seq === seen?.seq) return seen;
    const text = await textAt(host, seq);
    if (text !== undefined) seen = { seq, hash: sha256Of(text) };
    return seen;
  }

  /** Writes an entry after the last one. Each conflict means that another instance has written one. */
  async function append(act: Act, id: string, ending: Ending): Promise<void> {
    for (;;) {
      const before = await last();
      const seq = before === undefined ? 0 : before.seq + 1;
      const facts = { ...act, ...ending, before: bounded(ending.before), after: bounded(ending.after), act: id };
      const previous = before?.hash ?? FIRST;
      const text = textOf({ ...facts, id: String(seq), at: new Date(now()).toISOString(), previous });
      // guard: audit: no entry is written over another |
      //   ifVersion: 0 -> ifVersion: (await store.get(keyOf(host, seq)))?.version ?? 0 | host/audit
      const options = { ifVersion: 0, ttlMs };
      const written = await store.put(keyOf(host, seq), text, options).catch(async (error: unknown) => {
        // It may be there although its answer was lost.
        if ((await textAt(host, seq)) === text) return 1;
        throw error;
      });
      if (written === undefined) continue;
      seen = { seq, hash: sha256Of(text) };
      return;
    }
  }

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work, work);
    turn = done.catch(() => {});
    return done;
  };

  async function drop(key: string): Promise<void> {
    const found = await store.get(key);
    if (found) await store.remove(key, found.version);
  }

  async function* listed(prefix: string): AsyncGenerator<ListedRecord, void> {
    for (let after: string | undefined; ; ) {
      const page = await store.list(prefix, { limit: LIST, ...(after === undefined ? {} : { after }) });
      yield* page;
      after = page.at(-1)?.key;
      if (page.length < LIST) return;
    }
  }

  /** Writes the entries of acts whose process ended before them. */
  async function finishForgotten(name: string): Promise<void> {
    const prefix = noteKey(name, "");
    for await (const { key, value } of listed(prefix)) {
      const { act, at, from } = note().parse(JSON.parse(value));
      const id = key.slice(prefix.length);
      const finish = async () => {
        if (!(await isWritten(id, from))) await append(act, id, { outcome: "unknown" });
        await drop(key);
      };
      if (at <= now() - FORGOTTEN_MS) await inTurn(finish);
    }
  }

  async function isWritten(id: string, from: number): Promise<boolean> {
    for (let seq = from; ; seq++) {
      const text = await textAt(host, seq);
      if (text === undefined) return false;
      if (readEntry(text).act === id) return true;
    }
  }

  /** All entries from the oldest on, since the clocks of instances differ. */
  async function* entriesOf(name: string, { from, to }: Moments): AsyncGenerator<AuditEntry, void> {
    let former: Last | undefined;
    for await (const { key, value } of listed(`audit:${name} `)) {
      const entry = readEntry(value);
      // guard: audit: an entry that was changed or taken out is told | = false | host/audit
      const isBroken = !follows(entry, seqOf(key), former);
      former = { seq: seqOf(key), hash: entry.hash };
      const at = Date.parse(entry.at);
      if (at >= from && at <= to) yield isBroken ? { ...entry, broken: true } : entry;
    }
  }

  return {
    async begin(act) {
      const id = randomUUID();
      const key = noteKey(host, id);
      const noted = { ...act, asked: bounded(act.asked) };
      const from = ((seen ?? (await inTurn(last)))?.seq ?? -1) + 1;
      // guard: audit: an act is noted before it is made | gone | host/audit
      await store.put(key, JSON.stringify({ act: noted, at: now(), from }), { ifVersion: 0, ttlMs });
      const end = async (ending: Ending) => {
        await append(noted, id, ending);
        await drop(key);
      };
      return {
        end: (ending) =>
          inTurn(() => end(ending)).catch((error: unknown) =>
            logger.error(
              { what: act.what, of: act.of, error },
              "audit: an entry is left to the next reading of the log",
            ),
          ),
      };
    },
    async *read(span) {
      for (const name of [...formerNames, host]) await finishForgotten(name);
      // Under its former names the host wrote before.
      for (const name of [...formerNames, host]) yield* entriesOf(name, span);
    },
  };
}

/** Whether an entry is the next one of the log. Those before the oldest are gone by their time. */
function follows({ previous }: AuditEntry, seq: number, former: Last | undefined): boolean {
  if (former) return seq === former.seq + 1 && previous === former.hash;
  return seq > 0 || previous === FIRST;
}
