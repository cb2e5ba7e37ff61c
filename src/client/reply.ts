/** One exchange: a request, a complete reply, and the meaning of the reply. */
import { CapabilityError, type ErrorCode, STATUS_OF } from "../errors.js";
import type { CallMeta } from "../request/respond.js";
import type { Credit } from "./credits.js";
import type { Payment } from "./payment.js";
import { readResponse } from "./read-response.js";

/** An answer with its complete body. */
export interface Reply {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  /** The address that was asked. */
  url?: string;
  /** Instead of bytes: an answer that arrives as events. */
  events?: Events;
}

/** A stream to be read, and how its end is taken. */
export interface Events {
  body: ReadableStream<Uint8Array>;
  credit?: Credit | undefined;
  /** The payment that the client itself signed for it. */
  payment?: Payment;
  /** Called once, with headers and facts of the last event unless the stream was left or broke off. */
  end(headers?: Headers, meta?: CallMeta): unknown;
  /** Called if it broke off, so that the same purchase is resumed. */
  broke(): void;
}

/** A request that may be sent several times, with the headers of each attempt. */
export interface OutgoingCall {
  url: string;
  method: string;
  body: string | undefined;
  /** Headers of the call, in addition to those of an attempt. */
  headers: Record<string, string>;
}

const NOTHING = new Uint8Array();

export async function roundTrip(
  fetch: typeof globalThis.fetch,
  { url, method, body, headers: ofCall }: OutgoingCall,
  { headers, signal, maxBytes }: { headers: Record<string, string>; signal: AbortSignal | undefined; maxBytes: number },
): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...ofCall, ...headers },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  });
  const { status, headers: answered, body: stream } = response;
  const isStream = ofCall.accept && response.ok && answered.get("content-type")?.startsWith(ofCall.accept);
  if (isStream && stream)
    return { status, headers: answered, bytes: NOTHING, events: { body: stream, end() {}, broke() {} } };
  return { status, headers: answered, bytes: await readResponse(response, maxBytes), url };
}

interface Problem {
  code?: string;
  detail?: string;
  issues?: CapabilityError["issues"];
  failures?: CapabilityError["failures"];
}

export const bodyText = ({ bytes }: Reply): string => new TextDecoder().decode(bytes);

/** A reply's JSON object; an empty one for any other body. */
export function jsonOf<T extends object>(reply: Reply): Partial<T> {
  try {
    const value: unknown = JSON.parse(bodyText(reply));
    return typeof value === "object" && value !== null ? (value as Partial<T>) : {};
  } catch {
    return {};
  }
}

/** The code of a problem document; undefined for any other answer, such as a proxy's. */
export function codeOf(reply: Reply): string | undefined {
  return reply.status >= 400 && reply.status !== 402 ? jsonOf<Problem>(reply).code : undefined;
}

export function retryAfterOf({ headers }: Reply): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/** Converts an unsuccessful reply to the error that the capability itself would have thrown. */
export function errorOfReply(reply: Reply, url: string): CapabilityError {
  const { status } = reply;
  const retryAfter = retryAfterOf(reply);
  const wait = retryAfter === undefined ? {} : { retryAfter };
  if (status === 402) {
    const { error, ...cause } = jsonOf<{ error: string }>(reply);
    return new CapabilityError("PAYMENT_REQUIRED", error ?? "Payment required", { ...wait, cause });
  }
  const problem = jsonOf<Problem>(reply);
  const { code, detail, issues, failures } = problem;
  if (typeof code !== "string" || typeof detail !== "string")
    return new CapabilityError("UPSTREAM_ERROR", `${new URL(url).origin} answered ${status}.`, { ...wait, status });
  const options = { ...wait, ...(issues ? { issues } : {}), ...(failures ? { failures } : {}), cause: problem };
  // A newer service may have codes that this client does not know.
  const known = Object.hasOwn(STATUS_OF, code) && STATUS_OF[code as ErrorCode] === status;
  return new CapabilityError(code as ErrorCode, detail, known ? options : { ...options, status });
}
