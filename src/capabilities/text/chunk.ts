import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));

export const textChunk = /* @__PURE__ */ defineCapability({
  id: "text.chunk",
  method: "POST",
  summary:
    "Cut a text into chunks for retrieval: by characters, sentences, paragraphs or Markdown headings, with overlap.",
  keywords: [
    "split text",
    "chunking",
    "rag",
    "embeddings",
    "text splitter",
    "sentences",
    "paragraphs",
    "markdown splitter",
    "context window",
    "segments",
    "overlap",
  ],
  price: "0.001",
  offline: true,
  source: { provider: "built-in", url: "", license: "MIT" },
  input: () =>
    z.strictObject({
      text: text(1, 500_000).describe("The text to cut"),
      by: z
        .enum(["characters", "sentences", "markdown", "paragraphs"])
        .default("characters")
        .describe("What is kept whole where it fits; markdown begins a chunk at each heading"),
      max: z.int().min(1).max(20_000).default(1000).describe("Length of a chunk in UTF-16 units, overlap included"),
      overlap: z.int().min(0).max(19_999).default(0).describe("Units of the chunk before that a chunk repeats"),
      language: z
        .string()
        .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, { error: "must be a language tag, such as en or pt-BR" })
        .default("en")
        .describe("Language tag; for sentences"),
    }),
  output: one(() =>
    z.object({
      chunks: z.array(
        z.object({
          index: z.int(),
          start: z.int().describe("Offset in UTF-16 units"),
          end: z.int().describe("Offset after the last unit"),
          text: z.string(),
          characters: z.int().describe("Characters as readers count them: an emoji is one"),
          headings: z.array(z.string()).describe("Markdown headings above the chunk's beginning, the highest first"),
        }),
      ),
      count: z.int(),
    }),
  ),
  example: { text: "# Tea\n\nBoil water.\n\n## Green\n\nWait a little.", by: "markdown", max: 40 },
  maxBodyBytes: 4_200_000,
  check({ max, overlap }) {
    if (overlap >= max) throw invalid("overlap", `must be below max, which is ${max}`);
  },
  async run(input, ctx) {
    const chunks = await (await workers()).runInWorker(ctx, "text.chunk", input, { field: "text" });
    return { item: { chunks, count: chunks.length }, meta: method() };
  },
});
