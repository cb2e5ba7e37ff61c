/** The endpoints at which the owner of an account finds its invoices. They are mounted where the host issues some. */
import { z } from "zod";
import { countryCode, words } from "../../capability/fields.js";
import { binary, legacy } from "../../capability/output.js";
import type { AnyCapability } from "../../capability/types.js";
import { invalid } from "../../errors.js";
import type { Own } from "./own-endpoint.js";

const LIST = "account.invoices";
const MOST = 100;

/** By the rules of EN 16931 for a buyer, within bounds that its documents have room for. */
const buyer = () =>
  z.strictObject({
    name: words(1, 200).describe("Legal name"),
    lines: z.array(words(1, 100)).min(1).max(3).optional().describe("Street and what stands before the city"),
    city: words(1, 100).optional(),
    postalCode: words(1, 20).optional(),
    region: words(1, 100).optional(),
    country: countryCode().describe("Two letters, such as DE"),
    vatId: z
      .string()
      .regex(/^[A-Z]{2}[A-Z0-9]{2,18}$/, { error: "must have its country before it, such as DE123456789" })
      .optional(),
    registration: words(1, 50).optional().describe("Number in a register of companies"),
    email: z
      .string()
      .regex(/^[^\s@]{1,100}@[^\s@]{1,100}$/, { error: "must be an e-mail address" })
      .optional(),
  });

const row = () =>
  z.looseObject({
    number: z.string(),
    kind: z.enum(["invoice", "credit-note"]),
    issuedAt: z.string(),
    payment: z.string().optional().describe("Id of the payment that it is of"),
    of: z.string().optional().describe("Number of the invoice that a credit note corrects"),
    title: z.string(),
    usd: z.string().describe("As it was paid or given back, exactly"),
    netUsd: z.string(),
    taxUsd: z.string(),
    totalUsd: z.string().describe("In cents"),
    taxPercent: z.string(),
  });

const shown = () => z.looseObject({ name: z.string(), country: z.string() });

export const invoiceEndpoints = (own: Own): AnyCapability[] => [
  own({
    id: LIST,
    summary: "The invoices and credit notes of what your account bought, from the oldest on.",
    input: () =>
      z.strictObject({
        after: z
          .string()
          .regex(/^\d{1,12}$/, { error: "must be `next` of the answer before" })
          .optional()
          .describe("`next` of the answer before, to go on"),
        limit: z.int().min(1).max(MOST).default(MOST).describe("Invoices at most"),
      }),
    output: legacy(() =>
      z.object({
        account: z.string(),
        buyer: shown().nullable().describe("Your particulars for invoices that have none yet"),
        invoices: z.array(row()),
        next: z.string().optional().describe("There may be more: ask again with it as `after`"),
      }),
    ),
    example: {},
    run: "invoices",
  }),
  own(
    {
      id: "account.invoices-buyer",
      method: "POST",
      summary: "Set your particulars for invoices: those to come, and those that have none. `null` erases them.",
      input: () => z.strictObject({ buyer: buyer().nullable() }),
      output: legacy(() => z.object({ account: z.string(), buyer: shown().nullable() })),
      example: { buyer: { name: "Acme Ltd", lines: ["1 High Street"], city: "London", country: "GB" } },
      run: "setBuyer",
    },
    { mountedAt: LIST },
  ),
  own({
    id: "account.invoice",
    summary: "One invoice or credit note: as JSON, as a PDF, or as an e-invoice of EN 16931 (UBL or CII).",
    input: () =>
      z.strictObject({
        number: words(1, 40).optional().describe("Its number, as the list has it"),
        payment: words(1, 200).optional().describe("Instead of the number: the payment that it is of"),
        format: z.enum(["json", "pdf", "ubl", "cii"]).default("json").describe("ubl and cii need your particulars"),
      }),
    check({ number, payment }) {
      if ((number === undefined) === (payment === undefined))
        throw invalid("number", "is needed, or payment instead of it");
    },
    output: binary("application/pdf", "application/xml", {
      json: () => row().extend({ account: z.string(), seller: shown(), buyer: shown().nullable() }),
    }),
    example: { number: "INV-000001" },
    run: "invoice",
  }),
];
