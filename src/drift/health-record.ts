/**
 * Knowledge of the upstreams, shared by all instances of a store: when each provider is asked next and by whom, and how
 * often each endpoint failed in a row. One record, read every few seconds while it is asked for, and changed rarely.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { atMost } from "../lib/abort.js";
import { once } from "../lib/lazy.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/time.js";
import type { Store } from "../stores/store.js";
import { update } from "../stores/update.js";

const READ_EVERY_MS = 3000;
const READ_MS = 500;
const KEPT_MS = 3650 * DAY_MS;
/** Longer than any check takes; afterwards another process may make it. */
const LEASE_MS = 5 * MINUTE_MS;
/** An endpoint that is closed is asked again after this time, or sooner if all are. */
const RETRY_MS = HOUR_MS;
/** Failures in a row after which an endpoint is not sold. */
export const CLOSES_AFTER = 3;
/** Different payers among them, for an endpoint that no check can ask. */
const PAYERS_TO_CLOSE = 2;

const record = once(() =>
  z.object({
    providers: z.record(z.string(), z.object({ next: z.number(), turn: z.number(), lease: z.number().optional() })),
    endpoints: z.record(
      z.string(),
      z.object({
        failures: z.number(),
        since: z.number(),
        class: z.string(),
        provider: z.string(),
        /** The change in a few words, for the host. */
        what: z.string(),
        /** When a check last found the endpoint well: until the next one callers' failures alone do not close it. */
        provenUntil: z.number().optional(),
        /** Failures up to which an event for the host is stored. */
        told: z.number().optional(),
        /** An endpoint that no check can ask is tried again by callers from then on. */
        opensAt: z.number().optional(),
        /** Hashes of payers whose calls of such an endpoint failed. */
        payers: z.array(z.string()).optional(),
        /** Whether it failed by a fact that its answers lack, which only a check finds mended. */
        byKeys: z.boolean().optional(),
      }),
    ),
  }),
);
export type HealthData = z.infer<ReturnType<typeof record>>;
export type EndpointState = HealthData["endpoints"][string];

const NOTHING: HealthData = { providers: {}, endpoints: {} };

export interface HealthRecord {
  /** Reads what other instances know, if the last reading is old; undefined if it is not. */
  fresh(): Promise<void> | undefined;
  readonly known: HealthData;
  /** Notes when providers that are new are asked for the first time. */
  schedule(firsts: Record<string, number>): Promise<void>;
  /** Takes the right to ask a provider, if it is due and nobody else has it. Resolves to how often it was asked before. */
  take(provider: string): Promise<number | undefined>;
  /** Notes the end of a check: the provider is asked again at `next`. */
  end(provider: string, next: number): Promise<void>;
  /** Notes a failure; resolves to the state with it, and whether it is worth an event. */
  fail(id: string, failure: Failure): Promise<{ state: EndpointState; isNews: boolean }>;
  /** Notes that an endpoint's answers lack a fact: it is not sold until a check finds it well. */
  close(id: string, failure: Failure): Promise<{ state: EndpointState; isNews: boolean }>;
  /** Notes that the events of these failures are stored. */
  told(id: string, failures: number): Promise<void>;
  /** Forgets the failures of an endpoint; resolves to whether it was closed. */
  pass(id: string, provenUntil?: number): Promise<boolean>;
}

export type Failure = Pick<EndpointState, "class" | "provider" | "what"> & {
  /** The provider by whose turn the endpoint is checked; undefined if no check can ask it. */
  asked: string | undefined;
  by: "check" | "call";
  /** Who paid for the call that failed; undefined for a check, and for a call that nobody would have paid for. */
  payer?: string | undefined;
  /** Payers who met the failure, where they were counted before. */
  payers?: number;
};

export const isClosed = ({ failures, opensAt }: EndpointState, now: number): boolean =>
  failures >= CLOSES_AFTER && (opensAt === undefined || now < opensAt);

const ALMOST = { failures: CLOSES_AFTER - 1, byKeys: true } as const;

/** `name` tells the host from others of the same store. */
export function createHealthRecord({
  store,
  name,
  now,
}: {
  store: Store;
  name: string;
  now: () => number;
}): HealthRecord {
  const key = `live:${name}`;
  let known = NOTHING;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const found = await atMost(READ_MS, () => store.get(key)).catch(() => "unreadable" as const);
    if (found !== "unreadable") known = found ? parsed(found.value) : NOTHING;
    readAt = performance.now();
    reading = undefined;
  }

  async function change<T>(make: (before: HealthData) => { next: HealthData | undefined; result: T }): Promise<T> {
    return update(store, { key, ttlMs: KEPT_MS }, (found) => {
      const before = found === undefined ? NOTHING : parsed(found);
      const { next, result } = make(before);
      known = next ?? before;
      return { value: next && JSON.stringify(next), result };
    });
  }

  return {
    get known() {
      return known;
    },
    fresh() {
      if (performance.now() - readAt < READ_EVERY_MS) return undefined;
      reading ??= read();
      return reading;
    },
    schedule: (firsts) =>
      change((before) => {
        const fresh = Object.entries(firsts).filter(([provider]) => !before.providers[provider]);
        const added = Object.fromEntries(fresh.map(([provider, next]) => [provider, { next, turn: 0 }]));
        const next = { ...before, providers: { ...added, ...before.providers } };
        return { next: fresh.length > 0 ? next : undefined, result: undefined };
      }),
    take: (provider) =>
      change((before) => {
        const state = before.providers[provider];
        // guard: live: one process of all asks a provider |
        //   - || state.next > now() || (state.lease ?? 0) > now() | handler/live
        if (!state || state.next > now() || (state.lease ?? 0) > now()) return { next: undefined, result: undefined };
        const taken = { ...state, turn: state.turn + 1, lease: now() + LEASE_MS };
        return { next: { ...before, providers: { ...before.providers, [provider]: taken } }, result: state.turn };
      }),
    end: (provider, next) =>
      change((before) => {
        const { turn = 0 } = before.providers[provider] ?? {};
        return {
          next: { ...before, providers: { ...before.providers, [provider]: { next, turn } } },
          result: undefined,
        };
      }),
    fail: (id, failure) => change((before) => failed(before, id, failure, now())),
    close: (id, failure) =>
      change((before) => {
        const { [id]: state } = before.endpoints;
        // One more failure closes it, unless a check has just found it well: then the next check decides.
        const endpoints = { ...before.endpoints, [id]: { ...factsOf(failure), since: now(), ...state, ...ALMOST } };
        const { next, result } = failed({ ...before, endpoints }, id, failure, now());
        return { next: { ...next, providers: dueNow(next.providers, failure.asked, now()) }, result };
      }),
    told: (id, failures) =>
      change((before) => {
        const state = before.endpoints[id];
        const next = state && { ...before, endpoints: { ...before.endpoints, [id]: { ...state, told: failures } } };
        return { next, result: undefined };
      }),
    pass: (id, provenUntil) =>
      change((before) => {
        const { [id]: state, ...others } = before.endpoints;
        // Answers go on while they lack a fact, so that only a check tells that it is back.
        if (!state || (state.byKeys && provenUntil === undefined)) return { next: undefined, result: false };
        const kept =
          provenUntil === undefined
            ? {}
            : { [id]: { ...state, failures: 0, opensAt: undefined, told: undefined, byKeys: undefined, provenUntil } };
        return { next: { ...before, endpoints: { ...others, ...kept } }, result: state.failures >= CLOSES_AFTER };
      }),
  };
}

function failed(before: HealthData, id: string, failure: Failure, now: number) {
  const { failures: earlier = 0, since = now, provenUntil, told, ...known } = stateBefore(before, id, now);
  const isCall = failure.by === "call";
  const payers = payersWith(known.payers, failure);
  // Odd records that somebody asks for on purpose must not close an endpoint that a check has just found well, nor one
  // of which only other payers could tell that it is the upstream.
  // guard: live: callers alone close nothing that a check has found well | = false | handler/live
  const isProven = isCall && (provenUntil ?? 0) > now;
  // guard: one payer closes no endpoint that no check can ask | = false | handler/live
  const isOneVoice = isCall && hasOneVoice(failure, payers);
  const failures = isProven || isOneVoice ? Math.min(earlier + 1, CLOSES_AFTER - 1) : earlier + 1;
  const closes = failures >= CLOSES_AFTER;
  // An endpoint that stays closed, or is asked for on purpose again and again, fills nobody's log.
  const isNews = failures > earlier && failures <= CLOSES_AFTER;
  const state: EndpointState = {
    ...factsOf(failure),
    failures,
    since: earlier === 0 ? now : since,
    ...(told === undefined ? {} : { told }),
    ...(isProven ? { provenUntil } : {}),
    ...(closes && failure.asked === undefined ? { opensAt: now + RETRY_MS } : {}),
    ...(payers.length > 0 ? { payers } : {}),
    ...(known.byKeys ? { byKeys: true } : {}),
  };
  // An endpoint that callers alone have closed is checked as soon as possible.
  const providers = closes && isCall ? dueNow(before.providers, failure.asked, now) : before.providers;
  return { next: { providers, endpoints: { ...before.endpoints, [id]: state } }, result: { state, isNews } };
}

/** Whether too few payers met the failure of an endpoint that no check can ask. */
const hasOneVoice = ({ asked, payers: counted }: Failure, payers: readonly string[]): boolean =>
  asked === undefined && (counted ?? payers.length) < PAYERS_TO_CLOSE;

/** An endpoint that was closed and is open again starts anew: one payer could keep it closed otherwise. */
function stateBefore({ endpoints }: HealthData, id: string, now: number): Partial<EndpointState> {
  const { [id]: state } = endpoints;
  return state?.opensAt !== undefined && state.opensAt <= now ? {} : (state ?? {});
}

/** Payers whose calls failed in a row, as far as they count, where no check can ask. */
function payersWith(before: readonly string[] = [], { asked, payer }: Failure): string[] {
  if (asked !== undefined || payer === undefined) return [...before];
  const hash = createHash("sha256").update(payer).digest("hex").slice(0, 16);
  return [...new Set([...before, hash])].slice(0, PAYERS_TO_CLOSE);
}

const factsOf = ({ class: own, provider, what }: Failure) => ({ class: own, provider, what });

function dueNow(providers: HealthData["providers"], name: string | undefined, now: number): HealthData["providers"] {
  const state = name === undefined ? undefined : providers[name];
  return state && name !== undefined
    ? { ...providers, [name]: { ...state, next: Math.min(state.next, now) } }
    : providers;
}

/** A record of a later release, or a damaged one, closes nothing. */
function parsed(value: string): HealthData {
  try {
    return record().parse(JSON.parse(value));
  } catch {
    return NOTHING;
  }
}
