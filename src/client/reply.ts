/** One exchange: a request out, a whole reply in, and what the reply says. */
import { CapabilityError, ERROR_CODES, type ErrorCode } from "../errors.js";
import { readResponse } from "./read-response.js";

/** An answer whose body has arrived to its end. */
export interface Reply {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
}

/** What is sent, as often as it takes, with the headers of an attempt. */
export interface Outgoing {
  url: string;
  method: string;
  body: string | undefined;
  /** Of the call itself, besides those of an attempt. */
  headers: Record<string, string>;
}

export async function exchange(
  fetch: typeof globalThis.fetch,
  { url, method, body, headers: ofCall }: Outgoing,
  { headers, signal, maxBytes }: { headers: Record<string, string>; signal: AbortSignal | undefined; maxBytes: number },
): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...ofCall, ...headers },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: await readResponse(response, maxBytes),
  };
}

interface Problem {
  code?: string;
  detail?: string;
  issues?: CapabilityError["issues"];
  failures?: CapabilityError["failures"];
}

export const textOf = ({ bytes }: Reply): string => new TextDecoder().decode(bytes);

/** A reply's JSON object; an empty one where it is none. */
export function jsonOf<T extends object>(reply: Reply): Partial<T> {
  try {
    const value: unknown = JSON.parse(textOf(reply));
    return typeof value === "object" && value !== null ? (value as Partial<T>) : {};
  } catch {
    return {};
  }
}

/** The code of a problem document; undefined where an answer is none, as a proxy's is. */
export function codeOf(reply: Reply): string | undefined {
  return reply.status >= 400 && reply.status !== 402 ? jsonOf<Problem>(reply).code : undefined;
}

export function retryAfterOf({ headers }: Reply): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/** A reply that is no result, as the error that the capability itself would have thrown. */
export function errorOf(reply: Reply, url: string): CapabilityError {
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
  // A newer service may say what this client does not know.
  const known = Object.hasOwn(ERROR_CODES, code) && ERROR_CODES[code as ErrorCode].status === status;
  return new CapabilityError(code as ErrorCode, detail, known ? options : { ...options, status });
}
