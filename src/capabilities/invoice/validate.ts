import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import { toMicros } from "../../lib/money.js";
import { invoiceDocument, MAX_INVOICE_BODY_BYTES } from "./_document.js";
import { invoiceExample } from "./_example.js";
import { linesIn } from "./_lines.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));

const HUNDRED = "0.01";
const THOUSAND = "0.1";
const STEP = 100;

/** In hundreds: the next full one, and at least one. */
const paidLines = (input: { text?: string | undefined; file?: string | undefined }): number =>
  (Math.ceil(linesIn(input) / STEP) || 1) * STEP;

export const invoiceValidate = /* @__PURE__ */ defineCapability({
  id: "invoice.validate",
  method: "POST",
  summary:
    "Validate an e-invoice by the official rules of EN 16931 and XRechnung: UBL, CII, Factur-X or ZUGFeRD in a PDF.",
  keywords: [
    ...["e-invoice", "einvoice", "xrechnung", "zugferd", "factur-x", "facturx", "ubl", "cii", "en 16931", "schematron"],
    ...["validate invoice", "check invoice", "invoice compliance", "business rules", "BR-CO", "BR-DE", "peppol", "b2g"],
  ],
  price: {
    min: HUNDRED,
    max: THOUSAND,
    quote: async (input) => toMicros(HUNDRED) * BigInt(paidLines(input) / STEP),
  },
  offline: true,
  packages: ["fontoxpath", "slimdom"],
  source: {
    provider: "built-in",
    url: "https://github.com/ConnectingEurope/eInvoicing-EN16931",
    license: "rules of EN 16931: EUPL-1.2; of XRechnung: Apache-2.0; fontoxpath, slimdom: MIT",
  },
  timeoutMs: 40_000,
  maxBodyBytes: MAX_INVOICE_BODY_BYTES,
  input: () =>
    z.strictObject({
      ...invoiceDocument.fields(),
      rules: z
        .enum(["auto", "en16931", "xrechnung"])
        .default("auto")
        .describe("auto goes by the invoice's specification identifier; xrechnung applies both sets"),
    }),
  output: one(() =>
    z.object({
      format: z.enum(["ubl", "cii"]),
      profile: z.string().nullable().describe("Identifier of the specification, BT-24"),
      valid: z.boolean().describe("Whether no fatal rule is broken"),
      failed: z.array(z.string()).describe("Ids of the rules that are broken, warnings among them"),
      findings: z
        .array(
          z.object({
            rule: z.string(),
            flag: z.string().describe("fatal, warning or information"),
            text: z.string().describe("The rule in the words of its authors"),
            path: z.string().describe("Where, as XPath"),
          }),
        )
        .describe("At most 2,000"),
      counts: z.object({ fatal: z.int(), warning: z.int(), information: z.int() }),
      rules: z.enum(["en16931", "xrechnung"]),
      rulesVersion: z.string(),
    }),
  ),
  example: { text: invoiceExample },
  check: invoiceDocument.check,
  async run({ rules, ...input }, ctx) {
    const { bytes, field } = await invoiceDocument.load(input, ctx);
    const { runInWorker } = await workers();
    const task = { bytes, text: input.text, rules, maxLines: paidLines(input) };
    const item = await runInWorker(ctx, "invoice.validate", task, { field, taskMs: 30_000 });
    return { item, meta: method({ engine: "fontoxpath", version: "3.34.0", data: item.rulesVersion }) };
  },
});
