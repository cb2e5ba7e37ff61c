/** What happens beside calls: schedules fire, watchers look, deliveries leave. Any number of instances do it side by side. */

import { runDueSchedules } from "./schedules/run-due.js";
import { minuteOf, type Poller, poll } from "./watchers/poll.js";
import { claimPolls, expireWatchers, type PollGroup } from "./watchers/polls.js";
import { type Claimed, claim } from "./webhooks/deliveries.js";
import { createNotes, paced, type Sender, send } from "./webhooks/send.js";

/** At once, of those that may still answer at once: what hangs must not keep the others waiting. */
const MAX_QUICK = 32;
const QUICK_MS = 400;
const MAX_OPEN = 256;
const BUSY_WALLET = 8;
const MAX_POLLS = 8;
/** How long a round waits for what is under way before it looks for what became due. */
const PATIENCE_MS = 500;
/** How often, and after how long, a round looks again for schedules of wallets that were at work. */
const BUSY_TRIES = 10;
const BUSY_MS = 50;

interface Task {
  origin: string;
  wallet: string;
  /** On the clock of `performance.now()`. */
  since: number;
}

export interface Runner extends Sender, Poller {
  /** Whether wallets may watch something here. */
  watches: boolean;
  /** How much a wallet may have. */
  maxBytes: number;
  /** Told of every row that does not open, and is set aside. */
  onUnreadable(table: string, error: Error): void;
}

/** One round: until nothing is due, or until `mayBegin` says no, after which nothing begins. Resolves to how much it did. */
export async function runRound(runner: Runner, mayBegin: () => boolean): Promise<number> {
  const { database, onUnreadable } = runner;
  const sending = new Map<Promise<void>, Task>();
  const polling = new Set<Promise<void>>();
  /** Endpoints that were asked as often as they may be, with the minute in which that was. */
  const exhausted = new Map<string, number>();
  const failures: unknown[] = [];
  let busy: string[] = [];
  let patience = BUSY_TRIES;
  let count = 0;

  const failed = (error: unknown) => void failures.push(error);
  const note = createNotes(runner);
  const beginSending = (delivery: Claimed, sentAt: Date) => {
    const task = send(runner, delivery, sentAt)
      .then(note)
      .then(() => void count++, failed)
      .finally(() => sending.delete(task));
    sending.set(task, { ...delivery, since: performance.now() });
  };
  const beginPolling = (question: PollGroup, minute: number) => {
    const task = poll(runner, question)
      .then((watchers) => {
        if (watchers === undefined) exhausted.set(question.endpoint, minute);
        count += watchers ?? 0;
      }, failed)
      .finally(() => polling.delete(task));
    polling.add(task);
  };
  const deliver = async () => {
    const { limit, ...busy } = roomBeside(sending.values());
    if (limit <= 0) return { began: 0, isFull: true };
    const now = await runner.now();
    const claimed = await claim(database, now, { limit, ...busy, onUnreadable });
    for (const delivery of await paced(runner, claimed, now)) beginSending(delivery, now);
    return { began: claimed.length, isFull: false };
  };
  const fire = async () => {
    const fired = await runDueSchedules(database, await runner.now(), { ...runner, busy });
    busy = [...busy, ...fired.busy];
    count += fired.count;
    return fired.count + fired.busy.length;
  };
  /** A change holds its wallet for some milliseconds: its schedules leave in this round, too, unless it goes on and on. */
  const waitForBusy = async () => {
    if (busy.length === 0 || patience-- === 0 || !mayBegin()) return false;
    busy = [];
    await pause(BUSY_MS);
    return true;
  };
  const watch = async () => {
    const limit = MAX_POLLS - polling.size;
    if (!runner.watches || limit <= 0) return 0;
    const now = await runner.now();
    const expired = await expireWatchers(database, now);
    const minute = minuteOf(now);
    const tired = [...exhausted].filter(([, since]) => since === minute).map(([endpoint]) => endpoint);
    const questions = await claimPolls(database, now, { limit, exhausted: tired, onUnreadable });
    for (const question of questions) beginPolling(question, minute);
    count += expired;
    return questions.length + expired;
  };

  for (;;) {
    const begins = mayBegin() && failures.length === 0;
    // What was busy when deliveries were asked for may be free when the answer comes: only an idle round is over.
    const wasIdle = sending.size + polling.size === 0;
    const fired = begins ? await fire() : 0;
    const polled = begins ? await watch() : 0;
    const { began, isFull } = begins ? await deliver() : { began: 0, isFull: false };
    const isQuiet = fired + polled + began === 0;
    if (wasIdle && isQuiet && !(begins && (await waitForBusy()))) break;
    if (sending.size + polling.size > 0 && (isQuiet || isFull)) {
      await Promise.race([...sending.keys(), ...polling, pause(isFull ? QUICK_MS / 4 : PATIENCE_MS)]);
      busy = [];
    }
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
