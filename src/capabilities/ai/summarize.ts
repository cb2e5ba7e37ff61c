import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { plainProse } from "../../engines/models/prose.js";
import { formOf } from "../../providers/ai-gateway/answer.js";
import { aiGateway } from "../../providers/ai-gateway/provider.js";
import { MAX_DOCUMENT_BODY_BYTES } from "../../upstream/input/document-input.js";
import { askModel } from "./_ask.js";
import { checkSource, readMaterial, sourceFields, usageField } from "./_input/document.js";

const WORDS_PER_MINUTE = 230;
const MAX_POINTS = 7;

export const aiSummarize = /* @__PURE__ */ defineCapability({
  id: "ai.summarize",
  method: "POST",
  summary:
    "Summarize a web page or a document, such as a PDF: a short summary, its key points, its audience and how long it takes to read.",
  keywords: [
    "tldr",
    "summary of article",
    "digest",
    "abstract",
    "key points",
    "shorten",
    "read page for me",
    "summarize pdf",
  ],
  price: "0.063",
  billing: "upto",
  provider: aiGateway,
  timeoutMs: 90_000,
  maxBodyBytes: MAX_DOCUMENT_BODY_BYTES,
  input: () =>
    z.strictObject({
      ...sourceFields(),
      instruction: text(0, 1000).optional().describe("What the summary should dwell on"),
    }),
  output: one(() =>
    z.object({
      url: z.string().nullable().describe("Null for a file"),
      finalUrl: z.string().nullable().describe("After redirects; null for a file"),
      summary: z.string().describe("1 to 3 sentences"),
      keyPoints: z.array(z.string()).describe("Up to 7"),
      title: z.string(),
      audience: z.string().describe("Whom it is written for"),
      estimatedReadingMinutes: z.number().int().describe(`Of the whole text, at ${WORDS_PER_MINUTE} words a minute`),
      truncated: z.boolean().describe("Whether only the beginning was read"),
      usage: usageField(),
    }),
  ),
  example: { url: "https://en.wikipedia.org/wiki/Coin-operated_machine" },
  check: checkSource,
  async run({ instruction, ...input }, ctx) {
    const { finalUrl, title, text, truncated, words, usage } = await readMaterial(input, ctx);
    const { value, source } = await askModel(
      {
        task: "strong",
        instructions: "Summarize the text faithfully, in its own language: only what it says, nothing from elsewhere.",
        data: `${instruction ? `The caller wants the summary to dwell on: ${instruction}\n\n` : ""}Title: ${title}\n\n${text}`,
        form: formOf("summary", summary()),
        maxTokens: 1500,
      },
      ctx,
    );
    const { summary: short, keyPoints, audience, title: proposed } = value;
    return {
      item: {
        url: input.url ?? null,
        finalUrl,
        summary: short,
        keyPoints: keyPoints.slice(0, MAX_POINTS),
        title: plainProse(title) || proposed,
        audience,
        estimatedReadingMinutes: Math.max(1, Math.ceil(words / WORDS_PER_MINUTE)),
        truncated,
        ...(usage ? { usage } : {}),
      },
      source,
    };
  },
});

const prose = () => z.string().transform(plainProse);
const summary = () =>
  z.object({
    summary: prose().pipe(z.string().min(1)).describe("1 to 3 sentences"),
    keyPoints: z
      .array(prose())
      .transform((points) => points.filter(Boolean))
      .describe("3 to 7 points"),
    title: prose().describe("A title, for a text without one"),
    audience: prose().describe("Whom it is written for, in a few words"),
  });
