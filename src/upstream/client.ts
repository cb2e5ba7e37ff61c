/**
 * The way to every upstream. A request passes, in this order: address, cache, twin under way, quota, queue, breaker,
 * attempts, size limit, decoding, the provider's own errors, schema, cache. Each is a small function of its own file.
 */
import type { z } from "zod";
import type { Provider } from "../capability/provider.js";
import type { Context } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import { abortError } from "../lib/abort.js";
import { decode, type Format } from "./decode.js";
import { type Answer, exchange, type Outgoing, retryAfterMs } from "./exchange.js";
import { type Fetched, type Flight, stateOf, type UpstreamState } from "./state.js";

type QueryValue = string | number | boolean | undefined | null;

export interface ReadOptions<T> {
  /** Names only what is read, required where a result cannot do without it; everything else is ignored. */
  schema: z.ZodType<T>;
  /** Undefined and null values are left out. */
  query?: Record<string, QueryValue>;
  headers?: Record<string, string>;
  /** Default `json`. */
  format?: Format;
  /** How long an answer is as good as a new one. Unset: never cached. */
  ttlMs?: number;
  /** How much longer an old answer may stand in for a failed upstream; never for live prices or balances. */
  staleMs?: number;
  /** Statuses that mean "there is no such thing": the read then resolves to undefined. */
  absent?: readonly number[];
}

export interface PostOptions<T> extends ReadOptions<T> {
  /** Sent as JSON. It is part of the cache key. */
  body: unknown;
}

export interface UpstreamClient {
  /** Reads below the provider's base URL. `path` comes from `segments` or from code, never from a caller as it is. */
  get<T>(path: string, options: ReadOptions<T> & { absent: readonly number[] }): Promise<T | undefined>;
  get<T>(path: string, options: ReadOptions<T>): Promise<T>;
  /** A question that is sent as a POST, as JSON-RPC and GraphQL do; it must not change anything upstream. */
  ask<T>(path: string, options: PostOptions<T>): Promise<T>;
}

/** A path made of values, each encoded as one segment; what could climb out of it is refused. */
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

/** The client of one provider for one call: its network, clock, secrets and signal. */
export function upstream(ctx: Context, provider: Provider): UpstreamClient {
  const state = stateOf(ctx.fetch);
  const read = <T>(outgoing: Outgoing, options: ReadOptions<T>): Promise<T | undefined> =>
    readThrough({ ctx, provider, state }, outgoing, options);
  const headersFor = (options: ReadOptions<unknown>, extra: Record<string, string> = {}) => ({
    accept: acceptOf(options.format),
    ...extra,
    ...provider.headers,
    ...options.headers,
  });
  return {
    async get<T>(path: string, options: ReadOptions<T>) {
      const url = addressOf(provider, path, options.query);
      return (await read({ method: "GET", url, headers: headersFor(options), repeatable: true }, options)) as T;
    },
    async ask<T>(path: string, options: PostOptions<T>) {
      const url = addressOf(provider, path, options.query);
      const headers = headersFor(options, { "content-type": "application/json" });
      const body = JSON.stringify(options.body);
      return (await read({ method: "POST", url, headers, body, repeatable: true }, options)) as T;
    },
  };
}

const acceptOf = (format: Format = "json") => (format === "json" || format === "table" ? "application/json" : "*/*");

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

async function readThrough<T>(reader: Reader, outgoing: Outgoing, options: ReadOptions<T>): Promise<T | undefined> {
  const { ctx, state } = reader;
  const now = ctx.clock().getTime();
  // Without the secret, and with everything else that the answer depends on.
  const key = [outgoing.method, outgoing.url.href, outgoing.body, JSON.stringify(options.headers)].join("\n");
  const known = ctx.cache === false ? undefined : state.cache.get(key);
  const age = known ? now - known.storedAt : 0;
  if (known && age < known.freshMs) {
    ctx.reads.cached++;
    return known.value as T;
  }
  try {
    const fetched = await joinFlight(reader, key, (signal) => fetchValue(reader, outgoing, options, signal));
    ctx.reads.fresh++;
    if (ctx.cache !== false && options.ttlMs) {
      const keepMs = options.ttlMs + (options.staleMs ?? 0);
      state.cache.set(key, { ...fetched, storedAt: now, freshMs: options.ttlMs }, { ttl: keepMs });
    }
    return fetched.value as T;
  } catch (error) {
    const standsIn = known && options.staleMs && age < known.freshMs + options.staleMs;
    if (!standsIn || !CapabilityError.is(error) || !(error.status === 502 || error.code === "UPSTREAM_RATE_LIMIT"))
      throw error;
    ctx.reads.cached++;
    ctx.reads.staleMs = Math.max(ctx.reads.staleMs ?? 0, age);
    return known.value as T;
  }
}

/** Equal reads at the same time are one. It ends when its last caller leaves, and not before. */
async function joinFlight(
  { ctx, state }: Reader,
  key: string,
  start: (signal: AbortSignal) => Promise<Fetched>,
): Promise<Fetched> {
  let flight = ctx.cache === false ? undefined : state.flights.get(key);
  if (!flight || flight.controller.signal.aborted) {
    const controller = new AbortController();
    const result = start(controller.signal);
    flight = { result, waiting: 0, controller };
    if (ctx.cache !== false) state.flights.set(key, flight);
    result.catch(() => {}).finally(() => state.flights.get(key) === flight && state.flights.delete(key));
  }
  return waitFor(flight, ctx.signal);
}

function waitFor(flight: Flight, signal: AbortSignal): Promise<Fetched> {
  flight.waiting++;
  return new Promise((resolve, reject) => {
    const leave = () => {
      flight.waiting--;
      if (flight.waiting === 0) flight.controller.abort(signal.reason);
      reject(abortError(signal, "The upstream"));
    };
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    flight.result.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

async function fetchValue<T>(
  { ctx, provider, state }: Reader,
  outgoing: Outgoing,
  options: ReadOptions<T>,
  signal: AbortSignal,
): Promise<Fetched> {
  state.spendQuota(provider, ctx.clock().getTime());
  const gate = await state.gate(provider);
  return gate.run(async () => {
    const request = withSecret(outgoing, provider, ctx);
    const answer = await exchange(request, { fetch: ctx.fetch, provider, signal, random: ctx.random });
    const bytes = Math.max(1, answer.bytes.byteLength);
    if (options.absent?.includes(answer.status)) return { value: undefined, bytes };
    return { value: await readAnswer(answer, provider, { ...options, keyed: request !== outgoing }), bytes };
  }, signal);
}

function withSecret(outgoing: Outgoing, { secret }: Provider, ctx: Context): Outgoing {
  const value = secret && ctx.secret(secret.name);
  if (!secret || !value) return outgoing;
  const { in: place } = secret;
  if ("header" in place)
    return { ...outgoing, headers: { ...outgoing.headers, [place.header]: `${place.prefix ?? ""}${value}` } };
  if ("body" in place) {
    const body = { ...JSON.parse(outgoing.body ?? "{}"), [place.body]: value };
    return { ...outgoing, body: JSON.stringify(body) };
  }
  const url = new URL(outgoing.url);
  url.searchParams.set(place.query, value);
  return { ...outgoing, url };
}

/** `keyed`: whether our key went along, so that a refusal may be a matter of the key. */
async function readAnswer<T>(
  answer: Answer,
  provider: Provider,
  options: ReadOptions<T> & { keyed: boolean },
): Promise<T> {
  const { status } = answer;
  const ok = status >= 200 && status < 300;
  const body = await decode(answer, options.format ?? "json", provider).catch((error: unknown) => {
    if (ok) throw error;
  });
  const own = provider.errorIn?.(body, status);
  if (own) throw own;
  if (!ok) throw statusError(answer, provider, options.keyed);
  const parsed = options.schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CapabilityError("UPSTREAM_SCHEMA", `${provider.name} answered in a form that is not known.`, {
    cause: new Error(`${issue?.path.join(".")}: ${issue?.message}`),
  });
}

function statusError(answer: Answer, { name, secret }: Provider, keyed: boolean): CapabilityError {
  const { status } = answer;
  if (status === 429) {
    const waitMs = retryAfterMs(answer);
    return new CapabilityError("UPSTREAM_RATE_LIMIT", `${name} takes no more requests for now.`, {
      ...(waitMs === undefined ? {} : { retryAfter: Math.ceil(waitMs / 1000) }),
    });
  }
  if (secret && keyed && (status === 401 || status === 403))
    return new CapabilityError("PROVIDER_NOT_CONFIGURED", `${name} refused the key in ${secret.name}.`);
  return new CapabilityError("UPSTREAM_ERROR", `${name} answered with status ${status}.`);
}
