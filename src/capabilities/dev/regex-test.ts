import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";

const test = /* @__PURE__ */ lazy(() => import("../../engines/patterns/test.js"));

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));

export const devRegexTest = /* @__PURE__ */ defineCapability({
  id: "dev.regex-test",
  method: "POST",
  summary:
    "Run a regular expression over a text in linear time (RE2): matches, groups, replacement, and its risk elsewhere.",
  keywords: [
    "regex",
    "regexp",
    "regular expression",
    "pattern match",
    "capture groups",
    "find and replace",
    "redos",
    "catastrophic backtracking",
    "re2",
    "regex tester",
  ],
  price: "0.001",
  packages: ["re2js"],
  offline: true,
  source: { provider: "built-in (re2js)", url: "https://github.com/le0pard/re2js", license: "MIT" },
  input: () =>
    z.strictObject({
      pattern: text(1, 1000).describe("The expression in RE2's or JavaScript's syntax, without delimiters"),
      flags: z
        .string()
        .regex(/^(?!.*(.).*\1)[gimsu]{0,5}$/, { error: "must be of the letters g, i, m, s and u, each once" })
        .default("")
        .describe("i ignores case, m lets ^ and $ match at lines, s lets . match line ends; g and u change nothing"),
      text: text(0, 100_000).describe("The text to search"),
      replace: text(0, 1000)
        .optional()
        .describe("Text in place of each match; $1, $<name>, $& and $$ as in JavaScript"),
      limit: z.int().min(1).max(1000).default(1000).describe("How many matches to list"),
    }),
  output: one(() =>
    z.object({
      supported: z.boolean().describe("False for look-around, back references and the like"),
      reason: z.string().nullable().describe("Why it is not supported"),
      linear: z.literal(true),
      matches: z.array(
        z.object({
          text: z.string(),
          start: z.int().describe("Offset in UTF-16 units"),
          end: z.int(),
          groups: z.array(z.string().nullable()).describe("From the first on; null where it took no part"),
          named: z.record(z.string(), z.string().nullable()),
        }),
      ),
      count: z.int().describe("All matches, also those above the limit"),
      result: z.string().nullable().describe("The text with all matches replaced"),
      risk: z.boolean().describe("Whether an engine that backtracks may hang on some text, by rules of thumb"),
      riskReason: z.string().nullable(),
    }),
  ),
  example: { pattern: "(?P<year>\\d{4})-(?P<month>\\d{2})", text: "Due 2026-05, paid 2026-07." },
  timeoutMs: 10_000,
  async run(input, ctx) {
    const { RE2 } = await test();
    return {
      item: await (await workers()).runInWorker(ctx, "regex.test", input, { field: "pattern", taskMs: 5_000 }),
      meta: method(RE2),
    };
  },
});
