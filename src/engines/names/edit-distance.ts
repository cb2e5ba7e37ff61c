/** Reused rows of costs, because names are compared by the hundred thousand, and longer words are rare. */
const WIDTH = 128;
const ROWS = [new Float64Array(WIDTH), new Float64Array(WIDTH), new Float64Array(WIDTH)] as const;

/**
 * Cost of changing `a` to `b`: letters added, removed or replaced at 1 each, swapped neighbours at `swap` (optimal
 * string alignment). A cost above `max` is returned as `max + 1`.
 */
export function editDistance(a: string, b: string, max: number, swap = 1): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > max) return max + 1;
  // Any difference costs at least the lower of both.
  if (max < 1 && max < swap) return max + 1;
  const columns = b.length;
  let [beforeLast, last, current] = columns < WIDTH ? ROWS : newRows(columns + 1);
  for (let column = 0; column <= columns; column++) last[column] = column;
  let leastOfLast = 0;
  for (let row = 1; row <= a.length; row++) {
    const letter = a.charCodeAt(row - 1);
    const before = row > 1 ? a.charCodeAt(row - 2) : -1;
    let least = row;
    let left = row;
    current[0] = row;
    for (let column = 1; column <= columns; column++) {
      const other = b.charCodeAt(column - 1);
      let cost = (last[column - 1] as number) + (letter === other ? 0 : 1);
      cost = Math.min(cost, (last[column] as number) + 1, left + 1);
      if (column > 1 && before === other && letter === b.charCodeAt(column - 2))
        cost = Math.min(cost, (beforeLast[column - 2] as number) + swap);
      current[column] = cost;
      left = cost;
      if (cost < least) least = cost;
    }
    if (least > max && leastOfLast + swap > max) return max + 1;
    [beforeLast, last, current, leastOfLast] = [last, current, beforeLast, least];
  }
  return Math.min(last[columns] as number, max + 1);
}

const newRows = (width: number) => [new Float64Array(width), new Float64Array(width), new Float64Array(width)] as const;
