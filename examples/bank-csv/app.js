// The CSV that a bank gives out, as JSON that a JSON Schema accepts: convert it, name and read its columns, validate it.
import { pathToFileURL } from "node:url";
import { dataConvert } from "coinslot/capabilities/data";
import { jsonValidate } from "coinslot/capabilities/json";

/** What the bookkeeping takes. */
export const BOOKINGS = {
  type: "array",
  items: {
    type: "object",
    required: ["date", "text", "amount", "currency"],
    additionalProperties: false,
    properties: {
      date: { type: "string", format: "date" },
      text: { type: "string", minLength: 1 },
      amount: { type: "string", pattern: "^-?[0-9]+[.][0-9]{2}$" },
      currency: { enum: ["EUR", "CHF", "USD"] },
    },
  },
};

/** 31.12.2026 as 2026-12-31; what is not written so stays, and the schema refuses it. */
const isoDate = (date) => date.replace(/^(\d\d)\.(\d\d)\.(\d{4})$/, "$3-$2-$1");
/** 1.234,56 as 1234.56: digits in text, since binary fractions lose cents. */
const decimal = (amount) => amount.replaceAll(".", "").replace(",", ".");

/** The bookings of a statement, and what is wrong with it by row and column. `file` has its bytes. */
export async function readStatement(file) {
  const converted = await dataConvert({
    file: Buffer.from(file).toString("base64"),
    ...{ from: "csv", to: "json", delimiter: ";", types: "text" },
  });
  const [{ value: rows, notes }] = converted.items;
  const bookings = rows.map((row) => ({
    date: isoDate(row.Buchungstag),
    text: row.Verwendungszweck,
    amount: decimal(row.Betrag),
    currency: row.Währung,
  }));
  const validated = await jsonValidate({ schema: BOOKINGS, instance: bookings, formats: "assert" });
  const [{ valid, errors }] = validated.items;
  return { valid, bookings, errors: errors.map(({ path, message }) => `${path} ${message}`), notes };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const statement = `Buchungstag;Verwendungszweck;Betrag;Währung
02.01.2026;"Miete; Januar";-1.250,00;EUR
05.01.2026;Müller & Söhne;980,50;EUR
`;
  // Many banks still write Windows-1252, whose letters are those of Latin-1.
  console.log(await readStatement(Buffer.from(statement, "latin1")));
}
