import { setMaxListeners } from "node:events";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AnyCapability, Input, Output } from "./capability.js";
import { CapabilityError } from "./errors.js";
import { type Micros, toMicros } from "./payment/money.js";

/** pino's call shape: an object of facts, then the sentence. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** How URLs that callers supply are judged and reached. */
export interface OutboundOptions {
  /** Host names that are fetched whatever their addresses; `name:port` opens another port than 80 and 443, too. */
  allowHosts?: string[];
  /** Host names that are never fetched; a mounted service adds its own, so that no call loops through it. */
  denyHosts?: string[];
  /** Lets every address pass, metadata services included. For tests and closed networks only. */
  allowPrivate?: boolean;
  /** Name resolution, by default the system's. Every returned address is judged. */
  lookup?: (host: string) => Promise<{ address: string; family: number }[]>;
}

/** Where a capability's cached answers live. `false` as an option turns every cache off. */
export interface Cache {
  get(key: string): unknown;
  set(key: string, value: unknown, ttlMs: number): void;
}

/** What a caller may pass to a capability; each has a default that works. */
export interface CallOptions {
  /** The only door to the network. Default: the global fetch. */
  fetch?: typeof globalThis.fetch;
  /** Keys and settings by name. Default: `process.env`. */
  secrets?: Record<string, string | undefined>;
  /** Ends the call early. */
  signal?: AbortSignal;
  /** The current time. Default: the system clock. */
  clock?: () => Date;
  cache?: Cache | false;
  /** The folder of bulk files. Default: a folder in the user's cache directory, `/tmp` on Lambda. */
  dataDir?: string;
  /** Default: silent. */
  logger?: Logger;
  outbound?: OutboundOptions;
}

/** What a capability's own code sees. */
export interface Context {
  readonly fetch: typeof globalThis.fetch;
  /** Whether `fetch` came from the host or a test, who then see every request; else sockets may be pinned. */
  readonly injectedFetch: boolean;
  /** Where the answers of upstreams came from in this call. */
  readonly reads: Reads;
  /** From 0 to 1, to spread retries; nothing that must not be guessed. */
  readonly random: () => number;
  readonly clock: () => Date;
  /** Aborted when the caller leaves or the capability's time is up. */
  readonly signal: AbortSignal;
  readonly cache: Cache | false | undefined;
  readonly dataDir: string;
  readonly logger: Logger;
  readonly outbound: OutboundOptions;
  readonly meter: Meter;
  secret(name: string): string | undefined;
  /** Calls another capability with the same clock, network, secrets and deadline, and no second payment. */
  call<C extends AnyCapability>(capability: C, input: Input<C>, options?: { signal?: AbortSignal }): Promise<Output<C>>;
  /** The capability that is mounted beside this one under `id`; absent in-process, where nothing is mounted. */
  readonly find?: ((id: string) => AnyCapability | undefined) | undefined;
  /** What one call costs here, host's prices included. */
  quote(capability: AnyCapability, input: unknown): Promise<Micros>;
}

/** What a call read: from upstreams, or from answers kept of earlier reads. */
export interface Reads {
  fresh: number;
  cached: number;
  /** Set when an outdated answer stood in for a failed upstream: its age. */
  staleMs?: number;
}

/** Adds up what a call really used, in USD, where the price is settled by usage. */
export interface Meter {
  add(usd: string): void;
  /** Undefined when nothing was reported, or something that is no amount: an estimate then takes its place. */
  readonly used: Micros | undefined;
}

/** Looked up at call time, so that a test or an agent that replaces the global fetch is seen. */
const globalFetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init);

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

function defaultDataDir(env: Record<string, string | undefined> = process.env): string {
  if (env.AWS_LAMBDA_FUNCTION_NAME) return "/tmp/coinslot";
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "coinslot");
}

function createMeter(): Meter {
  let used: Micros | undefined;
  let broken = false;
  return {
    add(usd) {
      try {
        used = (used ?? 0n) + toMicros(usd);
      } catch {
        // Providers report NaN and negative usage too.
        broken = true;
      }
    },
    get used() {
      return broken ? undefined : used;
    },
  };
}

/** What a service adds to the options of one call. */
export interface ContextExtras {
  timeoutMs: number;
  find?: Context["find"];
  quote?: Context["quote"];
  /** Shared with the call that this one is part of. */
  reads?: Reads;
}

export function createContext(options: CallOptions, extras: ContextExtras): Context {
  let signal: AbortSignal | undefined;
  let meter: Meter | undefined;
  const secrets = options.secrets ?? process.env;
  const ctx: Context = {
    fetch: options.fetch ?? globalFetch,
    injectedFetch: options.fetch !== undefined,
    reads: extras.reads ?? { fresh: 0, cached: 0 },
    random: Math.random,
    clock: options.clock ?? (() => new Date()),
    // Made on first use: a quote needs no timer.
    get signal() {
      const deadline = () => AbortSignal.timeout(extras.timeoutMs);
      if (!signal) {
        signal = options.signal ? AbortSignal.any([options.signal, deadline()]) : deadline();
        // Reads at the same time each listen; Node warns of a leak from eleven on.
        setMaxListeners(0, signal);
      }
      return signal;
    },
    cache: options.cache,
    get dataDir() {
      return options.dataDir ?? defaultDataDir();
    },
    logger: options.logger ?? silent,
    outbound: options.outbound ?? {},
    get meter() {
      meter ??= createMeter();
      return meter;
    },
    secret: (name) => secrets[name] || undefined,
    call: (capability, input, { signal: own } = {}) => {
      const inner = { ...options, signal: own ? AbortSignal.any([ctx.signal, own]) : ctx.signal };
      return capability.invoke(
        input,
        createContext(inner, { ...extras, reads: ctx.reads, timeoutMs: capability.timeoutMs }),
      ) as never;
    },
    find: extras.find,
    quote: extras.quote ?? (async (capability, input) => capability.quote(input, ctx)),
  };
  return ctx;
}

/** The error for an aborted call: who left decides what it is called. */
export function abortError(signal: AbortSignal, what: string): CapabilityError {
  const timedOut = signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
  return timedOut
    ? new CapabilityError("UPSTREAM_TIMEOUT", `${what} did not finish in time.`)
    : new CapabilityError("UPSTREAM_ERROR", `${what} was cancelled.`);
}
