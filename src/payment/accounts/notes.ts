/** Notes which account a request buys from, so that its call is found by its id when it is given back. */
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";

/** How long a call may be given back by its id. */
const KEPT_MS = 400 * DAY_MS;
/** A memory store has room for so many; beyond it the oldest call cannot be given back any more. */
const MOST_IN_MEMORY = 100_000;

/** The account that a request buys from, and the number of the next entry when it began. */
const notedCall = once(() => z.object({ account: z.string(), from: z.number() }));
export type NotedCall = z.infer<ReturnType<typeof notedCall>>;

const keyOf = (requestId: string) => `account-call:${requestId}`;

export interface Notes {
  /** Notes a call while it runs. Resolves to the note's version. */
  add(requestId: string, call: NotedCall): Promise<number | undefined>;
  /** Nothing is charged for a call that failed, so nothing of it stays. */
  remove(requestId: string, version: number): Promise<void>;
}

export function createNotes(store: Store, most = store.shared ? Number.POSITIVE_INFINITY : MOST_IN_MEMORY): Notes {
  /** Those that this process added to a memory store, the oldest first. */
  const added = new Map<string, number>();

  async function dropOldest(): Promise<void> {
    const [oldest] = added;
    if (!oldest || added.size <= most) return;
    added.delete(oldest[0]);
    await store.remove(keyOf(oldest[0]), oldest[1]);
  }

  return {
    async add(requestId, call) {
      const version = await store.put(keyOf(requestId), JSON.stringify(call), { ifVersion: 0, ttlMs: KEPT_MS });
      if (version === undefined || most === Number.POSITIVE_INFINITY) return version;
      added.set(requestId, version);
      await dropOldest();
      return version;
    },
    async remove(requestId, version) {
      added.delete(requestId);
      await store.remove(keyOf(requestId), version);
    },
  };
}

export async function notedCallOf(store: Store, requestId: string): Promise<NotedCall | undefined> {
  const found = await store.get(keyOf(requestId));
  return found && notedCall().parse(JSON.parse(found.value));
}
