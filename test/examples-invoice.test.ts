import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { book } from "../examples/invoice-and-statement/app.js";
import { invoiceRead } from "../src/capabilities/invoice/read.js";
import { pathFromRoot } from "./support/render-indexes.js";

const invoice = (invoiceRead.example as { text: string }).text;
const statement = (amount: string, closing: string) =>
  [
    ":20:1",
    ":25:10020030/1234567",
    ":28C:5/1",
    ":60F:C260227EUR1200,00",
    `:61:2602270227D${amount}NTRFR-100`,
    `:62F:C260227EUR${closing}`,
  ].join("\n");

it("an invoice is booked beside the entry that pays it", async () => {
  expect(await book({ invoice, statement: statement("119,00", "1081,00") })).toMatchObject({
    ...{ booked: true, problems: [], invoice: { number: "R-100", from: "Tea Trade GmbH" } },
    lines: [{ account: "expenses at 19 %", net: "100.00", vat: "19.00" }],
    paid: { on: "2026-02-27", amount: "-119.00" },
  });
});

it("nothing is booked of what does not add up", async () => {
  const wrong = await book({ invoice, statement: statement("119,00", "1000,00") });
  expect(wrong).toMatchObject({ booked: false, problems: [expect.stringContaining("does not add up")] });
  const broken = await book({ invoice: invoice.replace(">R-100<", "><"), statement: statement("119,00", "1081,00") });
  expect(broken.problems).toEqual(expect.arrayContaining([expect.stringContaining("BR-02")]));
});

it("invoice-and-statement/app.js prints the booking", async () => {
  const app = pathFromRoot("examples/invoice-and-statement/app.js");
  const { stdout } = await promisify(execFile)(process.execPath, [app]);
  expect(stdout).toContain("booked: true");
});
