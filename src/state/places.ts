/** How much one wallet does at once: whoever asks for more waits for itself, and others have room. */
import PQueue from "p-queue";
import type { WalletCall } from "../capability/types.js";

const PLACES = 4;
/** Of all trials together: they have no wallet, and their sample rows have the same names, for which they would wait anyway. */
const TRIAL_PLACES = 1;
/** How much longer than a trial took its place rests after it: trials are for nothing, and never most of what a database does. */
const TRIAL_REST = 3;

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
    return await queue.add(trial ? () => rested(queue, work) : work);
  } finally {
    if (queue.size + queue.pending === 0 && queues.get(name) === queue) queues.delete(name);
  }
}

/** Answers at once, and keeps the others who wait for the place waiting. */
async function rested<T>(queue: PQueue, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    queue.pause();
    setTimeout(() => queue.start(), TRIAL_REST * (performance.now() - startedAt)).unref();
  }
}
