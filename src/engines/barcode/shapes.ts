/** Module shapes as SVG path data. Neighbours in a row are drawn as one run: fewer bytes, and no hairlines between. */

export interface Grid {
  columns: number;
  rows: number;
  /** In modules. */
  rowHeight: number;
  /** Where the first row and column begin, in modules. */
  margin: number;
  isDark(row: number, column: number): boolean;
}

/** Centre lines of the runs, for a stroke as wide as a row is high. */
export function squareRuns(grid: Grid): string {
  let path = "";
  for (let row = 0; row < grid.rows; row++) {
    let end = -1;
    for (const [from, to] of runsOf(grid, row)) {
      path += end < 0 ? `M${grid.margin + from} ${centre(grid, row)}h${to - from}` : `m${from - end} 0h${to - from}`;
      end = to;
    }
  }
  return path;
}

/** Points without length, for a stroke with round caps. */
export function dots(grid: Grid): string {
  let path = "";
  for (let row = 0; row < grid.rows; row++) {
    let last = -1;
    for (let column = 0; column < grid.columns; column++) {
      if (!grid.isDark(row, column)) continue;
      path += last < 0 ? `M${grid.margin + column + 0.5} ${centre(grid, row)}h0` : `m${column - last} 0h0`;
      last = column;
    }
  }
  return path;
}

/**
 * Outlines of the runs, with round ends where no other module follows; `isSquare` modules keep their corners. For rows
 * one module high.
 */
export function roundedRuns(grid: Grid, isSquare: Grid["isDark"]): string {
  const isRound = (row: number, column: number, [down, right]: [number, number]) =>
    !isSquare(row, column) && !grid.isDark(row + down, column) && !grid.isDark(row, column + right);
  let path = "";
  for (let row = 0; row < grid.rows; row++)
    for (const [from, to] of runsOf(grid, row)) {
      const last = to - 1;
      const [left, right] = [grid.margin + from, grid.margin + to];
      const [top, bottom] = [grid.margin + row, grid.margin + row + 1];
      // Clockwise from the top left; round corners are quarter circles of half a module.
      path += isRound(row, from, [-1, -1]) ? `M${left} ${top + 0.5}a.5.5 0 0 1 .5-.5` : `M${left} ${top}`;
      path += isRound(row, last, [-1, 1]) ? `H${right - 0.5}a.5.5 0 0 1 .5.5` : `H${right}`;
      path += isRound(row, last, [1, 1]) ? `V${bottom - 0.5}a.5.5 0 0 1-.5.5` : `V${bottom}`;
      path += isRound(row, from, [1, -1]) ? `H${left + 0.5}a.5.5 0 0 1-.5-.5z` : `H${left}z`;
    }
  return path;
}

/** The dark runs of a row, each as its first column and the one after its last. */
function* runsOf({ columns, isDark }: Grid, row: number): Generator<[from: number, to: number]> {
  for (let column = 0; column < columns; column++) {
    if (!isDark(row, column)) continue;
    const from = column;
    while (column < columns && isDark(row, column)) column++;
    yield [from, column];
  }
}

function centre({ margin, rowHeight }: Grid, row: number): number {
  return margin + (row + 0.5) * rowHeight;
}
