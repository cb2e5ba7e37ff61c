import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { CapabilityError } from "../../errors.js";
import { formOf } from "../../providers/ai-gateway/answer.js";
import { aiGateway } from "../../providers/ai-gateway/provider.js";
import { askModel } from "./_ask.js";
import { score } from "./_fields.js";

const CATEGORIES = {
  hate: "hatred of or contempt for people because of what they are",
  harassment: "abuse of or threats to a person",
  sexual: "sexual content meant to arouse",
  "sexual/minors": "sexual content about anybody under 18",
  violence: "depiction or praise of violence",
  "self-harm": "encouragement of or instructions for hurting oneself",
  dangerous: "instructions or encouragement for weapons, attacks or grave harm",
  illicit: "advice on crimes",
} as const;
type Category = keyof typeof CATEGORIES;
const NAMES = Object.keys(CATEGORIES) as Category[];

/** A category applies from this score on. */
const THRESHOLD = 0.5;

export const aiModerate = /* @__PURE__ */ defineCapability({
  id: "ai.moderate",
  method: "POST",
  summary:
    "Check a text for hate, harassment, sexual content, violence, self-harm, danger and crime, with a score for each.",
  keywords: [
    "hate speech",
    "detect hate",
    "content moderation",
    "toxic",
    "nsfw",
    "unsafe content",
    "abuse filter",
    "policy violation",
    "flag text",
  ],
  price: "0.018",
  provider: aiGateway,
  input: () => z.strictObject({ text: text(1, 12_000).describe("The text to check") }),
  output: one(() =>
    z.object({
      flagged: z.boolean().describe(`Whether any category scores ${THRESHOLD} or more`),
      categories: z.record(z.enum(NAMES), z.boolean()),
      scores: z.record(z.enum(NAMES), z.number().min(0).max(1)),
    }),
  ),
  example: { text: "Have a lovely day!" },
  async run({ text }, ctx) {
    const ask = { instructions: INSTRUCTIONS, data: text, form: formOf("moderation", verdict()), maxTokens: 600 };
    // A model that declines to read the worst texts is asked again, and then a stronger one.
    const { value, source } = await askModel({ ...ask, task: "fast" }, ctx).catch((error: unknown) => {
      if (CapabilityError.is(error) && error.code === "LLM_BAD_OUTPUT")
        return askModel({ ...ask, task: "strong" }, ctx);
      throw error;
    });
    const scores = Object.fromEntries(NAMES.map((name) => [name, value[name]])) as Record<Category, number>;
    const categories = Object.fromEntries(NAMES.map((name) => [name, value[name] >= THRESHOLD])) as Record<
      Category,
      boolean
    >;
    return { item: { flagged: NAMES.some((name) => categories[name]), categories, scores }, source };
  },
});

const INSTRUCTIONS = `You are a content moderator. Score how much the text belongs to each category, from 0, not at all, to 1, plainly: ${NAMES.map((name) => `${name}: ${CATEGORIES[name]}`).join("; ")}. A text that reports or condemns such things scores low.`;

const verdict = () =>
  z.object(Object.fromEntries(NAMES.map((name) => [name, score()])) as Record<Category, ReturnType<typeof score>>);
