/** Spans and metrics for hosts that have OpenTelemetry. If none is registered, nothing is loaded or recorded. */
import type { Attributes, Counter, Histogram, MeterProvider, Context as OtelContext } from "@opentelemetry/api";
import { lazy } from "../lib/lazy.js";
import type { EndedCallEvent } from "../payment/events.js";

const NAME = "coinslot";

/** Every copy of the OpenTelemetry API registers its providers here, so this symbol tells whether there are any. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");
const isRegistered = (what: "trace" | "metrics"): boolean =>
  (globalThis as { [REGISTERED]?: Record<string, unknown> })[REGISTERED]?.[what] !== undefined;

const api = lazy(() => import("@opentelemetry/api").catch(() => undefined));

/** The caller's own span, of which the work is a part. */
export interface RemoteParent {
  /** W3C Trace Context. Ignored if it is invalid. */
  traceparent: string | null;
  /** Whether it is used although a span is active here. Otherwise the host's own instrumentation decides. */
  first?: boolean | undefined;
}

/** Whether the host has spans. */
export const isTracing = (): boolean => isRegistered("trace");

/** Runs work inside its own span and records its rejection as the span's error. */
export async function traced<T>(
  name: string,
  work: (note: (facts: () => Attributes) => void) => Promise<T>,
  remote?: RemoteParent,
): Promise<T> {
  const otel = isTracing() ? await api() : undefined;
  if (!otel) return work(() => {});
  const parent = parentOf(otel, remote);
  return otel.trace.getTracer(NAME).startActiveSpan(name, {}, parent, async (span) => {
    try {
      return await work((facts) => span.setAttributes(facts()));
    } catch (error) {
      span.recordException(error instanceof Error ? error : String(error));
      span.setStatus({ code: otel.SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

function parentOf(otel: typeof import("@opentelemetry/api"), remote: RemoteParent | undefined): OtelContext {
  const active = otel.context.active();
  if (!remote?.traceparent || (otel.trace.getSpan(active) && !remote.first)) return active;
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(remote.traceparent) ?? [];
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return otel.isSpanContextValid(spanContext) ? otel.trace.setSpanContext(active, spanContext) : active;
}

/** Version, trace, span, flags. Later versions may append fields. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

interface Instruments {
  calls: Counter;
  durations: Histogram;
  earned: Counter;
}
const instruments = new WeakMap<MeterProvider, Instruments>();

/** Counts a call, its duration and its revenue; undefined if the host has no metrics. */
export const measure = (event: EndedCallEvent): Promise<void> | undefined =>
  isRegistered("metrics") ? count(event) : undefined;

async function count(event: EndedCallEvent): Promise<void> {
  const otel = await api();
  if (!otel) return;
  const provider = otel.metrics.getMeterProvider();
  let known = instruments.get(provider);
  if (!known) {
    const meter = provider.getMeter(NAME);
    known = {
      calls: meter.createCounter("coinslot.calls", { description: "Calls, by endpoint and outcome" }),
      durations: meter.createHistogram("coinslot.call.duration", { unit: "s" }),
      earned: meter.createCounter("coinslot.charged", { unit: "{USD}", description: "Revenue of paid calls" }),
    };
    instruments.set(provider, known);
  }
  const labels = { endpoint: event.id, outcome: event.outcome, status: event.status };
  known.calls.add(1, labels);
  known.durations.record(event.durationMs / 1000, labels);
  if (event.outcome === "paid") known.earned.add(Number(event.chargedUsd ?? 0), { endpoint: event.id });
}

/** Attributes of a call's span, with the names of OpenTelemetry where they exist. */
export function factsOf(event: Partial<EndedCallEvent>, requestId: string, status: number): Attributes {
  const { id, outcome, caller, code, quotedUsd, chargedUsd, payer, network, transaction } = event;
  return Object.fromEntries(
    Object.entries({
      "http.response.status_code": status,
      "request.id": requestId,
      "call.endpoint": id,
      "call.outcome": outcome,
      "call.caller": caller,
      "error.type": code,
      "payment.quoted_usd": quotedUsd,
      "payment.charged_usd": chargedUsd,
      "payment.payer": payer,
      "payment.network": network,
      "payment.transaction": transaction,
    }).filter(([, value]) => value !== undefined),
  );
}
