/** One request to an upstream with its attempts, time and size limits. Returns a status and undecoded bytes. */

import type { Provider } from "../capability/provider.js";
import { CapabilityError } from "../errors.js";
import { within } from "../lib/abort.js";
import { BodyTooLargeError, readLimited } from "../lib/http/read-limited.js";

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
const MAX_RETRIES = 2;
const FIRST_RETRY_MS = 150;
const MAX_REDIRECTS = 3;
const RETRYABLE = new Set([408, 429, 500, 502, 503, 504]);

export interface UpstreamResponse {
  status: number;
  contentType: string;
  header(name: string): string | null;
  bytes: Uint8Array;
}

export interface Outgoing {
  method: "GET" | "POST";
  url: URL;
  headers: Record<string, string>;
  body?: string;
  /** True if a POST only queries, as in JSON-RPC and GraphQL, so that it may be repeated. */
  repeatable: boolean;
}

export interface ExchangeOptions {
  fetch: typeof globalThis.fetch;
  provider: Provider;
  signal: AbortSignal;
  /** 0 to 1: spreads retries, so that instances do not repeat at the same time. */
  random: () => number;
}

/**
 * Sends a request, and repeats it on network errors, 408, 429 and 5xx. Rejects with UPSTREAM_TIMEOUT or UPSTREAM_ERROR.
 */
export async function exchange(outgoing: Outgoing, options: ExchangeOptions): Promise<UpstreamResponse> {
  for (let attempt = 0; ; attempt++) {
    const last = !outgoing.repeatable || attempt >= MAX_RETRIES;
    let waitMs = FIRST_RETRY_MS * 2 ** attempt * (0.5 + options.random());
    try {
      const answer = await attemptOnce(outgoing, options);
      if (last || !RETRYABLE.has(answer.status)) return answer;
      const asked = retryAfterMs(answer);
      // Longer than a caller waits, so the answer itself is the better message.
      if (asked !== undefined && asked > 2000) return answer;
      waitMs = Math.max(waitMs, asked ?? 0);
    } catch (error) {
      if (last || CapabilityError.is(error) || options.signal.aborted) throw toUpstreamError(error, options);
    }
    await pause(waitMs, options.signal);
  }
}

async function attemptOnce(outgoing: Outgoing, options: ExchangeOptions): Promise<UpstreamResponse> {
  const { provider, signal } = options;
  const read = async (inTime: AbortSignal): Promise<UpstreamResponse> => {
    const response = await follow(outgoing, { ...options, signal: inTime });
    const bytes = await readBytes(response, provider);
    return {
      status: response.status,
      contentType: response.headers.get("content-type") ?? "",
      header: (name) => response.headers.get(name),
      bytes,
    };
  };
  return within(provider.timeoutMs ?? DEFAULT_TIMEOUT_MS, read, signal);
}

/** Redirects stay with the provider, because another host must not get our key. */
async function follow(outgoing: Outgoing, { fetch, provider, signal }: ExchangeOptions): Promise<Response> {
  const allowed = new Set([new URL(provider.baseUrl).host, outgoing.url.host, ...(provider.redirectHosts ?? [])]);
  let url = outgoing.url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const { method, headers, body } = outgoing;
    const response = await fetch(url.href, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal,
    });
    const location = response.headers.get("location");
    if (response.status < 301 || response.status > 308 || !location) return response;
    if (provider.followsRedirects === false) return response;
    await response.body?.cancel();
    url = new URL(location, url);
    if (url.protocol !== "https:" || !allowed.has(url.host))
      throw new CapabilityError("UPSTREAM_ERROR", `${provider.name} redirected to another place.`);
  }
  throw new CapabilityError("UPSTREAM_ERROR", `${provider.name} redirects in circles.`);
}

async function readBytes(response: Response, { name, maxBytes = DEFAULT_MAX_BYTES }: Provider): Promise<Uint8Array> {
  try {
    return await readLimited(response.body, maxBytes);
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    throw new CapabilityError("UPSTREAM_ERROR", `The answer of ${name} is larger than ${maxBytes} bytes.`);
  }
}

/** Retry-After in seconds or as a date, in milliseconds relative to the answer's own date. */
export function retryAfterMs(answer: Pick<UpstreamResponse, "header">): number | undefined {
  const text = answer.header("retry-after");
  if (!text) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  const sent = Date.parse(answer.header("date") ?? "");
  return Number.isNaN(at) || Number.isNaN(sent) ? undefined : Math.max(0, at - sent);
}

function toUpstreamError(error: unknown, { provider, signal }: ExchangeOptions): CapabilityError {
  if (CapabilityError.is(error)) return error;
  const timedOut = error instanceof DOMException && error.name === "TimeoutError" && !signal.aborted;
  return timedOut
    ? new CapabilityError("UPSTREAM_TIMEOUT", `${provider.name} did not answer in time.`, { cause: error })
    : new CapabilityError("UPSTREAM_ERROR", `${provider.name} could not be reached.`, { cause: error });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
