import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { legacy } from "../../capability/output.js";
import { streaming } from "../../capability/own/streaming.js";
import type { Context } from "../../capability/types.js";
import { faultOfSchema } from "../../engines/models/caller-schema.js";
import { tokenCost } from "../../engines/models/price.js";
import { promptTokens, roughTokensIn } from "../../engines/models/tokens.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { toMicros } from "../../lib/money.js";
import { type AnswerFormat, type ChatCompletion, complete } from "../../providers/ai-gateway/chat.js";
import { assertFits, findModel, type Model, peekModel, tokenPriceOf } from "../../providers/ai-gateway/models.js";
import { aiGateway } from "../../providers/ai-gateway/provider.js";
import { modelPrice, trackSpending } from "../../providers/ai-gateway/spending.js";
import { blameCaller } from "./_chat/refusals.js";
import { modelMenu } from "./_menus.js";

const MIN_USD = "0.001";
const MAX_USD = "50";
const BOUNDS = { min: toMicros(MIN_USD), max: toMicros(MAX_USD) };
/** A single text of this size exceeds the capacity of every model. */
const MAX_CONTENT = 400_000;

export const aiChat = /* @__PURE__ */ defineCapability(
  {
    id: "ai.chat",
    method: "POST",
    summary: "Chat completion in the common format with any model of the gateway; you pay for the tokens used.",
    keywords: [
      "llm",
      "gpt",
      "claude",
      "gemini",
      "openai compatible",
      "language model",
      "ask ai",
      "generate text",
      "prompt",
    ],
    price: {
      min: MIN_USD,
      max: MAX_USD,
      async quote(input, ctx) {
        const model = await findModel(input.model, ctx);
        assertChats(model, input);
        const prompt = promptTokens(contentsOf(input), model.id);
        return modelPrice(tokenCost(tokenPriceOf(model), prompt, input.max_tokens), BOUNDS, ctx);
      },
    },
    billing: "upto",
    provider: aiGateway,
    timeoutMs: 90_000,
    input: () =>
      z.strictObject({
        model: text(1, 80).describe("Model id of the form vendor/model; GET /api/ai/models lists them"),
        messages: z
          .array(
            z.strictObject({
              role: z.enum(["system", "user", "assistant"]).describe("Who says it"),
              content: text(0, MAX_CONTENT).describe("What is said"),
            }),
          )
          .min(1)
          .max(500)
          .describe("The conversation so far"),
        max_tokens: z.int().min(1).max(8192).default(1024).describe("Most tokens of the answer"),
        temperature: z.number().min(0).max(2).optional().describe("0 for the likeliest words, higher for more variety"),
        top_p: z.number().min(0).max(1).optional().describe("Choose among the likeliest words of this total share"),
        stop: z
          .union([text(1, 200), z.array(text(1, 200)).min(1).max(8)])
          .optional()
          .describe("Text, or texts, at which the answer ends"),
        response_format: formatField().optional().describe("The form of the answer; without it, text"),
      }),
    check({ response_format: format }) {
      const fault = format?.type === "json_schema" ? faultOfSchema(format.json_schema.schema) : undefined;
      if (fault) throw invalid("response_format.json_schema.schema", fault);
    },
    output: legacy(() =>
      z.object({
        id: z.string(),
        object: z.literal("chat.completion"),
        created: z.number().int().describe("Seconds since 1970"),
        model: z.string(),
        choices: z.array(
          z.object({
            index: z.number().int(),
            message: z.object({
              role: z.literal("assistant"),
              content: z.string().nullable(),
              refusal: z.string().optional(),
            }),
            finish_reason: z.string().nullable(),
          }),
        ),
        usage: z
          .object({
            prompt_tokens: z.number().int(),
            completion_tokens: z.number().int(),
            total_tokens: z.number().int(),
          })
          .loose()
          .optional(),
      }),
    ),
    menu: modelMenu,
    factsIn: "usage",
    example: { model: "anthropic/claude-haiku-4.5", messages: [{ role: "user", content: "What is 2 + 2?" }] },
    async run(asked, ctx) {
      const { request } = await requestOf(asked, ctx);
      const completion = await complete(request, ctx).catch(blameCaller);
      const spending = trackSpending(ctx);
      await spending.add(asked.model, completion);
      spending.report();
      return standard(completion, ctx);
    },
    async *stream(asked, ctx) {
      const [{ streamStandard }, { request, model }] = await Promise.all([stream(), requestOf(asked, ctx)]);
      return standard(yield* streamStandard(request, model, ctx), ctx);
    },
  },
  streaming,
);

/** Text, JSON, or JSON of a schema, as OpenAI's API names them. */
const formatField = () =>
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("text").describe("Plain text") }),
    z.strictObject({ type: z.literal("json_object").describe("Any JSON object; the messages must ask for JSON") }),
    z.strictObject({
      type: z.literal("json_schema").describe("JSON that follows a schema"),
      json_schema: z
        .strictObject({
          name: text(1, 64)
            .regex(/^[\w-]+$/, { error: "must be of letters, digits, _ and -" })
            .describe("A name for the schema"),
          description: text(0, 1000).optional().describe("What the answer is for"),
          schema: z.record(z.string(), z.unknown()).describe('JSON Schema, "type": "object" at its top'),
          strict: z.boolean().nullish().describe("Whether every field must follow it"),
        })
        .describe("The schema"),
    }),
  ]);

/** Loaded by the first stream. */
const stream = /* @__PURE__ */ lazy(() => import("./_chat/stream.js"));

/** The request to the gateway. A model without temperature refuses any request that contains it. */
async function requestOf(
  {
    model: id,
    messages,
    max_tokens: maxTokens,
    temperature,
    top_p: topP,
    stop,
    response_format: format,
  }: Asked & Sampling,
  ctx: Context,
) {
  const model = await peekModel(id, ctx);
  if (model) assertChats(model, { model: id, messages, max_tokens: maxTokens, response_format: format });
  const sampling = model?.temperature === false ? {} : { temperature, topP };
  return { model, request: { model: id, messages, maxTokens, ...sampling, stop, format } };
}

interface Sampling {
  temperature?: number | undefined;
  top_p?: number | undefined;
  stop?: string | string[] | undefined;
}

interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

type Asked = {
  model: string;
  messages: ChatMessage[];
  max_tokens: number;
  response_format?: AnswerFormat | undefined;
};

/** The texts of a prompt: a schema is told to the model, too. */
const contentsOf = ({ messages, response_format: format }: Pick<Asked, "messages" | "response_format">): string[] => [
  ...messages.map(({ content }) => content),
  ...(format?.type === "json_schema" ? [JSON.stringify(format)] : []),
];

/** Refuses a request that no model, or not this one, can handle. */
function assertChats(model: Model, asked: Asked): void {
  if (model.type !== "language")
    throw invalid("model", `"${model.id}" does not chat; GET /api/ai/models tells its type`);
  assertFits(model, { prompt: roughTokensIn(...contentsOf(asked)), answer: asked.max_tokens, field: "max_tokens" });
}

/** The standard members of the format; additions of a gateway are not passed on. */
function standard({ id, created, model, choices, usage }: ChatCompletion, ctx: Context) {
  return {
    id,
    object: "chat.completion" as const,
    created: created || Math.floor(ctx.clock().getTime() / 1000),
    model,
    choices: choices.map(({ index, finish_reason, message }) => ({
      index,
      message: {
        role: message.role,
        content: message.content ?? null,
        ...(message.refusal ? { refusal: message.refusal } : {}),
      },
      finish_reason: finish_reason ?? null,
    })),
    ...(usage ? { usage: standardUsage(usage) } : {}),
  };
}

function standardUsage(usage: NonNullable<ChatCompletion["usage"]>) {
  const { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details, completion_tokens_details } = usage;
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens,
    ...(prompt_tokens_details ? { prompt_tokens_details } : {}),
    ...(completion_tokens_details ? { completion_tokens_details } : {}),
  };
}
