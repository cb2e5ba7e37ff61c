/** The span of a request, with the names of OpenTelemetry's conventions for HTTP servers. */
import type { Attributes } from "@opentelemetry/api";
import type { EndedCallEvent } from "../payment/events/events.js";

/** A request as its span tells it. */
export interface SpanRequest {
  method: string;
  url: URL;
  /** The mounted path; undefined for an unknown one, which a caller has made up. */
  route: string | undefined;
  clientAddress: string | undefined;
  userAgent: string | null;
}

/** The conventions know these; any other could fill the host's index with names of a caller's making. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE", "QUERY"];
const MAX_LENGTH = 256;

export const spanName = ({ method, route }: Pick<SpanRequest, "method" | "route">): string => {
  const known = METHODS.includes(method) ? method : "HTTP";
  return route === undefined ? known : `${known} ${route}`;
};

/** Known before the request is answered, so that a sampler can decide by them. */
export function askedFacts({ method, url, route, clientAddress, userAgent }: SpanRequest): Attributes {
  const isKnown = METHODS.includes(method);
  const scheme = url.protocol.slice(0, -1);
  return onlySet({
    "http.request.method": isKnown ? method : "_OTHER",
    "http.request.method_original": isKnown ? undefined : method.slice(0, MAX_LENGTH),
    "http.route": route,
    "url.scheme": scheme,
    // The query has what buyers ask.
    "url.path": url.pathname.slice(0, MAX_LENGTH),
    "server.address": url.hostname,
    "server.port": Number(url.port) || (scheme === "https" ? 443 : 80),
    "client.address": clientAddress,
    "user_agent.original": userAgent?.slice(0, MAX_LENGTH),
  });
}

/** Known at the end. A refusal is the caller's error, not the server's. */
export function answeredFacts(event: Partial<EndedCallEvent>, requestId: string, status: number): Attributes {
  const { id, outcome, caller, code, quotedUsd, chargedUsd, payer, network, transaction } = event;
  return onlySet({
    "http.response.status_code": status,
    "error.type": isServerError(status) ? (code ?? String(status)) : undefined,
    "request.id": requestId,
    "call.endpoint": id,
    "call.outcome": outcome,
    "call.caller": caller,
    "call.code": code,
    "payment.quoted_usd": quotedUsd,
    "payment.charged_usd": chargedUsd,
    "payment.payer": payer,
    "payment.network": network,
    "payment.transaction": transaction,
  });
}

export const isServerError = (status: number): boolean => status >= 500;

const onlySet = (facts: Record<string, Attributes[string] | undefined>): Attributes =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
