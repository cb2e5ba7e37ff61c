/** An error of usage: the intended command or name, and how to find it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The known name closest to a mistyped one; undefined if none is close. */
function closest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((one) => ({ one, distance: editDistance(name.toLowerCase(), one.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(2, Math.floor(name.length / 3)) ? best.one : undefined;
}

export function didYouMean(name: string, known: readonly string[]): string {
  const near = closest(name, known);
  return near === undefined ? "" : ` Did you mean ${near}?`;
}

/** Number of insertions, deletions and replacements between two texts. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
