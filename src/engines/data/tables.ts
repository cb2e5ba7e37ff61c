/** Tables: rows of cells to lists of objects and back. */
import { CapabilityError, invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { MAX_NODES } from "../json/bounds.js";
import { has, isObject, type Members, setMember } from "../json/members.js";
import { ExactNumber, writeJson } from "../json/text.js";
import { inferred } from "./cells.js";
import type { DataReadOptions } from "./formats.js";

const csv = lazy(() => import("csv-parse/sync"));

export interface Table {
  value: unknown[];
  rows: number;
  columns: number;
}

const DELIMITERS = [",", ";", "\t", "|"];

export async function readCsv(text: string, options: DataReadOptions): Promise<Table> {
  return tableOf(await readCsvRecords(text, options.delimiter), options);
}

/** The records as texts; without a delimiter by the likely one. */
export async function readCsvRecords(text: string, delimiter = likelyDelimiter(text)): Promise<string[][]> {
  const { parse } = await csv();
  try {
    return parse(text, {
      delimiter,
      bom: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 1_000_000,
    });
  } catch (error) {
    if (!(error instanceof Error) || error instanceof RangeError) throw error;
    throw invalid("", `is not CSV: ${error.message.slice(0, 200)}`);
  }
}

/** The one that divides the first lines into the same number of cells, and into most. */
function likelyDelimiter(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .replace(/"(?:[^"]|"")*"/g, "")
    .split(/\r\n|\r|\n/)
    .filter(Boolean)
    .slice(0, 10);
  const scores = DELIMITERS.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const least = Math.min(...counts);
    return least > 0 ? least + (counts.every((count) => count === least) ? 1_000 : 0) : 0;
  });
  const best = Math.max(...scores);
  return best > 0 ? (DELIMITERS[scores.indexOf(best)] ?? ",") : ",";
}

/** Rows as objects by the names of the first, or as lists without a header. */
export function tableOf(records: readonly (readonly unknown[])[], { header, types, note }: DataReadOptions): Table {
  const cellValue = (cell: unknown) => (typeof cell === "string" && types === "infer" ? inferred(cell) : cell);
  const columns = records.reduce((most, { length }) => Math.max(most, length), 0);
  // guard: offline: a table has a largest number of cells | gone | data/convert
  if (records.length * columns > MAX_NODES)
    throw new CapabilityError("RESULT_TOO_LARGE", `The table has more than ${MAX_NODES} cells.`, {
      issues: [{ path: "", message: `has more than ${MAX_NODES} cells` }],
    });
  if (!header) return { value: records.map((record) => record.map(cellValue)), rows: records.length, columns };
  const [names = [], ...rows] = records;
  const labels = labelsOf(names, columns);
  const uneven = rows.filter(({ length }) => length !== names.length).length;
  if (uneven > 0) note(`${uneven} rows have more or fewer cells than the header`);
  const value = rows.map((row) => {
    const members: Members = {};
    row.forEach((cell, i) => void setMember(members, labels[i] ?? "", cellValue(cell)));
    return members;
  });
  return { value, rows: rows.length, columns };
}

function labelsOf(names: readonly unknown[], columns: number): string[] {
  const labels = Array.from({ length: columns }, (_, i) => {
    const name = names[i] === null || names[i] === undefined ? "" : String(names[i]);
    return name.trim() === "" ? `column ${i + 1}` : name;
  });
  const twice = labels.findIndex((label, i) => labels.indexOf(label) < i);
  if (twice >= 0)
    throw invalid(
      "",
      `has the column ${JSON.stringify(labels[twice]).slice(0, 60)} twice (line 1, cell ${twice + 1}): rename one, or set header to false`,
    );
  return labels;
}

export interface Sheet {
  /** The header first, if there is one. */
  records: unknown[][];
  columns: number;
  rows: number;
}

/** Records of a list of objects, of lists, or of one object. Values that no cell has become JSON text. */
export function recordsOf(value: unknown, { header, note }: Pick<DataReadOptions, "header" | "note">): Sheet {
  const rows = Array.isArray(value) ? value : isObject(value) && !(value instanceof ExactNumber) ? [value] : undefined;
  if (!rows) throw notRows();
  if (rows.every(Array.isArray)) {
    const records = rows.map((row: unknown[]) => row.map((cell) => cellOf(cell, note)));
    return { records, rows: records.length, columns: records.reduce((most, { length }) => Math.max(most, length), 0) };
  }
  if (!rows.every((row) => isObject(row) && !(row instanceof ExactNumber))) throw notRows();
  const names = [...new Set(rows.flatMap((row) => Object.keys(row as Members)))];
  if (names.length * rows.length > MAX_NODES) throw notRows();
  const records = rows.map((row) =>
    names.map((name) => cellOf(has(row as Members, name) ? (row as Members)[name] : null, note)),
  );
  return { records: header ? [names, ...records] : records, rows: rows.length, columns: names.length };
}

const notRows = () =>
  invalid("to", "a table needs a list of objects or of lists: choose it by path, a JSON Pointer such as /orders");

function cellOf(value: unknown, note: (message: string) => void): unknown {
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  note("lists and objects in cells became their JSON text");
  return writeJson(value);
}

/** CSV as RFC 4180 has it: what holds a delimiter, a quote or a line break is quoted. */
export function writeCsv({ records }: Sheet, delimiter: string): string {
  const cell = (value: unknown): string => {
    const text = value instanceof ExactNumber ? value.text : value === null || value === undefined ? "" : String(value);
    return text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return records.map((record) => `${record.map(cell).join(delimiter)}\n`).join("");
}
