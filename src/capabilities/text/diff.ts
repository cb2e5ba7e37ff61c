import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const diff = /* @__PURE__ */ lazy(() => import("../../engines/text/diff.js"));

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));

export const textDiff = /* @__PURE__ */ defineCapability({
  id: "text.diff",
  method: "POST",
  summary: "Compare two texts by lines, words or characters, with a unified diff, or apply a patch to a text.",
  keywords: [
    "diff",
    "compare texts",
    "unified diff",
    "patch",
    "apply patch",
    "what changed",
    "changes",
    "revision",
    "redline",
    "two versions",
  ],
  price: "0.001",
  packages: ["diff"],
  offline: true,
  source: { provider: "built-in (diff)", url: "https://github.com/kpdecker/jsdiff", license: "BSD-3-Clause" },
  input: () =>
    z.strictObject({
      operation: z.enum(["diff", "apply"]).default("diff").describe("Compare a with b, or apply a patch to a"),
      a: text(0, 200_000).describe("The old text"),
      b: text(0, 200_000).optional().describe("The new text; to compare"),
      by: z.enum(["line", "word", "character"]).default("line").describe("What is compared as a whole"),
      context: z.int().min(0).max(20).default(3).describe("Unchanged lines around changes in the unified diff"),
      patch: text(1, 200_000).optional().describe("A unified diff of one file; to apply"),
    }),
  output: one(() =>
    z.object({
      parts: z
        .array(z.object({ op: z.enum(["equal", "insert", "delete"]), text: z.string() }))
        .describe("Equal and deleted parts joined are a; equal and inserted ones b"),
      unified: z.string().nullable().describe("Always by lines; null where the search took too long"),
      added: z.int().describe("Lines, words or characters"),
      removed: z.int().describe("Lines, words or characters"),
      similarity: z.number().nullable().describe("0 to 1: share of both texts that is equal"),
      text: z.string().nullable().describe("The patched text; null if the patch does not fit"),
      truncated: z.boolean().describe("Whether the search took too long, and lines or the whole were compared"),
      applied: z.boolean().nullable().describe("Whether the patch fits; null for a comparison"),
    }),
  ),
  example: { a: "one\ntwo\nthree\n", b: "one\n2\nthree\n" },
  timeoutMs: 10_000,
  maxBodyBytes: 2_500_000,
  check({ operation, b, patch }) {
    if (operation === "diff" && b === undefined) throw invalid("b", "is needed to compare");
    if (operation === "apply" && patch === undefined) throw invalid("patch", "is needed to apply it");
  },
  async run(input, ctx) {
    const { DIFF } = await diff();
    const field = input.operation === "apply" ? "patch" : "a";
    return { item: await (await workers()).runInWorker(ctx, "text.diff", input, { field }), meta: method(DIFF) };
  },
});
