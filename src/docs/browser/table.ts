import { h } from "./dom.js";
import type { Row } from "./shapes.js";

const MAX_ROWS = 200;
const MAX_COLUMNS = 24;

export function tableOf(rows: Row[]): HTMLElement {
  if (rows.length === 1 && rows[0]) return factsOf(rows[0]);
  const columns = [...new Set(rows.slice(0, MAX_ROWS).flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);
  const more = rows.length > MAX_ROWS ? `The first ${MAX_ROWS} of ${rows.length} rows; all are in the JSON.` : "";
  return scrolling(
    `${rows.length} rows`,
    h(
      "table",
      {},
      more && h("caption", {}, more),
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
        rows.slice(0, MAX_ROWS).map((row) =>
          h(
            "tr",
            {},
            columns.map((name) => h("td", cellProps(row[name]), cellText(row[name]))),
          ),
        ),
      ),
    ),
  );
}

/** A single object: its facts below each other. */
function factsOf(row: Row): HTMLElement {
  const lines = Object.entries(row).map(([name, value]) =>
    h("tr", {}, h("th", { scope: "row" }, name), h("td", cellProps(value), cellText(value))),
  );
  return scrolling("Facts", h("table", { class: "facts" }, h("tbody", {}, lines)));
}

/** Content wider than the page scrolls, by keyboard, too. */
const scrolling = (label: string, table: HTMLElement) =>
  h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, table);

const cellProps = (value: unknown): Record<string, string> =>
  typeof value === "number"
    ? { class: "number" }
    : typeof value === "object" && value !== null
      ? { class: "nested" }
      : {};

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
