/** Distances and likenesses of texts, letter by letter. Letters are code points. */

import type { Letters } from "../../lib/text/levenshtein.js";

/**
 * With swapped neighbours at one, also where letters were put between them, in rows only: Zhao and Sahni, "String
 * correction using the Damerau-Levenshtein distance" (2019).
 */
export function damerauLevenshtein(a: Letters, b: Letters): number {
  const most = Math.max(a.length, b.length) + 1;
  const blank = () => new Uint32Array(b.length + 2).fill(most);
  const state: Rows = { last: blank(), row: blank(), beforeMatch: blank(), rowOf: new Map() };
  for (let column = 0; column <= b.length; column++) state.row[column + 1] = column;
  for (const [at, letter] of a.entries()) {
    [state.last, state.row] = [state.row, state.last];
    fillRow(state, at + 1, letter, b, most);
    state.rowOf.set(letter, at + 1);
  }
  return state.row[b.length + 1] as number;
}

/** Each row has a place before the first column. */
interface Rows {
  last: Uint32Array;
  row: Uint32Array;
  /** The cost before the last match of a column's letter. */
  beforeMatch: Uint32Array;
  /** The last row of a letter of `a`. */
  rowOf: Map<string, number>;
}

function fillRow({ last, row, beforeMatch, rowOf }: Rows, at: number, letter: string, b: Letters, most: number): void {
  let matched = 0;
  let aboveMatch = most;
  let corner = row[1] as number;
  row[1] = at;
  for (let place = 2; place < row.length; place++) {
    const other = b[place - 2] as string;
    const isSame = letter === other;
    const [diagonal, left, above] = [last[place - 1] as number, row[place - 1] as number, last[place] as number];
    let cost = Math.min(diagonal + (isSame ? 0 : 1), left + 1, above + 1);
    const since = at - (rowOf.get(other) ?? Number.NEGATIVE_INFINITY);
    const gap = place - matched;
    if (isSame) {
      matched = place;
      beforeMatch[place] = last[place - 2] as number;
      aboveMatch = corner;
    } else if (matched > 0 && gap === 1) cost = Math.min(cost, (beforeMatch[place] as number) + since);
    else if (matched > 0 && since === 1) cost = Math.min(cost, aboveMatch + gap);
    corner = row[place] as number;
    row[place] = cost;
  }
}

/** Places where they differ; the longer one differs in all that it has more. */
export function hamming(a: Letters, b: Letters): number {
  const shared = Math.min(a.length, b.length);
  let distance = Math.max(a.length, b.length) - shared;
  for (let at = 0; at < shared; at++) if (a[at] !== b[at]) distance++;
  return distance;
}

/** Letters of one that the other has near the same place, as indexes into `a` and `b` in order. */
function jaroMatches(a: Letters, b: Letters): [number[], number[]] {
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Uint8Array(b.length);
  const own: number[] = [];
  for (const [at, letter] of a.entries())
    for (let other = Math.max(0, at - reach); other < Math.min(b.length, at + reach + 1); other++)
      if (!taken[other] && b[other] === letter) {
        taken[other] = 1;
        own.push(at);
        break;
      }
  return [own, [...taken.keys()].filter((at) => taken[at])];
}

export function jaro(a: Letters, b: Letters): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  const [own, others] = jaroMatches(a, b);
  const matches = own.length;
  if (matches === 0) return 0;
  const moved = own.filter((at, place) => a[at] !== b[others[place] as number]).length;
  const swaps = Math.floor(moved / 2);
  return (matches / a.length + matches / b.length + (matches - swaps) / matches) / 3;
}

/** Up to four equal letters at the beginning count more, where the texts are alike at all. */
export function jaroWinkler(a: Letters, b: Letters): number {
  const likeness = jaro(a, b);
  if (likeness <= 0.7) return likeness;
  let prefix = 0;
  while (prefix < 4 && prefix < Math.min(a.length, b.length) && a[prefix] === b[prefix]) prefix++;
  return likeness + prefix * 0.1 * (1 - likeness);
}

/** Shared part of the different words of both. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - shared;
  return all === 0 ? 1 : shared / all;
}

/** Likeness of the words that both have with those of each, so that order and repetition do not count. */
export function tokenSet(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const sorted = (words: Iterable<string>) => [...words].sort();
  const shared = sorted(a).filter((word) => b.has(word));
  const rest = (own: ReadonlySet<string>, other: ReadonlySet<string>) => sorted(own).filter((word) => !other.has(word));
  const [left, right] = [rest(a, b), rest(b, a)];
  if (shared.length > 0 && (left.length === 0 || right.length === 0)) return 1;
  const text = (words: string[]) => [...shared, ...words].join(" ");
  const [base, first, second] = [text([]), text(left), text(right)];
  const between = ratio(first, second);
  return shared.length === 0 ? between : Math.max(between, prefixRatio(base, first), prefixRatio(base, second));
}

/** Twice the longest common subsequence in the lengths of both. */
function ratio(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const total = left.length + right.length;
  return total === 0 ? 1 : (2 * commonLength(left, right)) / total;
}

/** The same where `beginning` begins `text`. */
const prefixRatio = (beginning: string, text: string) => {
  const [short, long] = [[...beginning].length, [...text].length];
  return (2 * short) / (short + long);
};

function commonLength(a: Letters, b: Letters): number {
  const row = new Uint32Array(b.length + 1);
  for (const letter of a) {
    let diagonal = 0;
    for (let column = 1; column <= b.length; column++) {
      const above = row[column] as number;
      row[column] = letter === b[column - 1] ? diagonal + 1 : Math.max(above, row[column - 1] as number);
      diagonal = above;
    }
  }
  return row[b.length] as number;
}
