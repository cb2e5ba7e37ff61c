/** What happens beside calls: schedules fire and deliveries leave. Any number of instances do it side by side. */
import type { Database } from "./database.js";
import { claim } from "./deliveries.js";
import { fireDue } from "./fire.js";
import { type Sender, send } from "./send.js";

const MAX_CONCURRENT = 32;
const BUSY_WALLET = 8;
/** How long a round waits for what is under way before it looks for what became due. */
const PATIENCE_MS = 1000;
const CLEANED = 500;

/** One round: until nothing is due, or until `endsAt` (of `performance.now()`), after which nothing begins. */
export async function runRound(sender: Sender, endsAt: number): Promise<number> {
  const { database } = sender;
  const underWay = new Map<Promise<void>, { origin: string; wallet: string }>();
  const failures: unknown[] = [];
  let count = 0;
  const begin = (delivery: Awaited<ReturnType<typeof claim>>[number]) => {
    const sending = send(sender, delivery)
      .then((done) => {
        if (done !== undefined) count++;
      })
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(sending));
    underWay.set(sending, delivery);
  };

  for (;;) {
    const mayBegin = performance.now() < endsAt && failures.length === 0;
    const fired = mayBegin ? await fireDue(database, await sender.now()) : 0;
    // What was busy when deliveries were asked for may be free when the answer comes: only an idle round is over.
    const wasIdle = underWay.size === 0;
    const free = MAX_CONCURRENT - underWay.size;
    const claimed =
      mayBegin && free > 0
        ? await claim(database, await sender.now(), { limit: free, ...busy(underWay.values()) })
        : [];
    claimed.forEach(begin);
    count += fired;
    if (wasIdle && fired + claimed.length === 0) break;
    if (underWay.size > 0 && (fired + claimed.length === 0 || free <= 0))
      await Promise.race([...underWay.keys(), pause(PATIENCE_MS)]);
  }
  if (failures.length > 0) throw failures[0];
  await cleanUp(database, await sender.now());
  return count;
}

function busy(underWay: Iterable<{ origin: string; wallet: string }>) {
  const all = [...underWay];
  const wallets = new Set(all.map(({ wallet }) => wallet));
  return {
    busyOrigins: [...new Set(all.map(({ origin }) => origin))],
    busyWallets: [...wallets].filter((wallet) => all.filter((one) => one.wallet === wallet).length >= BUSY_WALLET),
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());

/** Messages seven days after their end, and what called them 30 days after its own. */
async function cleanUp(database: Database, now: Date): Promise<void> {
  await database.query(
    `delete from @events where id in (select e.id from @events e where e.expires_at <= $1 and not exists
       (select from @deliveries d where d.event = e.id and d.state = 'pending') limit ${CLEANED})`,
    [now],
  );
  await database.query(
    `delete from @callbacks where id in
       (select id from @schedules where ended_at <= $1::timestamptz - interval '30 days' limit ${CLEANED})`,
    [now],
  );
}
