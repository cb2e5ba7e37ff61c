/** What publishers offer, made into the rows of a table: tab-separated text with a header line. */
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const csv = lazy(() => import("csv-parse"));

export interface Published {
  url: string;
  convert(body: Readable, columns: readonly string[]): AsyncIterable<string>;
}

/** A CSV of which each record gives a row, or none: headings, blank lines and footnotes. */
function csvTable(url: string, toRows: (records: string[][]) => string[][]): Published {
  return {
    url,
    async *convert(body, columns) {
      const { parse } = await csv();
      const records: string[][] = [];
      const options = { bom: true, delimiter: [",", ";"], relax_column_count: true, max_record_size: 64 * 1024 };
      await pipeline(body, parse(options), async (parsed: AsyncIterable<string[]>) => {
        for await (const record of parsed) records.push(record);
      });
      const rows = toRows(records);
      if (rows.length === 0)
        throw new CapabilityError("UPSTREAM_SCHEMA", "A published table has a form that is not known.");
      yield `${[columns, ...rows].map((row) => row.map(clean).join("\t")).join("\n")}\n`;
    },
  };
}

const clean = (text: string) => text.replace(/\s+/g, " ").trim();

/** The first two fields are a code and its title. */
export const codesAndTitles = (url: string): Published =>
  csvTable(url, (records) =>
    records.flatMap(([code = "", title = ""]) =>
      /^([A-U]|\d{2,6}|\d\d-\d\d)$/.test(code.trim()) && title.trim() ? [[code, title]] : [],
    ),
  );

/** From, its title, to, its title. Where a code is split, its title says which piece goes where. */
export const linkedNaics = (url: string): Published =>
  csvTable(url, (records) => {
    const links = records.filter(([from = "", , to = ""]) => /^\d{6}$/.test(from.trim()) && /^\d{6}$/.test(to.trim()));
    const count = new Map<string, number>();
    for (const [from = ""] of links) count.set(from, (count.get(from) ?? 0) + 1);
    return links.map(([from = "", title = "", to = ""]) => [from, to, (count.get(from) ?? 0) > 1 ? title : ""]);
  });

/** NAICS code, NACE code, both titles, and a note. */
export const linkedNace = (url: string): Published =>
  csvTable(url, (records) =>
    records.flatMap(([naics = "", nace = "", , , note = ""]) =>
      /^\d{2,6}$/.test(naics.trim()) && /^\d\d\.\d{1,2}$/.test(nace.trim()) ? [[naics, nace, note]] : [],
    ),
  );

/** Eurostat's export of NACE Rev. 2, by the names of its columns. */
export const naceExport = (url: string): Published =>
  csvTable(url, ([header = [], ...records]) => {
    const at = ["Level", "Code", "Parent", "Description", "Reference to ISIC Rev. 4"].map((name) =>
      header.findIndex((column) => clean(column).toLowerCase() === name.toLowerCase()),
    );
    if (at.includes(-1)) return [];
    return records.map((record) => at.map((column) => record[column] ?? ""));
  });

/** A workbook, which no table is made of here: the host puts the table into the data folder. */
export const workbook = (url: string): Published => ({
  url,
  // biome-ignore lint/correctness/useYield: it only rejects.
  async *convert() {
    throw new CapabilityError(
      "UPSTREAM_ERROR",
      "A table of industry codes is published as a workbook only, and is not in this host's data folder.",
    );
  },
});
