/** Spans for hosts that have OpenTelemetry. If none is registered, nothing is loaded or recorded. */
import type { Attributes, Context as OtelContext, Span } from "@opentelemetry/api";
import { api, isRegistered, type Otel } from "../metrics/registered.js";

const NAME = "coinslot";

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
export async function traced<T>(name: string, work: () => Promise<T>): Promise<T> {
  const otel = isTracing() ? await api() : undefined;
  if (!otel) return work();
  return otel.trace.getTracer(NAME).startActiveSpan(name, async (span) => {
    try {
      return await work();
    } catch (error) {
      fail(span, error, otel);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The contents of a request's span, and the times at which they are known. */
export interface RequestSpan<T> {
  name: string;
  facts: Attributes;
  remote: RemoteParent;
  /** Facts of the answer, read when it is over. */
  answered(answer: T): Attributes;
  isError(answer: T): boolean;
  /** Settles when a streamed answer is over. */
  ending(): Promise<unknown> | undefined;
}

/**
 * Answers a request inside its span. It is the server's own span, unless the host's instrumentation or another request of
 * ours has one for this request already: then it is a part of that.
 */
export async function tracedRequest<T>(request: RequestSpan<T>, work: () => Promise<T>): Promise<T> {
  const otel = isTracing() ? await api() : undefined;
  if (!otel) return work();
  const { name, facts: attributes, remote } = request;
  const parent = parentOf(otel, remote);
  const outer = otel.trace.getSpanContext(parent);
  const isInner = remote.first || (outer !== undefined && outer.isRemote !== true);
  const kind = isInner ? otel.SpanKind.INTERNAL : otel.SpanKind.SERVER;
  return otel.trace.getTracer(NAME).startActiveSpan(name, { kind, attributes }, parent, async (span) => {
    const end = (answer: T) => {
      span.setAttributes(request.answered(answer));
      if (request.isError(answer)) span.setStatus({ code: otel.SpanStatusCode.ERROR });
      span.end();
    };
    try {
      const answer = await work();
      const ending = request.ending();
      if (ending) void ending.finally(() => end(answer));
      else end(answer);
      return answer;
    } catch (error) {
      fail(span, error, otel);
      span.end();
      throw error;
    }
  });
}

function fail(span: Span, error: unknown, { SpanStatusCode }: Otel): void {
  span.recordException(error instanceof Error ? error : String(error));
  span.setAttribute("error.type", error instanceof Error ? error.name : "_OTHER");
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function parentOf(otel: Otel, remote: RemoteParent): OtelContext {
  const active = otel.context.active();
  if (!remote.traceparent || (otel.trace.getSpan(active) && !remote.first)) return active;
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(remote.traceparent) ?? [];
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return otel.isSpanContextValid(spanContext) ? otel.trace.setSpanContext(active, spanContext) : active;
}

/** Version, trace, span, flags. Later versions may append fields. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
