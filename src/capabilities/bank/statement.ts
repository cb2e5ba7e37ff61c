import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import { documentInput, MAX_DOCUMENT_BODY_BYTES } from "../../upstream/input/document-input.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));
const document = /* @__PURE__ */ documentInput({
  ...{ text: true, accept: "application/xml, application/x-ofx, text/plain, */*", what: "bank statement" },
});

const orNull = () => z.string().nullable();
const money = () =>
  z.object({
    amount: z.string().describe("Decimal text; negative if the account is overdrawn"),
    currency: orNull(),
    date: orNull(),
  });
const party = () =>
  z.object({
    name: orNull(),
    iban: orNull(),
    bic: orNull(),
    number: orNull().describe("Of an account without an IBAN"),
  });

const entry = () =>
  z.object({
    amount: z.string().describe("Decimal text; positive for money that came in"),
    currency: orNull(),
    bookingDate: orNull(),
    valueDate: orNull(),
    type: orNull().describe("Kind of transaction in the words of the format: NTRF, PMNT-RCDT-ESCT, CHECK"),
    status: z.enum(["booked", "pending", "information"]),
    reversal: z.boolean(),
    bankReference: orNull(),
    customerReference: orNull(),
    endToEndId: orNull(),
    mandateId: orNull(),
    counterparty: party(),
    purpose: orNull(),
    parts: z
      .array(
        z.object({
          ...{ amount: orNull(), currency: orNull(), endToEndId: orNull(), mandateId: orNull() },
          ...{ counterparty: party(), purpose: orNull() },
        }),
      )
      .describe("Payments of an entry that books several; what they share stands in the entry"),
  });

const statement = () =>
  z.object({
    account: z.object({
      iban: orNull(),
      number: orNull(),
      bank: orNull().describe("BIC, national number or name of the bank"),
      currency: orNull(),
      owner: orNull(),
    }),
    number: orNull().describe("Number of the statement as written, such as 5/1"),
    from: orNull(),
    to: orNull(),
    openingBalance: money().nullable(),
    closingBalance: money().nullable(),
    availableBalance: money().nullable(),
    entries: z.array(entry()),
    check: z.object({
      computed: orNull().describe("Opening balance and booked entries added up; without balances the entries alone"),
      difference: orNull().describe("What the statement states less that: 0.00 where it adds up"),
    }),
  });

export const bankStatement = /* @__PURE__ */ defineCapability({
  id: "bank.statement",
  method: "POST",
  summary:
    "Read a bank statement (MT940, MT942, camt.052, 053, 054, OFX, QIF) into one JSON, and check its sums against its balances.",
  keywords: [
    ...["mt940", "mt942", "camt", "camt.053", "ofx", "qfx", "qif", "sta", "iso 20022", "swift", "account statement"],
    ...["bank export", "transactions", "bookkeeping", "reconcile", "reconciliation", "quicken", "bank file", "balance"],
  ],
  price: "0.004",
  offline: true,
  source: { provider: "built-in", url: "https://www.iso20022.org/", license: "MIT" },
  timeoutMs: 10_000,
  maxBodyBytes: MAX_DOCUMENT_BODY_BYTES,
  input: () =>
    z.strictObject({
      ...document.fields(),
      dateOrder: z
        .enum(["mdy", "dmy", "ymd"])
        .optional()
        .describe(
          "Order of day, month and year in QIF, which does not say it. Left out: that in which all dates are days",
        ),
    }),
  output: one(() =>
    z.object({
      format: z.enum(["mt940", "mt942", "camt.052", "camt.053", "camt.054", "ofx", "qif"]),
      entryCount: z.int().describe("Entries of all statements"),
      statements: z.array(statement()),
      notes: z.array(z.string()).describe("What does not add up, and what was read otherwise than written"),
    }),
  ),
  example: {
    text: [
      ...[":20:STARTUMSE", ":25:12345678/1020304050", ":28C:5/1", ":60F:C260227EUR1200,00"],
      ...[":61:2602300301DR6,00N024NONREF", ":86:805?00ENTGELTABSCHLUSS?20Pauschalen", ":62F:C260301EUR1194,00", "-"],
    ].join("\n"),
  },
  check: document.check,
  async run({ dateOrder, ...input }, ctx) {
    const { bytes, field } = await document.load(input, ctx);
    const { runInWorker } = await workers();
    const item = await runInWorker(ctx, "bank.statement", { bytes, text: input.text, dateOrder }, { field });
    return { item, meta: method() };
  },
});
