/** Rows that one call alone has written: what they name happens once, on whatever instance. */
import { randomUUID } from "node:crypto";
import type { Store } from "../stores/store.js";

/**
 * Writes such a row. Resolves to what takes it back, or to undefined if it is another call's. A write whose answer was lost
 * is looked for: or its own call, and each repetition, would take it for another's.
 */
export async function claimed(store: Store, key: string, ttlMs: number): Promise<(() => Promise<unknown>) | undefined> {
  const version = await write(store, key, ttlMs);
  return version === undefined ? undefined : () => store.remove(key, version);
}

async function write(store: Store, key: string, ttlMs: number): Promise<number | undefined> {
  const own = randomUUID();
  const put = () => store.put(key, own, { ifVersion: 0, ttlMs });
  return put().catch(async (error: unknown) => {
    const found = await store.get(key).catch(() => {
      throw error;
    });
    // guard: gateway: a claim whose answer was lost is found again | never | gateway/gateway
    if (found?.value === own) return found.version;
    return found ? undefined : put();
  });
}
