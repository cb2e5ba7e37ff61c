/** One exchange: a request, a complete reply, and the meaning of the reply. */
import { CapabilityError, ERROR_CODES, type ErrorCode } from "../errors.js";
import { readResponse } from "./read-response.js";

/** An answer with its complete body. */
export interface Reply {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
}

/** A request that may be sent several times, with the headers of each attempt. */
export interface Outgoing {
  url: string;
  method: string;
  body: string | undefined;
  /** Headers of the call, in addition to those of an attempt. */
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

/** A reply's JSON object; an empty one for any other body. */
export function jsonOf<T extends object>(reply: Reply): Partial<T> {
  try {
    const value: unknown = JSON.parse(textOf(reply));
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
  // A newer service may have codes that this client does not know.
  const known = Object.hasOwn(ERROR_CODES, code) && ERROR_CODES[code as ErrorCode].status === status;
  return new CapabilityError(code as ErrorCode, detail, known ? options : { ...options, status });
}
