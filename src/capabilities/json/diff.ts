import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { MAX_DOCUMENT_BODY_BYTES } from "../../upstream/input/document-input.js";
import { anyJson, forThread, isList, workers } from "./_json.js";

const NEEDS = { diff: "other", apply: "patch", merge: "patch", test: "other" } as const;

export const jsonDiff = /* @__PURE__ */ defineCapability({
  id: "json.diff",
  method: "POST",
  summary: "Compare two JSON documents as JSON Patch, or apply, merge and test a patch (RFC 6902 and 7396).",
  keywords: [
    "json patch",
    "merge patch",
    "rfc 6902",
    "rfc 7396",
    "compare",
    "difference",
    "what changed",
    "changes",
    "apply patch",
    "deep equal",
  ],
  price: "0.001",
  offline: true,
  source: { provider: "built-in", url: "https://www.rfc-editor.org/rfc/rfc6902", license: "MIT" },
  timeoutMs: 10_000,
  maxBodyBytes: MAX_DOCUMENT_BODY_BYTES,
  input: () =>
    z.strictObject({
      operation: z
        .enum(["diff", "apply", "merge", "test"])
        .default("diff")
        .describe(
          "diff compares document and other; apply takes a JSON Patch, merge a JSON Merge Patch; test tells whether a patch applies, or whether other is equal",
        ),
      document: anyJson("The document"),
      other: anyJson("The document to compare with, for diff and test").optional(),
      patch: anyJson("A list of operations for apply and test, or the merge patch for merge").optional(),
      arrayKey: text(1, 100)
        .describe("Member by which rows of lists belong together, such as id; otherwise by their values")
        .optional(),
    }),
  output: one(() =>
    z.object({
      equal: z.boolean().describe("Whether the documents are equal, the patch changes nothing, or the test holds"),
      patch: z
        .array(
          z.object({
            op: z.enum(["add", "remove", "replace", "move", "copy", "test"]),
            path: z.string(),
            value: z.unknown().describe("Any JSON, of add, replace and test").optional(),
          }),
        )
        .nullable()
        .describe("JSON Patch from document to other"),
      mergePatch: z
        .unknown()
        .describe("JSON Merge Patch from document to other; null where none can tell the difference"),
      changes: z
        .array(
          z.object({
            path: z.string().describe("JSON Pointer: of what was removed in document, else in other"),
            kind: z.enum(["added", "removed", "changed"]),
            before: z.unknown().describe("Any JSON; null where nothing stood"),
            after: z.unknown().describe("Any JSON; null where nothing stands"),
          }),
        )
        .nullable(),
      result: z.unknown().describe("The document after the patch, for apply and merge"),
      roundTrip: z.boolean().nullable().describe("Whether the patch was applied and gave other"),
      reason: z.string().nullable().describe("Why a test does not hold"),
    }),
  ),
  example: {
    operation: "diff",
    document: { name: "Tea", price: 4, tags: ["hot"] },
    other: { name: "Tea", price: 5, tags: ["hot", "green"] },
  },
  check(input) {
    const { operation, document } = input;
    if (document === undefined) throw invalid("document", "is required");
    const needed = NEEDS[operation];
    const isGiven = input[needed] !== undefined || (operation === "test" && input.patch !== undefined);
    if (!isGiven) throw invalid(needed, `is required for the operation ${operation}`);
    if (operation === "apply" && !isList(input.patch)) throw invalid("patch", "must be a list of operations");
  },
  async run(input, ctx) {
    const { runInWorker } = await workers();
    return { item: await runInWorker(ctx, "json.diff", forThread(input), { field: "document" }), meta: method() };
  },
});
