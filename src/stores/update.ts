import type { Store } from "./store.js";

const MAX_CONFLICTS = 50;

export interface Change<T> {
  /** What to write; undefined leaves the record as it is. */
  value: string | undefined;
  result: T;
}

/**
 * Reads a record, changes it, and writes it back if nobody else did meanwhile, else starts over.
 * `change` may run more than once, and may throw to give up.
 */
export async function update<T>(
  store: Store,
  { key, ttlMs }: { key: string; ttlMs: number },
  change: (found: string | undefined) => Change<T>,
): Promise<T> {
  for (let attempt = 0; attempt < MAX_CONFLICTS; attempt++) {
    const found = await store.get(key);
    const { value, result } = change(found?.value);
    if (value === undefined) return result;
    if ((await store.put(key, value, { ifVersion: found?.version ?? 0, ttlMs })) !== undefined) return result;
  }
  throw new Error(`"${key.split(":")[0]}" is changed by too many calls at once`);
}
