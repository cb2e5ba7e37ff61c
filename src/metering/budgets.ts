/**
 * Daily budgets of upstreams, by the name of the secret that they are asked with: counted over all instances of a
 * store, told at 80 and 95 percent, and at 100 percent the endpoints that need the secret are stopped until midnight
 * UTC.
 */
import type { AnyCapability } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import { atMost } from "../lib/abort.js";
import { keepNewest } from "../lib/bounded.js";
import type { Logger } from "../lib/logger.js";
import { fromMicros, type Micros, toMicros } from "../lib/money.js";
import { DAY_MS, MINUTE_MS } from "../lib/time.js";
import type { Store } from "../stores/store.js";

const READ_EVERY_MS = 3000;
const READ_MS = 500;
const MAX_TOLD = 1000;
const STEPS = [80n, 95n, 100n] as const;

export interface BudgetOptions {
  /** Decimal USD a day, by UTC. */
  usdPerDay: string;
}

export interface BudgetEvent {
  secret: string;
  percent: number;
  spentUsd: string;
  usdPerDay: string;
  /** As YYYY-MM-DD, by UTC. */
  day: string;
}

export interface Budgets {
  /** Reads what other instances spent, if that is some seconds old. Rejects with BUDGET_SPENT. */
  assertLeft(capability: AnyCapability): Promise<void>;
  /** Tells of steps that a process passed and did not live to tell; looks at most once a minute. */
  review(): Promise<void>;
  /** The rest of each budget today, by the name of its secret. */
  left(): Promise<ReadonlyMap<string, Micros>>;
  /** As `assertLeft`, by what is known here. */
  assertKnownLeft(capability: AnyCapability): void;
  /**
   * Counts the cost of a run, without a wait: what it told as owed or used, or else its price, and nothing where it told
   * nothing and all that it read was cached.
   */
  spend(
    capability: AnyCapability,
    parts: readonly AnyCapability[],
    run: Spent & { reads: { inner: readonly (Pick<Spent, "meter"> & { id: string })[] } },
  ): void;
}

export interface BudgetsOptions {
  budgets: Readonly<Record<string, BudgetOptions>>;
  store: Store;
  /** Names the host: others may use the same store. */
  host: string;
  /** Other names under which this host may have counted, when it had other treasuries. */
  formerNames?: readonly string[];
  /** Names of the secrets that a capability needs here. */
  secretsOf(capability: AnyCapability): readonly string[];
  /** Tells the log and `onCall`, at the call that passed the step. */
  tell(event: BudgetEvent): void;
  /** Stores the event for the host's webhooks; a step is told again until it resolves. */
  storeEvent?(event: BudgetEvent): Promise<void>;
  logger: Logger;
  now: () => number;
}

export function createBudgets({
  budgets,
  store,
  host,
  formerNames = [],
  secretsOf,
  tell,
  storeEvent,
  logger,
  now,
}: BudgetsOptions): Budgets {
  const limits = new Map(Object.entries(budgets).map(([secret, { usdPerDay }]) => [secret, toMicros(usdPerDay)]));
  const known = new Map<string, { day: string; spent: Micros; readAt: number }>();

  const today = () => new Date(now()).toISOString().slice(0, 10);
  const isKnown = (secret: string) => known.get(secret)?.day === today();
  const limitedOf = (capability: AnyCapability) => secretsOf(capability).filter((secret) => limits.has(secret));

  /** Adds to the day's sum of this host, whatever its name was in the morning. */
  async function add(secret: string, day: string, by: Micros): Promise<Micros> {
    const sums = await Promise.all(
      // guard: budgets: a day's sum outlives a change of treasuries | - , ...formerNames | upstream-budgets
      [host, ...formerNames].map((name) =>
        store.increment(`budget:${name}:${secret}:${day}`, name === host ? Number(by) : 0, { ttlMs: 2 * DAY_MS }),
      ),
    );
    return sums.reduce<Micros>((all, sum) => all + BigInt(sum ?? 0), 0n);
  }

  async function count(secret: string, by: Micros): Promise<void> {
    const day = today();
    const spent = await add(secret, day, by);
    known.set(secret, { day, spent, readAt: performance.now() });
    const limit = limits.get(secret) ?? 0n;
    for (const percent of STEPS) {
      const at = (limit * percent + 99n) / 100n;
      if (spent < at) continue;
      const event = {
        ...{ secret, percent: Number(percent), day },
        ...{ spentUsd: fromMicros(spent), usdPerDay: fromMicros(limit) },
      };
      // The counter only grows, so that one instance alone sees it pass.
      if (spent - by < at) tell(event);
      if (storeEvent) await remember(event, storeEvent);
    }
  }

  /** Steps of which this process knows that they are told. */
  const told = new Map<string, true>();

  /** The process that passed a step may have died, so each makes sure of it. */
  async function remember(event: BudgetEvent, storeEvent: (event: BudgetEvent) => Promise<void>): Promise<void> {
    const key = `budget-told:${host}:${event.secret}:${event.day}:${event.percent}`;
    if (told.has(key)) return;
    if (!(await store.get(key))) {
      await storeEvent(event);
      await store.put(key, "told", { ifVersion: 0, ttlMs: 2 * DAY_MS });
    }
    keepNewest(told, key, true, MAX_TOLD);
  }

  const failed = (error: unknown) => logger.error({ error }, "budgets: the store does not answer");

  function assertKnownLeft(capability: AnyCapability): void {
    for (const secret of limitedOf(capability)) {
      if (!isKnown(secret) || (known.get(secret)?.spent ?? 0n) < (limits.get(secret) ?? 0n)) continue;
      const retryAfter = Math.ceil((DAY_MS - (now() % DAY_MS)) / 1000);
      const message = `${capability.id} is not sold until midnight UTC, because its source's budget is spent. Nothing was charged.`;
      throw new CapabilityError("BUDGET_SPENT", message, { retryAfter, excused: true });
    }
  }

  let reviewedAt = Number.NEGATIVE_INFINITY;

  return {
    assertKnownLeft,
    async review() {
      if (now() - reviewedAt < MINUTE_MS) return;
      reviewedAt = now();
      await Promise.all([...limits.keys()].map((secret) => count(secret, 0n)));
    },
    async left() {
      const day = today();
      const sums = [...limits].map(async ([secret, limit]) => {
        const spent = await add(secret, day, 0n);
        return [secret, spent < limit ? limit - spent : 0n] as const;
      });
      return new Map(await Promise.all(sums));
    },
    async assertLeft(capability) {
      const named = capability.composite ? [...limits.keys()] : limitedOf(capability);
      const old = named.filter(
        (secret) => !isKnown(secret) || performance.now() - (known.get(secret)?.readAt ?? 0) > READ_EVERY_MS,
      );
      if (old.length > 0)
        await atMost(READ_MS, () => Promise.all(old.map((secret) => count(secret, 0n)))).catch(failed);
      assertKnownLeft(capability);
    },
    spend(capability, parts, run) {
      const costs = new Map<string, Micros>();
      const note = (one: AnyCapability, cost: Micros) => {
        for (const secret of limitedOf(one)) costs.set(secret, (costs.get(secret) ?? 0n) + cost);
      };
      if (parts.length === 0) note(capability, costOf(capability, run));
      // A part that was not called has cost nothing; one that called others is not counted twice.
      for (const called of run.reads.inner) {
        const part = parts.find(({ id }) => id === called.id);
        if (part) note(part, costOf(part, { meter: called.meter, reads: run.reads }));
      }
      for (const [secret, cost] of costs) if (cost > 0n) count(secret, cost).catch(failed);
    },
  };
}

/** A run, as far as its cost depends on it. */
interface Spent {
  meter: { used: Micros | undefined; owed: Micros | undefined };
  reads: { fresh: number; cached: number };
}

function costOf(capability: AnyCapability, { meter: { used, owed }, reads }: Spent): Micros {
  const told = owed ?? used;
  // guard: budgets count what a run tells that it cost | gone | upstream-budgets
  if (told !== undefined) return told;
  return reads.fresh === 0 && reads.cached > 0 ? 0n : listedPrice(capability);
}

const listedPrice = ({ price }: AnyCapability): Micros => toMicros(price.mode === "fixed" ? price.usd : price.minUsd);
