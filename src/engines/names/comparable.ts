import { type Name, skeletonsOf, type Token } from "./words.js";

/** The compared parts of a name. */
export interface Comparable {
  tokens: readonly Token[];
  numbers: readonly string[];
  /** Legal forms as written, and the company types that they stand for. */
  forms: readonly string[];
  kinds: number;
  /** The first given name of a person listed surname first. */
  given?: string | undefined;
  fathers: readonly string[];
}

/** A name in an index. */
export interface IndexedName extends Comparable {
  isPerson: boolean;
}

/** Factor for comparison without vowels, which makes different names similar. */
export const SKELETON_SHARE = 0.95;

/** The compared parts of a name: without titles for a person, and by consonants if it was written without vowels. */
export const comparable = (
  name: Name,
  { isPerson, bySkeleton = false }: { isPerson: boolean; bySkeleton?: boolean },
): Comparable => ({
  tokens: bySkeleton ? skeletonsOf(name) : isPerson ? name.personTokens : name.tokens,
  numbers: name.numbers,
  forms: name.forms,
  kinds: name.kinds,
  given: isPerson ? name.given : undefined,
  fathers: name.fathers,
});
