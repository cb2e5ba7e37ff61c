import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { legacy } from "../../capability/output.js";
import { costOfImage } from "../../engines/models/image-price.js";
import { invalid } from "../../errors.js";
import { toMicros } from "../../lib/money.js";
import { paint } from "../../providers/ai-gateway/images.js";
import { findModel, type Model, peekModel } from "../../providers/ai-gateway/models.js";
import { aiGateway } from "../../providers/ai-gateway/provider.js";
import { modelPrice, trackSpending } from "../../providers/ai-gateway/spending.js";
import { blameCaller } from "./_chat/refusals.js";

const MIN_USD = "0.036";
const MAX_USD = "50";

export const aiImage = /* @__PURE__ */ defineCapability({
  id: "ai.image",
  method: "POST",
  summary: "Generate up to four pictures from a description with any image model of the gateway.",
  keywords: ["text to image", "draw", "illustration", "photo", "art", "dall-e", "flux", "generate picture", "logo"],
  price: {
    min: MIN_USD,
    max: MAX_USD,
    async quote(input, ctx) {
      const model = await findModel(input.model, ctx);
      assertDraws(model);
      const cost = costOfImage(model, input);
      if (cost === undefined) throw invalid("model", `"${model.id}" has no published price; choose another model`);
      return modelPrice(cost * BigInt(input.n), { min: toMicros(MIN_USD), max: toMicros(MAX_USD) }, ctx);
    },
  },
  provider: aiGateway,
  timeoutMs: 120_000,
  input: () =>
    z.strictObject({
      model: text(1, 80).describe("Image model id of the form vendor/model; GET /api/ai/models lists them"),
      prompt: text(1, 4000).describe("What the picture shows"),
      n: z.int().min(1).max(4).default(1).describe("How many pictures"),
      size: text(1, 16)
        .regex(/^[1-9]\d{1,3}x[1-9]\d{1,3}$/, { error: "must be WIDTHxHEIGHT in pixels, such as 1024x1024" })
        .optional()
        .describe("WIDTHxHEIGHT in pixels, of the sizes that the model knows"),
    }),
  output: legacy(() =>
    z.object({
      created: z.number().int().describe("Seconds since 1970"),
      data: z.array(z.object({ b64_json: z.string().describe("The picture's bytes in base64") })),
    }),
  ),
  example: { model: "bytedance/seedream-4.0", prompt: "A lighthouse at dusk, watercolour" },
  async run(input, ctx) {
    const { model: id, prompt, n, size } = input;
    const model = await peekModel(id, ctx);
    if (model) assertDraws(model);
    const cost = model && costOfImage(model, input);
    const spending = trackSpending(ctx);
    const painter = { id, byChat: model?.type === "language", cost, spending };
    const { created, base64 } = await paint({ ...painter, prompt, n, size }, ctx).catch(blameCaller);
    return {
      created: created ?? Math.floor(ctx.clock().getTime() / 1000),
      data: base64.map((b64_json) => ({ b64_json })),
    };
  },
});

function assertDraws({ id, type, images }: Model): void {
  const draws = type === "image" || (type === "language" && images.length > 0);
  if (!draws) throw invalid("model", `"${id}" draws no pictures; GET /api/ai/models tells its type`);
}
