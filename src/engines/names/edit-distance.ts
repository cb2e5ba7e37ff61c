/** Reused rows of costs, because names are compared by the hundred thousand, and longer words are rare. */
const WIDTH = 128;
const ROWS = newRows(WIDTH);

/**
 * Cost of changing `a` to `b`: letters added, removed or replaced at 1 each, swapped neighbours at `swap` (optimal
 * string alignment). A cost above `max` is returned as `max + 1`.
 */
export function editDistance(a: string, b: string, max: number, swap = 1): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > max) return max + 1;
  // Any difference costs at least the lower of both.
  if (max < 1 && max < swap) return max + 1;
  const rows = b.length < WIDTH ? ROWS : newRows(b.length + 1);
  for (let column = 0; column <= b.length; column++) rows[0][column] = column;
  let leastOfLast = 0;
  for (let row = 1; row <= a.length; row++) {
    const least = fillRow(rows, row, a, b, swap);
    if (least > max && leastOfLast + swap > max) return max + 1;
    leastOfLast = least;
  }
  return Math.min(rowAt(rows, a.length)[b.length] as number, max + 1);
}

/** Costs of changing the first `row` letters of `a` to each beginning of `b`; returns the lowest. */
function fillRow(rows: Rows, row: number, a: string, b: string, swap: number): number {
  const current = rowAt(rows, row);
  const last = rowAt(rows, row + 2);
  const beforeLast = rowAt(rows, row + 1);
  const letter = a.charCodeAt(row - 1);
  const before = row > 1 ? a.charCodeAt(row - 2) : -1;
  let least = row;
  let left = row;
  current[0] = row;
  for (let column = 1; column <= b.length; column++) {
    const other = b.charCodeAt(column - 1);
    let cost = (last[column - 1] as number) + (letter === other ? 0 : 1);
    cost = Math.min(cost, (last[column] as number) + 1, left + 1);
    if (column > 1 && before === other && letter === b.charCodeAt(column - 2))
      cost = Math.min(cost, (beforeLast[column - 2] as number) + swap);
    current[column] = cost;
    left = cost;
    if (cost < least) least = cost;
  }
  return least;
}

/** A row needs only the two before it, so three take turns. */
type Rows = readonly [Float64Array, Float64Array, Float64Array];

const rowAt = (rows: Rows, row: number) => rows[row % 3] as Float64Array;

function newRows(width: number): Rows {
  return [new Float64Array(width), new Float64Array(width), new Float64Array(width)];
}
