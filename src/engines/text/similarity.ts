/** Compares two texts by the measures that a caller chose. */
import { levenshtein } from "../../lib/text/levenshtein.js";
import { damerauLevenshtein, hamming, jaccard, jaro, jaroWinkler, tokenSet } from "./distances.js";
import { metaphone, nysiis, soundex } from "./phonetics.js";

const DISTANCES = {
  levenshtein,
  "damerau-levenshtein": damerauLevenshtein,
  hamming,
  jaro,
  "jaro-winkler": jaroWinkler,
};
const CODES = { metaphone, nysiis, soundex };

export type Measure = keyof typeof DISTANCES | "jaccard" | "token-set" | keyof typeof CODES;

export interface TextComparison {
  scores: Partial<Record<Measure, number>>;
  codes: Partial<Record<keyof typeof CODES, [a: string, b: string]>>;
  normalized: [a: string, b: string];
}

export function compareTexts({
  a,
  b,
  measures,
}: {
  a: string;
  b: string;
  measures: readonly Measure[];
}): TextComparison {
  const normalized: [string, string] = [normalize(a), normalize(b)];
  const [left, right] = [[...a], [...b]];
  const scores: TextComparison["scores"] = {};
  const codes: TextComparison["codes"] = {};
  for (const measure of measures)
    if (measure === "jaccard") scores[measure] = jaccard(wordsOf(a), wordsOf(b));
    else if (measure === "token-set") scores[measure] = tokenSet(wordsOf(normalized[0]), wordsOf(normalized[1]));
    else if (measure in DISTANCES) scores[measure] = DISTANCES[measure as keyof typeof DISTANCES](left, right);
    else {
      const code = CODES[measure as keyof typeof CODES];
      const both: [string, string] = [code(a), code(b)];
      codes[measure as keyof typeof CODES] = both;
      scores[measure] = both[0] === both[1] ? 1 : 0;
    }
  return { scores, codes, normalized };
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u).filter(Boolean));

/** Lower case, without accents and signs, words divided by one blank. */
const normalize = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
