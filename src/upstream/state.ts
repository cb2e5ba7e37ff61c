/** What is remembered of an upstream between requests: its cache, what is under way, its queue, breaker and quota. */
import type { Provider } from "../capability/provider.js";
import type { Cache } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import { lazy } from "../lib/lazy.js";
import { named } from "../lib/named.js";
import { SECOND_MS } from "../lib/time.js";
import { memoryCache } from "./cache.js";

const queueLibrary = lazy(async () => (await import("p-queue")).default);
const breakerLibrary = lazy(() => import("cockatiel").then(named));

const BREAK_AFTER_FAILURES = 5;
const BREAK_MS = 10_000;
const DEFAULT_CONCURRENCY = 6;
/** More would wait longer than their callers do. */
const MAX_QUEUED = 500;

/** Runs requests in turn, refuses them while the upstream is down. */
export interface Gate {
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export interface UpstreamState {
  /** The answers kept here, for calls whose host gives no cache. */
  readonly memory: () => Promise<Cache>;
  readonly flights: Map<string, Flight>;
  gate(provider: Provider): Promise<Gate>;
  /** Counts a request against the provider's allowance. Throws UPSTREAM_RATE_LIMIT when it is used up. */
  spendQuota(provider: Provider, now: number): void;
}

/** What came of a request, and how many bytes it took. */
export interface Fetched {
  value: unknown;
  bytes: number;
}

/** One request that several callers wait for. */
export interface Flight {
  result: Promise<Fetched>;
  waiting: number;
  controller: AbortController;
}

type Fetch = typeof globalThis.fetch;
const states = new WeakMap<Fetch, UpstreamState>();

/** State belongs to a way out: a test or a host with a fetch of its own shares nothing with others. */
export function stateOf(fetch: Fetch): UpstreamState {
  let state = states.get(fetch);
  if (!state) {
    state = createState();
    states.set(fetch, state);
  }
  return state;
}

function createState(): UpstreamState {
  const gates = new Map<Provider, Promise<Gate>>();
  const spent = new Map<Provider, number[]>();
  return {
    memory: lazy(memoryCache),
    flights: new Map(),
    gate(provider) {
      let gate = gates.get(provider);
      if (!gate) {
        gate = createGate(provider);
        gates.set(provider, gate);
      }
      return gate;
    },
    spendQuota(provider, now) {
      const { quota, name } = provider;
      if (!quota) return;
      const recent = (spent.get(provider) ?? []).filter((time) => time > now - quota.perMs);
      const [oldest] = recent;
      if (oldest !== undefined && recent.length >= quota.requests)
        throw new CapabilityError("UPSTREAM_RATE_LIMIT", `The allowance of ${name} is used up for now.`, {
          retryAfter: Math.max(1, Math.ceil((oldest + quota.perMs - now) / 1000)),
        });
      spent.set(provider, [...recent, now]);
    },
  };
}

async function createGate({ name, concurrency = DEFAULT_CONCURRENCY, perSecond }: Provider): Promise<Gate> {
  const [PQueue, { circuitBreaker, ConsecutiveBreaker, handleWhen, isBrokenCircuitError }] = await Promise.all([
    queueLibrary(),
    breakerLibrary(),
  ]);
  const queue = new PQueue({ concurrency, ...(perSecond ? pace(perSecond) : {}) });
  const breaker = circuitBreaker(handleWhen(isFailureOfUpstream), {
    halfOpenAfter: BREAK_MS,
    breaker: new ConsecutiveBreaker(BREAK_AFTER_FAILURES),
  });
  const open = () =>
    new CapabilityError("UPSTREAM_ERROR", `${name} is not answering. It will be tried again shortly.`, {
      retryAfter: BREAK_MS / 1000,
    });
  return {
    async run(work, signal) {
      if (queue.size >= MAX_QUEUED)
        throw new CapabilityError("OVERLOADED", `Too many calls wait for ${name}.`, { retryAfter: 5 });
      try {
        return await queue.add(() => breaker.execute(work), { signal });
      } catch (error) {
        throw isBrokenCircuitError(error) ? open() : error;
      }
    },
  };
}

/** Less than one a second is one in so many. */
const pace = (perSecond: number) =>
  perSecond < 1
    ? { interval: Math.ceil(SECOND_MS / perSecond), intervalCap: 1 }
    : { interval: SECOND_MS, intervalCap: perSecond };

/** A refused input or a missing record says nothing about the upstream's health; neither does a caller who left. */
function isFailureOfUpstream(error: Error): boolean {
  return CapabilityError.is(error) ? error.status === 502 : error.name !== "AbortError";
}
