import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));

const TYPES = [
  ...(["credit_card", "iban", "email", "phone", "ip_address", "mac", "crypto_address"] as const),
  ...(["us_ssn", "tax_id", "secret", "url"] as const),
] as const;

export const textRedact = /* @__PURE__ */ defineCapability({
  id: "text.redact",
  method: "POST",
  summary:
    "Remove card numbers, IBANs, e-mail addresses, phones, keys and other data of fixed format from a text, without a model.",
  keywords: [
    "redact",
    "anonymize logs",
    "mask card numbers",
    "remove secrets",
    "api keys in text",
    "scrub",
    "dlp",
    "hide phone numbers",
    "sanitize",
    "pii by pattern",
  ],
  price: "0.001",
  offline: true,
  source: { provider: "built-in", url: "", license: "MIT" },
  input: () =>
    z.strictObject({
      text: text(1, 500_000).describe("The text to redact; it is neither logged nor kept"),
      types: z
        .array(z.enum(TYPES))
        .min(1)
        .max(TYPES.length)
        .default([...TYPES])
        .describe("What to look for"),
      replace: z
        .enum(["label", "mask", "hash"])
        .default("label")
        .describe("[EMAIL], stars, or [EMAIL:hash], where equal values have equal hashes, which guessing may reverse"),
      keep: z.int().min(0).max(8).default(0).describe("Last characters to keep of each value, at most half of it"),
    }),
  output: one(() =>
    z.object({
      text: z.string(),
      count: z.int(),
      findings: z.array(
        z.object({
          type: z.enum(TYPES),
          start: z.int().describe("Offset in the given text, in UTF-16 units"),
          end: z.int().describe("Offset after the last unit"),
          confidence: z.enum(["checksum", "pattern"]),
        }),
      ),
      complete: z
        .literal(false)
        .describe(
          "Names and postal addresses have no pattern; ai.pii looks for those. Nine digits count as a social security number beside its name alone",
        ),
    }),
  ),
  example: { text: "Card 4111 1111 1111 1111, write to ada@example.com", keep: 4 },
  maxBodyBytes: 4_200_000,
  timeoutMs: 10_000,
  async run(input, ctx) {
    return {
      item: await (await workers()).runInWorker(ctx, "text.redact", { ...input, now: ctx.clock() }, { field: "text" }),
      meta: method(),
    };
  },
});
