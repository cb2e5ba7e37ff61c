import type { z } from "zod";
import { CapabilityError, missingPackage } from "../errors.js";
import { abortError, beforeAbort } from "../lib/abort.js";
import { lazy, once } from "../lib/lazy.js";
import { toMicros } from "../lib/money.js";
import { isInstalled, notInstalled } from "../lib/packages/installed.js";
import { onWorkers } from "../lib/packages/platform.js";
import { createContext, untilEnd } from "./context.js";
import type { Definition, StreamingMaker } from "./definition.js";
import { noteImported } from "./imported.js";
import { inputError } from "./issues.js";
import { judgeCheaply } from "./later.js";
import type { Source } from "./output.js";
import { type Provider, sourceOf } from "./provider.js";
import { type Terms, termsOf } from "./terms.js";
import type { CallOptions, Context, Facts, Parsed, Settings, Streaming } from "./types.js";
import { marksOf, type Reads } from "./usage.js";

const DEFAULT_TIMEOUT_MS = 30_000;
const NOTHING_SET: Settings = { secret: () => undefined, setting: () => undefined };

/** Loaded by the first call with options: most have none, and a bundle of a few capabilities stays small. */
const optionChecks = /* @__PURE__ */ lazy(() => import("./option-checks.js"));

/** Whether options are an empty plain object. */
const isPlain = (options: unknown): boolean =>
  Object.prototype.toString.call(options) === "[object Object]" && Object.keys(options as object).length === 0;

/**
 * Declares a capability: an async function that validates, runs and returns, with its facts as properties. One that
 * streams passes `streaming`, which all others do without.
 */
export function defineCapability<
  const Id extends string,
  I extends z.ZodType,
  Raw,
  Result,
  Query = z.output<I>,
  Prepared = undefined,
  Chunk = never,
>(
  definition: Definition<I, Raw, Result, Query, Id, Prepared, Chunk, Context>,
  streaming?: StreamingMaker,
): Streaming<I, Result, Chunk, Id> {
  const { id, price, output, provider } = definition;
  assertId(id);
  assertPrice(id, price);
  const { origins = provider ? [provider] : [] } = definition;
  const originsAt = atHost(origins);
  const terms = termsOf(originsAt(NOTHING_SET));
  const source = sourceFor(definition, terms);
  const { requires = [] } = definition;
  const ownSecrets = atHost(requires);
  const requiresAt = (host: Settings) => [...secretOf(provider), ...ownSecrets(host)];
  const [group = "", name = ""] = id.split(".");
  const input = once(() => schemaIn<I>(definition.input));
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = definition;
  const dynamic = typeof price === "string" ? undefined : price;
  const { wallet, prepare, parts } = definition;
  const prepared = (query: Query, ctx: Context) => prepare && inTime(id, () => prepare(query, ctx), ctx);

  const finished = (raw: Raw, ctx: Context): Result => {
    const result = output.finish(raw, source, ctx.reads);
    // guard: a row without any fact is not sold | gone | capability/facts
    definition.facts?.(result);
    return marked(result, ctx.reads);
  };

  const packages = [...(provider?.packages ?? []), ...(definition.packages ?? [])];
  const facts: Omit<Facts<I, Result, Id>, "input" | "output"> = {
    id,
    group,
    version: null,
    deprecated: definition.deprecated ?? definition.deprecation !== undefined,
    ...isoTime("deprecation", definition.deprecation),
    ...isoTime("sunset", definition.sunset),
    method: definition.method ?? "GET",
    path: `/api/${group}/${name}`,
    price: listed(price),
    shape: output.shape,
    billing: definition.billing ?? "exact",
    batchable: definition.batchable !== false && !dynamic,
    composite: definition.composeQuote !== undefined,
    summary: definition.summary,
    keywords: definition.keywords ?? [],
    contentTypes: output.contentTypes ?? ["application/json"],
    ...(output.json ? { json: output.json } : {}),
    requires: requiresAt(NOTHING_SET),
    requiresAt,
    packages,
    // Data that is loaded ahead is kept in files.
    unmet: () => unmetBy(packages, definition.warmUp !== undefined),
    source,
    ...(terms ? { terms } : {}),
    originsAt,
    example: definition.example,
    timeoutMs,
    ...(typeof wallet === "object" ? { wallet } : {}),
    ...onlySet(definition, "menu", "offline", "maxBodyBytes", "anyJson", "live", "factsIn"),
    walletUse: ({ query }) => (typeof wallet === "function" ? wallet(query as Query) : wallet),
    async parse(given, ctx) {
      const judge = () => {
        const { success, data, error } = input().safeParse(given, { reportInput: true });
        if (!success) throw inputError(error);
        return data;
      };
      const { judged, leaves } = judgeCheaply(judge);
      await definition.check?.(judged, ctx);
      // Without `read` the query is the input, as the type's default states.
      const query = definition.read ? await definition.read(judged, ctx) : judged;
      return { input: judged, query, ...(leaves ? { judgeRest: once(judge) } : {}) };
    },
    async quote(input, ctx) {
      if (dynamic) return dynamic.quote(input, ctx);
      return definition.composeQuote ? definition.composeQuote(input, ctx) : toMicros(price as string);
    },
    estimate: (input, result) => {
      const usd = definition.estimate?.(input, result);
      return usd === undefined ? undefined : toMicros(usd);
    },
    ...(parts ? { parts: ({ query }: Parsed<z.output<I>>) => parts(query as Query) } : {}),
    pixels: ({ query }) => definition.pixels?.(query as Query) ?? 0,
    ...preparing(definition, prepared),
    async execute({ query }, ctx, result) {
      return finished(await inTime(id, () => definition.run(query as Query, ctx, result as Prepared), ctx), ctx);
    },
    async warmUp(ctx) {
      await definition.warmUp?.(ctx);
    },
    async invoke(input, ctx) {
      assertAvailable(facts, missing(facts, ctx));
      const parsed = await facts.parse(input, ctx);
      parsed.judgeRest?.();
      // No money moves here.
      return facts.execute(parsed, ctx, await prepared(parsed.query as Query, ctx));
    },
  };

  const capability = (input: z.input<I>, options: CallOptions = {}): Promise<Result> => {
    const run = (options: CallOptions) => {
      // The caller is trusted code, so a direct call may use the state of wallets.
      const ctx = createContext({ ...options, wallets: options.wallets ?? {} }, { timeoutMs });
      return untilEnd(ctx, facts.invoke(input, ctx));
    };
    if (isPlain(options)) return run(options);
    return optionChecks().then(({ readCallOptions }) => run(readCallOptions(options)));
  };
  // Importing the catalogue runs this for every capability, so facts are copied, which is fast, and schemas are made
  // later.
  const defined = Object.defineProperties(
    Object.assign(capability, facts, streaming?.(definition as never, facts, finished)),
    {
      input: { get: input, enumerable: true, configurable: true },
      output: { get: () => output.schema(), enumerable: true, configurable: true },
    },
  ) as unknown as Streaming<I, Result, Chunk, Id>;
  noteImported(defined);
  return defined;
}

/** Work that ends with the call's time, though it may not watch the signal itself. */
export async function inTime<T>(id: string, work: () => Promise<T> | T, ctx: Context): Promise<T> {
  if (ctx.aborted) throw abortError(ctx.signal, id);
  const done = work();
  if (!(done instanceof Promise)) return done;
  return beforeAbort(done, ctx.signal, id).catch((error: unknown) => {
    throw missingPackage(error) ?? error;
  });
}

/** A source written by hand may name several origins, so it carries the attribution lines of all of them. */
function sourceFor(
  { id, source, provider }: { id: string; source?: Source; provider?: Provider },
  terms: Terms | undefined,
): Source {
  const lines = terms?.attribution ? { attribution: terms.attribution } : {};
  // guard: an answer of several sources has the lines of all | returns source | holidays
  if (source) return { ...source, ...lines };
  if (provider) return sourceOf(provider);
  throw new TypeError(`${id}: name its provider or its source.`);
}

const listed = (price: string | { min: string; max: string }): Facts["price"] =>
  typeof price === "string" ? { mode: "fixed", usd: price } : { mode: "dynamic", minUsd: price.min, maxUsd: price.max };

/** Checks the id from which path, header and tool name are derived. Throws a TypeError. */
export function assertId(id: string): void {
  if (typeof id !== "string" || !/^[a-z0-9]+(?:-[a-z0-9]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))
    throw new TypeError(`An id is a group and a name, as convert.unit, not "${String(id)}".`);
}

/** Throws a TypeError. A price of zero is refused, because nobody can pay a 402 for nothing: use `payment: false`. */
export function assertPrice(id: string, price: string | { min: string; max: string }): void {
  const isAmount = (usd: unknown) =>
    typeof usd === "string" && /^\d{1,9}(?:\.\d{1,6}0*)?$/.test(usd) && toMicros(usd) > 0n;
  if (typeof price === "object" && price !== null) {
    if (isAmount(price.min) && isAmount(price.max) && toMicros(price.min) <= toMicros(price.max)) return;
  } else if (isAmount(price)) return;
  throw new TypeError(
    `${id}: a price is US dollars above 0 as text with at most six decimals, such as "0.001", or { min, max, quote }.`,
  );
}

/** Names what a capability needs and this host lacks: secrets, the option `wallets`, packages. */
export function missing(
  capability: Pick<Facts, "requiresAt" | "wallet" | "unmet">,
  ctx: Pick<Context, "secret" | "setting" | "wallets">,
): string[] {
  const secrets = capability.requiresAt(ctx).filter((name) => !ctx.secret(name));
  return [...secrets, ...(capability.wallet && !ctx.wallets ? ["wallets"] : []), ...capability.unmet()];
}

const FILES = "files";

/** The error that explains why a capability cannot work on this platform, whatever its host sets. */
export function unmetError(capability: Pick<Facts, "id" | "unmet">): CapabilityError | undefined {
  const [lack] = capability.unmet();
  if (lack === FILES) return notConfigured(`${capability.id} keeps files; this platform has no place.`);
  return lack === undefined ? undefined : notInstalled(lack);
}

/** Throws PROVIDER_NOT_CONFIGURED, naming what is missing, if the capability cannot work here. */
export function assertAvailable(capability: Pick<Facts, "id" | "unmet">, lacking: string[]): void {
  const lack = unmetError(capability);
  if (lack) throw lack;
  if (lacking.length > 0)
    throw notConfigured(`${capability.id} needs ${lacking.join(" and ")}, which is not set here.`);
}

const notConfigured = (message: string) => new CapabilityError("PROVIDER_NOT_CONFIGURED", message);

/** A result with the marks of what was read, if its shape has a `meta` for them. */
function marked<Result>(result: Result, reads: Reads): Result {
  const of = result as { items?: unknown; meta?: object } | undefined;
  const marks = marksOf(reads);
  if (!of?.items || Object.keys(marks).length === 0) return result;
  return { ...result, meta: { ...of.meta, ...marks } };
}

/** These of a definition's options that are set. */
function onlySet<D extends object, K extends keyof D>(definition: D, ...names: K[]) {
  const set = names.filter((name) => definition[name] !== undefined).map((name) => [name, definition[name]]);
  return Object.fromEntries(set) as { [N in K]?: Exclude<D[N], undefined> };
}

const isoTime = (name: "deprecation" | "sunset", at: Date | string | undefined) =>
  at === undefined ? {} : { [name]: new Date(at).toISOString() };

/** The type asks for a function; plain JavaScript may pass the schema itself. */
const schemaIn = <I extends z.ZodType>(given: I | (() => I)): I => (typeof given === "function" ? given() : given);

/** Refuses before money moves what is bound to fail, and then prepares. */
function preparing<Query>(
  { id, precheck, prepare }: Preparing<Query>,
  prepared: (query: Query, ctx: Context) => unknown,
): { prepare?: (parsed: Parsed, ctx: Context) => Promise<unknown> } {
  if (!precheck && !prepare) return {};
  return {
    async prepare({ query }, ctx) {
      if (precheck) await inTime(id, () => precheck(query as Query, ctx), ctx);
      return prepared(query as Query, ctx);
    },
  };
}

interface Preparing<Query> {
  id: string;
  precheck?: (query: Query, ctx: Context) => Promise<void>;
  prepare?: (query: Query, ctx: Context) => Promise<unknown>;
}

/** A fact that the host's settings may choose. */
const atHost =
  <T>(given: readonly T[] | ((host: Settings) => readonly T[])) =>
  (host: Settings): readonly T[] =>
    typeof given === "function" ? given(host) : given;

const secretOf = (provider: Provider | undefined): string[] =>
  provider?.secret?.required ? [provider.secret.name] : [];

const unmetBy = (packages: readonly string[], needsFiles: boolean): string[] => [
  ...packages.filter((name) => !isInstalled(name)),
  ...(needsFiles && onWorkers() ? [FILES] : []),
];
