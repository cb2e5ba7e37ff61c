/** Converts data between formats, and tells what was lost or changed. */
import { CapabilityError, invalid } from "../../errors.js";
import { decodePage } from "../../lib/text/charset.js";
import { jsonObjection } from "../json/bounds.js";
import { isObject } from "../json/members.js";
import { readPointer, valueAt } from "../json/pointer.js";
import { parseJson, plainValue, writeJson } from "../json/text.js";
import { detect } from "./detect.js";
import type { DataFormat, DataReadOptions } from "./formats.js";
import { readCsv, recordsOf, tableOf, writeCsv } from "./tables.js";
import { readToml, writeToml } from "./toml.js";
import { readXlsx, writeXlsx } from "./xlsx.js";
import { readXml, writeXml } from "./xml.js";
import { readYaml, writeYaml } from "./yaml.js";

export interface ConvertTask {
  bytes: Uint8Array;
  /** Its characters, where they are known. */
  text?: string | undefined;
  from: DataFormat | "auto";
  to: DataFormat;
  types: "infer" | "text";
  header: boolean;
  delimiter?: string | undefined;
  sheet?: string | undefined;
  indent?: number | undefined;
  path?: string | undefined;
}

export interface Converted {
  from: DataFormat;
  to: DataFormat;
  value?: unknown;
  text?: string;
  file?: string;
  mimeType?: string;
  rows: number | null;
  columns: number | null;
  notes: string[];
}

const MAX_OUTPUT = 6_000_000;
const MAX_NOTES = 50;
const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

interface Read {
  value: unknown;
  rows?: number;
  columns?: number;
}

export async function convert(task: ConvertTask): Promise<Converted> {
  const notes = new Set<string>();
  const note = (message: string) => void (notes.size < MAX_NOTES && notes.add(message));
  const options: DataReadOptions = { ...task, note };
  const { from, text } = await formatOf(task, note);
  const read = await READERS[from](text, options, task.bytes);
  const value = partOf(read.value, task.path);
  const objection = jsonObjection(plainValue(value));
  if (objection) throw tooLarge(objection);
  const written = await write(value, task, options);
  if ((written.text ?? written.file ?? "").length > MAX_OUTPUT) throw tooLarge("grows to more than 6 MB");
  // A part of a table has not its size.
  const whole: Partial<Read> = task.path ? {} : read;
  const { rows = whole.rows ?? null, columns = whole.columns ?? null, ...result } = written;
  return { from, to: task.to, ...result, rows, columns, notes: [...notes] };
}

/** The format of the document, and its text, unless it is a workbook. */
async function formatOf(
  task: ConvertTask,
  note: (message: string) => void,
): Promise<{ from: DataFormat; text: string }> {
  const isWorkbook = Buffer.from(task.bytes.subarray(0, 4)).toString("latin1") === "PK\x03\x04";
  if (isWorkbook && task.from !== "auto" && task.from !== "xlsx")
    throw invalid("from", "must be xlsx for this document");
  if (isWorkbook) return { from: "xlsx", text: "" };
  if (task.from === "xlsx") throw invalid("from", "is xlsx, but the document is not a workbook");
  const text = task.text ?? decoded(task.bytes, task.from, note);
  return { from: task.from === "auto" ? detect(text) : task.from, text };
}

type Reader = (text: string, options: DataReadOptions, bytes: Uint8Array) => Promise<Read> | Read;

const READERS: Record<DataFormat, Reader> = {
  json: (text) => ({ value: parseJson(text) }),
  jsonl: (text) => {
    const lines = text.split(/\r?\n/);
    const value = lines.flatMap((line, i) => (line.trim() === "" ? [] : [lineValue(line, i)]));
    return { value, rows: value.length };
  },
  yaml: async (text, options) => ({ value: await readYaml(text, options) }),
  toml: async (_, options, bytes) => ({ value: await readToml(bytes, options) }),
  xml: (text, options) => ({ value: readXml(text, options) }),
  csv: (text, options) => readCsv(text, options),
  tsv: (text, options) => readCsv(text, { ...options, delimiter: options.delimiter ?? "\t" }),
  xlsx: async (_, options, bytes) =>
    tableOf(await readXlsx(bytes, options.sheet, options.note), { ...options, types: "text" }),
};

function lineValue(line: string, index: number): unknown {
  try {
    return parseJson(line);
  } catch (error) {
    if (!CapabilityError.is(error)) throw error;
    throw invalid("", `is not JSON Lines: line ${index + 1} ${error.issues?.[0]?.message ?? ""}`);
  }
}

/** UTF-8, or what Windows wrote before it. */
function decoded(bytes: Uint8Array, from: ConvertTask["from"], note: (message: string) => void): string {
  if (bytes.includes(0) && !/^(?:\xff\xfe|\xfe\xff)/.test(Buffer.from(bytes.subarray(0, 2)).toString("latin1")))
    throw invalid("", "is not text: it contains bytes of zero");
  try {
    if (bytes[0] !== 0xff && bytes[0] !== 0xfe) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return decodePage(bytes, "");
  } catch {
    if (!["auto", "csv", "tsv"].includes(from)) throw invalid("", `is not ${from}: it must be UTF-8`);
    note("the bytes are not UTF-8 and were read as Windows-1252");
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function partOf(value: unknown, path: string | undefined): unknown {
  if (path === undefined) return value;
  const names = readPointer(path);
  if (!names) throw invalid("path", "must be a JSON Pointer, such as /orders/0");
  const found = valueAt(value, names);
  if (!found) throw invalid("path", "leads to nothing in the document");
  return found.value;
}

type Written = Partial<Pick<Converted, "value" | "text" | "file" | "mimeType">> & { rows?: number; columns?: number };

async function write(value: unknown, { to, indent, ...task }: ConvertTask, options: DataReadOptions): Promise<Written> {
  const { note } = options;
  switch (to) {
    case "json":
      return writeValue(value, indent, note);
    case "jsonl": {
      const rows = Array.isArray(value) ? value : [value];
      return { text: rows.map((row) => `${writeJson(row)}\n`).join(""), rows: rows.length };
    }
    case "yaml":
      return { text: await writeYaml(value, indent ?? 2) };
    case "toml":
      return { text: await writeToml(value, note) };
    case "xml":
      return { text: writeXml(value, indent ?? 2, note) };
  }
  const sheet = recordsOf(value, options);
  const { rows, columns } = sheet;
  if (to !== "xlsx") {
    const delimiter = to === "tsv" ? "\t" : task.from === "csv" || task.from === "auto" ? "," : (task.delimiter ?? ",");
    return { text: writeCsv(sheet, delimiter), rows, columns };
  }
  const file = Buffer.from(writeXlsx(sheet.records, task.sheet ?? "Sheet1")).toString("base64");
  return { file, mimeType: XLSX_TYPE, rows, columns };
}

/** The value itself; as text too where asked to indent, or where JavaScript's numbers do not have its digits. */
function writeValue(value: unknown, indent: number | undefined, note: (message: string) => void): Written {
  let isExact = false;
  const plain = plainValue(value, () => {
    isExact = true;
  });
  if (isExact) note("numbers that JavaScript cannot hold are texts in value, and numbers with every digit in text");
  const count = Array.isArray(value) && value.every(isObject) ? { rows: value.length } : {};
  return {
    value: plain,
    ...(isExact || indent !== undefined ? { text: writeJson(value, indent ?? 0) } : {}),
    ...count,
  };
}

function tooLarge(message: string): CapabilityError {
  return new CapabilityError("RESULT_TOO_LARGE", `The data ${message}.`, { issues: [{ path: "", message }] });
}
