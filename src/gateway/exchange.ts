/** One request to an origin, sent once: no redirect leaves the origin, and an answer is read within its bounds. */
import { Readable } from "node:stream";
import type { Context } from "../capability/types.js";
import { noteRead } from "../capability/usage.js";
import { CapabilityError } from "../errors.js";
import { abortError } from "../lib/abort.js";
import { BodyTooLargeError } from "../lib/http/read-limited.js";
import { readBody } from "../upstream/content-coding.js";
import type { OriginRequest } from "./request.js";

export interface Exchanging {
  /** Address below which redirects may lead; undefined: they are not followed. */
  redirectsBelow: URL | undefined;
}

const MAX_REDIRECTS = 3;

/** Sends it. Rejects with UPSTREAM_ERROR or UPSTREAM_TIMEOUT. */
export async function sendTo(ctx: Context, request: OriginRequest, { redirectsBelow }: Exchanging): Promise<Response> {
  noteRead(ctx.reads, { fresh: 1 });
  let { url } = request;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await sendOnce(ctx, { ...request, url });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399) return response;
    drop(response);
    const next = location === null ? undefined : targetOf(location, url);
    // guard: gateway: no redirect leaves the origin | - || !isBelow(redirectsBelow, next) | gateway/hostile
    if (!next || !redirectsBelow || request.method !== "GET" || !isBelow(redirectsBelow, next))
      throw failed("The source of this endpoint answered with a redirect, which is not followed.");
    url = next;
  }
  throw failed("The source of this endpoint redirects in circles.");
}

async function sendOnce(ctx: Context, { method, url, headers, body }: OriginRequest): Promise<Response> {
  const { signal } = ctx;
  let response: Response;
  try {
    const sent = body === undefined ? {} : { body };
    response = await ctx.fetch(url.href, { method, headers, ...sent, redirect: "manual", signal });
  } catch (error) {
    if (signal.aborted) throw abortError(signal, "The source of this endpoint");
    // The buyer caused no failure of the network.
    throw failed("The source of this endpoint cannot be reached at the moment.", error, isBeforeSending(error));
  }
  if (!response.redirected) return response;
  drop(response);
  throw failed("The source of this endpoint answered with a redirect, which is not followed.");
}

function targetOf(location: string, from: URL): URL | undefined {
  try {
    return new URL(location, from);
  } catch {
    return undefined;
  }
}

/** Another user, port or scheme is another origin; another path beside the base may be no part of what is sold. */
function isBelow(base: URL, { origin, pathname, username, password }: URL): boolean {
  const below = base.pathname.replace(/\/*$/, "/");
  return origin === base.origin && username === "" && password === "" && `${pathname}/`.startsWith(below);
}

/** Whether no byte of a request can have left: nobody listens, or the name has no address. */
export function isBeforeSending(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as { code?: unknown };
    if (typeof code === "string" && BEFORE_SENDING.has(code)) return true;
  }
  return false;
}

const BEFORE_SENDING: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const failed = (message: string, cause?: unknown, excused = false): CapabilityError =>
  new CapabilityError("UPSTREAM_ERROR", message, {
    ...(cause === undefined ? {} : { cause }),
    ...(excused ? { excused } : {}),
  });

/** Closes an answer that nobody reads. */
export function drop(response: Response): void {
  response.body?.cancel().catch(() => {});
}

/** Those that every fetch decodes. */
const KNOWN_CODINGS = /^(?:(?:identity|gzip|x-gzip|deflate|br)(?:\s*,\s*|$)){1,3}$/i;

/** The whole answer. Rejects with UPSTREAM_ERROR if it is too large or breaks off, UPSTREAM_TIMEOUT if it is late. */
export async function readWhole(ctx: Context, response: Response, maxBytes: number): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array();
  try {
    // Of an encoded answer the header tells another size, and of one in an unknown coding these bytes are no answer.
    const coding = response.headers.get("content-encoding");
    if (coding && !KNOWN_CODINGS.test(coding)) throw new Error("The answer has an unknown content coding.");
    const told = coding ? 0 : Number(response.headers.get("content-length"));
    if (told > maxBytes) throw new BodyTooLargeError();
    const body = Readable.fromWeb(response.body as never);
    return await readBody(body, { codings: [], maxBytes, signal: ctx.signal });
  } catch (error) {
    drop(response);
    throw broken(ctx, error, maxBytes);
  }
}

/** The error of an answer that cannot be read to its end. */
export function broken({ signal }: Pick<Context, "signal">, error: unknown, maxBytes: number): CapabilityError {
  if (CapabilityError.is(error)) return error;
  if (signal.aborted) return abortError(signal, "The source of this endpoint");
  if (error instanceof BodyTooLargeError)
    return failed(`The answer of this endpoint's source is larger than ${maxBytes} bytes.`);
  return failed("The answer of this endpoint's source broke off.", error);
}
