/** XLSX: reading a sheet of a checked archive, and writing one with texts, numbers and booleans only. */
import { crc32, deflateRawSync } from "node:zlib";
import { invalid } from "../../errors.js";
import { readZip } from "../../lib/text/zip-bounds.js";
import { ExactNumber, numberOf } from "../json/text.js";
import { openBook } from "./workbook/book.js";
import { columnName } from "./workbook/sheet.js";

/** Rows of cells: texts, numbers, booleans, dates as texts, null. The first sheet, or one by name or number from 1. */
export async function readXlsx(
  bytes: Uint8Array,
  sheet: string | undefined,
  note: (message: string) => void,
): Promise<unknown[][]> {
  const { names, rows, notes } = openBook(await readZip(bytes, () => true, ""), numberOf);
  const index = sheetIndex(names, sheet);
  const read = rows(index);
  for (const message of notes()) note(message);
  const others = names.filter((_, i) => i !== index);
  if (sheet === undefined && others.length > 0)
    note(`only the first of ${names.length} sheets was read: sheet chooses another (${listed(others)})`);
  return read;
}

/** A name goes before a number: sheets are often named by years. */
function sheetIndex(names: readonly string[], sheet: string | undefined): number {
  const byName = names.indexOf(sheet ?? "");
  const index = sheet === undefined ? 0 : byName >= 0 || !/^\d{1,4}$/.test(sheet) ? byName : Number(sheet) - 1;
  if (names[index] === undefined && sheet === undefined) throw invalid("", "is a workbook without sheets of cells");
  if (names[index] === undefined) throw invalid("sheet", `is not in the workbook: its sheets are ${listed(names)}`);
  return index;
}

const listed = (names: readonly string[]): string =>
  `${names
    .slice(0, 10)
    .map((name) => name.slice(0, 31))
    .join(", ")}${names.length > 10 ? ", …" : ""}`;

/** All sheets of an archive whose members were read, with cells as `readXlsx` gives them but for numbers, which are texts. */
export function readWorkbook(members: ReadonlyMap<string, Uint8Array>): {
  sheets: { sheet: string; rows: unknown[][] }[];
  notes: string[];
} {
  const { names, rows, notes } = openBook(members, (text) => text);
  const sheets = names.map((sheet, index) => ({ sheet, rows: rows(index) }));
  return { sheets, notes: notes() };
}

const TYPES = "http://schemas.openxmlformats.org";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** A workbook of one sheet. A text is a text, whatever it begins with: no cell is a formula. */
export function writeXlsx(records: readonly (readonly unknown[])[], name: string): Uint8Array {
  const rows = records.map((record, y) => {
    const cells = record.map((value, x) => cellXml(value, `${columnName(x + 1)}${y + 1}`));
    return `<row r="${y + 1}">${cells.join("")}</row>`;
  });
  const title = escaped(name.replace(/[\\/?*[\]:]/g, " ").slice(0, 31) || "Sheet1");
  return zipOf({
    "[Content_Types].xml": `${HEAD}<Types xmlns="${TYPES}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    "_rels/.rels": `${HEAD}<Relationships xmlns="${TYPES}/package/2006/relationships"><Relationship Id="rId1" Type="${TYPES}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `${HEAD}<workbook xmlns="${TYPES}/spreadsheetml/2006/main" xmlns:r="${TYPES}/officeDocument/2006/relationships"><sheets><sheet name="${title}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${HEAD}<Relationships xmlns="${TYPES}/package/2006/relationships"><Relationship Id="rId1" Type="${TYPES}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `${HEAD}<worksheet xmlns="${TYPES}/spreadsheetml/2006/main"><sheetData>${rows.join("")}</sheetData></worksheet>`,
  });
}

function cellXml(value: unknown, at: string): string {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value === "number") return `<c r="${at}"><v>${value}</v></c>`;
  if (typeof value === "boolean") return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`;
  // A number that spreadsheets would round is a text.
  const text = value instanceof ExactNumber ? value.text : String(value);
  return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids these characters.
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/** A ZIP archive of texts by name (APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16), without dates: the same for the same. */
function zipOf(files: Record<string, string>): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const [label, content] = [Buffer.from(name), Buffer.from(text)];
    const packed = deflateRawSync(content);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt16LE(0x21, 8);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(content.length, 18);
    facts.writeUInt16LE(label.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    parts.push(Buffer.from("PK\x03\x04"), facts, label, packed);
    directory.push(Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), facts, place, label);
    offset += 30 + label.length + packed.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, index, Buffer.from("PK\x05\x06"), end]);
}
