/** Tables in CSV with a header line, read row by row. */
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { lazy } from "../../lib/lazy.js";
import { deferStreamErrors } from "../defer-stream-errors.js";
import { tableEnd } from "./table-end.js";

const csv = lazy(() => import("csv-parse"));

/** The value of a column in the current row; null if it is blank or the column is missing. */
export type Row = (column: string) => string | null;

/** Calls `read` for each row. Rejects if a `needed` column is missing in the header, or the last row was cut. */
export async function readTable(file: Readable, needed: readonly string[], read: (row: Row) => void): Promise<void> {
  const held = deferStreamErrors(file);
  const { parse } = await csv();
  const end = tableEnd();
  let columns: Map<string, number> | undefined;
  let width = 0;
  let last = 0;
  const parser = parse({ bom: true, trim: true, relax_quotes: true, relax_column_count: true });
  await pipeline(held, end.stage, parser, async (records) => {
    for await (const cells of records as AsyncIterable<string[]>) {
      last = cells.length;
      if (columns) {
        const known = columns;
        read((column) => cells[known.get(column) ?? -1] || null);
        continue;
      }
      width = cells.length;
      columns = new Map(cells.map((name, position) => [name, position]));
      for (const name of needed) if (!columns.has(name)) throw new Error(`the table has no column ${name}`);
    }
  });
  if (!columns) throw new Error("the table is empty");
  end.assertWhole(last, width);
}
