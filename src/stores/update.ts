import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { onWorkers } from "../lib/platform.js";
import type { Store } from "./store.js";

/** Conflicts come only from other processes, and each means that one of them made progress. */
const GIVE_UP_MS = 10_000;
const MAX_PAUSE_MS = 50;

export interface Change<T> {
  /** The value to write; undefined leaves the record unchanged. */
  value: string | undefined;
  result: T;
}

/** A queued change and its callbacks. */
interface Waiting {
  change: (found: string | undefined) => Change<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Changes that wait for the current write of this process, by store and key. */
const queues = new WeakMap<Store, Map<string, Waiting[]>>();

/**
 * Reads a record, changes it, and writes it back unless it was changed meanwhile; then it starts over. All changes that
 * wait in this process are applied one after another and written at once, so that a hundred of them conflict no more
 * than one. `change` may run more than once, and may throw to give up.
 */
export async function update<T>(
  store: Store,
  options: { key: string; ttlMs: number },
  change: (found: string | undefined) => Change<T>,
): Promise<T> {
  // On Workers what one request waits for ends with another one's answer, so none writes for the others there.
  const ofStore = (!onWorkers() && queues.get(store)) || new Map<string, Waiting[]>();
  queues.set(store, ofStore);
  const queue = ofStore.get(options.key);
  return new Promise<T>((resolve, reject) => {
    const waiting: Waiting = { change, resolve: (result) => resolve(result as T), reject };
    if (queue) queue.push(waiting);
    else void workOff(store, options, ofStore, [waiting]);
  });
}

/** Writes queued changes until none is left. */
async function workOff(
  store: Store,
  options: { key: string; ttlMs: number },
  queues: Map<string, Waiting[]>,
  first: Waiting[],
): Promise<void> {
  for (let batch = first; batch.length > 0; batch = queues.get(options.key) ?? []) {
    queues.set(options.key, []);
    await writeAll(store, options, batch).catch((error: unknown) => {
      for (const { reject } of batch) reject(error);
    });
  }
  queues.delete(options.key);
}

async function writeAll(
  store: Store,
  { key, ttlMs }: { key: string; ttlMs: number },
  batch: readonly Waiting[],
): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (let conflicts = 0; performance.now() < giveUpAt; conflicts++) {
    if (conflicts > 0) await sleep(randomInt(1, Math.min(MAX_PAUSE_MS, 2 ** conflicts) + 1));
    const found = await store.get(key);
    const { value, ends } = applyAll(batch, found?.value);
    const { version: ifVersion = 0 } = found ?? {};
    if (value !== undefined && ends.some(({ wrote }) => wrote))
      if ((await store.put(key, value, { ifVersion, ttlMs })) === undefined) continue;
    for (const { tell } of ends) tell();
    return;
  }
  throw new Error(`"${key.split(":")[0]}" is changed by too many calls at once`);
}

/** Applies each change to the value that the previous one made; one that throws changes nothing. */
function applyAll(batch: readonly Waiting[], found: string | undefined) {
  let value = found;
  const ends = batch.map(({ change, resolve, reject }) => {
    try {
      const { value: next, result } = change(value);
      value = next ?? value;
      return { wrote: next !== undefined, tell: () => resolve(result) };
    } catch (error) {
      return { wrote: false, tell: () => reject(error) };
    }
  });
  return { value, ends };
}
