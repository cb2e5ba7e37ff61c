import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import { builtIn, details, numberText, reason } from "./_fields.js";

export const validateIban = /* @__PURE__ */ defineCapability({
  id: "validate.iban",
  summary:
    "Check an IBAN by the registry of formats and its check digits, and take it apart: country, bank, branch, account, SEPA.",
  keywords: [
    "bank account number",
    "international bank account",
    "payout",
    "sort code",
    "bank code",
    "sepa",
    "wire transfer",
    "direct debit",
    "iban checker",
  ],
  price: "0.001",
  offline: true,
  source: { ...builtIn, url: "https://www.swift.com/standards/data-standards/iban-international-bank-account-number" },
  input: () => z.strictObject({ value: numberText() }),
  output: one(() =>
    z.object({
      kind: z.literal("iban"),
      value: z.string().describe("As it was given"),
      valid: z.boolean().describe("Form and check digits are right; no bank was asked"),
      normalized: z.string().nullable(),
      formatted: z.string().nullable().describe("In groups of four"),
      reason: reason(),
      country: z.string().nullable(),
      checkDigits: z.string().nullable(),
      bban: z.string().nullable().describe("Behind the check digits"),
      bankCode: z.string().nullable(),
      branchCode: z.string().nullable(),
      accountNumber: z.string().nullable(),
      sepa: z.boolean().nullable().describe("Whether its country takes part in the Single Euro Payments Area"),
      details: details(),
      registerAsked: z.literal(false),
    }),
  ),
  example: { value: "GB29 NWBK 6016 1331 9268 19" },
  async run({ value }) {
    const [{ readIban }, { IBAN_REGISTRY }] = await Promise.all([engine(), table()]);
    const iban = readIban(value);
    const { country, checkDigits, bankCode, branchCode, accountNumber } = iban;
    const parts: Record<string, string | null> = { country, checkDigits, bankCode, branchCode, accountNumber };
    const item = {
      kind: "iban" as const,
      value,
      ...iban,
      details: iban.valid ? parts : {},
      registerAsked: false as const,
    };
    return { item, meta: method({ data: `IBAN registry ${IBAN_REGISTRY}` }) };
  },
});

const engine = /* @__PURE__ */ lazy(() => import("../../engines/numbers/iban.js"));
const table = /* @__PURE__ */ lazy(() => import("../../engines/numbers/iban-table.js"));
