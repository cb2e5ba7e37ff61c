import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "./store.js";

/** Only other processes are in the way, and each conflict means that one of them got on. */
const MAX_CONFLICTS = 50;
const MAX_PAUSE_MS = 50;

export interface Change<T> {
  /** What to write; undefined leaves the record as it is. */
  value: string | undefined;
  result: T;
}

/** By store and key: who changes a record in this process, one after the other. */
const queues = new WeakMap<Store, Map<string, Promise<unknown>>>();

/**
 * Reads a record, changes it, and writes it back if nobody else did meanwhile, else starts over. Calls in this process
 * take their turns, so that a hundred at once do not keep each other from it.
 * `change` may run more than once, and may throw to give up.
 */
export async function update<T>(
  store: Store,
  options: { key: string; ttlMs: number },
  change: (found: string | undefined) => Change<T>,
): Promise<T> {
  const ahead = queues.get(store) ?? new Map<string, Promise<unknown>>();
  queues.set(store, ahead);
  const { key } = options;
  const turn = (ahead.get(key) ?? Promise.resolve()).catch(() => {}).then(() => attempt(store, options, change));
  ahead.set(key, turn);
  try {
    return await turn;
  } finally {
    if (ahead.get(key) === turn) ahead.delete(key);
  }
}

async function attempt<T>(
  store: Store,
  { key, ttlMs }: { key: string; ttlMs: number },
  change: (found: string | undefined) => Change<T>,
): Promise<T> {
  for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
    if (conflicts > 0) await sleep(randomInt(1, Math.min(MAX_PAUSE_MS, 2 ** conflicts) + 1));
    const found = await store.get(key);
    const { value, result } = change(found?.value);
    if (value === undefined) return result;
    if ((await store.put(key, value, { ifVersion: found?.version ?? 0, ttlMs })) !== undefined) return result;
  }
  throw new Error(`"${key.split(":")[0]}" is changed by too many calls at once`);
}
