import { levenshtein } from "../lib/text/levenshtein.js";

/** An error of usage: the intended command or name, and how to find it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The known name closest to a mistyped one; undefined if none is close. */
function closest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((one) => ({ one, distance: levenshtein([...name.toLowerCase()], [...one.toLowerCase()]) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(2, Math.floor(name.length / 3)) ? best.one : undefined;
}

export function didYouMean(name: string, known: readonly string[]): string {
  const near = closest(name, known);
  return near === undefined ? "" : ` Did you mean ${near}?`;
}
