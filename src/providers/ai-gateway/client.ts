/**
 * Client of the gateway: the `openai` library behind the same queue and breaker as every upstream, with its errors
 * converted to ours.
 */
import type OpenAI from "openai";
import type { Context } from "../../capability/types.js";
import { noteRead } from "../../capability/usage.js";
import { CapabilityError, without } from "../../errors.js";
import { BodyTooLargeError, readLimited } from "../../lib/http/read-limited.js";
import { lazy } from "../../lib/lazy.js";
import { SECOND_MS } from "../../lib/time.js";
import { upstreamStateOf } from "../../upstream/state.js";
import { gatewayOf } from "./provider.js";

const library = lazy(() => import("openai").catch(without("openai")));

/** Pictures come as base64 in JSON. */
const MAX_ANSWER_BYTES = 40 * 1024 * 1024;

/** A 400 of the gateway. Its text is for our own use and never for a caller, because it may reveal our key. */
export class GatewayRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly param: string,
    message: string,
  ) {
    super(message);
  }
}

export interface GatewayCall {
  /** Time limit, in addition to the call's own deadline; of a stream, until it begins. */
  timeoutMs?: number;
  /** True if the answer is read as it comes. */
  streamed?: boolean;
}

/**
 * Sends one request. Rejects with a GatewayRefusal if the request itself was refused, otherwise with
 * UPSTREAM_RATE_LIMIT, UPSTREAM_TIMEOUT or UPSTREAM_ERROR.
 */
export async function askGateway<T>(
  ctx: Context,
  work: (client: OpenAI, options: { signal: AbortSignal; timeout: number }) => Promise<T>,
  { timeoutMs, streamed = false }: GatewayCall = {},
): Promise<T> {
  const provider = gatewayOf(ctx);
  const apiKey = ctx.secret("AI_GATEWAY_API_KEY");
  if (!apiKey) throw new CapabilityError("PROVIDER_NOT_CONFIGURED", "AI_GATEWAY_API_KEY is not set here.");
  const [openai, gate] = await Promise.all([library(), upstreamStateOf(ctx.fetch).gate(provider)]);
  const client = new openai.default({
    apiKey,
    baseURL: provider.baseUrl,
    // Otherwise the library reads them from the environment.
    organization: null,
    project: null,
    fetch: (input, init) => (streamed ? boundedStream : bounded)(ctx.fetch, input, init),
    // A repeated request is paid twice; capabilities that may repeat do so themselves.
    maxRetries: 0,
    logLevel: "off",
  });
  const options = { signal: ctx.signal, timeout: timeoutMs ?? provider.timeoutMs ?? 60 * SECOND_MS };
  const reply = await gate.run(async () => {
    noteRead(ctx.reads, { fresh: 1 });
    try {
      return { value: await work(client, options) };
    } catch (error) {
      const ours = toOurs(error, openai, ctx);
      // A refused request says nothing about the gateway's health, so the breaker must not count it as a failure.
      if (ours instanceof GatewayRefusal) return { refusal: ours };
      throw ours;
    }
  }, ctx);
  if ("refusal" in reply) throw reply.refusal;
  return reply.value;
}

/** Reads the whole answer with a size limit before the library sees it. */
async function bounded(fetch: typeof globalThis.fetch, input: string | URL | Request, init?: RequestInit) {
  const response = await fetch(input, init);
  const bytes = await readLimited(response.body, MAX_ANSWER_BYTES).catch((cause: unknown) => {
    if (!(cause instanceof BodyTooLargeError)) throw cause;
    throw new CapabilityError("UPSTREAM_ERROR", `The AI gateway's answer is larger than ${MAX_ANSWER_BYTES} bytes.`);
  });
  const headers = new Headers(response.headers);
  // These headers describe the compressed body.
  headers.delete("content-encoding");
  headers.delete("content-length");
  const bodyless = response.status === 204 || response.status === 304;
  return new Response(bodyless ? null : bytes, { status: response.status, headers });
}

/** Passes a stream on as it comes, up to the same size. */
async function boundedStream(fetch: typeof globalThis.fetch, input: string | URL | Request, init?: RequestInit) {
  const response = await fetch(input, init);
  if (!response.ok || !response.body) return bounded(async () => response, input);
  let size = 0;
  const counted = new TransformStream({
    transform(chunk: Uint8Array, controller) {
      size += chunk.byteLength;
      if (size <= MAX_ANSWER_BYTES) controller.enqueue(chunk);
      else controller.error(new BodyTooLargeError(`The stream is larger than ${MAX_ANSWER_BYTES} bytes.`));
    },
  });
  return new Response(response.body.pipeThrough(counted), { status: response.status });
}

/** An error of a stream that was under way. */
export function brokenOff(error: unknown): CapabilityError {
  const cause = error instanceof Error && CapabilityError.is(error.cause) ? error.cause : error;
  if (CapabilityError.is(cause)) return cause;
  return new CapabilityError("UPSTREAM_ERROR", "The model broke off with an error.", { cause });
}

type Library = Awaited<ReturnType<typeof library>>;

function toOurs(error: unknown, { APIError, APIConnectionTimeoutError, APIUserAbortError }: Library, ctx: Context) {
  const cause = error instanceof Error && CapabilityError.is(error.cause) ? error.cause : error;
  if (CapabilityError.is(cause) || cause instanceof GatewayRefusal) return cause;
  if (!(error instanceof APIError)) return new CapabilityError("UPSTREAM_ERROR", "The AI gateway failed.", { cause });
  if (error instanceof APIConnectionTimeoutError)
    return new CapabilityError("UPSTREAM_TIMEOUT", "The AI gateway did not answer in time.", { cause });
  if (error instanceof APIUserAbortError || error.status === undefined) {
    const message =
      error instanceof APIUserAbortError ? "The call was cancelled." : "The AI gateway could not be reached.";
    return new CapabilityError("UPSTREAM_ERROR", message, { cause });
  }
  return fromStatus(error.status, error, ctx);
}

interface GatewayError {
  headers?: Headers | undefined;
  /** Text with some gateways, a number with others. */
  code?: unknown;
  param?: unknown;
  type?: unknown;
  message: string;
}

function fromStatus(status: number, error: GatewayError, ctx: Context): CapabilityError | GatewayRefusal {
  if (status === 400 || status === 404 || status === 422)
    return new GatewayRefusal(status, String(error.code ?? error.type ?? ""), String(error.param ?? ""), error.message);
  if (status === 429) {
    const seconds = Number(error.headers?.get("retry-after") ?? "");
    const retryAfter = Number.isInteger(seconds) && seconds > 0 ? { retryAfter: seconds } : {};
    return new CapabilityError(
      "UPSTREAM_RATE_LIMIT",
      "The AI gateway is rate limiting requests; retry later.",
      retryAfter,
    );
  }
  if (status === 408 || status === 504)
    return new CapabilityError("UPSTREAM_TIMEOUT", "The AI gateway did not answer in time.");
  // A problem of the host's account is logged for the host, and never a 401 or 402 for the caller.
  if (status === 401 || status === 402 || status === 403) {
    ctx.logger.error({ status }, "the AI gateway refuses the host's key or has no credit left");
    return new CapabilityError("UPSTREAM_ERROR", "The AI gateway does not serve this service at the moment.");
  }
  return new CapabilityError("UPSTREAM_ERROR", `The AI gateway answered with status ${status}.`);
}
