import { type Name, skeletonsOf, type Token } from "./words.js";

/** What is compared of a name. */
export interface Comparable {
  tokens: readonly Token[];
  numbers: readonly string[];
  /** Legal forms as written, and the kinds of company that they mean. */
  forms: readonly string[];
  kinds: number;
  /** The first given name of a person who is listed surname first. */
  given?: string | undefined;
  fathers: readonly string[];
}

/** What an index knows of a name. */
export interface IndexedName extends Comparable {
  isPerson: boolean;
}

/** Without vowels, different names look alike. */
export const SKELETON_SHARE = 0.95;

/** What is compared of a name: a person's without titles, and by consonants what is written without vowels. */
export const comparable = (
  name: Name,
  { isPerson, bySkeleton = false }: { isPerson: boolean; bySkeleton?: boolean },
): Comparable => ({
  tokens: bySkeleton ? skeletonsOf(name) : isPerson ? name.personTokens : name.tokens,
  ...{
    numbers: name.numbers,
    forms: name.forms,
    kinds: name.kinds,
    given: isPerson ? name.given : undefined,
    fathers: name.fathers,
  },
});
