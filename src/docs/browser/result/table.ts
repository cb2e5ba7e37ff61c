/** Records as tables: many below a common head, one with its facts below each other, whole. */
import { type Child, h } from "../shared/dom.js";
import { isRow, type Row } from "./shapes.js";

const MAX_ROWS = 200;
const MAX_COLUMNS = 24;
/** Deeper values are shown as JSON. */
const MAX_DEPTH = 3;

export function tableOf(records: Row[]): HTMLElement {
  const [only] = records;
  if (records.length === 1 && only) return scrolling("Facts", factsOf(only, 0));
  const more =
    records.length > MAX_ROWS ? `The first ${MAX_ROWS} of ${records.length} rows; all are in the JSON.` : undefined;
  return scrolling(`${records.length} rows`, rowsOf(records.slice(0, MAX_ROWS), more));
}

/** Content wider than the page scrolls, by keyboard, too. */
const scrolling = (label: string, table: HTMLElement) =>
  h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, table);

function rowsOf(rows: Row[], caption?: string): HTMLElement {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);
  return h(
    "table",
    {},
    caption !== undefined && h("caption", {}, caption),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        columns.map((name) => h("th", { scope: "col" }, name)),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h(
          "tr",
          {},
          columns.map((name) => h("td", cellProps(row[name]), cellText(row[name]))),
        ),
      ),
    ),
  );
}

/** A single object: its facts below each other, inner objects beside their names, and inner rows below theirs. */
const factsOf = (row: Row, depth: number): HTMLElement =>
  h(
    "table",
    { class: "facts" },
    h(
      "tbody",
      {},
      Object.entries(row).map(([name, value]) =>
        h("tr", {}, isTable(value, depth + 1) ? innerRows(name, value) : factCells(name, value, depth + 1)),
      ),
    ),
  );

const isTable = (value: unknown, depth: number): value is Row[] =>
  depth <= MAX_DEPTH && Array.isArray(value) && value.length > 1 && value.every(isRow);

/** Over the whole width, which a table beside its name would have to scroll for. */
const innerRows = (name: string, rows: Row[]): Child =>
  h("td", { class: "nested", colspan: 2 }, rowsOf(rows.slice(0, MAX_ROWS), name));

const factCells = (name: string, value: unknown, depth: number): Child => [
  h("th", { scope: "row" }, name),
  h("td", cellProps(value), factOf(value, depth)),
];

function factOf(value: unknown, depth: number): Child {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return cellText(value);
  if (!Array.isArray(value)) return Object.keys(value).length > 0 ? factsOf(value as Row, depth) : "–";
  const [only] = value;
  return value.length === 1 && isRow(only) ? factsOf(only, depth) : cellText(value);
}

function cellProps(value: unknown): Record<string, string> {
  if (typeof value === "number") return { class: "number" };
  if (typeof value === "string" && value.includes("\n")) return { class: "lines" };
  return isNested(value) ? { class: "nested" } : {};
}

const isNested = (value: unknown) =>
  typeof value === "object" && value !== null && !(Array.isArray(value) && value.every(isPlain));
const isPlain = (value: unknown) => typeof value !== "object" || value === null;

function cellText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value) && value.every(isPlain)) return value.length > 0 ? value.join(", ") : "–";
  if (!Array.isArray(value) && Object.values(value).every(isPlain)) return pairsOf(value);
  return JSON.stringify(value);
}

const pairsOf = (value: object): string =>
  Object.entries(value)
    .map(([name, one]) => `${name}: ${cellText(one)}`)
    .join(", ") || "–";
