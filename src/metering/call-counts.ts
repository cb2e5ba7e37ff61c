/**
 * Counts how calls end, by day and endpoint, for the host's earnings page: one small record a day in the store, written
 * now and then. A process that dies loses the counts of its last seconds, and no money is derived from them.
 */
import { z } from "zod";
import { once } from "../lib/lazy.js";
import type { Logger } from "../lib/logger.js";
import { onLambda, onWorkers } from "../lib/packages/platform.js";
import { DAY_MS } from "../lib/time.js";
import type { CallOutcome, EndedCallEvent } from "../payment/events/events.js";
import { plainAnywhere } from "../payment/networks/accounts.js";
import type { Store } from "../stores/store.js";
import { update } from "../stores/update.js";

const EVERY_MS = 15_000;

export interface CountOptions {
  /** Wallets and accounts (`acct:…`) whose calls are not counted: the host's own. A 402 names nobody, and counts. */
  ownWallets?: readonly string[];
}

const COUNTED = ["quoted", "sold", "trials", "refused", "failed", "pending"] as const;
export type Counted = (typeof COUNTED)[number];
export type Counts = Partial<Record<Counted, number>>;

const KIND_OF: Partial<Record<CallOutcome, Counted>> = {
  ...{ challenged: "quoted", paid: "sold", account: "sold", trial: "trials" },
  ...{ refused: "refused", failed: "failed", pending: "pending" },
};

const count = once(() => z.number().int().min(0));
const stored = once(() => z.record(z.string(), z.partialRecord(z.enum(COUNTED), count())));

export interface CallCounts {
  note(event: EndedCallEvent): void;
  /** Writes what was noted. Never rejects. */
  flush(): Promise<void>;
  /** Counts by endpoint, of all instances. */
  read(days: { from: string; to: string }): Promise<Map<string, Counts>>;
}

export interface CallCountsOptions {
  options: true | CountOptions;
  store: Store;
  /** Names the host: others may use the same store. */
  host: string;
  /** Other names under which this host may have counted, when it had other treasuries. */
  formerNames?: readonly string[];
  days: number;
  logger: Logger;
  now: () => number;
}

export function createCallCounts(given: CallCountsOptions): CallCounts {
  const { options, store, host, formerNames = [], days, logger, now } = given;
  const own = new Set((options === true ? [] : (options.ownWallets ?? [])).map(plainAnywhere));
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const keyOf = (day: string, name = host) => `call-counts:${name}:${day}`;
  let noted = new Map<string, Map<string, Counts>>();
  let timer: NodeJS.Timeout | undefined;
  let writtenAt = performance.now();
  let writing: Promise<void> = Promise.resolve();

  async function write(taken: typeof noted): Promise<void> {
    for (const [day, endpoints] of taken)
      try {
        await update(store, { key: keyOf(day), ttlMs: days * DAY_MS }, (found) => {
          const before = found === undefined ? {} : stored().parse(JSON.parse(found));
          return { value: JSON.stringify(withCounts(before, endpoints)), result: undefined };
        });
      } catch (error) {
        logger.warn({ day, error }, "counts of calls: some could not be kept");
      }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (noted.size === 0) return writing;
    const taken = noted;
    noted = new Map();
    writtenAt = performance.now();
    writing = writing.then(() => write(taken));
    return writing;
  }

  return {
    flush,
    note({ outcome, id, payer }) {
      const kind = KIND_OF[outcome];
      if (!kind || (payer !== undefined && own.has(plainAnywhere(payer)))) return;
      const day = dayOf(now());
      const endpoints = noted.get(day) ?? new Map<string, Counts>();
      noted.set(day, endpoints);
      const counts = endpoints.get(id) ?? {};
      endpoints.set(id, { ...counts, [kind]: (counts[kind] ?? 0) + 1 });
      // Without timers the next call writes.
      if (onLambda() || onWorkers()) {
        if (performance.now() - writtenAt > EVERY_MS) void flush();
      } else timer ??= setTimeout(() => void flush(), EVERY_MS).unref();
    },
    async read({ from, to }) {
      await flush();
      const sums: Record<string, Counts> = {};
      for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
        const names = [host, ...formerNames];
        for (const found of await Promise.all(names.map((name) => store.get(keyOf(dayOf(at), name)))))
          if (found)
            Object.assign(sums, withCounts(sums, new Map(Object.entries(stored().parse(JSON.parse(found.value))))));
      }
      return new Map(Object.entries(sums));
    },
  };
}

function withCounts(before: Record<string, Counts>, more: ReadonlyMap<string, Counts>): Record<string, Counts> {
  const sums = { ...before };
  for (const [id, counts] of more) {
    const sum = { ...sums[id] };
    for (const kind of COUNTED) if (counts[kind]) sum[kind] = (sum[kind] ?? 0) + counts[kind];
    sums[id] = sum;
  }
  return sums;
}
