/** Tables of a page as rows of texts, cells that span others repeated. */
import { CapabilityError } from "../../errors.js";
import type { Page, PageNode } from "./parse.js";
import { visibleTextOf } from "./text.js";

export interface PageTable {
  caption: string | null;
  rows: string[][];
  /** Whether the first row names the columns. */
  header: boolean;
}

const MAX_TABLES = 200;
const MAX_CELLS = 100_000;
const MAX_SPAN = 1_000;

/** Throws RESULT_TOO_LARGE above 100,000 cells. */
export function readTables(page: Page): PageTable[] {
  const room = { cells: MAX_CELLS };
  return [...page.querySelectorAll("table")].slice(0, MAX_TABLES).map((table) => readTable(table, room));
}

function readTable(table: PageNode, room: { cells: number }): PageTable {
  const rows: string[][] = [];
  /** Cells of rows above that reach down, by column. */
  const hanging = new Map<number, { text: string; left: number }>();
  const elements = rowsOf(table);
  for (const row of elements) {
    const cells: string[] = [];
    const addHanging = () => {
      for (let cell = hanging.get(cells.length); cell; cell = hanging.get(cells.length)) {
        if (--cell.left === 0) hanging.delete(cells.length);
        add(cells, cell.text, room);
      }
    };
    for (const cell of row.cells) {
      addHanging();
      const text = visibleTextOf(cell);
      const [wide, high] = [spanOf(cell, "colspan"), spanOf(cell, "rowspan")];
      for (let left = wide; left > 0; left--) {
        if (high > 1) hanging.set(cells.length, { text, left: high - 1 });
        add(cells, text, room);
      }
    }
    addHanging();
    rows.push(cells);
  }
  const [caption] = childrenOf(table, ["caption"]);
  return {
    caption: caption ? visibleTextOf(caption) : null,
    rows,
    header: elements[0] ? isHeader(elements[0]) : false,
  };
}

function add(cells: string[], text: string, room: { cells: number }): void {
  if (--room.cells < 0) throw tooLarge();
  cells.push(text);
}

function tooLarge(): CapabilityError {
  const message = `have more than ${MAX_CELLS} cells: send a smaller part of the page`;
  return new CapabilityError("RESULT_TOO_LARGE", `The tables ${message}.`, { issues: [{ path: "tables", message }] });
}

/** Rows of the table itself, and not of those inside its cells. Cells without a row of their own are one. */
function rowsOf(table: PageNode): Row[] {
  const rows: Row[] = [];
  let loose: PageNode[] | undefined;
  for (const part of childrenOf(table, ["tr", "thead", "tbody", "tfoot", "td", "th"])) {
    if (part.localName === "td" || part.localName === "th") {
      if (!loose) {
        loose = [];
        rows.push({ cells: loose, isHead: table.localName === "thead" });
      }
      loose.push(part);
      continue;
    }
    loose = undefined;
    if (part.localName !== "tr") rows.push(...rowsOf(part));
    else rows.push({ cells: childrenOf(part, ["td", "th"]), isHead: table.localName === "thead" });
  }
  return rows;
}

interface Row {
  cells: PageNode[];
  isHead: boolean;
}

const childrenOf = (parent: PageNode, names: string[]): PageNode[] =>
  [...parent.childNodes].filter(({ localName }) => names.includes(localName));

const isHeader = ({ cells, isHead }: Row): boolean =>
  cells.length > 0 && (isHead || cells.every(({ localName }) => localName === "th"));

function spanOf(cell: PageNode, name: "colspan" | "rowspan"): number {
  const value = Number(cell.getAttribute(name) ?? 1);
  // guard: offline: tables of a page have a largest number of cells | without Math.min | extract
  return Number.isInteger(value) && value > 0 ? Math.min(value, MAX_SPAN) : 1;
}
