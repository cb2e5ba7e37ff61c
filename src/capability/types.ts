/** What a capability is and what its code sees. Facts and Context define each other, so they share a file. */
import type { z } from "zod";
import type { Logger } from "../lib/logger.js";
import type { Micros } from "../lib/money.js";
import type { Resources } from "../lib/resources.js";
import type { OutputKind, Source } from "./output.js";
import type { Provider } from "./provider.js";
import type { Origin, Terms } from "./terms.js";
import type { WalletOptions } from "./wallets.js";

/** A price that depends on the input, in decimal USD; `min` and `max` are what a catalogue lists. */
export interface DynamicPrice<I> {
  min: string;
  max: string;
  quote(input: I, ctx: Context): Promise<Micros>;
}

/** What a call does to the state that belongs to the wallet that pays for it. */
export interface WalletUse {
  /** True where it changes something: its payment is settled before it runs. */
  effects?: boolean;
  /** True where a wallet that signs in may call it for nothing: what it has is its own to see, take out and end. */
  signIn?: boolean;
  /** True where it makes calls that the host sends later: a host that mounts one of these sends them. */
  callsBack?: boolean;
}

/** Whose call this is, as proved by its payment. */
export interface WalletCall {
  /** A CAIP-10 account, `eip155:8453:0x…` in lower case or `solana:…:Base58`; or what trusted code passed. */
  readonly id: string;
  /** Names this very call: what is done under it is done once. Absent in-process: then every call is a new one. */
  readonly callId?: string;
  /** A trial: it works on sample data, everything is rolled back and nothing is sent. */
  readonly trial?: boolean;
  /** Nobody paid: for a wallet that has nothing here nothing is written. */
  readonly free?: boolean;
}

export interface Definition<
  I extends z.ZodType,
  Raw,
  Result,
  Query = z.output<I>,
  Id extends string = string,
  Prepared = unknown,
> {
  /** `group.name`. Path, export name, operation id and tool name follow from it. */
  id: Id;
  method?: "GET" | "POST";
  /** One sentence for people and models, at most 300 characters. */
  summary: string;
  /** What somebody might type who wants this, beyond the summary's own words. */
  keywords?: string[];
  /** Decimal USD, or a quote by input. */
  price: string | DynamicPrice<z.output<I>>;
  /** For a call made of others, as a batch is: the sum of what this host asks for them, instead of the listed price. */
  composeQuote?(input: z.output<I>, ctx: Context): Promise<Micros>;
  billing?: "exact" | "upto";
  /** What a call of up-to billing probably used, in decimal USD, for when no usage was reported. Default: the quote. */
  estimate?(input: z.output<I>, result: Result): string;
  /** False for what a batch must not contain: bearer-only or metered-upstream endpoints. */
  batchable?: boolean;
  deprecated?: boolean;
  /** Names of the secrets it cannot work without. */
  requires?: string[];
  /** Optional packages that no call of it works without: where one is not installed it says so before any price. */
  packages?: string[];
  /** The upstream that it asks: gives source, required secret and terms. */
  provider?: Provider;
  /** Whose terms hold for its answers, where they are not its provider's alone; a function where a host's settings choose. */
  origins?: readonly Origin[] | ((host: Settings) => readonly Origin[]);
  /** Where results come from, when that is not one provider. */
  source?: Source;
  /** Strict and bounded. A function, so that importing a hundred capabilities builds no schema. */
  input: () => I;
  output: OutputKind<Raw, Result>;
  /** Rejects an answer whose rows have nothing of what they are bought for; made by `someOf`. */
  facts?(result: unknown): void;
  /** An input that works, for docs and discovery. */
  example: z.input<I>;
  /**
   * The longest time a call may take, all tries of all upstreams together. Default 30 seconds, which lookups of one
   * upstream keep to: a payment must outlive its call.
   */
  timeoutMs?: number;
  /** Refuses what the schema alone cannot judge, before any price is quoted. Throws a CapabilityError. */
  check?(input: z.output<I>, ctx: Context): Promise<void> | void;
  /**
   * Turns a valid input into the query that `run` gets, or refuses it, before any price is quoted. Without it the query is
   * the input. It asks no upstream.
   */
  read?(input: z.output<I>, ctx: Context): Promise<Query> | Query;
  /** That it works on the state of a wallet, which it finds in `ctx.wallet`; a function where that depends on the query. */
  wallet?: WalletUse | ((query: Query) => WalletUse | undefined);
  /**
   * Refuses what would fail, once it is known whose call it is and before any money moves; what it resolves to is handed
   * to `run`. It changes nothing.
   */
  prepare?(query: Query, ctx: Context): Promise<Prepared>;
  run(query: Query, ctx: Context, prepared: Prepared): NoInfer<Promise<Raw> | Raw>;
  /** The largest request body in bytes, where it is not the host's. */
  maxBodyBytes?: number;
  /** A free document of what its input may choose from. */
  menu?: OptionsDocument;
  /** Of a call made of others: those that a query calls. What holds for any of them holds for the whole call. */
  parts?(query: Query): readonly AnyCapability[];
  /** How many pixels a run draws or decodes at most: a batch may have only so many together. Default 0. */
  pixels?(query: Query): number;
  /** Loads ahead what the first call would otherwise wait for. */
  warmUp?(ctx: Context): Promise<unknown>;
}

/** What a host has set: its keys and its choices. */
export type Settings = Pick<Context, "secret" | "setting">;

/** A free document that goes with a capability: what its input may choose from, at this host's prices. */
export interface OptionsDocument {
  /** Below the host's base path, such as `/ai/models`. */
  path: string;
  /** Names the document's operation, such as `aiModels`. */
  operationId: string;
  summary: string;
  /** Of the document. */
  schema(): z.ZodType;
  read(ctx: Context): Promise<unknown>;
}

/** The facts of a capability: properties of its function. */
export interface Facts<I extends z.ZodType = z.ZodType, Result = unknown, Id extends string = string> {
  readonly id: Id;
  readonly group: string;
  readonly version: null;
  readonly deprecated: boolean;
  readonly method: "GET" | "POST";
  /** Below the host's base path this is `/<group>/<name>`; here with the default `/api`. */
  readonly path: string;
  readonly price: { mode: "fixed"; usd: string } | { mode: "dynamic"; minUsd: string; maxUsd: string };
  readonly shape: "normalized" | "legacy";
  readonly billing: "exact" | "upto";
  readonly batchable: boolean;
  /** True when its quote is the sum of other capabilities' quotes. */
  readonly composite: boolean;
  readonly summary: string;
  readonly keywords: readonly string[];
  readonly input: I;
  readonly output: z.ZodType<Result>;
  readonly contentTypes: readonly string[];
  readonly requires: readonly string[];
  /** Names of what it cannot work without and this platform has not: packages, or a place for `files`. */
  unmet(): string[];
  readonly source: Source;
  /** What its sources say to who sells their answers on, where a host sets nothing; absent where it computes all by itself. */
  readonly terms?: Terms;
  /** Whose terms these are, for the sources that a host chose. */
  originsAt(host: Settings): readonly Origin[];
  readonly example: z.input<I>;
  readonly menu?: OptionsDocument;
  readonly timeoutMs: number;
  /** What it does to a wallet's state; undefined where it has nothing to do with any, or that depends on the input. */
  readonly wallet?: WalletUse;
  readonly maxBodyBytes?: number;
  /** True where another origin does the work and is paid for it. */
  readonly resold?: true;
  /** The calls that a call of this input is made of; absent where it is made of none. */
  parts?(parsed: Parsed<z.output<I>>): readonly AnyCapability[];
  /** What a call of this input does to its wallet's state. */
  walletUse(parsed: Parsed<z.output<I>>): WalletUse | undefined;
  /** Checks an untrusted input, applies defaults and reads the query from it. Rejects with INVALID_INPUT. */
  parse(input: unknown, ctx: Context): Promise<Parsed<z.output<I>>>;
  /** The catalogue's price of a parsed input. */
  quote(input: z.output<I>, ctx: Context): Promise<Micros>;
  /** What a run of up-to billing probably used; undefined where the capability cannot tell. */
  estimate(input: z.output<I>, result: Result): Micros | undefined;
  /** How many pixels a run of what `parse` made of an input draws or decodes at most. */
  pixels(parsed: Parsed<z.output<I>>): number;
  /** Refuses, before money moves, what is known to fail; resolves to what `execute` is to be handed. */
  prepare?(parsed: Parsed<z.output<I>>, ctx: Context): Promise<unknown>;
  /** Runs what `parse` made of an input, with what `prepare` made of it. */
  execute(parsed: Parsed<z.output<I>>, ctx: Context, prepared?: unknown): Promise<Result>;
  /** Loads ahead what the first call would otherwise wait for; nothing for most. */
  warmUp(ctx: Context): Promise<void>;
  /** Checks that it is configured, parses an untrusted input and runs it. */
  invoke(input: unknown, ctx: Context): Promise<Result>;
}

/** An input that may be quoted and run. */
export interface Parsed<Input = unknown> {
  /** With defaults applied: what a price and a fingerprint are made of. */
  readonly input: Input;
  /** What `run` gets: of the capability's own type, which nobody else needs to know. */
  readonly query: unknown;
  /**
   * Judges what was too costly to judge of it before anybody had paid; absent where all is. Throws INVALID_INPUT as `parse`
   * rejects with it. Comes before `prepare` and `execute`, once a payment was verified.
   */
  readonly judgeRest?: (() => void) | undefined;
}

export type Capability<I extends z.ZodType = z.ZodType, Result = unknown, Id extends string = string> = ((
  input: z.input<I>,
  options?: CallOptions,
) => Promise<Result>) &
  Facts<I, Result, Id>;

/** Any capability, where neither its input nor its result matters. */
// biome-ignore lint/suspicious/noExplicitAny: input is contravariant, so no other type accepts every capability.
export type AnyCapability = Capability<any, any>;
export type Input<C extends AnyCapability> = C extends Capability<infer I, unknown> ? z.input<I> : never;
export type Output<C extends AnyCapability> = Awaited<ReturnType<C>>;

/** How URLs that callers supply are judged and reached. */
export interface OutboundOptions {
  /** Host names that are fetched whatever their addresses; `name:port` opens another port than 80 and 443, too. */
  allowHosts?: string[];
  /** Host names that are never fetched; a mounted service adds its own, so that no call loops through it. */
  denyHosts?: string[];
  /** Lets every address pass, metadata services included. For tests and closed networks only. */
  allowPrivate?: boolean;
  /** Name resolution, by default the system's. Every returned address is judged. */
  lookup?: (host: string) => Promise<{ address: string; family: number }[]>;
}

/**
 * Where the answers of upstreams are kept. Promises are awaited, and a cache that fails is passed by. Values are plain
 * data as `structuredClone` takes it, so a cache outside the process has to keep dates and bytes apart from text.
 * @example
 * const kept = new LRUCache({ max: 500 }); // of lru-cache
 * const cache = { get: (key) => kept.get(key), set: (key, value, ttl) => void kept.set(key, value, { ttl }) };
 */
export interface Cache {
  /** Undefined for what is not there, or no longer. */
  get(key: string): unknown;
  /** Keeps a value, at most for `ttlMs`. */
  set(key: string, value: unknown, ttlMs: number): unknown;
}

/** What a caller may pass to a capability; each has a default that works. */
export interface CallOptions {
  /**
   * The only door to the network. Default: the global fetch. For callers' URLs its `init` has a `dispatcher` that connects
   * to judged addresses alone: hand it on, or see to it that private addresses are out of reach.
   */
  fetch?: typeof globalThis.fetch;
  /** Keys and settings by name. Default: `process.env`. */
  secrets?: Record<string, string | undefined>;
  /** Ends the call early. */
  signal?: AbortSignal;
  /** The current time. Default: the system clock. */
  clock?: () => Date;
  /** Keeps answers of upstreams instead of the memory of this process; `false` turns every cache off. */
  cache?: Cache | false;
  /** The folder of bulk files. Default: a folder in the user's cache directory, `/tmp` on Lambda. */
  dataDir?: string;
  /** Default: silent; of a mounted service, errors and warnings go to the console. */
  logger?: Logger;
  outbound?: OutboundOptions;
  /** Where the state of wallets is kept. Default: embedded, in `dataDir`; of a mounted service: nowhere. */
  wallets?: WalletOptions | undefined;
  /** Whose state the call works on, for trusted code: a CAIP-10 account, or 1 to 128 of `A-Za-z0-9._:-`. */
  wallet?: string;
  /** Names the call: another of the same name, endpoint and wallet gives the first one's result and changes nothing. */
  idempotencyKey?: string;
  /** What a call made of others, such as `batch.run`, may call. Default: every capability that was imported. */
  capabilities?: readonly AnyCapability[];
}

/** What a capability's own code sees. */
export interface Context {
  readonly fetch: typeof globalThis.fetch;
  /** Whether `fetch` came from the host or a test, who then see every request; else sockets may be pinned. */
  readonly injectedFetch: boolean;
  /** Where the answers of upstreams came from in this call. */
  readonly reads: Reads;
  /** From 0 to 1, to spread retries; nothing that must not be guessed. */
  readonly random: () => number;
  readonly clock: () => Date;
  /** Whether `clock` came from the host or a test: then a database's own does not count. */
  readonly injectedClock: boolean;
  /** Aborted when the caller leaves or the capability's time is up. */
  readonly signal: AbortSignal;
  /** Whether `signal` is aborted, told without making one: that costs more than many a capability's work. */
  readonly aborted: boolean;
  readonly cache: Cache | false | undefined;
  readonly dataDir: string;
  readonly logger: Logger;
  readonly outbound: OutboundOptions;
  /** The name under which upstreams are asked: the host's brand as one token. Default `Coinslot`. */
  readonly userAgent: string;
  /** The host's brand as it stands in names of headers. Default `svc`. */
  readonly slug: string;
  readonly meter: Meter;
  /** What stays sold should the call fail. */
  readonly sold: Sold;
  /** A key that must not be shown to anybody. */
  secret(name: string): string | undefined;
  /** A choice of the host's, from the same place as the secrets. */
  setting(name: string): string | undefined;
  /** Whose call this is. Undefined where nobody is known to have signed for it. */
  readonly wallet?: WalletCall | undefined;
  /** Where the state of wallets is kept; undefined where this host has none. */
  readonly wallets?: WalletOptions | undefined;
  /** How many bytes an answer may have: what is made of many results stops there. */
  readonly maxResponseBytes: number;
  /** What lives longer than this call: the host's, or in-process the process's. */
  readonly resources: Resources;
  /** Calls another capability with the same clock, network, secrets and deadline, and no second payment. */
  call<C extends AnyCapability>(capability: C, input: Input<C>, options?: InnerCall): Promise<Output<C>>;
  /** Another capability: one that the host has mounted; in-process, one that the caller passed or imported. */
  find(id: string): AnyCapability | undefined;
  /** How often the call was sold on before it came here. */
  readonly hops: number;
  /** Whether a host runs this call. */
  readonly mounted: boolean;
  /** An amount at the catalogue's prices as this host sells it. */
  withMarkup(amount: Micros): Micros;
  /** What one call costs here, host's prices included. */
  quote(capability: AnyCapability, input: unknown): Promise<Micros>;
}

/** How a call calls another. */
export interface InnerCall {
  signal?: AbortSignal;
  /** Tells the calls of one call apart: each is done once under its own name. */
  key?: string;
}

/** What a call read: from upstreams, or from answers kept of earlier reads. */
export interface Reads {
  fresh: number;
  cached: number;
  /** Set when an outdated answer stood in for a failed upstream: its age. */
  staleMs?: number;
}

/** What was bought elsewhere for a call and cannot be given back: should the rest of it fail, this is charged and delivered. */
export interface Sold {
  cost: Micros;
  items: unknown[];
}

/** Adds up what a call really used, in USD, where the price is settled by usage. */
export interface Meter {
  add(usd: string): void;
  /** Undefined when nothing was reported, or something that is no amount: an estimate then takes its place. */
  readonly used: Micros | undefined;
}
