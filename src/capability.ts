import type { z } from "zod";
import { abortError, type CallOptions, type Context, createContext } from "./context.js";
import { CapabilityError } from "./errors.js";
import { inputError } from "./issues.js";
import { once } from "./lazy.js";
import type { OutputKind, Source } from "./output.js";
import { type Micros, toMicros } from "./payment/money.js";
import { type Provider, sourceOf } from "./provider.js";

export {
  type BinaryResult,
  binary,
  legacy,
  type Normalized,
  type OutputKind,
  one,
  rows,
  type Source,
} from "./output.js";

/** A price that depends on the input, in decimal USD; `min` and `max` are what a catalogue lists. */
export interface DynamicPrice<I> {
  min: string;
  max: string;
  quote(input: I, ctx: Context): Promise<Micros>;
}

export interface Definition<I extends z.ZodType, Raw, Result> {
  /** `group.name`. Path, export name, operation id and tool name follow from it. */
  id: string;
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
  /** The upstream that it asks: gives source, required secret and terms. */
  provider?: Provider;
  /** Where results come from, when that is not one provider. */
  source?: Source;
  /** Strict and bounded. As a function it is built when the capability is first called or described. */
  input: I | (() => I);
  output: OutputKind<Raw, Result>;
  /** An input that works, for docs and discovery. */
  example: z.input<I>;
  /** The longest time `run` may take. */
  timeoutMs?: number;
  /** Refuses what the schema alone cannot judge, before any price is quoted. Throws a CapabilityError. */
  check?(input: z.output<I>, ctx: Context): Promise<void> | void;
  run(input: z.output<I>, ctx: Context): Promise<Raw> | Raw;
  /** Loads ahead what the first call would otherwise wait for. */
  warmUp?(ctx: Context): Promise<unknown>;
}

/** The facts of a capability: properties of its function. */
export interface Facts<I extends z.ZodType = z.ZodType, Result = unknown> {
  readonly id: string;
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
  readonly source: Source;
  /** What the source's terms forbid or demand of who resells it, where they do. */
  readonly terms?: string;
  readonly example: z.input<I>;
  readonly timeoutMs: number;
  /** Checks an untrusted input and applies defaults. Rejects with INVALID_INPUT. */
  parse(input: unknown, ctx: Context): Promise<z.output<I>>;
  /** The catalogue's price of a parsed input. */
  quote(input: z.output<I>, ctx: Context): Promise<Micros>;
  /** What a run of up-to billing probably used; undefined where the capability cannot tell. */
  estimate(input: z.output<I>, result: Result): Micros | undefined;
  /** Runs a parsed input. */
  execute(input: z.output<I>, ctx: Context): Promise<Result>;
  /** Loads ahead what the first call would otherwise wait for; nothing for most. */
  warmUp(ctx: Context): Promise<void>;
  /** Checks that it is configured, parses an untrusted input and runs it. */
  invoke(input: unknown, ctx: Context): Promise<Result>;
}

export type Capability<I extends z.ZodType = z.ZodType, Result = unknown> = ((
  input: z.input<I>,
  options?: CallOptions,
) => Promise<Result>) &
  Facts<I, Result>;

/** Any capability, where neither its input nor its result matters. */
// biome-ignore lint/suspicious/noExplicitAny: input is contravariant, so no other type accepts every capability.
export type AnyCapability = Capability<any, any>;
export type Input<C extends AnyCapability> = C extends Capability<infer I, unknown> ? z.input<I> : never;
export type Output<C extends AnyCapability> = Awaited<ReturnType<C>>;

const DEFAULT_TIMEOUT_MS = 30_000;

/** Declares a capability: an async function that validates, runs and returns, with its facts as properties. */
export function defineCapability<I extends z.ZodType, Raw, Result>(
  definition: Definition<I, Raw, Result>,
): Capability<I, Result> {
  const { id, price, output, provider } = definition;
  const source = definition.source ?? (provider && sourceOf(provider));
  if (!source) throw new TypeError(`${id}: a capability names its provider or its source.`);
  const [group = "", name = ""] = id.split(".");
  const input = once(() => (typeof definition.input === "function" ? definition.input() : definition.input));
  const timeoutMs = definition.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const dynamic = typeof price === "string" ? undefined : price;

  const facts: Facts<I, Result> = {
    id,
    group,
    version: null,
    deprecated: definition.deprecated ?? false,
    method: definition.method ?? "GET",
    path: `/api/${group}/${name}`,
    price:
      typeof price === "string"
        ? { mode: "fixed", usd: price }
        : { mode: "dynamic", minUsd: price.min, maxUsd: price.max },
    shape: output.shape,
    billing: definition.billing ?? "exact",
    batchable: (definition.batchable ?? true) && !dynamic,
    composite: definition.composeQuote !== undefined,
    summary: definition.summary,
    keywords: definition.keywords ?? [],
    get input() {
      return input();
    },
    get output() {
      return output.schema();
    },
    contentTypes: output.contentTypes ?? ["application/json"],
    requires: [...(provider?.secret?.required ? [provider.secret.name] : []), ...(definition.requires ?? [])],
    source,
    ...(provider?.terms ? { terms: provider.terms } : {}),
    example: definition.example,
    timeoutMs,
    async parse(input, ctx) {
      const result = facts.input.safeParse(input, { reportInput: true });
      if (!result.success) throw inputError(result.error);
      await definition.check?.(result.data, ctx);
      return result.data;
    },
    async quote(input, ctx) {
      if (dynamic) return dynamic.quote(input, ctx);
      return definition.composeQuote ? definition.composeQuote(input, ctx) : toMicros(price as string);
    },
    estimate: (input, result) => {
      const usd = definition.estimate?.(input, result);
      return usd === undefined ? undefined : toMicros(usd);
    },
    async execute(input, ctx) {
      if (ctx.signal.aborted) throw abortError(ctx.signal, id);
      const raw = await beforeAbort(definition.run(input, ctx), ctx.signal, id);
      const result = output.finish(raw, source);
      return ctx.reads.staleMs === undefined ? result : markStale(result, ctx.reads.staleMs);
    },
    async warmUp(ctx) {
      await definition.warmUp?.(ctx);
    },
    async invoke(input, ctx) {
      const missing = missingSecrets(facts, ctx);
      if (missing.length > 0) throw notConfigured(id, missing);
      return facts.execute(await facts.parse(input, ctx), ctx);
    },
  };

  const capability = (input: z.input<I>, options: CallOptions = {}): Promise<Result> =>
    facts.invoke(input, createContext(options, { timeoutMs }));
  // Descriptors and not values: reading the schemas here would build them all.
  return Object.defineProperties(capability, Object.getOwnPropertyDescriptors(facts)) as Capability<I, Result>;
}

/** The names of the secrets that a capability needs and does not have. */
export function missingSecrets(capability: Pick<Facts, "requires">, ctx: Pick<Context, "secret">): string[] {
  return capability.requires.filter((name) => !ctx.secret(name));
}

export function notConfigured(id: string, missing: string[]): CapabilityError {
  return new CapabilityError("PROVIDER_NOT_CONFIGURED", `${id} needs ${missing.join(" and ")}, which is not set here.`);
}

/** A result that rests on an outdated answer says so, where it has a place to say it. */
function markStale<Result>(result: Result, staleMs: number): Result {
  if (typeof result !== "object" || result === null || !("items" in result)) return result;
  const meta = "meta" in result ? (result.meta as object) : {};
  return { ...result, meta: { ...meta, staleSeconds: Math.ceil(staleMs / 1000) } };
}

/** A capability that does not watch its signal must not outlive it either. */
async function beforeAbort<T>(work: Promise<T> | T, signal: AbortSignal, id: string): Promise<T> {
  if (!(work instanceof Promise)) return work;
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(abortError(signal, id));
    // It may have been aborted while the work was being started.
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
