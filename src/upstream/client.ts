/**
 * Client of every upstream. A request passes, in this order: address, cache, equal running request, quota, queue,
 * breaker, attempts, size limit, decoding, the provider's own errors, schema, cache. Each step is a small function in
 * its own file.
 */
import type { z } from "zod";
import type { Provider } from "../capability/provider.js";
import type { PublishedContext } from "../capability/published.js";
import type { Context } from "../capability/types.js";
import { noteRead } from "../capability/usage.js";
import { CapabilityError } from "../errors.js";
import { deepFreeze } from "../lib/deep-freeze.js";
import { cacheOf, type Fetched } from "./cache.js";
import type { UpstreamFormat } from "./decode.js";
import { exchange, type Outgoing, type UpstreamResponse } from "./exchange.js";
import { joinFlight } from "./flight.js";
import { asConfigured, withSecret } from "./key.js";
import { readAnswer, type UpstreamAnswer } from "./read-answer.js";
import { type UpstreamState, upstreamStateOf } from "./state.js";
import { agentFor } from "./user-agent.js";

type QueryValue = string | number | boolean | undefined | null;

export interface ReadOptions<T> {
  /** Names only the fields that are read, required if a result needs them; others are ignored. */
  schema: z.ZodType<T>;
  /** Undefined and null values are left out. */
  query?: Record<string, QueryValue>;
  headers?: Record<string, string>;
  /** Default `json`. */
  format?: UpstreamFormat;
  /** Milliseconds for which an answer is fresh. Unset: never cached. */
  ttlMs?: number;
  /** Further milliseconds for which an old answer may replace a failed upstream; never for live prices or balances. */
  staleMs?: number;
  /** Statuses that mean "not found": the read then resolves to undefined. */
  absent?: readonly number[];
}

export interface HeaderOptions<T, Name extends string> extends ReadOptions<T> {
  /** Names of response headers, in lower case. */
  responseHeaders: readonly Name[];
}

/** The value and the requested headers; null for a missing one. */
export interface WithHeaders<T, Name extends string> {
  body: T;
  headers: Record<Name, string | null>;
}

export interface PostOptions<T> extends ReadOptions<T> {
  /** Sent as JSON. It is part of the cache key. */
  body: unknown;
}

export interface UpstreamClient {
  /**
   * Reads below the provider's base URL. `path` comes from `segments` or from code, never directly from a caller.
   * Rejects with UPSTREAM_TIMEOUT, UPSTREAM_ERROR, UPSTREAM_RATE_LIMIT or UPSTREAM_SCHEMA.
   */
  get<T>(path: string, options: ReadOptions<T> & { absent: readonly number[] }): Promise<T | undefined>;
  get<T>(path: string, options: ReadOptions<T>): Promise<T>;
  /**
   * The same for an answer whose headers matter, such as the remaining allowance.
   *
   * @example
   * ```ts
   * const read = { schema, responseHeaders: ["x-ratelimit-remaining"] } as const;
   * const { value, headers } = await upstream(ctx, github).getWithHeaders("/repos", read);
   * ```
   */
  getWithHeaders<T, Name extends string>(
    path: string,
    options: HeaderOptions<T, Name> & { absent: readonly number[] },
  ): Promise<WithHeaders<T, Name> | undefined>;
  getWithHeaders<T, Name extends string>(path: string, options: HeaderOptions<T, Name>): Promise<WithHeaders<T, Name>>;
  /** A query sent as a POST, as in JSON-RPC and GraphQL; it must not change anything upstream. */
  ask<T>(path: string, options: PostOptions<T>): Promise<T>;
}

/**
 * A path made of values, each encoded as one segment; values that could leave the path are refused.
 *
 * @example
 * ```ts
 * segments("gene", "BRCA1/2"); // "/gene/BRCA1%2F2"
 * ```
 */
export function segments(...values: (string | number)[]): string {
  return values
    .map((value) => {
      const text = String(value);
      if (text === "." || text === ".." || /[\p{Cc}]/u.test(text))
        throw new CapabilityError("INVALID_INPUT", "A value cannot be part of an address.");
      return `/${encodeURIComponent(text)}`;
    })
    .join("");
}

/**
 * The client of one provider for one call: uses its network, clock, secrets and signal.
 *
 * @example
 * ```ts
 * const schema = z.object({ cm: z.number() });
 * const level = await upstream(ctx, river).get(segments("stations", id), { schema, ttlMs: 60_000 });
 * ```
 */
export function upstream(given: PublishedContext, of: Provider): UpstreamClient {
  // The whole context is there; hosts know a part of it.
  const ctx = given as Context;
  const provider = asConfigured(of, ctx);
  const reader: Reader = { ctx, provider, state: upstreamStateOf(ctx.fetch) };
  const headersFor = (options: ReadOptions<unknown>, extra: Record<string, string> = {}) => ({
    "user-agent": agentFor(provider, ctx),
    accept: acceptOf(options.format),
    ...extra,
    ...provider.headers,
    ...options.headers,
  });
  const toGet = (path: string, options: ReadOptions<unknown>): Outgoing => {
    const url = addressOf(provider, path, options.query);
    return { method: "GET", url, headers: headersFor(options), repeatable: true };
  };
  return {
    async get<T>(path: string, options: ReadOptions<T>) {
      const outgoing = toGet(path, options);
      const asked = { ...reader, outgoing };
      return (await readThrough(reader, outgoing, options, (answer) => readAnswer(answer, asked, options))) as T;
    },
    async getWithHeaders<T, Name extends string>(path: string, options: HeaderOptions<T, Name>) {
      const { responseHeaders } = options;
      const outgoing = toGet(path, options);
      const read = async (answer: UpstreamResponse): Promise<UpstreamAnswer<WithHeaders<T, Name>>> => {
        const { value: body, leftOut } = await readAnswer(answer, { ...reader, outgoing }, options);
        const headers = Object.fromEntries(responseHeaders.map((name) => [name, answer.header(name)]));
        return { value: { body, headers: headers as Record<Name, string | null> }, leftOut };
      };
      return (await readThrough(reader, outgoing, options, read)) as WithHeaders<T, Name>;
    },
    async ask<T>(path: string, options: PostOptions<T>) {
      const url = addressOf(provider, path, options.query);
      const headers = headersFor(options, { "content-type": "application/json" });
      const body = JSON.stringify(options.body);
      const outgoing: Outgoing = { method: "POST", url, headers, body, repeatable: true };
      const asked = { ...reader, outgoing };
      return (await readThrough(reader, outgoing, options, (answer) => readAnswer(answer, asked, options))) as T;
    },
  };
}

const acceptOf = (format: UpstreamFormat = "json") =>
  format === "json" || format === "table" ? "application/json" : "*/*";

interface Reader {
  ctx: Context;
  provider: Provider;
  state: UpstreamState;
}

function addressOf({ baseUrl }: Provider, path: string, query: ReadOptions<unknown>["query"] = {}): URL {
  const url = new URL(baseUrl.replace(/\/$/, "") + path);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  return url;
}

async function readThrough<T>(
  reader: Reader,
  outgoing: Outgoing,
  options: ReadOptions<unknown> & { responseHeaders?: readonly string[] },
  read: (answer: UpstreamResponse) => Promise<UpstreamAnswer<T>>,
): Promise<T | undefined> {
  const { ctx, state } = reader;
  const now = ctx.clock().getTime();
  const { headers, responseHeaders, absent, ttlMs, staleMs } = options;
  // Without the secret, and with everything else that the answer depends on.
  const key = [outgoing.method, outgoing.url.href, outgoing.body, JSON.stringify([headers, responseHeaders])].join(
    "\n",
  );
  const cache = await cacheOf(ctx, state.memory);
  const known = await cache?.get(key);
  const age = known ? now - known.storedAt : 0;
  if (known && age < known.freshMs) {
    noteRead(ctx.reads, { cached: 1 });
    return told(known, ctx) as T;
  }
  try {
    const fetched = await joinFlight(reader, key, (signal) => fetchValue(reader, outgoing, { absent, read, signal }));
    noteRead(ctx.reads, { fresh: 1 });
    if (ttlMs) await cache?.set(key, { ...fetched, storedAt: now, freshMs: ttlMs }, ttlMs + (staleMs ?? 0));
    return told(fetched, ctx) as T;
  } catch (error) {
    const standsIn = known && staleMs && age < known.freshMs + staleMs;
    if (!standsIn || !CapabilityError.is(error) || !(error.status === 502 || error.code === "UPSTREAM_RATE_LIMIT"))
      throw error;
    noteRead(ctx.reads, { cached: 1, staleMs: age });
    return told(known, ctx) as T;
  }
}

/** The value. What its lists do without counts for the call. */
function told({ value, leftOut = 0 }: Pick<Fetched, "value" | "leftOut">, { reads }: Context): unknown {
  if (leftOut > 0) noteRead(reads, { leftOut });
  return value;
}

interface FetchOptions {
  absent: readonly number[] | undefined;
  read(answer: UpstreamResponse): Promise<UpstreamAnswer<unknown>>;
  signal: AbortSignal;
}

async function fetchValue(
  { ctx, provider, state }: Reader,
  outgoing: Outgoing,
  { absent, read, signal }: FetchOptions,
): Promise<Fetched> {
  state.spendQuota(provider, ctx.clock().getTime());
  const gate = await state.gate(provider);
  return gate.run(
    async () => {
      const request = withSecret(outgoing, provider, ctx);
      const sent = { fetch: ctx.fetch, provider, signal, random: ctx.random };
      const answer = await measured(ctx, provider, () => exchange(request, sent));
      const bytes = Math.max(1, answer.bytes.byteLength);
      if (absent?.includes(answer.status)) return { value: undefined, bytes };
      // Equal requests share one answer, and results contain parts of it.
      const { value, leftOut } = await read(answer);
      return { value: deepFreeze(value), bytes, ...(leftOut > 0 ? { leftOut } : {}) };
    },
    { signal, payer: ctx.payer },
  );
}

/** Tells the host how a request ended, if it measures them. */
async function measured<T>({ onExchange }: Context, { name }: Provider, work: () => Promise<T>): Promise<T> {
  if (!onExchange) return work();
  const from = performance.now();
  const end = (outcome: string) => onExchange(name, outcome, performance.now() - from);
  try {
    const answer = await work();
    end("ok");
    return answer;
  } catch (error) {
    end(CapabilityError.is(error) ? error.code : "failed");
    throw error;
  }
}
