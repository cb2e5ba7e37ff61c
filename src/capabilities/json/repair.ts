import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { workers } from "./_json.js";

export const jsonRepair = /* @__PURE__ */ defineCapability({
  id: "json.repair",
  method: "POST",
  summary:
    "Repair broken JSON, such as a model's answer: quotes, commas, comments, fences, cut ends; tells every change.",
  keywords: [
    "fix json",
    "invalid json",
    "malformed",
    "broken json",
    "llm output",
    "trailing comma",
    "single quotes",
    "truncated json",
    "almost json",
  ],
  price: "0.001",
  offline: true,
  source: { provider: "built-in", url: "", license: "MIT" },
  timeoutMs: 10_000,
  maxBodyBytes: 4_200_000,
  input: () => z.strictObject({ text: text(1, 1_000_000).describe("The broken JSON, 1 to 1,000,000 characters") }),
  output: one(() =>
    z.object({
      value: z.unknown().describe("The value; numbers that JavaScript cannot hold are texts of their digits"),
      json: z.string().describe("The value as JSON text in one line, with every digit"),
      changed: z.boolean(),
      changes: z.array(
        z.object({
          position: z.number().int().describe("In UTF-16 units from the start of text"),
          kind: z.enum([
            "blank",
            "bracket",
            "comma",
            "comment",
            "constant",
            "fence",
            "quotes",
            "trailing-comma",
            "text",
          ]),
          before: z.string(),
          after: z.string(),
        }),
      ),
      certain: z
        .boolean()
        .describe("False where a repair had to choose: cut ends, missing commas or brackets, free text"),
    }),
  ),
  example: { text: "```json\n{name: 'Tea', tags: ['hot',], // new\n available: True}\n```" },
  check({ text: given }) {
    if (given.trim() === "") throw invalid("text", "must not be blank");
  },
  async run({ text: given }, ctx) {
    const { runInWorker } = await workers();
    const item = await runInWorker(ctx, "json.repair", given, { field: "text" });
    return { item, meta: method({}) };
  },
});
