/** Free trials: reserved before the work, used up by an answer, returned after a failure. */

import { z } from "zod";
import { sharedNow } from "../../lib/clocks.js";
import { once } from "../../lib/lazy.js";
import { exactMicros, fromMicros, type Micros } from "../../lib/money.js";
import { HOUR_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { update } from "../../stores/update.js";
import { PaymentRefused } from "../x402/refusal.js";
import { identify } from "./caller.js";

/** Returned trials after failures on our side, per endpoint and hour: more would use the upstreams for free. */
const MAX_GIVEN_BACK = 5;
/** Trials an hour of one IPv6 /48. */
const MAX_PER_NETWORK = 64;

export interface TrialOptions {
  /** Free calls per endpoint, caller and sliding hour. Default 1. */
  perHour?: number;
  /** Highest quote of a trial call, in decimal USD. Default "0.10". */
  maxQuoteUsd?: string;
  /** Value of one caller's trials in an hour at list prices, in decimal USD. Default "1". */
  callerBudgetUsd?: string;
  /** Value of all trials of this deployment in an hour at list prices, in decimal USD. Default "1". */
  deploymentBudgetUsd?: string;
}

export interface TrialRequest {
  endpoint: string;
  address: string | undefined;
  quote: Micros;
  now: number;
  /** Called with the caller's name when a trial is available, before anything is counted. May reject. */
  begin(caller: string): Promise<void>;
}

export interface TrialGrant {
  remaining: number;
  /** When the next trial is available, ISO 8601. */
  resetAt: string;
  /** Returns the trial after a failure. */
  giveBack(): Promise<void>;
}

/** Times of this hour's trials, and of the returned ones (epoch milliseconds). */
const trialRecord = once(() => z.object({ used: z.array(z.number()), givenBack: z.array(z.number()) }));
type TrialRecord = z.infer<ReturnType<typeof trialRecord>>;

export interface Trials {
  /** Rejects with PaymentRefused if no trial is available. */
  reserve(request: TrialRequest): Promise<TrialGrant>;
}

export function createTrials(options: TrialOptions, store: Store): Trials {
  const perHour = options.perHour ?? 1;
  const maxQuote = exactMicros(options.maxQuoteUsd ?? "0.10");
  const callerBudget = exactMicros(options.callerBudgetUsd ?? "1");
  const deploymentBudget = exactMicros(options.deploymentBudgetUsd ?? "1");

  /**
   * The counters that a trial must fit into, in addition to the endpoint's own; the widest first, so that a refusal
   * creates no new counter.
   */
  function budgets(caller: string, network: string | undefined, quote: Micros) {
    const worth = Number(quote);
    return [
      { key: "trial-worth", by: worth, max: Number(deploymentBudget) },
      ...(network ? [{ key: `trial-network:${network}`, by: 1, max: MAX_PER_NETWORK }] : []),
      { key: `trial-worth:${caller}`, by: worth, max: Number(callerBudget) },
    ];
  }

  async function spend(counters: ReturnType<typeof budgets>): Promise<boolean> {
    for (const [i, { key, by, max }] of counters.entries()) {
      if ((await store.increment(key, by, { ttlMs: HOUR_MS, max })) !== undefined) continue;
      await refund(counters.slice(0, i));
      return false;
    }
    return true;
  }

  async function refund(counters: ReturnType<typeof budgets>): Promise<void> {
    for (const { key, by } of counters) await store.increment(key, -by, { ttlMs: HOUR_MS });
  }

  return {
    async reserve({ endpoint, address, quote, now, begin }) {
      // guard: trials have a ceiling | gone | trial
      if (quote > maxQuote)
        throw new PaymentRefused(
          "TRIAL_TOO_COSTLY",
          `A free trial covers quotes of up to ${fromMicros(maxQuote)} USD; this call is quoted at ${fromMicros(quote)} USD.`,
        );
      const caller = await identify(address, store);
      const key = `trial:${endpoint}:${caller.key}`;
      const take = (record: TrialRecord) => {
        const at = newestOf(record, now);
        if (record.givenBack.length >= MAX_GIVEN_BACK) throw used(record.givenBack[0] ?? at, at);
        if (record.used.length >= perHour) throw used(record.used[0] ?? at, at);
        record.used.push(at);
        return { at, remaining: perHour - record.used.length };
      };
      // A refused caller leaves nothing in the store: counters are read first, counted next, and the caller's record is
      // written last.
      take(recentOf((await store.get(key))?.value, now));
      await begin(caller.key);
      // guard: refused trials leave nothing in the store |
      //   quote) -> quote); await change(store, key, now, () => {}) | full-store
      const counters = budgets(caller.key, caller.network, quote);
      // guard: trials fit into the budgets | gone | trial
      if (!(await spend(counters)))
        throw new PaymentRefused("TRIAL_BUDGET_SPENT", "The free trials of this hour are all used up.", {
          retryAfter: HOUR_MS / 1000,
        });
      const { at, remaining } = await change(store, key, now, take).catch(async (error: unknown) => {
        await refund(counters);
        throw error;
      });
      return {
        remaining,
        resetAt: new Date(at + HOUR_MS).toISOString(),
        // guard: a trial that was broken off uses the budgets that are shared |
        //   giveBack() { -> giveBack() { await refund(counters); | budgets
        async giveBack() {
          // The work began, so the shared budgets stay used, whoever broke it off.
          await change(store, key, now, (record) => {
            const index = record.used.indexOf(at);
            if (index >= 0) record.used.splice(index, 1);
            record.givenBack.push(newestOf(record, at));
          });
        },
      };
    },
  };
}

/** The time by which its hour is counted, on whatever instance. */
const newestOf = ({ used, givenBack }: TrialRecord, now: number): number =>
  sharedNow(now, Math.max(0, ...used, ...givenBack));

/** A caller's record of an endpoint, without entries older than the sliding hour. */
function recentOf(found: string | undefined, now: number): TrialRecord {
  const record = found ? trialRecord().parse(JSON.parse(found)) : { used: [], givenBack: [] };
  const at = newestOf(record, now);
  const recent = (time: number) => time > at - HOUR_MS;
  return { used: record.used.filter(recent), givenBack: record.givenBack.filter(recent) };
}

function change<T>(store: Store, key: string, now: number, edit: (record: TrialRecord) => T): Promise<T> {
  return update(store, { key, ttlMs: HOUR_MS }, (found) => {
    const record = recentOf(found, now);
    const result = edit(record);
    return { value: JSON.stringify(record), result };
  });
}

function used(since: number, now: number): PaymentRefused {
  const due = since + HOUR_MS;
  return new PaymentRefused(
    "TRIAL_USED",
    `The free trial of this endpoint is used up; the next is available at ${new Date(due).toISOString()}.`,
    { retryAfter: Math.max(1, Math.ceil((due - now) / 1000)) },
  );
}
