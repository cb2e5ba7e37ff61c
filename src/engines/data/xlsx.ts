/** XLSX: reading a sheet of a checked archive, and writing one with texts, numbers and booleans only. */
import { crc32, deflateRawSync } from "node:zlib";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { readZip } from "../../lib/text/zip-bounds.js";
import { ExactNumber, numberOf } from "../json/text.js";

const excel = lazy(() => import("read-excel-file/node"));

/** Rows of cells: texts, numbers, booleans, dates as texts, null. The first sheet, or one by name or number from 1. */
export async function readXlsx(bytes: Uint8Array, sheet: string | undefined): Promise<unknown[][]> {
  assertPlaces(await readZip(bytes, () => true, ""));
  const { readSheet } = await excel();
  const which = sheet === undefined ? 1 : /^\d{1,4}$/.test(sheet) ? Number(sheet) : sheet;
  const rows = await readSheet(Buffer.from(bytes), which, {
    parseNumber: (text: string) => numberOf(plainNumber(text)),
  }).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : "";
    if (/sheet/i.test(message)) throw invalid("sheet", `is not in the workbook: ${message.slice(0, 200)}`);
    throw invalid("", `is not a workbook that can be read: ${message.slice(0, 200)}`);
  });
  return plainRows(rows);
}

/** All sheets of an archive whose members were read, with cells as `readXlsx` gives them. */
export async function readWorkbook(
  bytes: Uint8Array,
  members: ReadonlyMap<string, Uint8Array>,
): Promise<{ sheet: string; rows: unknown[][] }[]> {
  assertPlaces(members);
  const { default: readSheets } = await excel();
  const sheets = await readSheets(Buffer.from(bytes), { parseNumber: plainNumber }).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : "";
    throw invalid("", `is not a workbook that can be read: ${message.slice(0, 200)}`);
  });
  return sheets.map(({ sheet, data }) => ({ sheet, rows: plainRows(data) }));
}

/** Of Excel's own sheets. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
/** Of the smallest rectangle that holds a sheet's cells. */
const MAX_PLACES = 5_000_000;

/** A tag of a row or cell. Its attributes may have `>`, but no `<`. */
const PLACED = /<(?:[\w.-]+:)?(?:c|row)\s[^<]*/g;
const PLACE = /["'\s]r\s*=\s*(?:["']([A-Z]{0,3})(\d{0,7})["'])?/g;

/**
 * Refuses cells far away from all others: the library makes room for each place up to there, and a thread that needs so much
 * memory in one step ends the process with it. Any member may be a sheet, whatever its name.
 */
function assertPlaces(members: ReadonlyMap<string, Uint8Array>): void {
  let places = 0;
  for (const bytes of members.values()) {
    let [rows, columns] = [1, 1];
    for (const [tag] of Buffer.from(bytes).toString("latin1").matchAll(PLACED))
      for (const [, letters, digits] of tag.matchAll(PLACE)) {
        if (letters === undefined) throw invalid("", "is not a workbook that can be read: a cell is at no place");
        rows = Math.max(rows, Number(digits));
        columns = Math.max(columns, columnOf(letters));
      }
    places += rows * columns;
    if (rows > MAX_ROWS || columns > MAX_COLUMNS || places > MAX_PLACES)
      throw invalid("", `has a sheet of ${rows} rows and ${columns} columns: at most ${MAX_PLACES} cells are read`);
  }
}

/** 1 for A, 27 for AA. */
const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** The library leaves out rows, or all of a sheet, where a workbook contradicts itself. */
const plainRows = (rows: readonly unknown[] | undefined): unknown[][] =>
  Array.from(rows ?? [], (row) =>
    Array.from((row ?? []) as unknown[], (cell) => (cell instanceof Date ? dateText(cell) : (cell ?? null))),
  );

/** Workbooks write numbers as 17 digits of a binary fraction. */
const plainNumber = (text: string): string => (Number.isFinite(Number(text)) ? String(Number(text)) : text);

const dateText = (date: Date): string =>
  date
    .toISOString()
    .replace(/T00:00:00\.000Z$/, "")
    .replace(/\.000Z$/, "Z");

const TYPES = "http://schemas.openxmlformats.org";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** A workbook of one sheet. A text is a text, whatever it begins with: no cell is a formula. */
export function writeXlsx(records: readonly (readonly unknown[])[], name: string): Uint8Array {
  const rows = records.map((record, y) => {
    const cells = record.map((value, x) => cellXml(value, `${columnName(x)}${y + 1}`));
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

function columnName(index: number): string {
  let name = "";
  for (let left = index + 1; left > 0; left = Math.floor((left - 1) / 26))
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name;
  return name;
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
