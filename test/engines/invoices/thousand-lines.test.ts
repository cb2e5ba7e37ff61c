/** An invoice of 500 lines against the same one with 50: what its rules look at, and what they find. And the largest. */
import { expect, test } from "vitest";
import { type Rules, validateInvoice } from "../../../src/engines/invoices/validate.js";
import { workDone } from "../../../src/engines/schematron/functions.js";
import { businessCases } from "../../support/business-cases.js";

const { ubl = "", cii = "" } = businessCases().find(({ name }) => name === "01.04a-INVOICE") ?? {};
const LINE = /<(cac:InvoiceLine|ram:IncludedSupplyChainTradeLineItem)>[\s\S]*?<\/\1>/;

/** With so many lines of 120, each with a number of its own, and with sums of them. */
function ofLines(invoice: string, count: number, sum = 120 * count): string {
  const [line = ""] = LINE.exec(invoice) ?? [];
  const numbered = (at: number) => line.replace(/(<(?:cbc:ID|ram:LineID)>)[^<]*/, `$1${at + 1}`);
  const lines = Array.from({ length: count }, (_, at) => numbered(at)).join("");
  return invoice
    .replace(line, "\0")
    .replaceAll(">120<", `>${sum}<`)
    .replace("\0", () => lines);
}

/** Its last line has no name, and its sums are one too high. */
const broken = (invoice: string, count: number) =>
  ofLines(invoice, count, 120 * count + 1).replace(/<(cbc|ram):Name>Teiln[^<]*<\/\1:Name>(?![\s\S]*:Name>Teiln)/, "");

async function judged(text: string, rules: Rules) {
  const verdict = await validateInvoice({ text, bytes: new Uint8Array(), rules, maxLines: 1_000 });
  return { ...verdict, work: workDone() };
}

/** Work is that of the last set of rules. It grows a little faster than lines, for XPath sorts elements by their places. */
test.each<[string, string, Rules]>([
  ["UBL by EN 16931", ubl, "en16931"],
  ["CII by EN 16931", cii, "en16931"],
  ["UBL by XRechnung", ubl, "xrechnung"],
])(
  "%s: ten times the lines break the same rules for ten times the work",
  { timeout: 120_000 },
  async (_, invoice, rules) => {
    const small = await judged(broken(invoice, 50), rules);
    const large = await judged(broken(invoice, 500), rules);
    expect(small.failed).toEqual(expect.arrayContaining(["BR-25", "BR-CO-10"]));
    expect(large.findings).toEqual(
      small.findings.map(({ path, ...rest }) => ({ ...rest, path: path.replace("[50]", "[500]") })),
    );
    expect(large.findings.find(({ rule }) => rule === "BR-25")?.path).toContain("[500]");
    expect(small.work).toBeGreaterThan(1_000);
    expect(large.work / small.work).toBeLessThan(14);
  },
);

test.each([
  ["UBL", ubl],
  ["CII", cii],
])("%s with 1,000 lines that keep all rules is valid", { timeout: 120_000 }, async (_, invoice) => {
  expect(await judged(ofLines(invoice, 1_000), "en16931")).toMatchObject({ valid: true, failed: [] });
});

test("parts that rules compare with one another more often than they may", async () => {
  const allowance =
    '<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount currencyID="EUR">1</cbc:Amount></cac:AllowanceCharge>';
  const text = ubl.replace("</cac:InvoiceLine>", () => `${allowance.repeat(10_000)}</cac:InvoiceLine>`);
  // Without the deadline of a call, which a busy machine may reach before.
  await expect(validateInvoice({ text, bytes: new Uint8Array(), rules: "en16931", maxLines: 1 })).rejects.toMatchObject(
    {
      code: "RESULT_TOO_LARGE",
      issues: [{ message: expect.stringContaining("compare with one another") }],
    },
  );
});
