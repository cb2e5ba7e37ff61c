/**
 * Switches of a running host, for all instances of a store: endpoints that are stopped, prices that change at
 * a time, and rules that replace those of its options. One record has all of it, which a process reads every few seconds while it is asked.
 */
import { z } from "zod";
import { CapabilityError } from "../../errors.js";
import { atMost } from "../../lib/abort.js";
import { CLOCKS_APART_MS } from "../../lib/clocks.js";
import { lazy, once } from "../../lib/lazy.js";
import { exactMicros, fromMicros, type Micros, toMicros } from "../../lib/money.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { update } from "../../stores/update.js";
import type { PriceChanges, RuledPrices } from "./pricing.js";
import type { HostRules, StoredRules } from "./rules.js";

/** Loaded by the first change of rules. */
const changing = /* @__PURE__ */ lazy(() => import("./rules-change.js"));

const READ_EVERY_MS = 3000;
/** A slow store delays no answer for longer once a record is known, which holds meanwhile. */
const READ_MS = 500;
const KEPT_MS = 3650 * DAY_MS;
/** Longer than any quote is valid. */
const FORMER_MS = HOUR_MS;
const MAX_REASON = 500;
const MAX_CHANGES = 20;
/** A payment that fits no price costs as many quotes, and a batch is quoted by the changes of all endpoints. */
const MAX_MOMENTS = 20;

/** A price that toMicros takes. */
// guard: switches: a price that cannot be read fails no call | = once(() => z.string()) | switches
const price = once(() => z.string().refine((usd) => microsOf(usd) !== undefined));

/** Loose, and judged part by part: during a deploy an older release reads and writes what a newer one added. */
// guard: switches: an older release keeps what a later one added | looseObject({ / -> object({ / | switches
const record = once(() =>
  z.looseObject({
    /** By id. An entry of any shape is a stop. */
    // guard: switches: a stop in a form of a later release is a stop |
    //   unknown() -> strictObject({ reason: z.string(), at: z.number() }) | switches
    stopped: z.record(z.string(), z.unknown()).catch({}),
    /** By id, oldest first. */
    prices: z.record(z.string(), z.array(z.looseObject({ usd: price(), from: z.number() })).catch([])).catch({}),
    /** The rules of `configure`; older releases keep them and follow their options. */
    rules: z.unknown().optional(),
    /** Of several records of a host the last changed one holds. */
    changedAt: z.number().optional().catch(undefined),
  }),
);
type Record = z.infer<ReturnType<typeof record>> & { rules?: StoredRules | undefined };

const NOTHING: Record = { stopped: {}, prices: {} };

export interface Switches {
  /**
   * Reads what another instance switched, if the last reading is old; undefined if it is not. The first reading is
   * waited for as the store has it; a later one briefly, and its answer counts however late it comes.
   */
  fresh(): Promise<void> | undefined;
  /** Throws OVERLOADED while nothing was ever read: what is stopped, and what it costs, is not known then. */
  assertKnown(): void;
  /** Throws STOPPED. */
  assertRunning(id: string): void;
  readonly prices: PriceChanges;
  /** The text changes with the prices in force. */
  priceKey(): string;
  /** The payers that were set while the host runs; undefined if its options hold. */
  payers(): StoredRules["payers"];
  /** Whether prices, stops and payers are these already, on all instances. */
  follows(rules: HostRules): Promise<boolean>;
  /** Replaces prices, stops and payers. Rejects with a TypeError if they are too long. */
  configure(rules: HostRules): Promise<Switched>;
  stop(id: string, reason: string): Promise<Switched>;
  resume(id: string): Promise<Switched>;
  /** Rejects with a TypeError for a price or time that is none. */
  setPrice(id: string, usd: string, options?: { from?: Date | string | undefined }): Promise<Switched>;
}

/** An endpoint's switch before a change and after it: the reason of its stop, or the prices that are set. */
export interface Switched {
  before: object;
  after: object;
}

export interface SwitchesOptions {
  store: Store;
  /** Names the host: others may use the same store. */
  host: string;
  /** Other names under which this host may have stored its switches. */
  formerNames?: readonly string[];
  /** Told once of rules that another instance set. */
  onRules?: (rules: StoredRules) => void;
  now: () => number;
}

export function createSwitches({ store, host, formerNames = [], onRules, now }: SwitchesOptions): Switches {
  const keyOf = (name: string) => `switches:${name}`;
  const key = keyOf(host);
  let known = NOTHING;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  /** Why nothing was ever read; undefined once something was. */
  let unread: unknown = new Error("The switches were not read yet.");
  /** Changes made by this process. */
  let changes = 0;

  async function read(): Promise<void> {
    const [before, began] = [changes, performance.now()];
    try {
      const found = await readAll([host, ...formerNames]);
      // A reading that began before a change of this process may not have seen it.
      // guard: switches: a reading that began before a change does not undo it | always | switches
      if (changes === before) take(found.reduce(later, NOTHING));
      unread = undefined;
      readAt = Math.max(readAt, began);
    } catch (error) {
      if (unread === undefined) readAt = performance.now();
      else unread = error;
    } finally {
      reading = undefined;
    }
  }

  function take(found: Record): void {
    const isNew = found.rules !== undefined && found.rules.digest !== known.rules?.digest;
    known = found;
    if (isNew && found.rules) onRules?.(found.rules);
  }

  /** A reading that takes long goes on, and nobody else waits for it until the next is due. */
  const briefly = (read: Promise<void>): Promise<void> =>
    atMost(READ_MS, () => read).catch(() => {
      readAt = performance.now();
    });

  async function readAll(names: readonly string[]): Promise<Record[]> {
    const found = await Promise.all(names.map((name) => store.get(keyOf(name))));
    return Promise.all(found.flatMap((one) => (one ? [whole(one.value)] : [])));
  }

  async function change(make: (before: Record) => Record, told: (record: Record) => object): Promise<Switched> {
    let before = NOTHING;
    const [former, { readHostRules }] = await Promise.all([readAll(formerNames), changing()]);
    known = await update(store, { key, ttlMs: KEPT_MS }, (found) => {
      before = [...(found === undefined ? [] : [parsed(found, readHostRules)]), ...former].reduce(later, NOTHING);
      const next = { ...make(before), changedAt: Math.max(now(), (before.changedAt ?? 0) + 1) };
      return { value: JSON.stringify(next), result: next };
    });
    changes++;
    unread = undefined;
    readAt = performance.now();
    return { before: told(before), after: told(known) };
  }

  const stopOf =
    (id: string) =>
    ({ stopped }: Record) => ({ stopped: Object.hasOwn(stopped, id) ? (reasonOf(stopped[id]) ?? true) : false });
  const pricesOf =
    (id: string) =>
    ({ prices }: Record) => ({
      prices: (prices[id] ?? []).map(({ usd, from }) => ({ usd, from: new Date(from).toISOString() })),
    });

  return {
    fresh() {
      if (performance.now() - readAt < READ_EVERY_MS) return undefined;
      reading ??= read();
      return unread === undefined ? briefly(reading) : reading;
    },
    assertKnown() {
      if (unread === undefined) return;
      if (CapabilityError.is(unread)) throw unread;
      throw new CapabilityError("OVERLOADED", UNKNOWN, { retryAfter: 5, cause: unread });
    },
    assertRunning(id) {
      const ruled = known.rules?.stopped ?? {};
      // guard: rules: an endpoint that a file stops is stopped | - && !Object.hasOwn(ruled, id) | handler/rules
      if (!Object.hasOwn(known.stopped, id) && !Object.hasOwn(ruled, id)) return;
      const reason = Object.hasOwn(known.stopped, id) ? reasonOf(known.stopped[id]) : ruled[id];
      throw new CapabilityError("STOPPED", `${id} is stopped${reason ? `: ${reason}` : "."} Nothing was charged.`, {
        excused: true,
      });
    },
    prices: {
      at: (id, time) => priceIn(known, id, time),
      ruled: (time) => ruledIn(known, time),
      known() {
        const seen = known;
        return { at: (id, time) => priceIn(seen, id, time), ruled: (time) => ruledIn(seen, time) };
      },
      momentsAround({ id, composite }, time, validMs) {
        // guard: switches: a payment is compared with the prices of its endpoint | always | switches
        const changed = composite ? Object.values(known.prices).flat() : (known.prices[id] ?? []);
        // guard: rules: a quote by former rules is honoured | - , ...(known.rules?.prices ?? []) | handler/rules
        const all = [...new Set([...changed, ...(known.rules?.prices ?? [])].map(({ from }) => from))];
        // guard: switches: a former price is honoured no longer than its quote |
        //   validMs - CLOCKS_APART_MS -> 100 * validMs | switches
        // guard: switches: a quote of an instance that is behind is honoured | - - CLOCKS_APART_MS | switches
        const former = all.filter((from) => from <= time && from > time - validMs - CLOCKS_APART_MS);
        // guard: switches: a price that comes is honoured minutes before, not hours | returns from > time | switches
        const coming = all.filter((from) => from > time && from <= time + CLOCKS_APART_MS);
        // The youngest first: most payments were signed just before the last change.
        const moments = former.sort((a, b) => b - a).map((from) => from - 1);
        // guard: switches: a quote of an instance that is ahead is honoured |
        //   returns moments.slice(0, MAX_MOMENTS) | switches
        // guard: switches: a payment that fits no price is compared with few | - .slice(0, MAX_MOMENTS) | switches
        return [...moments, ...coming.sort((a, b) => a - b)].slice(0, MAX_MOMENTS);
      },
    },
    priceKey: () =>
      known === NOTHING
        ? ""
        : [...Object.keys(known.prices).map((id) => entryAt(known, id, now())?.from), ruledIn(known, now())?.from].join(
            " ",
          ),
    payers: () => known.rules?.payers,
    async follows(rules) {
      const { digestOf } = await changing();
      const found = await readAll([host, ...formerNames]);
      return found.reduce(later, NOTHING).rules?.digest === digestOf(rules);
    },
    async configure(rules) {
      const { rulesAfter, auditedRules } = await changing();
      return change(
        (before) => ({ ...before, rules: rulesAfter(before.rules, rules, { now: now(), formerMs: FORMER_MS }) }),
        (one) => ({ rules: one.rules ? auditedRules(one.rules) : false }),
      );
    },
    async stop(id, reason) {
      if (typeof reason !== "string" || !reason.trim() || reason.length > MAX_REASON)
        throw new TypeError(
          `stop: the reason must be a sentence of at most ${MAX_REASON} characters, which callers read.`,
        );
      const sentence = /[.!?]$/.test(reason.trim()) ? reason.trim() : `${reason.trim()}.`;
      const stopped = { [id]: { reason: sentence, at: now() } };
      return change((before) => ({ ...before, stopped: { ...before.stopped, ...stopped } }), stopOf(id));
    },
    async resume(id) {
      return change(({ stopped: { [id]: _, ...stopped }, ...rest }) => ({ ...rest, stopped }), stopOf(id));
    },
    async setPrice(id, usd, { from } = {}) {
      const micros = readPrice(id, usd);
      const at = Math.max(now(), from === undefined ? 0 : readTime(from));
      return change((before) => {
        const others = (before.prices[id] ?? []).filter((entry) => entry.from < at);
        const changes = withoutOld([...others, { usd: fromMicros(micros), from: at }], now());
        if (changes.length > MAX_CHANGES)
          throw new TypeError(`setPrice: ${id} has ${MAX_CHANGES} price changes within an hour or ahead already.`);
        return { ...before, prices: { ...before.prices, [id]: changes } };
      }, pricesOf(id));
    },
  };
}

const UNKNOWN = "The service cannot reach its own state; try the same request again shortly.";

/** The price set for a time, which is the last that began by then. */
const entryAt = ({ prices }: Record, id: string, time: number) => prices[id]?.findLast(({ from }) => from <= time);

/** The prices of the rules for a time; undefined for a time at which the options held. */
function ruledIn({ rules }: Record, time: number): RuledPrices | undefined {
  const entry = rules?.prices.findLast(({ from }) => from <= time);
  if (!entry) return undefined;
  const { from, markup, overrides } = entry;
  return { from, ...(markup === undefined ? {} : { markup }), ...(overrides === undefined ? {} : { overrides }) };
}

function priceIn(record: Record, id: string, time: number): Micros | undefined {
  const entry = record === NOTHING ? undefined : entryAt(record, id, time);
  return entry && toMicros(entry.usd);
}

/** Of two records the one that was changed last; older releases stored no time. */
const later = (one: Record, other: Record): Record =>
  one === NOTHING || (other.changedAt ?? 0) > (one.changedAt ?? 0) ? other : one;

/** Only hosts with rules load what reads them. */
const whole = async (value: string): Promise<Record> =>
  parsed(value, value.includes('"rules"') ? (await changing()).readHostRules : () => undefined);

/** A damaged record stops nothing. */
function parsed(value: string, readHostRules: (stored: unknown) => StoredRules | undefined): Record {
  try {
    const { rules, ...rest } = record().parse(JSON.parse(value));
    return { ...rest, rules: readHostRules(rules) };
  } catch {
    return NOTHING;
  }
}

function reasonOf(stop: unknown): string | undefined {
  const reason = typeof stop === "object" && stop !== null && "reason" in stop ? stop.reason : undefined;
  return typeof reason === "string" ? reason : undefined;
}

/** Without prices that ended so long ago that no payment can be signed for them. */
function withoutOld(changes: Record["prices"][string], now: number): Record["prices"][string] {
  return changes.filter((_, index) => (changes[index + 1]?.from ?? Number.POSITIVE_INFINITY) > now - FORMER_MS);
}

function readPrice(id: string, usd: unknown): Micros {
  const micros = microsOf(usd);
  if (micros === undefined)
    throw new TypeError(
      `setPrice: the price of ${id} must be US dollars above 0 as text with at most six decimals, such as "0.002"; stop() ends its sale.`,
    );
  return micros;
}

/** Undefined for anything but a price above 0. */
function microsOf(usd: unknown): Micros | undefined {
  try {
    const micros = typeof usd === "string" ? exactMicros(usd) : 0n;
    return micros > 0n ? micros : undefined;
  } catch {
    return undefined;
  }
}

function readTime(from: unknown): number {
  const time = from instanceof Date ? from.getTime() : typeof from === "string" ? Date.parse(from) : Number.NaN;
  if (Number.isNaN(time))
    throw new TypeError('setPrice: from must be a Date, or a time such as "2026-07-01T00:00:00Z".');
  return time;
}
