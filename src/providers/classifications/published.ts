/** Converts published files, CSV or workbooks, to the rows of a table: tab-separated text with a header line. */
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const csv = lazy(() => import("csv-parse/sync"));
const excel = lazy(() => import("read-excel-file/node"));

type ToRows = (records: string[][]) => string[][];

/** Converts a publisher's file to the file of a table. */
export type Convert = (body: Readable, columns: readonly string[]) => AsyncIterable<string>;

const table = (toRows: ToRows): Convert =>
  async function* convert(body, columns) {
    const rows = toRows((await recordsOf(await buffer(body))).map((record) => record.map(clean)));
    if (rows.length === 0) throw new CapabilityError("UPSTREAM_SCHEMA", "A published table has an unknown format.");
    yield `${[columns, ...rows].map((row) => row.join("\t")).join("\n")}\n`;
  };

const clean = (text: string) => text.replace(/\s+/g, " ").trim();

/** The first sheet of a workbook, which is a ZIP file. Numbers in its cells have lost their leading zeros. */
async function recordsOf(bytes: Buffer): Promise<string[][]> {
  if (bytes.subarray(0, 2).toString("latin1") === "PK") {
    const { readSheet } = await excel();
    const rows = await readSheet(bytes);
    return rows.map((row) => row.map((cell) => (cell === null ? "" : String(cell))));
  }
  const { parse } = await csv();
  const [header] = bytes.toString("utf8").split("\n", 1);
  const delimiter = header?.includes(";") ? ";" : ",";
  return parse(bytes, { bom: true, delimiter, relax_column_count: true, max_record_size: 64 * 1024 });
}

/**
 * A list of codes and titles, by the names of its columns. Census marks titles that it shares with its neighbours by a
 * T.
 */
export const codesAndTitles: Convert = table(([header = [], ...records]) => {
  const title = header.findIndex((name) => /title|description/i.test(name));
  const code = header.findIndex((name, column) => column !== title && /code|naics|isic/i.test(name));
  return records.flatMap((record) => {
    const row = [record[code] ?? "", (record[title] ?? "").replace(/(?<=[a-z)])T$/, "")];
    return /^([A-U]|\d{2,6}|\d\d-\d\d)$/.test(row[0] ?? "") && row[1] ? [row] : [];
  });
});

const NAICS = /^\d{6}$/;

/** From, its title, to, its title. Where a code is split, its title says which piece goes where. */
export const linkedNaics: Convert = table((records) => {
  const links = records.filter(([from = "", , to = ""]) => NAICS.test(from) && NAICS.test(to));
  const count = new Map<string, number>();
  for (const [from = ""] of links) count.set(from, (count.get(from) ?? 0) + 1);
  return links.map(([from = "", title = "", to = ""]) => [from, to, (count.get(from) ?? 0) > 1 ? title : ""]);
});

/** NAICS code, NACE code, both titles, and a note. */
export const linkedNace: Convert = table((records) =>
  records.flatMap(([naics = "", nace = "", , , note = ""]) =>
    /^\d{2,6}$/.test(naics) && /^\d\d\.\d{1,2}$/.test(nace) ? [[naics, nace, note]] : [],
  ),
);

/** Mark, NAICS code, its title, mark, ISIC code, its title, and a note, which says where a whole group is linked. */
export const linkedIsic: Convert = table((records) =>
  records.flatMap(([partOfNaics = "", naics = "", , partOfIsic = "", isic = "", , note = ""]) => {
    if (!NAICS.test(naics) || !/^\d{2,4}$/.test(isic)) return [];
    return [[naics, partOfNaics, isic.padStart(/^ISIC group/i.test(note) ? 3 : 4, "0"), partOfIsic, note]];
  }),
);

/** Eurostat's export of NACE Rev. 2, by the names of its columns. */
export const naceExport: Convert = table(([header = [], ...records]) => {
  const at = ["Level", "Code", "Parent", "Description", "Reference to ISIC Rev. 4"].map((name) =>
    header.findIndex((column) => column.replaceAll("_", " ").toLowerCase() === name.toLowerCase()),
  );
  if (at.includes(-1)) return [];
  return records.map((record) => at.map((column) => record[column] ?? ""));
});
