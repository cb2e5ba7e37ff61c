/**
 * The entry of `known` that was probably meant: equal except for case, or with at most two different letters, one in
 * short words.
 */
export function nearestOf(word: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Math.min(2, Math.ceil(word.length / 4)) + 1;
  for (const one of known) {
    const distance = distanceOf(word.toLowerCase(), one.toLowerCase());
    if (distance >= least) continue;
    [nearest, least] = [one, distance];
  }
  return nearest;
}

/** Number of letters added, left out, replaced or swapped with the next (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(fewestEdits(a, b, { i, j, before, row, next }));
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

interface Cell {
  i: number;
  j: number;
  before: readonly number[];
  row: readonly number[];
  next: readonly number[];
}

/** Edits that make the first `i` letters of one word the first `j` of the other, by those of shorter beginnings. */
function fewestEdits(a: string, b: string, { i, j, before, row, next }: Cell): number {
  const same = a[i - 1] === b[j - 1];
  const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  const edits = [(row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1)];
  return Math.min(...edits, ...(swapped ? [(before[j - 2] ?? 0) + 1] : []));
}
