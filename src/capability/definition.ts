/** The definition of a capability, as its author writes it: see `defineCapability`. */
import type { z } from "zod";
import type { Micros } from "../lib/money.js";
import type { OutputKind, Source } from "./output.js";
import type { Provider } from "./provider.js";
import type { PublishedContext } from "./published.js";
import type { Origin } from "./terms.js";
import type { AnyCapability, Context, Facts, LiveExample, OptionsDocument, Settings } from "./types.js";
import type { WalletUse } from "./wallets.js";

/** A price that depends on the input, in decimal USD; the catalogue lists `min` and `max`. */
export interface DynamicPrice<I, Ctx = PublishedContext> {
  min: string;
  max: string;
  quote(input: I, ctx: Ctx): Promise<Micros>;
}

/**
 * Yields the chunks of an answer, which callers get as they come, and returns the whole result. Each chunk is plain
 * data, sent as JSON. What a chunk costs is reported to `ctx.meter` before it is yielded: a stream that breaks off is
 * charged for what was sent. `ctx.signal` aborts when the caller leaves or the time is up.
 */
export type StreamWork<Raw, Query, Prepared, Chunk, Ctx = PublishedContext> = (
  query: Query,
  ctx: Ctx,
  prepared: Prepared,
) => AsyncGenerator<Chunk, NoInfer<Raw>, void>;

export interface Definition<
  I extends z.ZodType,
  Raw,
  Result,
  Query = z.output<I>,
  Id extends string = string,
  Prepared = unknown,
  Chunk = unknown,
  Ctx = PublishedContext,
> {
  /** `group.name`. Path, export name, operation id and tool name follow from it. */
  id: Id;
  method?: "GET" | "POST";
  /** One sentence for people and models, at most 300 characters. */
  summary: string;
  /** Search words beyond those of the summary. */
  keywords?: string[];
  /** Decimal USD, or a quote by input. */
  price: string | DynamicPrice<z.output<I>, Ctx>;
  /**
   * Price of a call made of other calls, such as a batch: the sum of this host's prices for them. It replaces the
   * listed price.
   */
  composeQuote?(input: z.output<I>, ctx: Ctx): Promise<Micros>;
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
  check?(input: z.output<I>, ctx: Ctx): Promise<void> | void;
  /**
   * Turns a valid input into the query that `run` gets, or refuses it, before a price is quoted. Default: the input
   * itself. It sends no request to an upstream.
   */
  read?(input: z.output<I>, ctx: Ctx): Promise<Query> | Query;
  /** Set if it works on the state of a wallet, found in `ctx.wallet`; a function if that depends on the query. */
  wallet?: WalletUse | ((query: Query) => WalletUse | undefined);
  /** Refuses before money moves, when the wallet is known, what `run` refuses as well. Not asked where no money moves. */
  precheck?(query: Query, ctx: Ctx): Promise<void>;
  /**
   * Refuses a call that would fail, when the wallet is known and before money moves. Its result is passed to `run`. It
   * changes nothing.
   */
  prepare?(query: Query, ctx: Ctx): Promise<Prepared>;
  run(query: Query, ctx: Ctx, prepared: Prepared): NoInfer<Promise<Raw> | Raw>;
  /** The same work as a stream, for callers that ask for one. Not for changes of a wallet's state. */
  stream?: StreamWork<Raw, Query, Prepared, Chunk, Ctx>;
  /**
   * Where a stream tells the facts of its call. Default: in an event after its end. `usage`: in this member of its last
   * chunk, and nothing follows its `[DONE]`, as readers of OpenAI's format expect.
   */
  factsIn?: "usage";
  /** Largest request body in bytes, if it differs from the host's. */
  maxBodyBytes?: number;
  /**
   * Fields that may hold any JSON. Of a long one only the size is known for a price, so their schemas take an
   * `UnreadJson` in its place.
   */
  anyJson?: readonly string[];
  /** A free document of the values that the input may choose from. */
  menu?: OptionsDocument;
  /** The capabilities that a query of a composed call uses. Restrictions of any of them hold for the whole call. */
  parts?(query: Query): readonly AnyCapability[];
  /** Largest number of pixels that a run draws or decodes; a batch bounds their sum. Default 0. */
  pixels?(query: Query): number;
  /** Loads data for which the first call would otherwise wait. */
  warmUp?(ctx: Ctx): Promise<unknown>;
}

/** Makes the members of a capability that streams: see `streaming`. */
export type StreamingMaker = <Raw, Result>(
  definition: Pick<Definition<never, Raw, Result, never, string, unknown, unknown, Context>, "id" | "stream">,
  facts: Omit<Facts, "input" | "output">,
  finished: (raw: Raw, ctx: Context) => Result,
) => object;
