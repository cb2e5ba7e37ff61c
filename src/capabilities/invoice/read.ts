import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import { invoiceDocument, MAX_INVOICE_BODY_BYTES } from "./_document.js";
import { invoiceExample } from "./_example.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));

const orNull = () => z.string().nullable();
const period = () => z.object({ from: orNull(), to: orNull() }).nullable();

const party = () =>
  z.object({
    name: orNull().describe("As registered"),
    tradingName: orNull(),
    vatId: orNull(),
    taxNumber: orNull(),
    registration: orNull().describe("Number in a register of companies"),
    identifiers: z.array(z.string()),
    electronicAddress: z.object({ scheme: orNull(), id: z.string() }).nullable(),
    address: z
      .object({ lines: z.array(z.string()), city: orNull(), postalCode: orNull(), region: orNull(), country: orNull() })
      .nullable(),
    contact: z.object({ name: orNull(), phone: orNull(), email: orNull() }).nullable(),
  });

const adjustment = () =>
  z.object({
    ...{ amount: orNull(), base: orNull(), percent: orNull(), reason: orNull(), reasonCode: orNull() },
    ...{ vatCategory: orNull(), vatRate: orNull() },
  });

const line = () =>
  z.object({
    ...{ id: orNull(), name: orNull(), description: orNull(), quantity: orNull() },
    unit: orNull().describe("Code of UN/ECE Recommendation 20, such as C62"),
    price: orNull().describe("Net price of priceQuantity units"),
    ...{ priceQuantity: orNull(), net: orNull(), vatCategory: orNull(), vatRate: orNull(), period: period() },
    ...{ allowances: z.array(adjustment()), charges: z.array(adjustment()) },
  });

const totals = () =>
  z.object({
    lineNet: orNull().describe("Sum of the lines, BT-106"),
    allowances: orNull(),
    charges: orNull(),
    taxExclusive: orNull().describe("BT-109"),
    tax: orNull().describe("BT-110"),
    taxInclusive: orNull().describe("BT-112"),
    prepaid: orNull(),
    rounding: orNull(),
    payable: orNull().describe("BT-115"),
  });

export const invoiceRead = /* @__PURE__ */ defineCapability({
  id: "invoice.read",
  method: "POST",
  summary:
    "Read an e-invoice (UBL, CII, XRechnung, Factur-X, ZUGFeRD in a PDF) into one JSON, and compute its sums again.",
  keywords: [
    ...["e-invoice", "einvoice", "xrechnung", "zugferd", "factur-x", "facturx", "ubl", "cii", "en 16931", "peppol"],
    ...["electronic invoice", "credit note", "invoice to json", "parse invoice", "bookkeeping", "vat", "totals"],
  ],
  price: "0.004",
  offline: true,
  source: {
    provider: "built-in",
    url: "https://ec.europa.eu/digital-building-blocks/sites/display/DIGITAL/eInvoicing",
    license: "MIT",
  },
  timeoutMs: 10_000,
  maxBodyBytes: MAX_INVOICE_BODY_BYTES,
  input: () => z.strictObject(invoiceDocument.fields()),
  output: one(() =>
    z.object({
      container: z.enum(["xml", "pdf"]),
      syntax: z.enum(["ubl", "cii", "zugferd-1"]),
      profile: orNull().describe("Identifier of the specification, BT-24"),
      ...{ number: orNull(), typeCode: orNull(), issueDate: orNull(), dueDate: orNull(), currency: orNull() },
      ...{ buyerReference: orNull(), orderReference: orNull(), contractReference: orNull() },
      precedingInvoices: z.array(z.string()).describe("Numbers of the invoices that this one corrects"),
      deliveryDate: orNull(),
      period: period(),
      notes: z.array(z.string()),
      ...{ seller: party().nullable(), buyer: party().nullable(), payee: party().nullable() },
      payment: z.object({
        means: orNull().describe("Code of UNTDID 4461, such as 58"),
        ...{ iban: orNull(), bic: orNull(), accountName: orNull(), reference: orNull(), terms: orNull() },
        mandate: orNull(),
      }),
      ...{ allowances: z.array(adjustment()), charges: z.array(adjustment()) },
      vat: z.array(
        z.object({
          ...{ category: orNull(), rate: orNull(), base: orNull(), amount: orNull(), exemptionReason: orNull() },
        }),
      ),
      totals: totals().describe("Decimal text; sums that may be left out are zero"),
      lines: z.array(line()),
      attachments: z
        .array(z.object({ name: orNull(), mimeType: orNull(), bytes: z.int() }))
        .describe("What is embedded, with its length; contents are not returned"),
      checks: z
        .array(z.object({ field: z.string(), stated: z.string(), computed: z.string() }))
        .describe("Sums that are not what the invoice says; empty if it adds up"),
    }),
  ),
  example: { text: invoiceExample },
  check: invoiceDocument.check,
  async run(input, ctx) {
    const { bytes, field } = await invoiceDocument.load(input, ctx);
    const { runInWorker } = await workers();
    const item = await runInWorker(ctx, "invoice.read", { bytes, text: input.text }, { field });
    return { item, meta: method() };
  },
});
