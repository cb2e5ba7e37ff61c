/** Types of a capability and of its context. Facts and Context refer to each other, so they share a file. */
import type { z } from "zod";
import type { Logger } from "../lib/logger.js";
import type { Micros } from "../lib/money.js";
import type { Resources } from "../lib/resources.js";
import type { OutputKind, Source } from "./output.js";
import type { Provider } from "./provider.js";
import type { Origin, Terms } from "./terms.js";
import type { WalletOptions } from "./wallets.js";

/** A price that depends on the input, in decimal USD; the catalogue lists `min` and `max`. */
export interface DynamicPrice<I> {
  min: string;
  max: string;
  quote(input: I, ctx: Context): Promise<Micros>;
}

/** How a call uses the state of the wallet that pays for it. */
export interface WalletUse {
  /** True if it changes state: its payment is settled before it runs. */
  effects?: boolean;
  /** True if a signed-in wallet may call it for free: reading, exporting and deleting one's own data costs nothing. */
  signIn?: boolean;
  /** True if it creates callbacks, which the host has to send later. */
  callsBack?: boolean;
}

/** The wallet that a call works for, as its payment proves. */
export interface WalletCall {
  /** A CAIP-10 account, `eip155:8453:0x…` in lower case or `solana:…:Base58`; or the name that trusted code passed. */
  readonly id: string;
  /** Id of this call: work under one id is done once. Absent in-process, where every call is a new one. */
  readonly callId?: string;
  /** True for a trial: it works on sample data, is rolled back, and sends nothing. */
  readonly trial?: boolean;
  /** True if nobody paid: the call writes nothing for a wallet that has no data here. */
  readonly free?: boolean;
}

/**
 * Yields the chunks of an answer, which callers get as they come, and returns the whole result. Each chunk is plain
 * data, sent as JSON. What a chunk costs is reported to `ctx.meter` before it is yielded: a stream that breaks off is
 * charged for what was sent. `ctx.signal` aborts when the caller leaves or the time is up.
 */
export type StreamWork<Raw, Query, Prepared, Chunk> = (
  query: Query,
  ctx: Context,
  prepared: Prepared,
) => AsyncGenerator<Chunk, NoInfer<Raw>, void>;

/** How a check asks the upstreams of a capability. */
export interface LiveExample<Input = unknown> {
  /** An input that finds something at any time, if the example does not. */
  input?: Input | ((now: Date) => Input);
  /** Days after which the newest data of an answer is old. Unset: its age means nothing. */
  freshDays?: number;
  /** True if an answer costs the host money or a scarce allowance. Default: true if a secret is needed. */
  metered?: boolean;
  /** True if there may be nothing at times, such as warnings of thunderstorms. */
  mayBeEmpty?: boolean;
}

export interface Definition<
  I extends z.ZodType,
  Raw,
  Result,
  Query = z.output<I>,
  Id extends string = string,
  Prepared = unknown,
  Chunk = unknown,
> {
  /** `group.name`. Path, export name, operation id and tool name follow from it. */
  id: Id;
  method?: "GET" | "POST";
  /** One sentence for people and models, at most 300 characters. */
  summary: string;
  /** Search words beyond those of the summary. */
  keywords?: string[];
  /** Decimal USD, or a quote by input. */
  price: string | DynamicPrice<z.output<I>>;
  /**
   * Price of a call made of other calls, such as a batch: the sum of this host's prices for them. It replaces the
   * listed price.
   */
  composeQuote?(input: z.output<I>, ctx: Context): Promise<Micros>;
  billing?: "exact" | "upto";
  /**
   * Estimated usage of a call that bills up to its quote, in decimal USD, for when nothing was reported. Default: the
   * quote.
   */
  estimate?(input: z.output<I>, result: Result): string;
  /** False if a batch must not contain it: bearer-only endpoints, or upstreams that meter. */
  batchable?: boolean;
  deprecated?: boolean;
  /** When it became deprecated, or will: the header `Deprecation` (RFC 9745). It counts as deprecated unless `deprecated` is false. */
  deprecation?: Date | string;
  /** When it is expected to end: the header `Sunset` (RFC 8594). */
  sunset?: Date | string;
  /** True if a run opens no connection, but for a URL that the caller names: its answer can be computed again. */
  offline?: true;
  /** Names of the secrets that it needs; a function if the host's settings choose them. */
  requires?: readonly string[] | ((host: Settings) => readonly string[]);
  /** Optional packages that every call needs. If one is not installed, the call is refused before a price is quoted. */
  packages?: string[];
  /** The upstream that it reads: gives source, required secret and terms. */
  provider?: Provider;
  /** Origins whose terms hold, if they are not the provider's alone; a function if the host's settings choose them. */
  origins?: readonly Origin[] | ((host: Settings) => readonly Origin[]);
  /** Source of results, if it is not one provider. */
  source?: Source;
  /** Schema of the input, strict and bounded. A function, so that importing a hundred capabilities builds no schema. */
  input: () => I;
  output: OutputKind<Raw, Result>;
  /** Throws if the rows of an answer lack the facts that they are bought for; made by `someOf`. */
  facts?(result: unknown): void;
  /** An input that works, for documentation and discovery. */
  example: z.input<I>;
  /** How a check asks its upstreams, where the example alone does not serve; false: there is nothing to ask. */
  live?: LiveExample<z.input<I>> | false;
  /**
   * Time limit of a call in milliseconds, including all attempts at all upstreams. Default 30 seconds, enough for
   * lookups of one upstream. A payment must stay valid for longer.
   */
  timeoutMs?: number;
  /** Refuses an input that the schema alone cannot judge, before a price is quoted. Throws a CapabilityError. */
  check?(input: z.output<I>, ctx: Context): Promise<void> | void;
  /**
   * Turns a valid input into the query that `run` gets, or refuses it, before a price is quoted. Default: the input
   * itself. It sends no request to an upstream.
   */
  read?(input: z.output<I>, ctx: Context): Promise<Query> | Query;
  /** Set if it works on the state of a wallet, found in `ctx.wallet`; a function if that depends on the query. */
  wallet?: WalletUse | ((query: Query) => WalletUse | undefined);
  /**
   * Refuses a call that would fail, when the wallet is known and before money moves. Its result is passed to `run`. It
   * changes nothing.
   */
  prepare?(query: Query, ctx: Context): Promise<Prepared>;
  run(query: Query, ctx: Context, prepared: Prepared): NoInfer<Promise<Raw> | Raw>;
  /** The same work as a stream, for callers that ask for one. Not for changes of a wallet's state. */
  stream?: StreamWork<Raw, Query, Prepared, Chunk>;
  /** Largest request body in bytes, if it differs from the host's. */
  maxBodyBytes?: number;
  /** A free document of the values that the input may choose from. */
  menu?: OptionsDocument;
  /** The capabilities that a query of a composed call uses. Restrictions of any of them hold for the whole call. */
  parts?(query: Query): readonly AnyCapability[];
  /** Largest number of pixels that a run draws or decodes; a batch bounds their sum. Default 0. */
  pixels?(query: Query): number;
  /** Loads data for which the first call would otherwise wait. */
  warmUp?(ctx: Context): Promise<unknown>;
}

/** The host's settings: its keys and its choices. */
export type Settings = Pick<Context, "secret" | "setting">;

/** A free document beside a capability: the values that its input may choose from, at this host's prices. */
export interface OptionsDocument {
  /** Path below the host's base path, such as `/ai/models`. */
  path: string;
  /** Operation id of the document, such as `aiModels`. */
  operationId: string;
  summary: string;
  /** Schema of the document. */
  schema(): z.ZodType;
  read(ctx: Context): Promise<unknown>;
}

/** The facts of a capability: properties of its function. */
export interface Facts<I extends z.ZodType = z.ZodType, Result = unknown, Id extends string = string> {
  readonly id: Id;
  readonly group: string;
  readonly version: null;
  readonly deprecated: boolean;
  /** When it became deprecated, or will, in ISO 8601. */
  readonly deprecation?: string;
  /** When it is expected to end, in ISO 8601. */
  readonly sunset?: string;
  readonly method: "GET" | "POST";
  /** The path with the default base path, `/api/<group>/<name>`. A host mounts it below its own base path. */
  readonly path: string;
  readonly price: { mode: "fixed"; usd: string } | { mode: "dynamic"; minUsd: string; maxUsd: string };
  readonly shape: "normalized" | "legacy";
  readonly billing: "exact" | "upto";
  readonly batchable: boolean;
  /** True if its quote is the sum of other capabilities' quotes. */
  readonly composite: boolean;
  /** True if a run opens no connection, but for a URL that the caller names. */
  readonly offline?: true;
  readonly summary: string;
  readonly keywords: readonly string[];
  readonly input: I;
  readonly output: z.ZodType<Result>;
  readonly contentTypes: readonly string[];
  /** Schema of a file that is JSON for some inputs. */
  json?(): z.ZodType;
  /** The secrets that it needs with default settings. */
  readonly requires: readonly string[];
  /** The optional packages that every call needs. */
  readonly packages: readonly string[];
  /** Names what the platform lacks: packages, or a place for `files`. */
  unmet(): string[];
  readonly source: Source;
  /** Resale terms of its sources, if a host sets nothing; absent if it computes everything itself. */
  readonly terms?: Terms;
  /** The secrets that it needs with the host's settings. */
  requiresAt(host: Settings): readonly string[];
  /** Origins whose terms hold with the host's settings. */
  originsAt(host: Settings): readonly Origin[];
  readonly example: z.input<I>;
  /** How a check asks its upstreams; absent: with the example. */
  readonly live?: LiveExample<z.input<I>> | false;
  readonly menu?: OptionsDocument;
  readonly timeoutMs: number;
  /** How it uses a wallet's state; undefined if it uses none, or if that depends on the input. */
  readonly wallet?: WalletUse;
  readonly maxBodyBytes?: number;
  /** True if another origin does the work and is paid for it. */
  readonly resold?: true;
  /** The capabilities that this input calls; absent for a capability that calls none. */
  parts?(parsed: Parsed<z.output<I>>): readonly AnyCapability[];
  /** How a call with this input uses its wallet's state. */
  walletUse(parsed: Parsed<z.output<I>>): WalletUse | undefined;
  /** Checks an untrusted input, applies defaults and reads the query from it. Rejects with INVALID_INPUT. */
  parse(input: unknown, ctx: Context): Promise<Parsed<z.output<I>>>;
  /** The catalogue's price of a parsed input. */
  quote(input: z.output<I>, ctx: Context): Promise<Micros>;
  /** Estimated usage of a run with up-to billing; undefined if the capability cannot tell. */
  estimate(input: z.output<I>, result: Result): Micros | undefined;
  /** Largest number of pixels that a run with this parsed input draws or decodes. */
  pixels(parsed: Parsed<z.output<I>>): number;
  /**
   * Refuses a call that is bound to fail, before money moves; resolves to the value that `execute` takes as `prepared`.
   */
  prepare?(parsed: Parsed<z.output<I>>, ctx: Context): Promise<unknown>;
  /** Runs a parsed input, with the value that `prepare` resolved to. */
  execute(parsed: Parsed<z.output<I>>, ctx: Context, prepared?: unknown): Promise<Result>;
  /** Runs a parsed input as a stream of chunks that returns the result; absent if it answers only at once. */
  executeStream?(parsed: Parsed<z.output<I>>, ctx: Context, prepared?: unknown): AsyncGenerator<unknown, Result, void>;
  /** Loads data for which the first call would otherwise wait; most capabilities have none. */
  warmUp(ctx: Context): Promise<void>;
  /** Checks the configuration, parses an untrusted input and runs it. */
  invoke(input: unknown, ctx: Context): Promise<Result>;
  /** The same as a stream; absent if it answers only at once. */
  invokeStream?(input: unknown, ctx: Context): AsyncGenerator<unknown, Result, void>;
}

/** An input that was checked and may be quoted and run. */
export interface Parsed<Input = unknown> {
  /** The input with defaults applied: price and fingerprint are made of it. */
  readonly input: Input;
  /** The query for `run`, of a type that only the capability knows. */
  readonly query: unknown;
  /**
   * Runs the checks that were too costly before a payment; absent if all checks were done. Throws INVALID_INPUT, as
   * `parse` does. Called after a payment was verified, before `prepare` and `execute`.
   */
  readonly judgeRest?: (() => void) | undefined;
}

export type Capability<I extends z.ZodType = z.ZodType, Result = unknown, Id extends string = string> = ((
  input: z.input<I>,
  options?: CallOptions,
) => Promise<Result>) &
  Facts<I, Result, Id>;

/** The part of a capability that streams: chunks as they come, and the result at the end. */
export type Streaming<I extends z.ZodType, Result, Chunk, Id extends string = string> = [Chunk] extends [never]
  ? Capability<I, Result, Id>
  : Capability<I, Result, Id> & {
      /**
       * Yields the chunks of an answer as they come, and returns the whole result. Ending the loop early ends the work.
       * Rejects as the capability itself does.
       */
      stream(input: z.input<I>, options?: CallOptions): AsyncGenerator<Chunk, Result, void>;
    };

/** Makes the members of a capability that streams: see `streaming`. */
export type StreamingMaker = <Raw, Result>(
  definition: Pick<Definition<never, Raw, Result>, "id" | "stream">,
  facts: Omit<Facts, "input" | "output">,
  finished: (raw: Raw, ctx: Context) => Result,
) => object;

/** Any capability, where neither its input nor its result matters. */
// biome-ignore lint/suspicious/noExplicitAny: input is contravariant, so no other type accepts every capability.
export type AnyCapability = Capability<any, any>;
export type Input<C extends AnyCapability> = C extends Capability<infer I, unknown> ? z.input<I> : never;
export type Output<C extends AnyCapability> = Awaited<ReturnType<C>>;

/** Rules for URLs that callers supply. */
export interface OutboundOptions {
  /** Host names that may be fetched whatever their addresses; `name:port` also opens a port other than 80 and 443. */
  allowHosts?: string[];
  /** Host names that are never fetched. A mounted service adds its own, so that no call loops back to it. */
  denyHosts?: string[];
  /** Allows every address, metadata services included. For tests and closed networks only. */
  allowPrivate?: boolean;
  /** Name resolution. Default: the system's. Every returned address is checked. */
  lookup?: (host: string) => Promise<{ address: string; family: number }[]>;
  /** Asks the DNS for capabilities that read records. Default: Node's resolver; on Cloudflare Workers one over HTTPS. */
  resolve?: (
    name: string,
    type: "A" | "AAAA" | "MX" | "PTR" | "TXT",
  ) => Promise<(string | { preference: number; host: string })[]>;
}

/**
 * Cache for answers of upstreams. Promises are awaited, and failures of the cache are ignored. Values are plain data as
 * `structuredClone` takes it, so a cache outside the process must tell dates and bytes from text.
 *
 * @example
 * ```ts
 * const lru = new LRUCache({ max: 500 }); // from lru-cache
 * const cache: Cache = {
 *   get: (key) => lru.get(key),
 *   set: (key, value, ttlMs) => void lru.set(key, value, { ttl: ttlMs }),
 * };
 * ```
 */
export interface Cache {
  /** The value; undefined if it is absent or expired. */
  get(key: string): unknown;
  /** Keeps a value for at most `ttlMs` milliseconds. */
  set(key: string, value: unknown, ttlMs: number): unknown;
}

/** Options of a direct call. Each has a default that works. */
export interface CallOptions {
  /**
   * Sends every request. Default: the global fetch. For callers' URLs its `init` has a `dispatcher` that connects to
   * checked addresses only: pass it on, or make sure that private addresses cannot be reached.
   */
  fetch?: typeof globalThis.fetch;
  /** Keys and settings by name. Default: `process.env`. */
  secrets?: Record<string, string | undefined>;
  /** Ends the call early. */
  signal?: AbortSignal;
  /** The current time. Default: the system clock. */
  clock?: () => Date;
  /** Cache for answers of upstreams, instead of this process's memory; `false` turns every cache off. */
  cache?: Cache | false;
  /** The folder of bulk files. Default: a folder in the user's cache directory, `/tmp` on Lambda. */
  dataDir?: string;
  /** Default: silent. A mounted service logs errors and warnings to the console. */
  logger?: Logger;
  outbound?: OutboundOptions;
  /** Database of the state of wallets. Default: embedded, in `dataDir`; a mounted service has none. */
  wallets?: WalletOptions | undefined;
  /** The wallet whose state the call uses, for trusted code: a CAIP-10 account, or 1 to 128 of `A-Za-z0-9._:-`. */
  wallet?: string;
  /**
   * Names the call: a repetition for the same name, endpoint and wallet returns the first result and changes nothing.
   */
  idempotencyKey?: string;
  /** Capabilities that a composed call, such as `batch.run`, may use. Default: every capability that was imported. */
  capabilities?: readonly AnyCapability[];
}

/** The context that a capability's code gets. */
export interface Context {
  readonly fetch: typeof globalThis.fetch;
  /** True if `fetch` came from the host or a test, which then sees every request; otherwise sockets may be pinned. */
  readonly injectedFetch: boolean;
  /** Records the sources of upstream answers in this call. */
  readonly reads: Reads;
  /** A random number from 0 to 1 that spreads retries. Not for secrets. */
  readonly random: () => number;
  readonly clock: () => Date;
  /** True if `clock` came from the host or a test, so that the database's clock must not be used. */
  readonly injectedClock: boolean;
  /** Aborted when the caller leaves or the capability's time is up. */
  readonly signal: AbortSignal;
  /** Whether `signal` is aborted, without creating it: that would cost more than the work of many capabilities. */
  readonly aborted: boolean;
  readonly cache: Cache | false | undefined;
  readonly dataDir: string;
  readonly logger: Logger;
  readonly outbound: OutboundOptions;
  /** The service's name, from the host's brand. Default `Coinslot`. */
  readonly brand: string;
  /** The sender's name in requests to upstreams: the host's brand as one token. Default `Coinslot`. */
  readonly userAgent: string;
  /** The host's brand as part of header names. Default `svc`. */
  readonly slug: string;
  readonly meter: Meter;
  /** Purchases from other services that the call is charged for even if it fails. */
  readonly sold: Sold;
  /** A key, which must not appear in results, logs or errors. */
  secret(name: string): string | undefined;
  /** A host's setting, read from the same place as the secrets. */
  setting(name: string): string | undefined;
  /** The wallet that the call works for. Undefined if nobody is known to have signed for it. */
  readonly wallet?: WalletCall | undefined;
  /** Database of the state of wallets; undefined if this host has none. */
  readonly wallets?: WalletOptions | undefined;
  /** The open transaction that changes of the wallet's state join. Only `state/` reads it. */
  readonly transaction?: object | undefined;
  /** Largest answer in bytes: composed results stop there. */
  readonly maxResponseBytes: number;
  /** Things that outlive this call, kept by the host, or without one by the process. */
  readonly resources: Resources;
  /** Calls another capability with the same clock, network, secrets and deadline, and no second payment. */
  call<C extends AnyCapability>(capability: C, input: Input<C>, options?: InnerCall): Promise<Output<C>>;
  /** Finds a capability by id among the mounted ones; in-process, among those that were passed or imported. */
  find(id: string): AnyCapability | undefined;
  /** How many resellers the call has passed through. */
  readonly hops: number;
  /** Whether a host runs this call. */
  readonly mounted: boolean;
  /** Applies the host's pricing to an amount at the catalogue's prices. */
  withMarkup(amount: Micros): Micros;
  /** The price of one call here, with the host's prices. */
  quote(capability: AnyCapability, input: unknown): Promise<Micros>;
}

/** Options of a call within a call. */
export interface InnerCall {
  signal?: AbortSignal;
  /** Names the inner call: calls under one name are done once. */
  key?: string;
  /** The transaction to join. Default: that of the outer call. */
  transaction?: object;
}

/** Sources of the data that a call read: upstreams, or their cached answers. */
export interface Reads {
  fresh: number;
  cached: number;
  /** Age of an outdated answer that replaced a failed upstream. */
  staleMs?: number;
}

/**
 * Purchases from other services that cannot be returned: if the rest of the call fails, they are charged and delivered.
 */
export interface Sold {
  cost: Micros;
  items: unknown[];
}

/** Adds up the actual usage of a call in USD, if the price is settled by usage. */
export interface Meter {
  add(usd: string): void;
  /** Replaces the sum so far: a stream counts by its own estimate until the upstream tells the usage. */
  set(usd: string): void;
  /** Undefined if nothing, or an invalid amount, was reported: an estimate is charged then. */
  readonly used: Micros | undefined;
}
