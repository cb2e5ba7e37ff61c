/** How much one wallet does at once: whoever asks for more waits for itself, and others have room. */
import PQueue from "p-queue";
import type { WalletCall } from "../capability/types.js";

const PLACES = 4;
/** Of all trials together: they have no wallet, and their sample rows have the same names, for which they would wait anyway. */
const TRIAL_PLACES = 1;

/** Those who are at work, in each database of this process. */
const busy = new WeakMap<object, Map<string, PQueue>>();

export async function inPlace<T>(database: object, { id, trial }: WalletCall, work: () => Promise<T>): Promise<T> {
  const queues = busy.get(database) ?? new Map<string, PQueue>();
  busy.set(database, queues);
  // No wallet has this name.
  const name = trial ? "" : id;
  const queue = queues.get(name) ?? new PQueue({ concurrency: trial ? TRIAL_PLACES : PLACES });
  queues.set(name, queue);
  try {
    return await queue.add(work);
  } finally {
    if (queue.size + queue.pending === 0 && queues.get(name) === queue) queues.delete(name);
  }
}
