/**
 * What it costs to make `b` of `a` by letters that are added, removed or changed, at 1 each, and neighbours that change
 * places, at `swap` (optimal string alignment); anything over `max` is reported as `max + 1`.
 */
export function editDistance(a: string, b: string, max: number, swap = 1): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  let leastOfLast = 0;
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const changed = a[row - 1] === b[column - 1] ? 0 : 1;
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + changed);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + swap);
      current.push(cost);
      if (cost < least) least = cost;
    }
    if (least > max && leastOfLast + swap > max) return max + 1;
    [beforeLast, last, leastOfLast] = [last, current, least];
  }
  return Math.min(at(last, b.length), max + 1);
}

const at = (costs: number[], index: number) => costs[index] ?? Number.POSITIVE_INFINITY;
