/** Significance of a word by its kind; its rarity in a list is considered separately. */
import { once } from "../../lib/lazy.js";
import { foldSpelling } from "./spellings.js";
import type { Token } from "./words.js";

/** Words that are common in company names and therefore insignificant. */
const LIGHT_WORDS: [weight: number, words: string][] = [
  [0.3, "group holdings international global corporate worldwide"],
  [
    0.6,
    "services technologies systems solutions industries trading enterprises management partners investments motors",
  ],
  [
    0.8,
    "bank financial capital trust energy oil resources shipping logistics construction development engineering national general",
  ],
];
const PARTICLES = "bin ibn ben bint al el van von der den ter la le".split(" ");
const PARTICLE_WEIGHT = 0.3;
const LETTER_WEIGHT = 0.6;

const lightWords = once(
  () =>
    new Map(
      LIGHT_WORDS.flatMap(([weight, words]) =>
        words.split(" ").map((word): [string, number] => [foldSpelling(word), weight]),
      ),
    ),
);
const particles = once(() => new Set(PARTICLES.map(foldSpelling)));

/** 0 to 1. */
export function priorOf({ text, folded }: Token): number {
  if (text.length === 1) return LETTER_WEIGHT;
  return particles().has(folded) ? PARTICLE_WEIGHT : (lightWords().get(folded) ?? 1);
}

/** Whether many companies have a word in their names. */
export const isLight = ({ folded }: Token): boolean => lightWords().has(folded);
