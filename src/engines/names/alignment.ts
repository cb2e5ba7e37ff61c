/** Pairs the words of two names. */
import { editDistance } from "./edit-distance.js";
import { editsAllowed, likenessOf } from "./word-likeness.js";
import type { Token } from "./words.js";

/** Matching words: one of each name, or one word and the parts that it is split into. */
export interface WordPair {
  asked: readonly Token[];
  listed: readonly Token[];
  similarity: number;
}

export interface Alignment {
  pairs: WordPair[];
  /** Words without a counterpart. */
  askedOnly: Token[];
  listedOnly: Token[];
}

/** Similarity of two words, 0 to 1. */
export type Likeness = (asked: Token, listed: Token) => number;

/** One word may match this many parts. */
const MAX_PARTS = 4;
/** For words split at another place. */
const BLANK = 0.98;
/** In shorter words a typing error together with a split is not evidence. */
const LEAST_LETTERS = 6;

/** Pairs equal words first, then split words, then similar words, best first. */
export function align(asked: readonly Token[], listed: readonly Token[], likeness: Likeness): Alignment {
  const [left, right] = [new Set(asked), new Set(listed)];
  const pairs: WordPair[] = [];
  const take = (own: readonly Token[], other: readonly Token[], similarity: number) => {
    for (const token of own) left.delete(token);
    for (const token of other) right.delete(token);
    pairs.push({ asked: own, listed: other, similarity });
  };
  for (const token of asked) {
    const same = listed.find((other) => other.text === token.text);
    if (same) take([token], [same], 1);
  }
  if (left.size > 0 && right.size > 0 && left.size + right.size > 2) {
    for (const { one, parts, similarity } of writtenApart(left, listed, right)) take(one, parts, similarity);
    for (const { one, parts, similarity } of writtenApart(right, asked, left)) take(parts, one, similarity);
  }
  const candidates = [...left].flatMap((own) =>
    [...right].flatMap((other) => {
      const similarity = likeness(own, other);
      return similarity > 0 ? [{ own, other, similarity }] : [];
    }),
  );
  candidates.sort((a, b) => b.similarity - a.similarity);
  for (const { own, other, similarity } of candidates)
    if (left.has(own) && right.has(other)) take([own], [other], similarity);
  return { pairs, askedOnly: [...left], listedOnly: [...right] };
}

interface Apart {
  one: Token[];
  parts: Token[];
  similarity: number;
}

/** Words of one name that are split into neighbours in the other: "Gazprombank" and "Gazprom Bank". */
function writtenApart(ones: ReadonlySet<Token>, parts: readonly Token[], free: ReadonlySet<Token>): Apart[] {
  const found: Apart[] = [];
  const open = new Set(free);
  for (const one of ones) {
    const best = bestRun(one, parts, open);
    if (!best) continue;
    for (const part of best.parts) open.delete(part);
    found.push(best);
  }
  return found;
}

function bestRun(one: Token, parts: readonly Token[], free: ReadonlySet<Token>): Apart | undefined {
  if (one.isNumber || one.text.length < 2) return undefined;
  let best: Apart | undefined;
  for (let start = 0; start < parts.length - 1; start++)
    best = runFrom(start, one, parts, free, best?.similarity ?? 0) ?? best;
  return best;
}

/** The best run of free neighbours that begins at `start`, if it is more similar to the word than `least`. */
function runFrom(
  start: number,
  one: Token,
  parts: readonly Token[],
  free: ReadonlySet<Token>,
  least: number,
): Apart | undefined {
  const { length } = one.text;
  const allowed = length < LEAST_LETTERS ? 0 : Math.min(2, editsAllowed(length));
  let best: Apart | undefined;
  let joined = "";
  for (let end = start; end < Math.min(parts.length, start + MAX_PARTS); end++) {
    const part = parts[end];
    if (!part || !free.has(part)) break;
    joined += part.text;
    if (joined.length > length + allowed) break;
    if (end === start || joined.length < length - allowed) continue;
    const similarity = likenessOf(editDistance(one.text, joined, allowed), length, allowed) * BLANK;
    if (similarity > (best?.similarity ?? least)) best = { one: [one], parts: parts.slice(start, end + 1), similarity };
  }
  return best;
}
