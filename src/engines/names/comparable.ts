import type { Comparable } from "./judge.js";
import { type Name, skeletonsOf } from "./words.js";

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
