/** Similarity of two words of names: 1 for equal letters, 0 for different words. */
import { editDistance } from "./edit-distance.js";
import type { Token } from "./words.js";

/** For a different spelling of the same sounds. */
const SPELT_OTHERWISE = 0.95;
/** For company words that only sound the same: Wesco, Visco. */
const OTHER_CONSONANTS = 0.85;
/** For an initial, which only may stand for the name. */
const INITIAL = 0.5;
/** The numbers of two codes are compared separately: "AHL1" and "AHL2". */
const OTHER_NUMBER = 0.9;
/** From this value on only the spelling differs; below it letters differ. */
export const SAME_WORD = 0.9;
/** Below this value two words are not paired; one error in a short word leaves less. */
const LEAST = 0.4;
const LEAST_AFTER_ONE_SLIP = 0.28;
/** Swapped neighbours are usually a typing error. */
const SWAP_COST = 0.7;
/** Cost of a wrong letter beside differences of spelling. */
const EAR_COST = 0.3;
/** In a company's short word a letter makes another company: EQT and EKT sound the same and are two. */
const SHORT = 4;

/** `byEar`: whether short words are also compared by sound, as for persons and other scripts. */
export function wordLikeness(a: Token, b: Token, { isPerson, byEar }: { isPerson: boolean; byEar: boolean }): number {
  if (a.text === b.text) return 1;
  if (a.hasDigits || b.hasDigits) return codeLikeness(a, b);
  const [short, long] = a.text.length < b.text.length ? [a, b] : [b, a];
  if (short.text.length === 1) return isPerson && long.text.startsWith(short.text) ? INITIAL : 0;
  // guard: names: a company's short word differs from others that sound alike | = true | name-classes
  const isHeard = byEar || short.text.length > SHORT;
  if (a.canonical === b.canonical) return SPELT_OTHERWISE;
  if (isHeard && a.folded === b.folded) return soundLikeness(a, b, byEar);
  const [length, allowed] = [long.text.length, editsAllowed(long.text.length)];
  if (length - short.text.length > allowed) return 0;
  const seen = likenessOf(editDistance(a.text, b.text, allowed, SWAP_COST), length, allowed);
  return isHeard ? Math.max(seen, heardLikeness(a, b, length, allowed)) : seen;
}

const codeLikeness = (a: Token, b: Token) => (a.letters !== "" && a.letters === b.letters ? OTHER_NUMBER : 0);

/** Words that are folded to the same sounds. */
const soundLikeness = (a: Token, b: Token, byEar: boolean) =>
  byEar || consonantsOf(a) === consonantsOf(b) ? SPELT_OTHERWISE : OTHER_CONSONANTS;

/** By the letters that are wrong in the sounds of two words, of which the longer has `length` letters. */
function heardLikeness(a: Token, b: Token, length: number, allowed: number): number {
  const heard = Math.min(length, Math.max(a.folded.length, b.folded.length));
  const edits = editDistance(a.folded, b.folded, allowed, SWAP_COST) + EAR_COST;
  return likenessOf(edits, heard, allowed + EAR_COST);
}

const consonantsOf = ({ text }: Token) => text.replace(/[aeiouy]/g, "").replace(/(.)\1+/g, "$1");

/** An initial and a name that it may stand for. */
export const isInitial = (a: Token, b: Token): boolean =>
  a.text !== b.text && (a.text.length === 1 || b.text.length === 1);

/** The share of equal letters, to a power, so that errors in short words, and further errors, weigh more. */
export function likenessOf(edits: number, length: number, allowed: number): number {
  if (edits > allowed) return 0;
  const likeness = (1 - edits / length) ** (length <= SHORT ? 3 : edits >= 2 ? 2.5 : 2);
  return likeness < (edits < 1.5 ? LEAST_AFTER_ONE_SLIP : LEAST) ? 0 : likeness;
}

/** Number of errors that leave a word recognisable. */
export function editsAllowed(length: number): number {
  if (length <= 2) return 0;
  if (length <= 5) return 1;
  return length <= 12 ? 2 : 3;
}
