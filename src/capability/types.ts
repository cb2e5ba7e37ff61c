/** Types of a capability and of its context. Facts and Context refer to each other, so they share a file. */
import type { z } from "zod";
import type { Logger } from "../lib/logger.js";
import type { Micros } from "../lib/money.js";
import type { Resources } from "../lib/resources.js";
import type { Payer } from "../lib/threads/payer.js";
import type { OutboundOptions } from "./outbound-options.js";
import type { Source } from "./output.js";
import type { Origin, Terms } from "./terms.js";
import type { Meter, Reads, Sold } from "./usage.js";
import type { WalletCall, WalletOptions, WalletUse } from "./wallets.js";

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
  readonly method: "GET" | "POST" | "DELETE";
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
  /** Where a stream tells the facts of its call; absent: in an event after its end. */
  readonly factsIn?: "usage";
  readonly timeoutMs: number;
  /** How it uses a wallet's state; undefined if it uses none, or if that depends on the input. */
  readonly wallet?: WalletUse;
  readonly maxBodyBytes?: number;
  /** Fields of any JSON, of which a price needs only the size. */
  readonly anyJson?: readonly string[];
  /** True if another origin does the work: a call is finished for a caller that leaves. */
  readonly resold?: true;
  /** False if no trial of it is free, whatever the host gives. */
  readonly trial?: false;
  /** True if it is free, and only for the owner of an account: by its key, the host's login, or a wallet's sign-in. */
  readonly ownersOnly?: true;
  /** The id whose path it has, with a method of its own. Default: its own. */
  readonly mountedAt?: string;
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

/** Any capability, where neither its input nor its result matters. */
// biome-ignore lint/suspicious/noExplicitAny: input is contravariant, so no other type accepts every capability.
export type AnyCapability = Capability<any, any>;
export type Input<C extends AnyCapability> = C extends Capability<infer I, unknown> ? z.input<I> : never;
export type Output<C extends AnyCapability> = Awaited<ReturnType<C>>;

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
  /** Told of the keys of each answer of an upstream. Set where the host watches its upstreams. */
  readonly onKeys?: ((seen: SeenKeys) => void) | undefined;
  /** Told how each request to an upstream ended. Set where the host measures. */
  readonly onExchange?: ((upstream: string, outcome: string, ms: number) => void) | undefined;
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
  /** Who pays for the call, by whom threads take turns. Unset for the host's own calls. */
  readonly payer?: Payer | undefined;
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
  /**
   * Notes a name of this endpoint in the host's store, once: resolves to what takes the note back, or undefined if it is
   * there already. Absent without a host.
   */
  readonly claim?: ((name: string, ttlMs: number) => Promise<(() => Promise<unknown>) | undefined>) | undefined;
  /**
   * Tells a caller who fetches the answer later how many of its steps are done; undefined for a call that is answered at
   * once.
   */
  readonly progress?: ((done: number, steps: number) => void) | undefined;
  /** How many resellers the call has passed through. */
  readonly hops: number;
  /** Whether a host runs this call. */
  readonly mounted: boolean;
  /** Applies the host's pricing to an amount at the catalogue's prices. */
  withMarkup(amount: Micros): Micros;
  /** The price of one call here, with the host's prices. */
  quote(capability: AnyCapability, input: unknown): Promise<Micros>;
}

/** Keys of one answer of an upstream: those of its inventory that nearly all records have. */
export interface SeenKeys {
  provider: string;
  /** By place: `items[].town`. */
  had: readonly string[];
  lacked: readonly string[];
}

/** Options of a call within a call. */
export interface InnerCall {
  signal?: AbortSignal;
  /** Names the inner call: calls under one name are done once. */
  key?: string;
  /** The transaction to join. Default: that of the outer call. */
  transaction?: object;
}
