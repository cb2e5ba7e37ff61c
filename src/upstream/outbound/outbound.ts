/** Fetches callers' URLs: the only way to them, with checked addresses, pinned sockets and limits. */

import type { Context } from "../../capability/types.js";
import { noteRead } from "../../capability/usage.js";
import { CapabilityError } from "../../errors.js";
import { abortError, within } from "../../lib/abort.js";
import { BodyTooLargeError } from "../../lib/http/read-limited.js";
import { readBody, readCodings } from "../content-coding.js";
import { browserAgent } from "../user-agent.js";
import { assertAllowedRedirect, assertAllowedUrl, notAllowed, resolveAllowed, type UrlOptions } from "./allowed-url.js";
import { CONNECT_TIMEOUT_MS, type Hop, openHop, transportFor } from "./hop.js";

export { assertAllowedUrl } from "./allowed-url.js";

/** The part of a Context that a guarded fetch needs. */
export type OutboundContext = Pick<
  Context,
  "fetch" | "injectedFetch" | "signal" | "outbound" | "logger" | "userAgent"
> &
  Partial<Pick<Context, "reads">>;

export interface FetchOutboundOptions extends UrlOptions {
  /** Maximum bytes of the decoded body. */
  maxBytes: number;
  /** The Accept header. Default: anything. */
  accept?: string;
  /** True if a status beyond 2xx is an answer and no failure. */
  anyStatus?: boolean;
}

export interface FetchedBody {
  status: number;
  /** URL after all redirects. */
  finalUrl: string;
  /** The Content-Type header as received, empty if there was none. It may be wrong. */
  contentType: string;
  bytes: Uint8Array;
}

const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a URL that a caller supplied. Every hop's addresses are checked and only these are connected to. Rejects with
 * URL_NOT_ALLOWED, RESULT_TOO_LARGE, UPSTREAM_ERROR (with one text for all connection failures, so that nobody can scan
 * ports) or, at the call's time limit, UPSTREAM_TIMEOUT.
 */
export async function fetchOutbound(
  ctx: OutboundContext,
  url: string,
  options: FetchOutboundOptions,
): Promise<FetchedBody> {
  const start = assertAllowedUrl(ctx, url, options);
  if (ctx.reads) noteRead(ctx.reads, { fresh: 1 });
  try {
    return await followFrom(start, ctx, options);
  } catch (error) {
    throw toCallerError(error, ctx, options);
  }
}

export interface PostOutboundOptions extends UrlOptions {
  headers: Record<string, string>;
  body: string;
  /** Time limit for the name, the connection and the answer's headers. */
  timeoutMs: number;
  /** Maximum bytes to read of the answer; 0 reads none, and the rest is left unread. */
  maxBytes: number;
}

export interface PostedAnswer {
  status: number;
  /** Undefined if absent. */
  header(name: string): string | undefined;
  bytes: Uint8Array;
}

/**
 * Posts to a URL that a caller supplied, checked and pinned like `fetchOutbound`. A redirect is returned and not
 * followed. Rejects with URL_NOT_ALLOWED, RESULT_TOO_LARGE, or UPSTREAM_ERROR without an answer in time.
 */
export async function postOutbound(
  ctx: OutboundContext,
  url: string,
  { headers, body, timeoutMs, ...options }: PostOutboundOptions,
): Promise<PostedAnswer> {
  const target = assertAllowedUrl(ctx, url, options);
  try {
    return await within(
      timeoutMs,
      (signal) => post(target, { ...ctx, signal }, { headers, body, timeoutMs, ...options }),
      ctx.signal,
    );
  } catch (error) {
    throw toCallerError(error, ctx, options);
  }
}

/** Checks a URL and its addresses without connecting. Rejects with URL_NOT_ALLOWED. */
export async function judgeOutbound(ctx: OutboundContext, url: string, options: UrlOptions): Promise<void> {
  const parsed = assertAllowedUrl(ctx, url, options);
  try {
    await within(CONNECT_TIMEOUT_MS, () => resolveAllowed(ctx, parsed, options), ctx.signal);
  } catch (error) {
    throw toCallerError(error, ctx, { ...options, maxBytes: 0 });
  }
}

async function post(url: URL, ctx: OutboundContext, options: PostOutboundOptions): Promise<PostedAnswer> {
  const { body, maxBytes, timeoutMs } = options;
  const { signal } = ctx;
  const addresses = await within(CONNECT_TIMEOUT_MS, () => resolveAllowed(ctx, url, options), signal);
  const headers = { "accept-encoding": "identity", ...options.headers };
  const request = { url, addresses, headers, body, headersTimeoutMs: timeoutMs, signal };
  const hop = await openHop(transportFor(ctx), request);
  try {
    const { status, header } = hop;
    const bytes = maxBytes > 0 ? await readBody(hop.body, { codings: [], maxBytes, signal }) : new Uint8Array();
    return { status, header, bytes };
  } finally {
    hop.close();
  }
}

async function followFrom(start: URL, ctx: OutboundContext, options: FetchOutboundOptions): Promise<FetchedBody> {
  const seen = new Set<string>();
  let url = start;
  while (seen.size <= MAX_REDIRECTS) {
    if (seen.has(url.href)) throw notAllowed(options, "redirects in a circle");
    seen.add(url.href);
    const hop = await open(url, ctx, options);
    try {
      const location = redirectOf(hop);
      if (location === undefined) {
        const bytes = await receive(hop, ctx, options);
        return { status: hop.status, finalUrl: url.href, contentType: hop.header("content-type") ?? "", bytes };
      }
      url = assertAllowedRedirect(ctx, url, location, options);
    } finally {
      hop.close();
    }
  }
  throw notAllowed(options, `redirects more than ${MAX_REDIRECTS} times`);
}

/** Sends nothing of the caller's request: no header, no cookie, no address. */
async function open(url: URL, ctx: OutboundContext, options: FetchOutboundOptions): Promise<Hop> {
  const headers = { "user-agent": browserAgent(ctx), accept: options.accept ?? "*/*" };
  const addresses = await within(CONNECT_TIMEOUT_MS, () => resolveAllowed(ctx, url, options), ctx.signal);
  return openHop(transportFor(ctx), { url, addresses, headers, signal: ctx.signal });
}

/** HTTP reads header text as Latin-1, but non-ASCII characters in a Location are usually UTF-8. */
function redirectOf(hop: Hop): string | undefined {
  const location = hop.header("location");
  if (location === undefined || !REDIRECT_STATUSES.has(hop.status)) return undefined;
  return Buffer.from(location, "latin1").toString("utf8");
}

async function receive(hop: Hop, ctx: OutboundContext, options: FetchOutboundOptions): Promise<Uint8Array> {
  const { field = "url", maxBytes, anyStatus = false } = options;
  if (!anyStatus && (hop.status < 200 || hop.status > 299))
    throw new CapabilityError("UPSTREAM_ERROR", `${field}: the server answered with status ${hop.status}`);
  const codings = readCodings(hop.header("content-encoding"));
  if (Number(hop.header("content-length")) > maxBytes) throw new BodyTooLargeError();
  return readBody(hop.body, { codings: hop.isEncoded ? codings : [], maxBytes, signal: ctx.signal });
}

function toCallerError(error: unknown, ctx: OutboundContext, options: FetchOutboundOptions): CapabilityError {
  const { field = "url", maxBytes } = options;
  if (CapabilityError.is(error)) return error;
  if (ctx.signal.aborted) return abortError(ctx.signal, `Fetching ${field}`);
  if (error instanceof BodyTooLargeError) {
    const message = `is larger than ${maxBytes} bytes`;
    return new CapabilityError("RESULT_TOO_LARGE", `${field}: ${message}`, { issues: [{ path: field, message }] });
  }
  ctx.logger.info({ error }, "A URL that a caller supplied could not be fetched.");
  return new CapabilityError("UPSTREAM_ERROR", `${field}: could not be fetched`, { cause: error });
}
