import type { z } from "zod";
import { CapabilityError, missingPackage } from "../errors.js";
import { abortError, beforeAbort } from "../lib/abort.js";
import { once } from "../lib/lazy.js";
import { toMicros } from "../lib/money.js";
import { createContext, untilEnd } from "./context.js";
import { noteImported } from "./imported.js";
import { inputError } from "./issues.js";
import { sourceOf } from "./provider.js";
import type { CallOptions, Capability, Context, Definition, Facts } from "./types.js";

const DEFAULT_TIMEOUT_MS = 30_000;

/** Declares a capability: an async function that validates, runs and returns, with its facts as properties. */
export function defineCapability<const Id extends string, I extends z.ZodType, Raw, Result, Query = z.output<I>>(
  definition: Definition<I, Raw, Result, Query, Id>,
): Capability<I, Result, Id> {
  const { id, price, output, provider } = definition;
  assertId(id);
  assertPrice(id, price);
  const source = definition.source ?? (provider && sourceOf(provider));
  if (!source) throw new TypeError(`${id}: a capability names its provider or its source.`);
  const [group = "", name = ""] = id.split(".");
  const input = once(() => {
    const given: I | (() => I) = definition.input;
    // The type asks for the function; plain JavaScript may hand over a schema that it has already.
    return typeof given === "function" ? given() : given;
  });
  const timeoutMs = definition.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const dynamic = typeof price === "string" ? undefined : price;

  const facts: Facts<I, Result, Id> = {
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
    ...(definition.menu ? { menu: definition.menu } : {}),
    timeoutMs,
    async parse(input, ctx) {
      const result = facts.input.safeParse(input, { reportInput: true });
      if (!result.success) throw inputError(result.error);
      const { data } = result;
      await definition.check?.(data, ctx);
      // Without `read` the query is the input: the type's default says the same.
      return { input: data, query: definition.read ? await definition.read(data, ctx) : data };
    },
    async quote(input, ctx) {
      if (dynamic) return dynamic.quote(input, ctx);
      return definition.composeQuote ? definition.composeQuote(input, ctx) : toMicros(price as string);
    },
    estimate: (input, result) => {
      const usd = definition.estimate?.(input, result);
      return usd === undefined ? undefined : toMicros(usd);
    },
    pixels: ({ query }) => definition.pixels?.(query as Query) ?? 0,
    async execute({ query }, ctx) {
      if (ctx.signal.aborted) throw abortError(ctx.signal, id);
      const raw = await beforeAbort(definition.run(query as Query, ctx), ctx.signal, id).catch((error: unknown) => {
        throw missingPackage(error) ?? error;
      });
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

  const capability = (input: z.input<I>, options: CallOptions = {}): Promise<Result> => {
    const ctx = createContext(options, { timeoutMs });
    return untilEnd(ctx, facts.invoke(input, ctx));
  };
  // Descriptors and not values: reading the schemas here would build them all.
  const defined = Object.defineProperties(capability, Object.getOwnPropertyDescriptors(facts)) as Capability<
    I,
    Result,
    Id
  >;
  noteImported(defined);
  return defined;
}

/** Path, header and tool name are made of an id. Throws a TypeError. */
export function assertId(id: string): void {
  if (typeof id !== "string" || !/^[a-z0-9]+(?:-[a-z0-9]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))
    throw new TypeError(`An id is a group and a name in small letters, such as convert.unit, not "${id}".`);
}

function assertPrice(id: string, price: string | { min: string; max: string }): void {
  const isAmount = (usd: unknown) => typeof usd === "string" && /^\d{1,9}(?:\.\d{1,18})?$/.test(usd);
  if (typeof price === "object" && price !== null) {
    if (isAmount(price.min) && isAmount(price.max) && toMicros(price.min) <= toMicros(price.max)) return;
  } else if (isAmount(price)) return;
  throw new TypeError(`${id}: a price is decimal US dollars as text, such as "0.001", or { min, max, quote }.`);
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
