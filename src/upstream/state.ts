/** State of an upstream between requests: cache, running requests, queue, breaker and quota. */
import type { Provider } from "../capability/provider.js";
import type { Cache } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import { lazy } from "../lib/lazy.js";
import { named } from "../lib/packages/named.js";
import type { Caller } from "../lib/threads/payer.js";
import { SECOND_MS } from "../lib/time.js";
import { type Fetched, memoryCache } from "./cache.js";
import { createLine } from "./line.js";

const queueLibrary = lazy(async () => (await import("p-queue")).default);
const breakerLibrary = lazy(() => import("cockatiel").then(named));

const BREAK_AFTER_FAILURES = 5;
const BREAK_MS = 10_000;
const DEFAULT_CONCURRENCY = 6;

/** Runs requests by turns of their payers, and refuses them while the upstream is down. */
export interface Gate {
  run<T>(work: () => Promise<T>, caller: Caller): Promise<T>;
}

export interface UpstreamState {
  /** Answers cached here, for calls whose host has no cache. */
  readonly memory: () => Promise<Cache>;
  readonly flights: Map<string, Flight>;
  gate(provider: Provider): Promise<Gate>;
  /** Counts a request against the provider's allowance. Throws UPSTREAM_RATE_LIMIT if it is used up. */
  spendQuota(provider: Provider, now: number): void;
}

/** One request that several callers wait for. */
export interface Flight {
  result: Promise<Fetched>;
  waiting: number;
  controller: AbortController;
}

type Fetch = typeof globalThis.fetch;
const states = new WeakMap<Fetch, UpstreamState>();

/** State is separate for each fetch: a test or a host with its own fetch shares nothing with others. */
export function upstreamStateOf(fetch: Fetch): UpstreamState {
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
        throw new CapabilityError("UPSTREAM_RATE_LIMIT", `The allowance of ${name} is used up; retry later.`, {
          retryAfter: Math.max(1, Math.ceil((oldest + quota.perMs - now) / 1000)),
        });
      spent.set(provider, [...recent, now]);
    },
  };
}

async function createGate({ name, concurrency = DEFAULT_CONCURRENCY, perSecond }: Provider): Promise<Gate> {
  const [PQueue, { circuitBreaker, ConsecutiveBreaker, handleWhen, isBrokenCircuitError }] = await Promise.all([
    perSecond ? queueLibrary() : undefined,
    breakerLibrary(),
  ]);
  const line = createLine(name, concurrency);
  const paced = PQueue && perSecond ? new PQueue(pace(perSecond)) : undefined;
  const breaker = circuitBreaker(handleWhen(isFailureOfUpstream), {
    halfOpenAfter: BREAK_MS,
    breaker: new ConsecutiveBreaker(BREAK_AFTER_FAILURES),
  });
  const open = () =>
    new CapabilityError("UPSTREAM_ERROR", `${name} is not answering. It will be tried again shortly.`, {
      retryAfter: BREAK_MS / 1000,
    });
  return {
    async run(work, caller) {
      const guarded = () => breaker.execute(work);
      const inPace = () => (paced ? paced.add(guarded, { signal: caller.signal }) : guarded());
      try {
        return await line.run(inPace, caller);
      } catch (error) {
        throw isBrokenCircuitError(error) ? open() : error;
      }
    },
  };
}

/** A rate below one a second becomes one request in several seconds. */
const pace = (perSecond: number) =>
  perSecond < 1
    ? { interval: Math.ceil(SECOND_MS / perSecond), intervalCap: 1 }
    : { interval: SECOND_MS, intervalCap: perSecond };

/** A refused input, a missing record and a leaving caller do not count as failures of the upstream. */
function isFailureOfUpstream(error: Error): boolean {
  return CapabilityError.is(error) ? error.status === 502 : error.name !== "AbortError";
}
