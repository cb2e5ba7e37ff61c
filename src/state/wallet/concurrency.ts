/** Limits the concurrent work of one wallet: further calls wait for their own wallet, and others are not delayed. */
import PQueue from "p-queue";
import type { WalletCall } from "../../capability/wallets.js";

// guard: wallets: a wallet does few things at once | = 400 | state/hostile
const PLACES = 4;
/** Shared by all trials: their sample rows have the same names, so they would wait for each other anyway. */
// guard: wallets: trials have one place | = 100 | state/hostile
const TRIAL_PLACES = 1;
/** A trial is followed by a pause of this many times its duration, so that free trials never use most of a database. */
const TRIAL_REST = 3;

/** Queues of busy wallets, for each database of this process. */
const busy = new WeakMap<object, Map<string, PQueue>>();

export async function withSlot<T>(database: object, { id, trial }: WalletCall, work: () => Promise<T>): Promise<T> {
  // No wallet has this name.
  if (!trial) return queued(database, { name: id, concurrency: PLACES }, work);
  // guard: wallets: the place of trials rests | (queue) => rested(queue, work) -> work | state/hostile
  return queued(database, { name: "", concurrency: TRIAL_PLACES }, (queue) => rested(queue, work));
}

/**
 * Changes of a wallet, one after another in this process: behind its lock in the database they would wait for each
 * other with a connection each.
 */
export const inTurnOfWallet = <T>(database: object, id: string, work: () => Promise<T>): Promise<T> =>
  queued(database, { name: `changes ${id}`, concurrency: 1 }, work);

async function queued<T>(
  database: object,
  { name, concurrency }: { name: string; concurrency: number },
  work: (queue: PQueue) => Promise<T>,
): Promise<T> {
  const queues = busy.get(database) ?? new Map<string, PQueue>();
  busy.set(database, queues);
  const queue = queues.get(name) ?? new PQueue({ concurrency });
  queues.set(name, queue);
  try {
    return await queue.add(() => work(queue));
  } finally {
    if (queue.size + queue.pending === 0 && queues.get(name) === queue) queues.delete(name);
  }
}

/** Answers at once, and keeps the next trial waiting. */
async function rested<T>(queue: PQueue, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    queue.pause();
    setTimeout(() => queue.start(), TRIAL_REST * (performance.now() - startedAt)).unref();
  }
}
