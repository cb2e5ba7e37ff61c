/** Tables whose cells are divided by lines. */
import type { RuledLine, Rules } from "../page/rules.js";
import { spend } from "../page/work.js";

export interface Box {
  x: number;
  right: number;
  y: number;
  bottom: number;
}

/** A cell of the grid, over one or more of its rows and columns. */
export interface GridCell extends Box {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

export interface Grid extends Box {
  rowCount: number;
  columnCount: number;
  cells: GridCell[];
}

/** Lines that end so near to another one touch it. */
const TOUCH = 3;
const MAX_CELLS = 20_000;

/** Grids of at least two rows or columns, from top to bottom. */
export function gridsOf(rules: Rules): Grid[] {
  return groupsOf(rules)
    .map(gridOf)
    .filter((grid): grid is Grid => grid !== undefined)
    .sort((a, b) => a.y - b.y || a.x - b.x);
}

/** Lines that touch each other, directly or through others. */
function groupsOf({ horizontal, vertical }: Rules): Rules[] {
  const parent = [...horizontal, ...vertical].map((_, i) => i);
  const rootOf = (i: number): number => {
    let root = i;
    while (parent[root] !== root) root = parent[root] ?? root;
    parent[i] = root;
    return root;
  };
  spend("steps", horizontal.length * vertical.length);
  horizontal.forEach((across, i) => {
    vertical.forEach((down, j) => {
      if (touch(across, down)) parent[rootOf(i)] = rootOf(horizontal.length + j);
    });
  });
  const groups = new Map<number, Rules>();
  const groupOf = (i: number): Rules => {
    const root = rootOf(i);
    const group = groups.get(root) ?? { horizontal: [], vertical: [] };
    groups.set(root, group);
    return group;
  };
  for (const [i, rule] of horizontal.entries()) groupOf(i).horizontal.push(rule);
  for (const [i, rule] of vertical.entries()) groupOf(horizontal.length + i).vertical.push(rule);
  return [...groups.values()];
}

const touch = (across: RuledLine, down: RuledLine): boolean =>
  down.at >= across.from - TOUCH &&
  down.at <= across.to + TOUCH &&
  across.at >= down.from - TOUCH &&
  across.at <= down.to + TOUCH;

function gridOf(rules: Rules): Grid | undefined {
  const [xs, ys] = [placesOf(rules.vertical), placesOf(rules.horizontal)];
  const [rowCount, columnCount] = [ys.length - 1, xs.length - 1];
  const count = rowCount * columnCount;
  if (rowCount < 1 || columnCount < 1 || count < 2 || count > MAX_CELLS) return undefined;
  const cells = new CellReader(rules, xs, ys).read();
  const [x = 0, y = 0] = [xs[0], ys[0]];
  return { x, right: xs.at(-1) ?? x, y, bottom: ys.at(-1) ?? y, rowCount, columnCount, cells };
}

const middle = (places: readonly number[], i: number): number => ((places[i] ?? 0) + (places[i + 1] ?? 0)) / 2;

function isDivided(rules: readonly RuledLine[], at: number, along: number): boolean {
  spend("steps", rules.length);
  return rules.some(
    (rule) => Math.abs(rule.at - at) <= TOUCH && rule.from - TOUCH <= along && rule.to + TOUCH >= along,
  );
}

/** Cells of a grid: neighbours without a line between them are one. */
class CellReader {
  readonly #rules: Rules;
  readonly #xs: readonly number[];
  readonly #ys: readonly number[];
  readonly #taken = new Set<number>();

  constructor(rules: Rules, xs: readonly number[], ys: readonly number[]) {
    this.#rules = rules;
    this.#xs = xs;
    this.#ys = ys;
  }

  read(): GridCell[] {
    const cells: GridCell[] = [];
    for (let row = 0; row < this.#ys.length - 1; row++) {
      for (let column = 0; column < this.#xs.length - 1; column++) {
        if (!this.#taken.has(this.#numberOf(row, column))) cells.push(this.#cellAt(row, column));
      }
    }
    return cells;
  }

  #cellAt(row: number, column: number): GridCell {
    const [columns, rows] = [this.#columnsFrom(row, column), this.#rowsFrom(row, column)];
    for (let r = row; r < row + rows; r++)
      for (let c = column; c < column + columns; c++) this.#taken.add(this.#numberOf(r, c));
    const [xs, ys] = [this.#xs, this.#ys];
    return {
      ...{ row, column, rows, columns },
      ...{ x: xs[column] ?? 0, right: xs[column + columns] ?? 0, y: ys[row] ?? 0, bottom: ys[row + rows] ?? 0 },
    };
  }

  #numberOf(row: number, column: number): number {
    return row * this.#xs.length + column;
  }

  #columnsFrom(row: number, column: number): number {
    const along = middle(this.#ys, row);
    let columns = 1;
    while (
      column + columns < this.#xs.length - 1 &&
      !isDivided(this.#rules.vertical, this.#xs[column + columns] ?? 0, along)
    )
      columns++;
    return columns;
  }

  #rowsFrom(row: number, column: number): number {
    const along = middle(this.#xs, column);
    let rows = 1;
    while (row + rows < this.#ys.length - 1 && !isDivided(this.#rules.horizontal, this.#ys[row + rows] ?? 0, along))
      rows++;
    return rows;
  }
}

/** Places of lines, those that are almost the same as one. */
function placesOf(rules: readonly RuledLine[]): number[] {
  const places: number[] = [];
  for (const at of rules.map((rule) => rule.at).sort((a, b) => a - b)) {
    if (at - (places.at(-1) ?? Number.NEGATIVE_INFINITY) > TOUCH) places.push(at);
  }
  return places;
}
