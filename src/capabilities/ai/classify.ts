import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { plainProse } from "../../engines/models/prose.js";
import { formOf } from "../../providers/ai-gateway/answer.js";
import { aiGateway } from "../../providers/ai-gateway/provider.js";
import { askModel } from "./_ask.js";
import { share } from "./_fields.js";

export const aiClassify = /* @__PURE__ */ defineCapability({
  id: "ai.classify",
  method: "POST",
  summary: "Sort a text into labels of your own, with confidence and reason: zero-shot classification.",
  keywords: [
    "categories",
    "category",
    "categorize",
    "tag",
    "label",
    "topic",
    "intent",
    "triage",
    "zero shot",
    "route tickets",
  ],
  price: "0.018",
  provider: aiGateway,
  input: () =>
    z.strictObject({
      text: text(1, 12_000).describe("The text to classify"),
      labels: z
        .array(text(1, 60))
        .min(2)
        .max(20)
        .refine((labels) => new Set(labels).size === labels.length, { error: "must all be different" })
        .describe("The labels to choose from"),
      multiLabel: z.boolean().default(false).describe("Whether several labels may fit"),
    }),
  output: one(() =>
    z.object({
      labels: z.array(z.string()).describe("Those of the given labels that fit"),
      top: z.string().nullable().describe("The one that fits best; null where none does"),
      confidence: z.number().min(0).max(1).nullable(),
      reasoning: z.string().nullable(),
    }),
  ),
  example: { text: "My parcel has not arrived yet", labels: ["delivery", "billing", "praise"] },
  async run({ text, labels, multiLabel }, ctx) {
    const how = multiLabel ? "every label that fits, the best one first" : "the one label that fits best";
    const { value, source } = await askModel(
      {
        task: "fast",
        instructions: `Classify the text: choose ${how}. If no label fits, choose none and leave top null.`,
        data: text,
        form: formOf("classification", verdict(labels)),
        maxTokens: 700,
      },
      ctx,
    );
    const chosen = multiLabel ? [...new Set(value.labels)] : value.labels.slice(0, 1);
    const top = value.top ?? chosen[0] ?? null;
    const reasoning = plainProse(value.reasoning) || null;
    // The best label is always one of the matching labels, whatever the model's two fields say.
    const fitting = top === null || chosen.includes(top) ? chosen : multiLabel ? [top, ...chosen] : [top];
    return { item: { labels: fitting, top, confidence: value.confidence, reasoning }, source };
  },
});

const verdict = (labels: readonly string[]) =>
  z.object({
    labels: z.array(z.enum(labels)),
    top: z.enum(labels).nullable(),
    confidence: share(),
    reasoning: z.string().describe("One sentence"),
  });
