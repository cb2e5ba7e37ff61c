import { randomUUID } from "node:crypto";
import type { AnyCapability } from "../capability.js";
import { type Context, createContext } from "../context.js";
import type { Host } from "../host.js";
import type { CallEvent, CallInfo } from "../options.js";

/** One request on its way to an answer. */
export interface Call {
  readonly host: Host;
  readonly request: Request;
  readonly url: URL;
  readonly info: CallInfo;
  readonly requestId: string;
  /** What the call's one event will say; the steps fill it in. */
  readonly event: Partial<CallEvent>;
  durationMs(): number;
}

export function openCall(host: Host, request: Request, info: CallInfo): Call {
  const startedAt = performance.now();
  return {
    host,
    request,
    url: new URL(request.url),
    info,
    requestId: randomUUID(),
    event: {},
    durationMs: () => Math.round((performance.now() - startedAt) * 10) / 10,
  };
}

/** The context that a capability runs in here: this host's network, secrets, clock, prices and neighbours. */
export function contextFor(host: Host, capability: AnyCapability, signal?: AbortSignal): Context {
  const { options } = host;
  const ctx: Context = createContext(signal ? { ...options, signal } : options, {
    timeoutMs: capability.timeoutMs,
    find: async (id) => host.byId.get(id),
    quote: (other, input) => host.pricing.quote(other, input, ctx),
  });
  return ctx;
}
