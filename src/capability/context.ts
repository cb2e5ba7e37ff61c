import { setMaxListeners } from "node:events";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Deadline, deadline } from "../lib/abort.js";
import { type Logger, silent } from "../lib/logger.js";
import { type Micros, toMicros } from "../lib/money.js";
import { createResources, type Resources } from "../lib/resources.js";
import { findImported } from "./imported.js";
import type { CallOptions, Context, Meter, Reads, Sold, WalletCall } from "./types.js";

const DEFAULT_USER_AGENT = "Coinslot";
export const DEFAULT_SLUG = "svc";

/** Also what AWS Lambda carries. */
export const DEFAULT_MAX_RESPONSE_BYTES = 6 * 1024 * 1024;

/** Looked up at call time, so that a test or an agent that replaces the global fetch is seen. */
const globalFetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init);

/** Of calls without a host, which have nobody who could close anything: it ends with the process. */
const processResources = /* @__PURE__ */ createResources();

export function defaultDataDir(env: Record<string, string | undefined> = process.env): string {
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
  /** The brand of the host; upstreams are asked under its name. */
  brand?: { name: string; slug: string };
  /** The caller's, in the place of what the options name. */
  signal?: AbortSignal | undefined;
  logger?: Logger | undefined;
  /** What is mounted; in-process there is none. */
  find?: Context["find"];
  quote?: Context["quote"];
  withMarkup?: Context["withMarkup"];
  /** Default 6 MB. */
  maxResponseBytes?: number | undefined;
  /** Default: those of the process. */
  resources?: Resources;
  /** Whose call it is; also for what the call calls in turn. Default: what the options name. */
  wallet?: WalletCall | undefined;
  /** How often the call was sold on before it came here. Default 0. */
  hops?: number;
  /** Shared with the call that this one is part of. */
  reads?: Reads;
}

/** A trusted caller's word on whose state a call works. */
export function walletOf({ wallet, idempotencyKey }: Pick<CallOptions, "wallet" | "idempotencyKey">) {
  if (wallet === undefined) return undefined;
  return { id: wallet, ...(idempotencyKey === undefined ? {} : { callId: `own:${idempotencyKey}` }) };
}

/** What one call does for the same wallet in several others, each under a name of its own. */
const innerCall = (wallet: WalletCall, key: string | undefined): WalletCall =>
  wallet.callId === undefined || key === undefined ? wallet : { ...wallet, callId: `${wallet.callId}/${key}` };

/** How the deadlines of contexts end that were asked for their signal. */
const ends = new WeakMap<Context, () => void>();

/** Ends a context's deadline with its work, so that no timer and no listener outlives the call. */
export const untilEnd = <T>(ctx: Context, work: Promise<T>): Promise<T> => work.finally(() => ends.get(ctx)?.());

export function createContext(options: CallOptions, extras: ContextExtras): Context {
  let end: Deadline | undefined;
  let meter: Meter | undefined;
  let sold: Sold | undefined;
  const secrets = options.secrets ?? process.env;
  const caller = extras.signal ?? options.signal;
  const ctx: Context = {
    fetch: options.fetch ?? globalFetch,
    injectedFetch: options.fetch !== undefined,
    reads: extras.reads ?? { fresh: 0, cached: 0 },
    random: Math.random,
    clock: options.clock ?? (() => new Date()),
    injectedClock: options.clock !== undefined,
    // Made on first use: a quote needs no timer.
    get signal() {
      if (!end) {
        end = deadline(extras.timeoutMs, caller);
        ends.set(ctx, end.clear);
        // Reads at the same time each listen; Node warns of a leak from eleven on.
        setMaxListeners(0, end.signal);
      }
      return end.signal;
    },
    get aborted() {
      return (end?.signal ?? caller)?.aborted ?? false;
    },
    cache: options.cache,
    get dataDir() {
      return options.dataDir ?? defaultDataDir();
    },
    logger: extras.logger ?? options.logger ?? silent,
    outbound: options.outbound ?? {},
    // A product token of RFC 9110 section 10.1.5: a brand may have blanks, or no such letter at all.
    userAgent: extras.brand?.name.replace(/[^\w.-]+/g, "") || DEFAULT_USER_AGENT,
    slug: extras.brand?.slug ?? DEFAULT_SLUG,
    get meter() {
      meter ??= createMeter();
      return meter;
    },
    get sold() {
      sold ??= { cost: 0n, items: [] };
      return sold;
    },
    secret: (name) => secrets[name] || undefined,
    setting: (name) => secrets[name] || undefined,
    call: (capability, input, { signal: own, key } = {}) => {
      const { timeoutMs } = capability;
      const { signal, clear } = deadline(timeoutMs, ctx.signal, own);
      const inner = createContext(options, {
        ...extras,
        signal,
        reads: ctx.reads,
        timeoutMs,
        wallet: ctx.wallet && innerCall(ctx.wallet, key),
      });
      return untilEnd(inner, capability.invoke(input, inner)).finally(clear) as never;
    },
    maxResponseBytes: extras.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES,
    resources: extras.resources ?? processResources,
    wallet: extras.wallet ?? walletOf(options),
    wallets: options.wallets,
    find:
      extras.find ??
      ((id) => (options.capabilities ? options.capabilities.find((one) => one.id === id) : findImported(id))),
    hops: extras.hops ?? 0,
    mounted: extras.find !== undefined,
    withMarkup: extras.withMarkup ?? ((amount) => amount),
    quote: extras.quote ?? (async (capability, input) => capability.quote(input, ctx)),
  };
  return ctx;
}
