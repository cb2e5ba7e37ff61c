import { randomInt } from "node:crypto";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { onWorkers } from "../lib/packages/platform.js";
import type { Store } from "./store.js";

/** Conflicts come only from other processes, and each means that one of them made progress. */
const GIVE_UP_MS = 10_000;
const MAX_PAUSE_MS = 50;
/** Changes written together are at most so many, and take so long: whoever waits for one goes on before the next ones. */
const MOST_TOGETHER = 200;
const SLICE_MS = 5;

export interface RecordChange<T> {
  /** The value to write; undefined leaves the record unchanged. */
  value: string | undefined;
  result: T;
}

/** How a record is read and written. */
export interface Codec<S> {
  read(found: string | undefined): S;
  write(state: S): string;
  /** When background work should look at the record (epoch milliseconds). Default: never. */
  dueAt?(state: S): number | undefined;
}

/** A change of a record that is read already. */
export interface Edit<T> {
  writes: boolean;
  result: T;
}

/** A queued change and its callbacks. */
interface Waiting {
  edit: (state: unknown) => Edit<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

interface Options {
  key: string;
  ttlMs: number;
}

/** Changes that wait for the current write of this process, by store and key. */
const queues = new WeakMap<Store, Map<string, Waiting[]>>();

/**
 * Reads a record, changes it, and writes it back unless it was changed meanwhile; then it starts over. All changes that
 * wait in this process are applied one after another and written at once, so that a hundred of them conflict no more
 * than one. `change` may run more than once, and may throw to give up.
 */
export function update<T>(
  store: Store,
  options: Options,
  change: (found: string | undefined) => RecordChange<T>,
): Promise<T> {
  return updateWith(store, { ...options, codec: asText }, (state: Text) => {
    const { value, result } = change(state.text);
    state.text = value ?? state.text;
    return { writes: value !== undefined, result };
  });
}

interface Text {
  text: string | undefined;
}
const asText: Codec<Text> = { read: (text) => ({ text }), write: ({ text = "" }) => text };

/**
 * The same for a record that is large: it is read once and written once for all changes that wait, so that a hundred of
 * them cost hardly more than one. `edit` changes the state that the others left; if it throws, it has changed nothing.
 */
export async function updateWith<S, T>(
  store: Store,
  options: Options & { codec: Codec<S> },
  edit: (state: S) => Edit<T>,
): Promise<T> {
  // On Workers what one request waits for ends with another one's answer, so none writes for the others there.
  const ofStore = (!onWorkers() && queues.get(store)) || new Map<string, Waiting[]>();
  queues.set(store, ofStore);
  const queue = ofStore.get(options.key);
  return new Promise<T>((resolve, reject) => {
    const waiting: Waiting = { edit: edit as Waiting["edit"], resolve: (result) => resolve(result as T), reject };
    // guard: changes that wait in one process are written at once | never | CREDIT
    if (queue) queue.push(waiting);
    else void workOff(store, options, ofStore, [waiting]);
  });
}

/** Writes queued changes until none is left. Between two writes everybody else gets a turn. */
async function workOff(
  store: Store,
  options: Options & { codec: Codec<unknown> },
  queues: Map<string, Waiting[]>,
  first: Waiting[],
): Promise<void> {
  const queue = first;
  queues.set(options.key, queue);
  for (;;) {
    // guard: accounts: calls at once read and write the account together | = queue.splice(0, 1) | update
    const batch = queue.splice(0, MOST_TOGETHER);
    const left = await writeSome(store, options, batch).catch((error: unknown) => {
      for (const { reject } of batch) reject(error);
      return [];
    });
    queue.unshift(...left);
    if (queue.length === 0) break;
    await nextTurn();
  }
  queues.delete(options.key);
}

/** Resolves to the changes for which a slice of time was too short. */
async function writeSome(
  store: Store,
  { key, ttlMs, codec }: Options & { codec: Codec<unknown> },
  batch: readonly Waiting[],
): Promise<readonly Waiting[]> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (let conflicts = 0; performance.now() < giveUpAt; conflicts++) {
    if (conflicts > 0) await sleep(randomInt(1, Math.min(MAX_PAUSE_MS, 2 ** conflicts) + 1));
    const found = await store.get(key);
    const state = codec.read(found?.value);
    const ends = applySome(batch, state);
    const { version: ifVersion = 0 } = found ?? {};
    // guard: a trial is reserved by compare-and-set |
    //   ifVersion -> ifVersion: (await store.get(key))?.version ?? 0 | trial
    // guard: credit is changed only as it was read |
    //   ifVersion -> ifVersion: (await store.get(key))?.version ?? 0 | CREDIT
    if (ends.some(({ wrote }) => wrote)) {
      const dueAt = codec.dueAt?.(state);
      const options = { ifVersion, ttlMs, ...(dueAt === undefined ? {} : { dueAt }) };
      if ((await store.put(key, codec.write(state), options)) === undefined) continue;
    }
    for (const { tell } of ends) tell();
    return batch.slice(ends.length);
  }
  throw new Error(`"${key.split(":")[0]}" is changed by too many calls at once`);
}

/** Applies one change after the other to the state that the previous one left; one that throws changes nothing. */
function applySome(batch: readonly Waiting[], state: unknown): { wrote: boolean; tell: () => void }[] {
  const since = performance.now();
  const ends: { wrote: boolean; tell: () => void }[] = [];
  for (const { edit, resolve, reject } of batch) {
    if (ends.length > 0 && performance.now() - since > SLICE_MS) break;
    try {
      const { writes, result } = edit(state);
      ends.push({ wrote: writes, tell: () => resolve(result) });
    } catch (error) {
      ends.push({ wrote: false, tell: () => reject(error) });
    }
  }
  return ends;
}
