import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));

const MEASURES = [
  ...(["levenshtein", "damerau-levenshtein", "jaro", "jaro-winkler", "hamming"] as const),
  ...(["jaccard", "token-set", "metaphone", "nysiis", "soundex"] as const),
] as const;

const score = (what: string) => z.number().describe(what).optional();
const codes = () => z.tuple([z.string(), z.string()]).optional();

export const textSimilarity = /* @__PURE__ */ defineCapability({
  id: "text.similarity",
  method: "POST",
  summary: "Compare two texts by edit distance, Jaro-Winkler, shared words, or by how they sound.",
  keywords: [
    "levenshtein",
    "edit distance",
    "fuzzy match",
    "string similarity",
    "jaro winkler",
    "soundex",
    "metaphone",
    "nysiis",
    "typo",
    "duplicate",
    "sounds like",
    "jaccard",
  ],
  price: "0.001",
  offline: true,
  source: { provider: "built-in", url: "", license: "MIT" },
  input: () =>
    z.strictObject({
      a: text(0, 5000).describe("The one text"),
      b: text(0, 5000).describe("The other text"),
      measures: z
        .array(z.enum(MEASURES))
        .min(1)
        .max(MEASURES.length)
        .default([...MEASURES])
        .describe("Which measures to compute"),
    }),
  output: one(() =>
    z.object({
      scores: z.object({
        levenshtein: score("Distance: letters added, removed or replaced"),
        "damerau-levenshtein": score("Distance that counts swapped neighbours once"),
        jaro: score("0 to 1"),
        "jaro-winkler": score("0 to 1"),
        hamming: score("Distance: places that differ"),
        jaccard: score("0 to 1: share of words, as they are written, that both have"),
        "token-set": score("0 to 1: words in any order, without case, accents and signs"),
        metaphone: score("1 if both sound alike, else 0"),
        nysiis: score("1 if both sound alike, else 0"),
        soundex: score("1 if both sound alike, else 0"),
      }),
      codes: z
        .object({ metaphone: codes(), nysiis: codes(), soundex: codes() })
        .describe("How the texts sound, that of a first"),
      normalized: z.tuple([z.string(), z.string()]).describe("The texts as token-set compares them, that of a first"),
    }),
  ),
  example: { a: "Jonathan Smyth", b: "Smith, Johnathan", measures: ["jaro-winkler", "token-set", "soundex"] },
  timeoutMs: 10_000,
  async run(input, ctx) {
    return { item: await (await workers()).runInWorker(ctx, "text.similarity", input, { field: "a" }), meta: method() };
  },
});
