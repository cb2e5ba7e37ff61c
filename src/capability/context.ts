import { setMaxListeners } from "node:events";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Deadline, deadline } from "../lib/abort.js";
import { type Logger, silent } from "../lib/logger.js";
import { type Micros, toMicros } from "../lib/money.js";
import { createResources, type Resources } from "../lib/resources.js";
import { findImported } from "./imported.js";
import type { AnyCapability, CallOptions, Context } from "./types.js";
import type { Meter, Reads, Sold } from "./usage.js";
import type { WalletCall } from "./wallets.js";

export const DEFAULT_BRAND = "Coinslot";
export const DEFAULT_SLUG = "svc";

/** Default limit of an answer: AWS Lambda carries no more than 6 MB. */
export const DEFAULT_MAX_RESPONSE_BYTES = 6 * 1024 * 1024;

/** Resolves the global fetch at call time, so that a test or an agent may replace it after import. */
const globalFetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init);

/** Resources of calls without a host: nobody can close them, so they end with the process. */
const processResources = /* @__PURE__ */ createResources();

export function defaultDataDir(env: Record<string, string | undefined> = process.env): string {
  if (env.AWS_LAMBDA_FUNCTION_NAME) return "/tmp/coinslot";
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "coinslot");
}

function createMeter(): Meter {
  let used: Micros | undefined;
  let owed: Micros | undefined;
  let broken = false;
  const count = (usd: string, before: Micros) => {
    try {
      used = before + toMicros(usd);
    } catch {
      // Providers also report NaN and negative usage.
      broken = true;
    }
  };
  return {
    add: (usd) => count(usd, used ?? 0n),
    set: (usd) => count(usd, 0n),
    owe(usd) {
      owed = toMicros(usd);
    },
    get owed() {
      return owed;
    },
    get used() {
      return broken ? undefined : used;
    },
  };
}

/** Options of one call that a host adds. */
export interface ContextExtras {
  timeoutMs: number;
  /** The host's brand, by which requests to upstreams name their sender. */
  brand?: { name: string; slug: string };
  /** The caller's signal, which replaces the signal of the options. */
  signal?: AbortSignal | undefined;
  logger?: Logger | undefined;
  /** Finds a mounted capability. In-process none is mounted. */
  find?: Context["find"];
  /** Throws for a capability that is not sold at the moment, before a call within the call. */
  gate?: (inner: AnyCapability) => void;
  quote?: Context["quote"];
  withMarkup?: Context["withMarkup"];
  /** Largest answer in bytes. Default 6 MB. */
  maxResponseBytes?: number | undefined;
  /** Default: the resources of the process. */
  resources?: Resources;
  /** The wallet that the call works for, passed on to inner calls. Default: the wallet that the options name. */
  wallet?: WalletCall | undefined;
  /** Members of the context that have no default. Of `progress` inner calls tell nothing. */
  kept?: Pick<Context, "payer" | "transaction" | "onKeys" | "onExchange" | "claim" | "progress"> | undefined;
  /** How many resellers the call has passed through. Default 0. */
  hops?: number;
  /** Of an inner call: its reads, which count for the outer one. */
  reads?: Reads;
}

/** The wallet that a trusted caller names in the options. */
export function walletOf({ wallet, idempotencyKey }: Pick<CallOptions, "wallet" | "idempotencyKey">) {
  if (wallet === undefined) return undefined;
  return { id: wallet, ...(idempotencyKey ? { callId: `own:${idempotencyKey}` } : {}) };
}

/** An inner call for the same wallet, with a call id derived from the outer one and the inner call's key. */
const innerCall = (wallet: WalletCall, key: string | undefined): WalletCall =>
  wallet.callId === undefined || key === undefined ? wallet : { ...wallet, callId: `${wallet.callId}/${key}` };

/** The same context for changes that join a transaction, by themselves or through inner calls. */
export const withTransaction = (ctx: Context, transaction: object): Context => {
  const call: Context["call"] = (capability, input, options) =>
    ctx.call(capability, input, { ...options, transaction });
  return Object.create(ctx, { transaction: { value: transaction }, call: { value: call } });
};

/** The context of a whole call, which has a deadline of its own. */
export interface CallContext extends Context {
  /** Stops the deadline, so that no timer or listener outlives the call. */
  end(): void;
}

/** Stops a context's deadline when its work ends. */
export const untilEnd = <T>(ctx: CallContext, work: Promise<T>): Promise<T> => work.finally(() => ctx.end());

/** Finds capabilities of a call without a host. */
const finderIn =
  ({ capabilities }: CallOptions): Context["find"] =>
  (id) =>
    capabilities ? capabilities.find((one) => one.id === id) : findImported(id);

export function createContext(options: CallOptions, extras: ContextExtras): CallContext {
  let ownDeadline: Deadline | undefined;
  let meter: Meter | undefined;
  let sold: Sold | undefined;
  const { clock = () => new Date(), secrets = process.env, outbound = {} } = options;
  const setting = (name: string): string | undefined => secrets[name] || undefined;
  const caller = extras.signal ?? options.signal;
  const { name: brand = DEFAULT_BRAND, slug = DEFAULT_SLUG } = extras.brand ?? {};
  const { reads = { fresh: 0, cached: 0, inner: [] }, hops = 0 } = extras;
  const ctx: CallContext = {
    fetch: options.fetch ?? globalFetch,
    injectedFetch: !!options.fetch,
    reads,
    random: Math.random,
    clock,
    injectedClock: !!options.clock,
    // Created on first use, because a quote needs no timer.
    get signal() {
      if (!ownDeadline) {
        ownDeadline = deadline(extras.timeoutMs, caller);
        // Concurrent reads each add a listener, and Node warns of a leak above ten.
        setMaxListeners(0, ownDeadline.signal);
      }
      return ownDeadline.signal;
    },
    get aborted() {
      return (ownDeadline?.signal ?? caller)?.aborted ?? false;
    },
    end: () => ownDeadline?.clear(),
    cache: options.cache,
    get dataDir() {
      return options.dataDir ?? defaultDataDir();
    },
    logger: extras.logger ?? options.logger ?? silent,
    outbound,
    brand,
    // User-Agent takes a product token (RFC 9110 section 10.1.5); a brand may contain blanks or only letters outside
    // ASCII.
    userAgent: brand.replace(/[^\w.-]+/g, "") || slug || DEFAULT_BRAND,
    slug,
    get meter() {
      meter ??= createMeter();
      return meter;
    },
    get sold() {
      sold ??= { cost: 0n, items: [] };
      return sold;
    },
    secret: setting,
    setting,
    call: (capability, input, { signal: own, key, transaction = ctx.transaction } = {}) => {
      extras.gate?.(capability);
      const { timeoutMs } = capability;
      const { signal, clear } = deadline(timeoutMs, ctx.signal, own);
      const inner = createContext(options, {
        ...extras,
        kept: { ...extras.kept, transaction, progress: undefined },
        signal,
        timeoutMs,
        reads: { fresh: 0, cached: 0, inner: ctx.reads.inner, outer: ctx.reads },
        wallet: ctx.wallet && innerCall(ctx.wallet, key),
      });
      // Noted at its begin, because work that nobody waits for any more has a cost, too.
      ctx.reads.inner.push({ id: capability.id, meter: inner.meter });
      return untilEnd(inner, capability.invoke(input, inner)).finally(clear) as never;
    },
    maxResponseBytes: extras.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES,
    resources: extras.resources ?? processResources,
    wallet: extras.wallet ?? walletOf(options),
    wallets: options.wallets,
    find: extras.find ?? finderIn(options),
    hops,
    mounted: !!extras.find,
    withMarkup: extras.withMarkup ?? ((amount) => amount),
    quote: extras.quote ?? ((capability, input) => capability.quote(input, ctx)),
    // At the end: members after a spread are ten times as slow to make.
    ...extras.kept,
  };
  return ctx;
}
