import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import type { Order } from "../../engines/payment-qr/payment.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const engine = /* @__PURE__ */ lazy(() => import("../../engines/payment-qr/read-payment-qr.js"));

/** One line, because a line break would add a field to the code. */
const line = (max: number) =>
  text(0, max).refine((value) => !/[\p{Cc}\u2028\u2029]/u.test(value), {
    error: "must be one line without control characters",
  });

const party = () =>
  z.strictObject({
    name: line(200).optional().describe("Of the person or company"),
    street: line(200).optional().describe("Street, without number"),
    houseNumber: line(50).optional().describe("Number in the street"),
    postalCode: line(50).optional().describe("Without country code"),
    city: line(200).optional().describe("Town, without postal code"),
    country: line(10).optional().describe("ISO 3166-1 code of two letters"),
  });

const partyRead = () =>
  z.object({
    addressType: z.enum(["structured", "combined"]),
    name: z.string().nullable(),
    street: z.string().nullable(),
    houseNumber: z.string().nullable(),
    postalCode: z.string().nullable(),
    city: z.string().nullable(),
    country: z.string().nullable(),
    addressLine1: z.string().nullable().describe("Of a combined address"),
    addressLine2: z.string().nullable().describe("Of a combined address"),
  });

const amount = () =>
  z
    .string()
    .regex(/^\d{1,9}(?:\.\d{1,2})?$/, {
      error: "must be decimal text from 0.01 to 999999999.99, such as 1949.75",
      abort: true,
    })
    .refine((value) => /[1-9]/.test(value), { error: "must be at least 0.01" })
    .describe("Decimal text from 0.01 to 999999999.99; left out: the payer fills it in");

const WRITTEN = [
  ...(["scheme", "iban", "bic", "amount", "currency", "creditor", "debtor", "reference"] as const),
  ...(["message", "information", "purpose", "alternativeSchemes"] as const),
];

export const paymentQr = /* @__PURE__ */ defineCapability({
  id: "payment.qr",
  method: "POST",
  summary:
    "Read and check the text of a payment QR code (Swiss QR-bill, SEPA EPC or Girocode), or write one for barcode.generate.",
  keywords: [
    ...["qr bill", "qr-rechnung", "girocode", "sepa transfer", "bank transfer qr", "epc069", "invoice qr", "iban"],
    ...["pay an invoice", "swiss payment", "creditor reference", "scan to pay", "bcd", "spc"],
  ],
  price: "0.001",
  offline: true,
  source: {
    provider: "built-in",
    url: "https://www.six-group.com/en/products-services/banking-services/payment-standardization.html",
    license: "MIT (own code, from the Swiss Payment Standards and EPC069-12)",
  },
  input: () =>
    z.strictObject({
      text: text(1, 1000)
        .refine((value) => value.trim() !== "", { error: "must not be empty" })
        .optional()
        .describe("To read: what a scanner found"),
      scheme: z
        .enum(["swiss", "epc"])
        .optional()
        .describe("To write: the Swiss QR-bill, or the code of SEPA transfers"),
      iban: line(50).optional().describe("Account of the creditor"),
      bic: line(20).optional().describe("epc only: the creditor's bank"),
      amount: amount().optional(),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, { error: "must be three capital letters, such as CHF" })
        .optional()
        .describe("swiss: CHF or EUR; epc: EUR, also if left out"),
      creditor: party().optional().describe("Who is paid; epc takes the name alone"),
      debtor: party().optional().describe("swiss only: who pays"),
      reference: line(50).optional().describe("QR reference of 27 digits, or ISO 11649 creditor reference RF…"),
      message: line(200).optional().describe("Text for the creditor"),
      information: line(200).optional().describe("swiss: bill information //…; epc: text for the payer"),
      purpose: line(10).optional().describe("epc only: purpose code, such as GDDS"),
      alternativeSchemes: z.array(line(200)).max(2).optional().describe("swiss only: up to two"),
    }),
  output: one(() =>
    z.object({
      scheme: z.enum(["swiss", "epc"]).nullable().describe("null for text that is neither"),
      version: z.string().nullable(),
      valid: z.boolean(),
      text: z.string().nullable().describe("What the code carries; null where what was to be written is wrong"),
      iban: z.string().nullable(),
      bic: z.string().nullable(),
      amount: z.string().nullable().describe("Decimal text"),
      currency: z.string().nullable(),
      creditor: partyRead().nullable(),
      debtor: partyRead().nullable(),
      referenceType: z.string().nullable().describe("QRR, SCOR or NON; OTHER in SEPA codes"),
      reference: z.string().nullable(),
      message: z.string().nullable(),
      information: z.string().nullable(),
      purpose: z.string().nullable(),
      alternativeSchemes: z.array(z.string()),
      errors: z.array(
        z.object({
          field: z.string().describe("Dotted name; qrText, version, codingType or trailer for the text as a whole"),
          code: z.string().describe("Such as account_iban_invalid, ref_invalid, field_value_missing"),
        }),
      ),
    }),
  ),
  example: {
    scheme: "swiss",
    iban: "CH44 3199 9123 0008 8901 2",
    amount: "1949.75",
    currency: "CHF",
    creditor: {
      name: "Robert Schneider AG",
      street: "Rue du Lac",
      houseNumber: "1268",
      postalCode: "2501",
      city: "Biel",
      country: "CH",
    },
    reference: "21 00000 00003 13947 14300 09017",
    message: "Order dated 18.06.2020",
  },
  check(input) {
    if (input.text === undefined && input.scheme === undefined)
      throw invalid("text", "is required to read a code, or scheme to write one");
    const beside = WRITTEN.find((field) => input[field] !== undefined);
    if (input.text !== undefined && beside) throw invalid(beside, "must be left out beside text, which is read");
    if (input.scheme !== undefined) checkOrder(input);
  },
  async run({ text, scheme, ...input }) {
    const { readPaymentQr, writeEpc, writeSwiss } = await engine();
    if (text !== undefined) return { item: readPaymentQr(text), meta: method() };
    const order: Order = {
      ...input,
      iban: input.iban ?? "",
      creditor: input.creditor ?? {},
      currency: input.currency ?? "EUR",
    };
    return { item: scheme === "swiss" ? writeSwiss(order) : writeEpc(order), meta: method() };
  },
});

type Fields = Partial<Record<(typeof WRITTEN)[number], unknown>>;

/** Refuses what is left out, and what the scheme has no place for. */
function checkOrder(input: Fields): void {
  const isSwiss = input.scheme === "swiss";
  for (const field of ["iban", "creditor", ...(isSwiss ? (["currency"] as const) : [])] as const)
    if (input[field] === undefined || input[field] === "") throw invalid(field, "is required to write a code");
  for (const field of isSwiss ? (["bic", "purpose"] as const) : (["debtor", "alternativeSchemes"] as const))
    if (input[field] !== undefined)
      throw invalid(field, `must be left out: the scheme ${input.scheme} has no place for it`);
}
