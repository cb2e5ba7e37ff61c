import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { readStatement } from "../examples/bank-csv/app.js";
import { pathFromRoot } from "./support/render-indexes.js";

const HEADER = "Buchungstag;Verwendungszweck;Betrag;Währung";
const statement = (...rows: string[]) => Buffer.from([HEADER, ...rows, ""].join("\r\n"), "latin1");

it("bank-csv makes bookings of a statement in Windows-1252", async () => {
  const file = statement('02.01.2026;"Miete; Januar";-1.250,00;EUR', "05.01.2026;Müller & Söhne;980,50;EUR");
  expect(await readStatement(file)).toEqual({
    valid: true,
    bookings: [
      { date: "2026-01-02", text: "Miete; Januar", amount: "-1250.00", currency: "EUR" },
      { date: "2026-01-05", text: "Müller & Söhne", amount: "980.50", currency: "EUR" },
    ],
    errors: [],
    notes: ["the bytes are not UTF-8 and were read as Windows-1252"],
  });
});

it("bank-csv names the row and the column of what is wrong", async () => {
  const { valid, errors } = await readStatement(statement("30.02.2026;Miete;12,50;EUR", "02.01.2026;;12;DM"));
  expect(valid).toBe(false);
  expect(errors.map((error: string) => error.split(" ")[0])).toEqual([
    "/0/date",
    "/1/text",
    "/1/amount",
    "/1/currency",
  ]);
});

it("bank-csv/app.js prints the bookings", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [pathFromRoot("examples/bank-csv/app.js")]);
  expect(stdout).toContain("valid: true");
  expect(stdout).toContain("-1250.00");
});
