/** Tables without lines between their cells: columns stand under each other, with white space between them. */

import { boundsOf, type PdfLine, segmentOf } from "../page/lines.js";
import { piecesOf, type Spacing } from "../page/pieces.js";
import type { RuledLine } from "../page/rules.js";
import type { Span } from "../page/spans.js";
import { spend } from "../page/work.js";
import { columnsOf } from "./gutters.js";
import { withoutOffsets, withoutRareGaps, withoutStretched } from "./offsets.js";
import { type Placed, placed } from "./placement.js";
import { withSigns } from "./signs.js";
import { type Cells, mergedRows } from "./white-space-rows.js";

export interface Dividers {
  across: readonly RuledLine[];
  down: readonly RuledLine[];
  spacing: Spacing;
}

/** Rows of cells; undefined if the lines have no columns. */
export function alignedTable(lines: readonly PdfLine[], { across, down, spacing }: Dividers): string[][] | undefined {
  const drawn = drawnIn(lines, down);
  const pieces = withSigns(lines.map((line) => piecesOf(line, spacing, drawn)));
  const size = lines.reduce((sum, line) => sum + line.size, 0) / Math.max(1, lines.length);
  const found = columnsOf(pieces, drawn, size);
  if (!found) return undefined;
  const common = spacing.hasBlanks ? found : withoutRareGaps(pieces, found, size);
  const columns = withoutOffsets(pieces, withoutStretched(pieces, common, size));
  return mergedRows(
    lines.map((line, i) => cellsOf(line, placed(line, pieces[i] ?? [], columns, across), columns.length)),
    across,
  );
}

/** Where lines run down along all of the rows. */
function drawnIn(lines: readonly PdfLine[], down: readonly RuledLine[]): number[] {
  const { x, right, y, bottom } = boundsOf(lines);
  spend("steps", down.length);
  return down
    .filter((rule) => rule.from < y + 10 && rule.to > bottom - 10 && rule.at > x + 5 && rule.at < right - 5)
    .map(({ at }) => at);
}

/** The text of each column; one that runs over several stands in the first. */
function cellsOf(line: PdfLine, pieces: readonly Placed[], count: number): Cells {
  const spans: Span[][] = Array.from({ length: count }, () => []);
  for (const { piece, from } of pieces) spans[from]?.push(...piece.spans);
  spend("steps", count);
  return {
    line,
    cells: spans.map((own) => (own.length === 0 ? "" : segmentOf(own, line.isRtl).text)),
    ranges: pieces.map(({ from, to }) => [from, to]),
  };
}
