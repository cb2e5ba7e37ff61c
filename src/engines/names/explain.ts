/** Explains a score. */
import type { Comparable } from "./comparable.js";
import type { NameVerdict } from "./judge.js";
import type { Token } from "./words.js";

/** One line of the explanation: a pair of words. */
export interface WordMatch {
  /** Word of the requested name; null if only the found name has it. */
  asked: string | null;
  /** Word of the found name; null if only the requested name has it. */
  found: string | null;
  /** 0 to 1; 0 without a counterpart. */
  similarity: number;
  /** Weight of the word, 0 to 1: by its kind, and by its rarity in a list. */
  weight: number;
  /** Number of names in the list with this word or one that sounds the same; null if two names are compared alone. */
  names: number | null;
}

export interface Explanation {
  /** Evidence for and against, as short phrases. */
  reasons: string[];
  words: WordMatch[];
}

type Sides = Pick<Comparable, "numbers" | "forms" | "kinds">;

interface Scale {
  weightOf: (token: Token) => number;
  countOf?: (token: Token) => number;
}

const round = (value: number) => Math.round(value * 1000) / 1000;
const textOf = (tokens: readonly Token[]) => tokens.map(({ text }) => text).join(" ");

export function wordMatches({ pairs, askedOnly, listedOnly }: NameVerdict, { weightOf, countOf }: Scale): WordMatch[] {
  const line = (asked: readonly Token[], found: readonly Token[], similarity: number): WordMatch => {
    const told = found.length > 0 ? found : asked;
    return {
      asked: asked.length > 0 ? textOf(asked) : null,
      found: found.length > 0 ? textOf(found) : null,
      similarity: round(similarity),
      weight: round(told.reduce((sum, token) => sum + weightOf(token), 0)),
      names: countOf ? Math.min(...told.map(countOf)) : null,
    };
  };
  return [
    ...pairs.map(({ asked, listed, similarity }) => line(asked, listed, similarity)),
    ...askedOnly.map((token) => line([token], [], 0)),
    ...listedOnly.map((token) => line([], [token], 0)),
  ];
}

/** The same in short phrases. */
export function reasonsOf({ pairs, askedOnly, listedOnly }: NameVerdict): string[] {
  if (pairs.length === 0) return ["no word in common"];
  const count = (words: number, what: string) =>
    words === 0 ? [] : [`${words} ${words === 1 ? "word" : "words"} ${what}`];
  const isApart = pairs.some(({ asked, listed }) => asked.length !== listed.length);
  const otherwise = pairs.filter(({ asked, listed, similarity }) => similarity < 1 && asked.length === listed.length);
  const isSame = !isApart && otherwise.length + askedOnly.length + listedOnly.length === 0;
  return [
    ...(isSame ? ["the same words"] : []),
    ...(isApart ? ["blanks are set differently"] : []),
    ...count(otherwise.length, "spelt differently"),
    ...count(askedOnly.length, "not in the name found"),
    ...count(listedOnly.length, "more in the name found"),
  ];
}

/** Further differences of two names. */
export function nameFacts(asked: Sides, found: Sides): string[] {
  const written = ({ numbers }: Sides) => numbers.join(", ") || "none";
  const facts: string[] = [];
  if (asked.numbers.join() !== found.numbers.join())
    facts.push(`numbers differ: ${written(asked)} and ${written(found)}`);
  if ((asked.forms.length === 0) !== (found.forms.length === 0)) facts.push("one has no legal form");
  else if ((asked.kinds & found.kinds) === 0)
    facts.push(`legal forms differ: ${asked.forms.join(" ")} and ${found.forms.join(" ")}`);
  return facts;
}
