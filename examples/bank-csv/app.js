// The CSV that a bank gives out, as JSON that a JSON Schema accepts: convert it, name and read its columns, validate it.
import { pathToFileURL } from "node:url";
import { dataConvert } from "coinslot/capabilities/data";
import { jsonValidate } from "coinslot/capabilities/json";

const booking = {
  date: { type: "string", format: "date" },
  text: { type: "string", minLength: 1 },
  amount: { type: "string", pattern: "^-?[0-9]+[.][0-9]{2}$" },
  currency: { enum: ["EUR", "CHF", "USD"] },
};
const schema = { type: "array", items: { type: "object", properties: booking, required: Object.keys(booking) } };

/** 31.12.2026 as 2026-12-31; anything else stays, and the schema refuses it. */
const isoDate = (date) => date.replace(/^(\d\d)\.(\d\d)\.(\d{4})$/, "$3-$2-$1");
/** 1.234,56 as 1234.56: digits in text, since binary fractions lose cents. */
const decimal = (amount) => amount.replaceAll(".", "").replace(",", ".");

/** The bookings of a statement, and its errors by row and column. `file` has its bytes. */
export async function readStatement(file) {
  const input = { file: Buffer.from(file).toString("base64"), from: "csv", to: "json", delimiter: ";", types: "text" };
  const [{ value: rows, notes }] = (await dataConvert(input)).items;
  const instance = rows.map((row) => ({
    date: isoDate(row.Buchungstag),
    text: row.Verwendungszweck,
    amount: decimal(row.Betrag),
    currency: row.Währung,
  }));
  const [{ valid, errors }] = (await jsonValidate({ schema, instance, formats: "assert" })).items;
  return { valid, bookings: instance, errors: errors.map(({ path, message }) => `${path} ${message}`), notes };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const lines = ["Buchungstag;Verwendungszweck;Betrag;Währung", '02.01.2026;"Miete; Januar";-1.250,00;EUR'];
  // Many banks still write Windows-1252, whose letters are those of Latin-1.
  console.log(await readStatement(Buffer.from(lines.join("\n"), "latin1")));
}
