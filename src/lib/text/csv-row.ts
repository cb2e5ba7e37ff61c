/**
 * One line of CSV by RFC 4180, without its end. A text that a spreadsheet would take for a formula gets an apostrophe
 * before it; numbers stay numbers.
 */
export const csvRow = (cells: readonly (string | number)[]): string =>
  cells.map((cell) => field(String(cell))).join(",");

const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** Spreadsheets ignore blanks before a formula, and full-width signs count, too. */
const FORMULA = /^[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

function field(text: string): string {
  // guard: statement: no cell is a formula | never | handler/refund
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /^[\w.:-]*$/.test(safe) ? safe : `"${safe.replaceAll('"', '""')}"`;
}
