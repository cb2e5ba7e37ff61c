import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { plainProse } from "../../engines/models/prose.js";
import { formOf } from "../../providers/ai-gateway/answer.js";
import { aiGateway } from "../../providers/ai-gateway/provider.js";
import { askModel } from "./_ask.js";
import { polarity, share } from "./_fields.js";

const SENTIMENTS = ["positive", "negative", "neutral", "mixed"] as const;

export const aiSentiment = /* @__PURE__ */ defineCapability({
  id: "ai.sentiment",
  method: "POST",
  summary: "Tell whether a text is positive, negative, neutral or mixed, how strongly, and why.",
  keywords: ["sentiment analysis", "mood", "opinion", "tone", "review", "feeling", "emotion", "customer feedback"],
  price: "0.018",
  provider: aiGateway,
  input: () => z.strictObject({ text: text(1, 12_000).describe("The text to judge") }),
  output: one(() =>
    z.object({
      sentiment: z.enum(SENTIMENTS).nullable(),
      score: z.number().min(-1).max(1).nullable().describe("From -1, most negative, to 1, most positive"),
      confidence: z.number().min(0).max(1).nullable(),
      rationale: z.string().nullable(),
    }),
  ),
  example: { text: "The room was lovely, the breakfast less so." },
  async run({ text }, ctx) {
    const { value, source } = await askModel(
      {
        task: "fast",
        instructions: "Judge the sentiment that the author of the text expresses.",
        data: text,
        form: formOf("sentiment", verdict()),
        maxTokens: 500,
      },
      ctx,
    );
    return { item: { ...value, rationale: plainProse(value.rationale) || null }, source };
  },
});

const verdict = () =>
  z.object({
    sentiment: z.enum(SENTIMENTS),
    score: polarity(),
    confidence: share(),
    rationale: z.string().describe("One sentence"),
  });
