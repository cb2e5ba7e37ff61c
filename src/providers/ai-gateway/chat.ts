/** One chat completion: the request, its validation, and its cost. */
import { randomUUID } from "node:crypto";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { type Attos, type TokenPrice, toAttos, tokenCost } from "../../engines/models/price.js";
import { CapabilityError } from "../../errors.js";
import { askGateway, type GatewayCall, GatewayRefusal } from "./client.js";
import { listModels } from "./models.js";

export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string | ({ type: "text"; text: string } | { type: "image_url"; image_url: { url: string } })[];
}

/** The form of an answer, in the words of OpenAI's API. */
export type AnswerFormat =
  | { type: "text" | "json_object" }
  | {
      type: "json_schema";
      json_schema: {
        name: string;
        description?: string | undefined;
        schema: Record<string, unknown>;
        strict?: boolean | null | undefined;
      };
    };

export interface ChatRequest extends GatewayCall {
  model: string;
  messages: ChatMessage[];
  maxTokens: number;
  temperature?: number | undefined;
  topP?: number | undefined;
  stop?: string | string[] | undefined;
  /** The form of the answer, as a caller asks for it. */
  format?: AnswerFormat | undefined;
  /** A JSON schema that the answer follows. */
  answer?: { name: string; schema: Record<string, unknown> };
  /** Any JSON object, for models without schema support. */
  json?: boolean;
  /** Modalities of the answer. Default: text. */
  modalities?: string[];
}

const count = () => z.number().int().nonnegative();
/** Schema of a completion's usage. */
export const usage = () =>
  z.object({
    prompt_tokens: count(),
    completion_tokens: count(),
    total_tokens: count(),
    prompt_tokens_details: z.object({ cached_tokens: count().nullish() }).nullish(),
    completion_tokens_details: z.object({ reasoning_tokens: count().nullish() }).nullish(),
    cost: z.number().nullish(),
    is_byok: z.boolean().nullish(),
    cost_details: z.object({ upstream_inference_cost: z.number().nullish() }).nullish(),
  });
/** A message has one of these, if only as null: any other would be an answer in another form. */
const SAID = ["content", "refusal", "images", "tool_calls"];
const choice = () =>
  z.object({
    index: z.number().int().default(0),
    finish_reason: z.string().nullish(),
    error: z.unknown().optional(),
    message: z
      .object({
        role: z
          .literal("assistant")
          .nullish()
          .transform(() => "assistant" as const),
        content: z.string().nullish(),
        refusal: z.string().nullish(),
        images: z.array(z.object({ image_url: z.object({ url: z.string() }) })).nullish(),
        tool_calls: z.array(z.unknown()).nullish(),
      })
      .refine((message) => SAID.some((name) => Object.hasOwn(message, name)), "says nothing"),
  });
const completion = lazySchema(() =>
  z.object({
    // Small servers of models leave both out.
    id: z.string().nullish(),
    created: z.number().int().nonnegative().default(0),
    model: z.string().nullish(),
    choices: z.array(choice()).min(1),
    // Some vendors omit usage or send nonsense: the usage is then estimated.
    usage: usage().nullish().catch(null),
  }),
);
type Completion = z.output<ReturnType<typeof completion>>;
export type ChatCompletion = Omit<Completion, "id" | "model"> & { id: string; model: string };
export type ChatUsage = NonNullable<ChatCompletion["usage"]>;

/**
 * Rejects as `askGateway` does; a 200 that is not a completion is UPSTREAM_SCHEMA, one with an error UPSTREAM_ERROR.
 */
export async function complete(request: ChatRequest, ctx: Context): Promise<ChatCompletion> {
  try {
    return await completeOnce(request, ctx, "max_tokens");
  } catch (error) {
    if (!needsNewLimit(error)) throw error;
    return completeOnce(request, ctx, "max_completion_tokens");
  }
}

/** The request's body, with the limit of tokens under the name that the vendor takes. */
export function bodyOf(request: ChatRequest, limit: TokenLimit) {
  const { model, messages, maxTokens, temperature, topP, stop, format, answer, json, modalities } = request;
  return {
    model,
    messages: messages as ChatCompletionCreateParamsNonStreaming["messages"],
    [limit]: maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(stop === undefined ? {} : { stop }),
    ...(format && format.type !== "text" ? { response_format: format as { type: "json_object" } } : {}),
    ...(answer ? { response_format: { type: "json_schema" as const, json_schema: { ...answer, strict: true } } } : {}),
    // The library's types do not include images; gateways do.
    ...(modalities ? { modalities: modalities as ["text"] } : {}),
    ...(json ? { response_format: { type: "json_object" as const } } : {}),
  };
}

export type TokenLimit = "max_tokens" | "max_completion_tokens";

/** Whether OpenAI's own API asks for the newer name, as it does for reasoning models; gateways translate. */
export const needsNewLimit = (error: unknown): boolean =>
  error instanceof GatewayRefusal && error.param === "max_tokens" && error.code.startsWith("unsupported");

async function completeOnce(request: ChatRequest, ctx: Context, limit: TokenLimit): Promise<ChatCompletion> {
  const body = { ...bodyOf(request, limit), stream: false as const };
  const reply: unknown = await askGateway(
    ctx,
    (client, options) => client.chat.completions.create(body, options),
    request,
  );
  // The library returns any body of a 200: an HTML page as text, an error as if it were a completion.
  if (typeof reply === "object" && reply !== null && "error" in reply && reply.error)
    throw new CapabilityError("UPSTREAM_ERROR", "The AI gateway answered with an error.");
  const parsed = completion().safeParse(reply);
  if (!parsed.success)
    throw new CapabilityError("UPSTREAM_SCHEMA", "The AI gateway answered in an unknown format.", {
      cause: parsed.error,
    });
  if (parsed.data.choices.some(({ error, finish_reason }) => error || finish_reason === "error"))
    throw new CapabilityError("UPSTREAM_ERROR", "The model broke off with an error.");
  const { id, model, ...rest } = parsed.data;
  return { ...rest, id: id || newId(), model: model || request.model };
}

/** An id for an answer without one, in OpenAI's form. */
export const newId = () => `chatcmpl-${randomUUID()}`;

/**
 * Cost of a completion for the host: the gateway's own figure if it gives one, otherwise its tokens at the list price.
 * Undefined if neither is known.
 */
export async function costOfCompletion(
  asked: string,
  { usage }: Pick<ChatCompletion, "usage">,
  ctx: Context,
): Promise<Attos | undefined> {
  if (!usage) return undefined;
  const told = costOfUsage(usage, undefined);
  if (told !== undefined) return told;
  const models = await listModels(ctx).catch(() => []);
  return costOfUsage(usage, models.find(({ id }) => id === asked)?.tokens);
}

/** The same for usage, at a price that is known already. */
export function costOfUsage(usage: ChatUsage, price: TokenPrice | undefined): Attos | undefined {
  const told = usage.is_byok ? usage.cost_details?.upstream_inference_cost : usage.cost;
  const cost = toAttos(told);
  if (cost !== undefined && cost > 0n) return cost;
  if (!price || usage.total_tokens === 0) return undefined;
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  return tokenCost(price, usage.prompt_tokens, usage.completion_tokens, cached);
}
