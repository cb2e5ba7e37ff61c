import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { builtIn, details, IDENTIFIER_KINDS, numberRegistry, numberText, reason } from "./_fields.js";

export const validateIdentifier = /* @__PURE__ */ defineCapability({
  id: "validate.identifier",
  summary:
    "Check an identifier by its form and check digit: BIC, LEI, ISIN, GTIN, ISBN, VIN, IMEI, DOI, ORCID and others, without asking a register.",
  keywords: [
    "checksum",
    "check digit",
    "swift code",
    "barcode number",
    "ean",
    "upc",
    "book number",
    "container number",
    "routing number",
    "chassis number",
    "luhn",
    "mac address",
    "cusip",
    "creditor reference",
    "cas number",
  ],
  price: "0.001",
  offline: true,
  source: builtIn,
  input: () =>
    z.strictObject({
      kind: z.enum(IDENTIFIER_KINDS).describe("What it is said to be"),
      value: numberText(),
    }),
  output: one(() =>
    z.object({
      kind: z.enum(IDENTIFIER_KINDS),
      value: z.string().describe("As it was given"),
      valid: z.boolean().describe("Form and check digit are right; whether it was given to anybody is not asked"),
      normalized: z.string().nullable(),
      formatted: z.string().nullable().describe("As people write it"),
      reason: reason(),
      details: details(),
      registerAsked: z.literal(false),
    }),
  ),
  example: { kind: "isin", value: "US0378331005" },
  async run({ kind, value }, ctx) {
    const { judgeIdentifier, RULES_DATE } = await numberRegistry();
    const verdict = await judgeIdentifier(kind, value, ctx.clock());
    if (!verdict) throw invalid("kind", `"${kind}" has no rule`);
    const item = { kind, value, ...verdict, registerAsked: false as const };
    return { item, meta: method({ data: RULES_DATE }) };
  },
});
