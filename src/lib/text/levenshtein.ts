/** A text in code points. */
export type Letters = readonly string[];

/** The number of letters that are added, removed or replaced between two texts. */
export function levenshtein(a: Letters, b: Letters): number {
  const row = Uint32Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [at, letter] of a.entries()) {
    let diagonal = at;
    let left = at + 1;
    row[0] = left;
    for (let column = 1; column <= b.length; column++) {
      const above = row[column] as number;
      left = Math.min(diagonal + (letter === b[column - 1] ? 0 : 1), above + 1, left + 1);
      diagonal = above;
      row[column] = left;
    }
  }
  return row[b.length] as number;
}
