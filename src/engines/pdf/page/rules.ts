/** The straight lines that a page draws, by which people see where cells end. */
import type { PDFPageProxy } from "pdfjs-dist";
import { pdfjs } from "./library.js";
import { multiply } from "./spans.js";

/** A line from left to right, or from top to bottom: points from the upper left corner. */
export interface RuledLine {
  /** Its place across its direction. */
  at: number;
  from: number;
  to: number;
}

export interface Rules {
  horizontal: RuledLine[];
  vertical: RuledLine[];
}

type Matrix = Parameters<typeof multiply>[0];
type Point = [x: number, y: number];

/** Thicker ones are areas. */
const MAX_THICKNESS = 4;
/** Shorter ones are parts of signs. */
const MIN_LENGTH = 4;
const MAX_RULES = 20_000;
/** Operators of a path. */
const PATH = { move: 0, line: 1, curve: 2, quadratic: 3, close: 4 } as const;

export async function readRules(page: PDFPageProxy): Promise<Rules> {
  const { OPS } = await pdfjs();
  // An intent of the built-in PDF.js, which then leaves out all else; another one gives everything.
  const { fnArray, argsArray } = await page.getOperatorList({ intent: "lines" });
  const reader = new RuleReader(page.getViewport({ scale: 1 }).transform as Matrix, OPS);
  for (let i = 0; i < fnArray.length && !reader.isFull; i++) reader.take(fnArray[i] ?? 0, argsArray[i] as unknown[]);
  return { horizontal: joined(reader.rules.horizontal), vertical: joined(reader.rules.vertical) };
}

type Operators = typeof import("pdfjs-dist").OPS;

/** Follows the operators of a page: where it draws, and what. */
class RuleReader {
  readonly rules: Rules = { horizontal: [], vertical: [] };
  readonly #saved: Matrix[] = [];
  readonly #filling: ReadonlySet<number>;
  readonly #stroking: ReadonlySet<number>;
  readonly #steps: ReadonlyMap<number, (args: unknown[]) => void>;
  #at: Matrix;

  constructor(view: Matrix, OPS: Operators) {
    this.#at = view;
    this.#stroking = new Set([OPS.stroke, OPS.closeStroke]);
    this.#filling = new Set([
      OPS.fill,
      OPS.eoFill,
      OPS.fillStroke,
      OPS.eoFillStroke,
      OPS.closeFillStroke,
      OPS.closeEOFillStroke,
    ]);
    const restore = () => {
      this.#at = this.#saved.pop() ?? this.#at;
    };
    this.#steps = new Map<number, (args: unknown[]) => void>([
      [OPS.save, () => this.#saved.push(this.#at)],
      [OPS.restore, restore],
      [OPS.paintFormXObjectEnd, restore],
      [OPS.transform, (args) => this.#turn(args)],
      [OPS.paintFormXObjectBegin, ([matrix]) => this.#begin(matrix)],
      [OPS.constructPath, ([painting, data]) => this.#draw(painting as number, data)],
    ]);
  }

  get isFull(): boolean {
    return this.rules.horizontal.length + this.rules.vertical.length > MAX_RULES;
  }

  take(operator: number, args: unknown[]): void {
    this.#steps.get(operator)?.(args);
  }

  #turn(matrix: unknown): void {
    this.#at = multiply(this.#at, matrix as Matrix);
  }

  #begin(matrix: unknown): void {
    this.#saved.push(this.#at);
    if (Array.isArray(matrix)) this.#turn(matrix);
  }

  #draw(painting: number, data: unknown): void {
    const [path] = (data ?? []) as (Float32Array | null)[];
    const isFilled = this.#filling.has(painting);
    if (!path || !(isFilled || this.#stroking.has(painting))) return;
    for (const points of pathsIn(path, this.#at)) addRules(points, isFilled, this.rules);
  }
}

/** How many numbers follow each operator of a path. */
const NUMBERS: Readonly<Record<number, number>> = {
  [PATH.move]: 2,
  [PATH.line]: 2,
  [PATH.curve]: 6,
  [PATH.quadratic]: 4,
};

/** The corners of each part of a path; a part with curves has none. */
function pathsIn(data: Float32Array, at: Matrix): Point[][] {
  const paths: { points: Point[]; isStraight: boolean }[] = [];
  for (let i = 0; i < data.length; ) {
    const operator = data[i++] ?? PATH.close;
    if (operator === PATH.move) paths.push({ points: [], isStraight: true });
    const path = paths.at(-1);
    const [x, y] = [data[i] ?? 0, data[i + 1] ?? 0];
    if (operator === PATH.move || operator === PATH.line)
      path?.points.push([at[0] * x + at[2] * y + at[4], at[1] * x + at[3] * y + at[5]]);
    else if (operator !== PATH.close && path) path.isStraight = false;
    else if (path?.points[0]) path.points.push(path.points[0]);
    i += NUMBERS[operator] ?? 0;
  }
  return paths.filter(({ points, isStraight }) => isStraight && points.length > 1).map(({ points }) => points);
}

/** A filled area is a line if it is thin; of a drawn outline each side is one. */
function addRules(points: Point[], isFilled: boolean, rules: Rules): void {
  const { left, right, top, bottom } = boundsOfPoints(points);
  if (isFilled && points.length > 2) {
    if (bottom - top <= MAX_THICKNESS) addRule(rules.horizontal, (top + bottom) / 2, left, right);
    else if (right - left <= MAX_THICKNESS) addRule(rules.vertical, (left + right) / 2, top, bottom);
    return;
  }
  points.slice(1).forEach(([x, y], i) => {
    const [fromX, fromY] = points[i] as Point;
    if (Math.abs(y - fromY) < 1) addRule(rules.horizontal, y, Math.min(x, fromX), Math.max(x, fromX));
    else if (Math.abs(x - fromX) < 1) addRule(rules.vertical, x, Math.min(y, fromY), Math.max(y, fromY));
  });
}

/** One by one: the outline of a map has more points than a call has arguments. */
function boundsOfPoints(points: readonly Point[]) {
  const [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const bounds = { left: least, right: most, top: least, bottom: most };
  for (const [x, y] of points) {
    bounds.left = Math.min(bounds.left, x);
    bounds.right = Math.max(bounds.right, x);
    bounds.top = Math.min(bounds.top, y);
    bounds.bottom = Math.max(bounds.bottom, y);
  }
  return bounds;
}

function addRule(list: RuledLine[], at: number, from: number, to: number): void {
  if (Number.isFinite(at + from + to)) list.push({ at, from, to });
}

/** Lines are often drawn in pieces, and twice. */
function joined(rules: readonly RuledLine[]): RuledLine[] {
  const sorted = [...rules].sort((a, b) => a.at - b.at || a.from - b.from);
  const lines: RuledLine[] = [];
  let row: RuledLine[] = [];
  const endRow = () => {
    row.sort((a, b) => a.from - b.from);
    let last: RuledLine | undefined;
    for (const rule of row) {
      if (last && rule.from - last.to < 3) last.to = Math.max(last.to, rule.to);
      else {
        last = { ...rule };
        lines.push(last);
      }
    }
    row = [];
  };
  for (const rule of sorted) {
    if (row[0] && rule.at - row[0].at > 1.6) endRow();
    row.push(rule);
  }
  endRow();
  return lines.filter(({ from, to }) => to - from >= MIN_LENGTH);
}
