/** The gateway's list of models with current prices, in the two formats that gateways use. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import type { ImagePrice } from "../../engines/models/image-price.js";
import { type Tier, type TokenPrice, toAttos } from "../../engines/models/price.js";
import { CapabilityError, invalid } from "../../errors.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { label, list, number } from "../../upstream/fields.js";
import { gatewayOf } from "./provider.js";

export interface Model {
  /** `<vendor>/<model>`. */
  id: string;
  name: string;
  type: "language" | "image" | "other";
  /** Tokens of prompt and answer together; null if the list omits it. */
  contextWindow: number | null;
  /** Maximum tokens of an answer. */
  maxTokens: number | null;
  /** Whether it accepts pictures. */
  vision: boolean;
  /** Whether it can think before it answers: thoughts are tokens of the answer, also where they are not shown. */
  thinks: boolean;
  /** False if temperature and top_p must not be sent. */
  temperature: boolean;
  /** Undefined if the price is not per token, or unknown. */
  tokens?: TokenPrice;
  images: readonly ImagePrice[];
}

const tier = () => z.object({ cost: label(), min: number() });
const vercelPricing = () =>
  z.object({
    input: label(),
    output: label(),
    input_tiers: list(tier()),
    output_tiers: list(tier()),
    input_cache_read: label(),
    input_cache_read_tiers: list(tier()),
    image: label(),
    image_dimension_quality_pricing: list(
      z.object({ size: label(), quality: label(), style: label(), operation: label(), cost: label() }),
    ),
  });
const vercelModel = lazySchema(() =>
  z.object({
    id: z.string(),
    name: label(),
    type: z.string(),
    context_window: number(),
    max_tokens: number(),
    tags: list(z.string()),
    modalities: z.object({ input: list(z.string()) }).nullish(),
    temperature: z.boolean().nullish(),
    pricing: vercelPricing().nullish(),
  }),
);

const openRouterModel = lazySchema(() =>
  z.object({
    id: z.string(),
    name: label(),
    context_length: number(),
    architecture: z.object({ input_modalities: list(z.string()), output_modalities: list(z.string()) }),
    top_provider: z.object({ max_completion_tokens: number() }).nullish(),
    supported_parameters: list(z.string()),
    pricing: z.object({
      prompt: label(),
      completion: label(),
      input_cache_read: label(),
      overrides: list(
        z.object({ min_prompt_tokens: number(), prompt: label(), completion: label(), input_cache_read: label() }),
      ),
    }),
  }),
);

/** An unreadable row makes one model unknown, not all. */
const modelList = lazySchema(() =>
  z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data.flatMap(toModel)),
);

/**
 * All models of the host's gateway. The list is at most an hour old; if the gateway gives no new one, the last one is
 * used for a day. Without a list, requests that depend on prices are refused.
 */
export async function listModels(ctx: Context): Promise<readonly Model[]> {
  const models = await upstream(ctx, gatewayOf(ctx)).get("/models", {
    schema: modelList(),
    ttlMs: HOUR_MS,
    staleMs: DAY_MS - HOUR_MS,
  });
  if (models.length === 0)
    throw new CapabilityError("UPSTREAM_SCHEMA", "The gateway's list of models is empty or in an unknown format.");
  return models;
}

/** A model by its id. Rejects with INVALID_INPUT naming `field` if the gateway does not list it. */
export async function findModel(id: string, ctx: Context, field = "model"): Promise<Model> {
  const found = (await listModels(ctx)).find((model) => model.id === id);
  if (!found) throw invalid(field, `"${id}" is not among the models; GET /api/ai/models lists them`);
  return found;
}

/** A listed model, if a list is available: for calls that need no price. */
export async function peekModel(id: string, ctx: Context): Promise<Model | undefined> {
  const models = await listModels(ctx).catch(() => []);
  return models.find((model) => model.id === id);
}

/** A model's price per token. Rejects with INVALID_INPUT if none is published, because the call could not be quoted. */
export function tokenPriceOf({ id, tokens }: Model, field = "model"): TokenPrice {
  if (!tokens) throw invalid(field, `"${id}" has no published price per token; choose another model`);
  return tokens;
}

/** Refuses more than a model can read or write, naming its limit. */
export function assertFits(
  { id, contextWindow, maxTokens }: Model,
  { prompt, answer, field }: { prompt: number; answer: number; field: string },
): void {
  if (maxTokens !== null && answer > maxTokens) throw invalid(field, `"${id}" writes at most ${maxTokens} tokens`);
  if (contextWindow !== null && prompt + answer > contextWindow)
    throw invalid(
      "messages",
      `"${id}" takes ${contextWindow} tokens of prompt and answer; this is about ${prompt + answer}`,
    );
}

function toModel(row: unknown): Model[] {
  const vercel = vercelModel().safeParse(row);
  if (vercel.success) return [fromVercel(vercel.data)];
  const openRouter = openRouterModel().safeParse(row);
  return openRouter.success ? [fromOpenRouter(openRouter.data)] : [];
}

function fromVercel(row: z.output<ReturnType<typeof vercelModel>>): Model {
  const { pricing } = row;
  const tokens = pricing && {
    input: tiersOf(pricing.input, pricing.input_tiers),
    output: tiersOf(pricing.output, pricing.output_tiers),
    cached: tiersOf(pricing.input_cache_read, pricing.input_cache_read_tiers),
  };
  const single = toAttos(pricing?.image);
  const images = (pricing?.image_dimension_quality_pricing ?? []).flatMap(
    ({ size, quality, style, operation, cost }) => {
      const perImage = toAttos(cost);
      // We request no style, and raster pictures.
      if (perImage === undefined || style !== null || operation === "vectorize") return [];
      return [{ size: size === "default" ? null : size, quality, perImage }];
    },
  );
  return {
    id: row.id,
    name: row.name ?? row.id,
    type: row.type === "language" || row.type === "image" ? row.type : "other",
    contextWindow: row.context_window,
    maxTokens: row.max_tokens,
    vision: row.tags.includes("vision") || (row.modalities?.input.includes("image") ?? false),
    thinks: row.tags.includes("reasoning"),
    temperature: row.temperature ?? true,
    ...(tokens && tokens.input.length > 0 && tokens.output.length > 0 ? { tokens } : {}),
    images: single === undefined ? images : [...images, { size: null, quality: null, perImage: single }],
  };
}

function fromOpenRouter(row: z.output<ReturnType<typeof openRouterModel>>): Model {
  const { prompt, completion, input_cache_read: cached, overrides } = row.pricing;
  const long = (name: "prompt" | "completion" | "input_cache_read") =>
    overrides.map((override) => ({ cost: override[name], min: override.min_prompt_tokens }));
  const tokens = {
    input: tiersOf(prompt, long("prompt")),
    output: tiersOf(completion, long("completion")),
    cached: tiersOf(cached, long("input_cache_read")),
  };
  const { input_modalities: takes, output_modalities: gives } = row.architecture;
  return {
    id: row.id,
    name: row.name ?? row.id,
    type: gives.includes("text") ? "language" : gives.includes("image") ? "image" : "other",
    contextWindow: row.context_length,
    maxTokens: row.top_provider?.max_completion_tokens ?? null,
    vision: takes.includes("image"),
    thinks: row.supported_parameters.includes("reasoning"),
    temperature: row.supported_parameters.length === 0 || row.supported_parameters.includes("temperature"),
    ...(tokens.input.length > 0 && tokens.output.length > 0 ? { tokens } : {}),
    images: [],
  };
}

/** Price tiers: the price from 0 tokens on, and higher ones for long prompts. Empty if the list has no price, or -1. */
function tiersOf(base: string | null, rows: readonly { cost: string | null; min: number | null }[]): Tier[] {
  const tiers = rows.flatMap(({ cost, min }) => {
    const perToken = toAttos(cost);
    return perToken === undefined ? [] : [{ fromTokens: min ?? 0, perToken }];
  });
  const first = toAttos(base);
  if (first !== undefined && !tiers.some(({ fromTokens }) => fromTokens === 0))
    tiers.push({ fromTokens: 0, perToken: first });
  return tiers.sort((a, b) => a.fromTokens - b.fromTokens);
}
