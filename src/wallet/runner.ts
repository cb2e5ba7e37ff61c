/** What happens beside calls: schedules fire and deliveries leave. Any number of instances do it side by side. */
import { type Claimed, claim } from "./deliveries.js";
import { fireDue } from "./fire.js";
import { type Sender, send } from "./send.js";

/** At once, of those that may still answer at once: what hangs must not keep the others waiting. */
const MAX_QUICK = 32;
const QUICK_MS = 400;
const MAX_OPEN = 256;
const BUSY_WALLET = 8;
/** How long a round waits for what is under way before it looks for what became due. */
const PATIENCE_MS = 500;

interface Task {
  origin: string;
  wallet: string;
  /** On the clock of `performance.now()`. */
  since: number;
}

/** One round: until nothing is due, or until `mayBegin` says no, after which nothing begins. Resolves to how much it did. */
export async function runRound(sender: Sender, mayBegin: () => boolean): Promise<number> {
  const { database } = sender;
  const underWay = new Map<Promise<void>, Task>();
  const failures: unknown[] = [];
  let count = 0;
  const begin = (delivery: Claimed) => {
    const sending = send(sender, delivery)
      .then((done) => {
        if (done !== undefined) count++;
      })
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(sending));
    underWay.set(sending, { ...delivery, since: performance.now() });
  };

  for (;;) {
    const begins = mayBegin() && failures.length === 0;
    const fired = begins ? await fireDue(database, await sender.now()) : 0;
    // What was busy when deliveries were asked for may be free when the answer comes: only an idle round is over.
    const wasIdle = underWay.size === 0;
    const { limit, ...busy } = roomBeside(underWay.values());
    const claimed = begins && limit > 0 ? await claim(database, await sender.now(), { limit, ...busy }) : [];
    claimed.forEach(begin);
    count += fired;
    if (wasIdle && fired + claimed.length === 0) break;
    if (underWay.size > 0 && (fired + claimed.length === 0 || limit <= 0))
      await Promise.race([...underWay.keys(), pause(limit <= 0 ? QUICK_MS / 4 : PATIENCE_MS)]);
  }
  if (failures.length > 0) throw failures[0];
  return count;
}

/** What may begin beside what is under way. A destination has its few places for as long as they take. */
function roomBeside(tasks: Iterable<Task>) {
  const all = [...tasks];
  const quick = all.filter(({ since }) => performance.now() - since < QUICK_MS);
  const wallets = new Set(quick.map(({ wallet }) => wallet));
  return {
    limit: Math.min(MAX_QUICK - quick.length, MAX_OPEN - all.length),
    busyOrigins: [...new Set(all.map(({ origin }) => origin))],
    busyWallets: [...wallets].filter((wallet) => quick.filter((one) => one.wallet === wallet).length >= BUSY_WALLET),
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
