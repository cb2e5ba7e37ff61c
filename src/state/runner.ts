/**
 * Background rounds: fire schedules, poll for watchers, send deliveries. Any number of instances may run them in
 * parallel.
 */

import { createFiring } from "./schedules/firing.js";
import type { Poller } from "./watchers/poll.js";
import { createPolling } from "./watchers/polling.js";
import type { WebhookSender } from "./webhooks/send.js";
import { createSending } from "./webhooks/sending.js";

/** How long a round waits for running work before it looks for newly due work. */
const PATIENCE_MS = 500;
/** Outcomes within this time are handled together. */
const GATHER_MS = 10;
/** Pause while all places are taken, until a slow task frees one. */
const FULL_MS = 100;

export interface Runner extends WebhookSender, Poller {
  /** Whether wallets may watch endpoints here. */
  watches: boolean;
  /** Quota of a wallet in bytes. */
  maxBytes: number;
  /** Called for every undecryptable row, which is set aside. */
  onUnreadable(table: string, error: Error): void;
}

/**
 * One round: until nothing is due, or until `mayBegin` returns false, after which nothing starts. Resolves to the
 * number of items handled.
 */
export async function runRound(runner: Runner, mayBegin: () => boolean): Promise<number> {
  const failures: unknown[] = [];
  const failed = (error: unknown) => void failures.push(error);
  const firing = createFiring(runner);
  const polling = createPolling(runner, failed);
  const sending = createSending(runner, failed);
  const underWay = () => [...sending.underWay(), ...polling.underWay()];
  const fire = seldom(firing.look);
  const watch = seldom(async () => runner.watches && polling.look());
  /** Starts what is due; true if more may be. */
  const look = async (isIdle: boolean): Promise<boolean> =>
    [await fire(isIdle), await watch(isIdle), await sending.look()].includes(true);
  const someOutcome = async (): Promise<void> => {
    await Promise.race([...underWay(), pause(sending.isFull() ? FULL_MS : PATIENCE_MS)]);
    await pause(GATHER_MS);
  };

  for (;;) {
    const begins = mayBegin() && failures.length === 0;
    // Deliveries that were busy during the query may be free afterwards, so only an idle round ends.
    const isIdle = underWay().length === 0;
    const found = begins && (await look(isIdle));
    if (found && !sending.isFull()) continue;
    const isOver = isIdle && underWay().length === 0;
    if (isOver && !(begins && (await firing.waitForBusy()))) break;
    if (underWay().length === 0) continue;
    await someOutcome();
  }
  if (failures.length > 0) throw failures[0];
  return firing.fired() + polling.ended() + sending.ended();
}

/** Looks at once while there is work, and otherwise only now and then, because most work is not created in a round. */
function seldom(look: () => Promise<boolean>): (always: boolean) => Promise<boolean> {
  let emptyAt = Number.NEGATIVE_INFINITY;
  return async (always) => {
    if (!always && performance.now() - emptyAt < PATIENCE_MS) return false;
    const found = await look();
    emptyAt = found ? Number.NEGATIVE_INFINITY : performance.now();
    return found;
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
