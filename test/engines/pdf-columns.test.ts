import { expect, test } from "vitest";
import { linesOf, lineText } from "../../src/engines/pdf/page/lines.js";
import type { Span } from "../../src/engines/pdf/page/spans.js";
import { findTables } from "../../src/engines/pdf/tables/tables.js";
import { runBuiltPdfjs } from "../support/built-pdfjs.js";
import { pdfOf, textAt } from "../support/pdf.js";

/** Numbers that end at the same place, 6 points before the next column begins; digits have 5.56 at this size. */
const ROWS = [
  ["Rent", "1023", "2025", "3071"],
  ["Heat", "417", "88", "2209"],
  ["Water", "9", "1301", "415"],
  ["Light", "250", "604", "77"],
];
const ENDS = [0, 110, 138.24, 166.48];
const content = ROWS.map((row, y) =>
  row.map((text, x) => textAt(x === 0 ? 50 : (ENDS[x] ?? 0) - 5.56 * text.length, 700 - 14 * y, text, 10)).join(""),
).join("");

const PIECES = `
const { items } = await page.getTextContent();
answer(items.filter(({ str }) => str.trim()).map(({ str, width, transform }) => [str, transform[4], transform[5], width]));`;

test("columns that stand 0.6 of their letters' size apart are not one", async () => {
  const pieces = (await runBuiltPdfjs(pdfOf({ pages: [{ content }] }), PIECES)) as [string, number, number, number][];
  expect(pieces.map(([text]) => text)).toEqual(ROWS.flat());
  const spans = pieces.map(
    ([text, x, y, w]): Span => ({ text, x, y: 842 - y, w, h: 10, size: 10, font: "F1", isRtl: false, angle: 0 }),
  );
  const [table, ...more] = findTables(spans, { horizontal: [], vertical: [] } as never);
  expect([table?.rows, more]).toEqual([ROWS, []]);
});

test("words of a line are a piece each, and one text", async () => {
  const line = textAt(50, 700, "Words that stand in one line,", 10) + textAt(50, 680, "and others below them", 10);
  const pieces = (await runBuiltPdfjs(pdfOf({ pages: [{ content: line }] }), PIECES)) as [
    string,
    number,
    number,
    number,
  ][];
  expect(pieces.map(([text]) => text)).toEqual("Words that stand in one line, and others below them".split(" "));
  const lines = linesOf(
    pieces.map(([text, x, y, w]) => ({ text, x, y: 842 - y, w, h: 10, size: 10, font: "F1", isRtl: false, angle: 0 })),
  );
  expect(lines.map(lineText)).toEqual(["Words that stand in one line,", "and others below them"]);
});
