import { createHash, randomUUID } from "node:crypto";
import { type CallContext, createContext } from "../capability/context.js";
import type { AnyCapability } from "../capability/types.js";
import type { WalletCall } from "../capability/wallets.js";
import { assertKnownOpen } from "../gate/gate.js";
import type { CallInfo } from "../host/call-info.js";
import type { Host } from "../host/host.js";
import { traced } from "../host/telemetry.js";
import { lazy } from "../lib/lazy.js";
import type { Payer } from "../lib/threads/payer.js";
import type { Floods } from "../metering/floods.js";
import type { EndedCallEvent } from "../payment/events/events.js";
import type { AccountCaller } from "../payment/options/accounts.js";
import type { Credentials, Grant, Order } from "../payment/order/order.js";
import type { Prices } from "../payment/pricing/pricing.js";
import type { LazyRequest, PlainResponse } from "./http/exchange.js";

/** The steps of a call that are timed separately. */
export type StepName = "authorize" | "prepare" | "run" | "settle";

/** A call that may go on when its caller has left; see jobs/first-run.ts. */
export interface CallAsJob {
  /** Whether another process began it. */
  readonly isRepeated: boolean;
  /** The account that pays for one that another process began. */
  readonly account: AccountCaller | undefined;
  readonly isCancelled: boolean;
  opened(call: Call): void;
  /** The answer to a request that is a job already. */
  known(call: Call, order: Order, credentials: Credentials): Promise<PlainResponse | undefined>;
  /** Told once its payment is held. Rejects if the work must not begin. */
  begin(call: Call, order: Order, grant: Grant): Promise<void>;
  /** Told of the steps of its work. */
  progress(done: number, steps: number): void;
  /** Told when the work is done, before anything is charged. Rejects if nothing may be charged. */
  finish(): Promise<void>;
}

/** One request on its way to an answer. */
export interface Call {
  readonly host: Host;
  readonly request: LazyRequest;
  readonly url: URL;
  readonly info: CallInfo;
  readonly requestId: string;
  /** The event of this call, filled in by its steps. */
  readonly event: Partial<EndedCallEvent>;
  /** The request that names the caller: for a tool's call, the one that asked for it. */
  readonly caller: LazyRequest;
  /** Headers that its steps add to the answer. */
  readonly added: Record<string, string>;
  /** The same for an answer below 400. */
  readonly addedUnlessError: Record<string, string>;
  /** True if it was made by a service, such as a tool's call, which answers at once. */
  readonly inner: boolean;
  /** Set if its caller may fetch the answer later. */
  readonly job?: CallAsJob | undefined;
  /** Whether the body asks for a stream; undefined if it says nothing about it. */
  streamed?: boolean;
  /** SHA-256 of what was asked for, with its body, where the answer's statement will name it. */
  requestDigest?: string;
  /** Settles when a streamed answer is over, for which the call's event waits; undefined for others. */
  ending?: Promise<void>;
  /** Counts how it ended for the bound of floods, where there is one. */
  charge?: ReturnType<Floods["admit"]>;
  durationMs(): number;
  /** Runs a step and records its duration for `Server-Timing` and the host's traces. */
  step<T>(name: StepName, work: () => Promise<T>): Promise<T>;
  /** Duration of the steps so far, in milliseconds. */
  readonly steps: ReadonlyMap<StepName, number>;
  /** Milliseconds until the platform ends the call; Infinity if it sets no deadline. */
  remainingMs(): number;
}

export function openCall(
  host: Host,
  request: LazyRequest,
  info: CallInfo,
  { outer, job }: { outer?: LazyRequest | undefined; job?: CallAsJob | undefined } = {},
): Call {
  const startedAt = performance.now();
  // Platforms state their deadline by the system's clock, which may differ from the host's clock.
  const steps = new Map<StepName, number>();
  const patienceMs = info.deadline === undefined ? Number.POSITIVE_INFINITY : info.deadline - Date.now();
  const call: Call = {
    host,
    request,
    url: request.url,
    info,
    caller: outer ?? request,
    added: {},
    addedUnlessError: {},
    inner: outer !== undefined,
    ...(job ? { job } : {}),
    requestId: randomUUID(),
    event: {},
    durationMs: () => tenths(performance.now() - startedAt),
    steps,
    async step(name, work) {
      const from = performance.now();
      try {
        return await traced(name, work);
      } finally {
        steps.set(name, tenths((steps.get(name) ?? 0) + performance.now() - from));
      }
    },
    remainingMs: () => patienceMs - (performance.now() - startedAt),
  };
  job?.opened(call);
  return call;
}

/** SHA-256 of a request, as its caller wrote it. */
export const digestOf = (call: Call, body: string | Uint8Array): string =>
  createHash("sha256")
    .update(`${call.request.method} ${publicPrefix(call)}${call.url.pathname}${call.url.search}\n`)
    .update(body)
    .digest("hex");

/** Prefix of every path in the public address: the part that a proxy cuts off, or the stage of an API. */
export const publicPrefix = ({ host, info }: Pick<Call, "host" | "info">): string =>
  host.brand.baseUrl ? host.publicPath("") : (info.prefix ?? "");

/** The service's public address behind proxies; paths as they arrive here are appended to it. */
export const publicOrigin = (call: Pick<Call, "host" | "info" | "url">): string =>
  call.host.brand.baseUrl ?? call.url.origin + publicPrefix(call);

const tenths = (ms: number) => Math.round(ms * 10) / 10;

/** Facts of a call that its context contains. */
interface CallerFacts {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  wallet?: WalletCall | undefined;
  payer?: Payer | undefined;
  /** Request id for the lines that the capability logs. */
  requestId?: string;
  /** Number of resellers that the call has passed through. */
  hops?: number;
  /** Those of its order; without one, those of now. */
  prices?: Prices;
  progress?: CallContext["progress"];
  /** Limit of the platform, if it is lower than the host's. */
  maxResponseBytes?: number | undefined;
}

const claims = lazy(() => import("./claim.js"));

/** Context in which a capability runs: this host's network, secrets, clock, prices and other capabilities. */
export function contextFor(
  host: Host,
  capability: AnyCapability,
  {
    signal,
    wallet,
    payer,
    requestId,
    hops = 0,
    prices,
    progress,
    maxResponseBytes = host.maxResponseBytes,
    timeoutMs = capability.timeoutMs,
  }: CallerFacts = {},
): CallContext {
  const { options } = host;
  const logger = requestId === undefined ? undefined : options.logger.child?.({ requestId, endpoint: capability.id });
  const ctx: CallContext = createContext(options, {
    timeoutMs,
    signal,
    logger,
    resources: host.resources,
    maxResponseBytes,
    wallet,
    hops,
    kept: {
      payer,
      progress,
      onKeys: host.live?.watches(capability.id, payer),
      onExchange: host.metrics.isOn()
        ? (upstream, outcome, ms) => host.metrics.time("coinslot.upstream.duration", ms, { upstream, outcome })
        : undefined,
      async claim(name, ttlMs) {
        const key = `claim:${capability.id}:${name}`;
        return (await claims()).claimed(host.store, key, ttlMs);
      },
    },
    brand: host.brand,
    find: (id) => {
      const found = host.byId.get(id);
      // guard: switches: a stopped endpoint is not called by a batch | gone | switches
      if (found) assertKnownOpen(host, found);
      return found;
    },
    gate: (inner) => assertKnownOpen(host, inner),
    withMarkup: (amount) => (prices ?? host.pricing.at()).withMarkup(amount, capability),
    quote: (other, input) => (prices ?? host.pricing.at()).quote(other, input, ctx),
  });
  return ctx;
}

/** The name under which callers know the service. */
export const realmOf = ({ host: { brand }, url }: Call): string =>
  brand.baseUrl ? new URL(brand.baseUrl).host : url.host;
