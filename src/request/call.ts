import { randomUUID } from "node:crypto";
import { createContext } from "../capability/context.js";
import type { AnyCapability, Context, WalletCall } from "../capability/types.js";
import type { CallInfo } from "../host/call-info.js";
import type { Host } from "../host/host.js";
import { traced } from "../host/telemetry.js";
import type { CallEvent } from "../payment/events.js";
import type { LazyRequest } from "./exchange.js";

/** The parts of a call that are worth telling apart. */
export type StepName = "authorize" | "prepare" | "run" | "settle";

/** One request on its way to an answer. */
export interface Call {
  readonly host: Host;
  readonly request: LazyRequest;
  readonly url: URL;
  readonly info: CallInfo;
  readonly requestId: string;
  /** What the call's one event will say; the steps fill it in. */
  readonly event: Partial<CallEvent>;
  durationMs(): number;
  /** Does a part of the work, noting how long it takes for `Server-Timing` and the host's traces. */
  step<T>(name: StepName, work: () => Promise<T>): Promise<T>;
  /** How long the parts took so far, in milliseconds. */
  readonly steps: ReadonlyMap<StepName, number>;
  /** How long the platform still waits for the answer; infinite where it does not say. */
  remainingMs(): number;
}

export function openCall(host: Host, request: LazyRequest, info: CallInfo): Call {
  const startedAt = performance.now();
  // Platforms tell their deadline by the system's clock, which a host's own clock may not follow.
  const steps = new Map<StepName, number>();
  const patienceMs = info.deadline === undefined ? Number.POSITIVE_INFINITY : info.deadline - Date.now();
  return {
    host,
    request,
    url: request.url,
    info,
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
}

/** What stands before every path in the service's public address: what a proxy cuts off, or the stage of an API. */
export const publicPrefix = ({ host, info }: Pick<Call, "host" | "info">): string =>
  host.brand.baseUrl ? host.publicPath("") : (info.prefix ?? "");

/** The service's public address, whatever proxies made of it; paths as they are asked here follow it. */
export const publicOrigin = (call: Pick<Call, "host" | "info" | "url">): string =>
  call.host.brand.baseUrl ?? call.url.origin + publicPrefix(call);

const tenths = (ms: number) => Math.round(ms * 10) / 10;

/** What a context takes from the call that it is for. */
interface CallerFacts {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  wallet?: WalletCall | undefined;
  /** The call's, for the lines that the capability logs. */
  requestId?: string;
  /** How often the call was sold on before it came here. */
  hops?: number;
  /** What the platform can carry, where that is less than the host's own limit. */
  maxResponseBytes?: number | undefined;
}

/** The context that a capability runs in here: this host's network, secrets, clock, prices and neighbours. */
export function contextFor(
  host: Host,
  capability: AnyCapability,
  {
    signal,
    wallet,
    requestId,
    hops = 0,
    maxResponseBytes = host.maxResponseBytes,
    timeoutMs = capability.timeoutMs,
  }: CallerFacts = {},
): Context {
  const { options } = host;
  const logger = requestId === undefined ? undefined : options.logger.child?.({ requestId, endpoint: capability.id });
  const ctx: Context = createContext(options, {
    timeoutMs,
    signal,
    logger,
    resources: host.resources,
    maxResponseBytes,
    wallet,
    hops,
    brand: host.brand,
    find: (id) => host.byId.get(id),
    withMarkup: (amount) => host.pricing.withMarkup(amount, capability),
    quote: (other, input) => host.pricing.quote(other, input, ctx),
  });
  return ctx;
}

/** The name that callers know the service under. */
export const realmOf = ({ host: { brand }, url }: Call): string =>
  brand.baseUrl ? new URL(brand.baseUrl).host : url.host;
