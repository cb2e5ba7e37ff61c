/** Check characters. Functions take what a rule has cleaned: ASCII digits, or upper-case letters and digits. */

export const DIGITS_AND_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The digit at a place; negative places count from the end. */
export const digit = (text: string, place: number): number => Number(text.at(place));

/** Part of a number as a number. */
export const int = (text: string, from = 0, to?: number): number => Number(text.slice(from, to));

/** The sum of each character's place in the alphabet times its weight. Characters beyond the weights do not count. */
export function sum(text: string, weights: readonly number[], alphabet = DIGITS_AND_LETTERS): number {
  let total = 0;
  for (const [place, weight] of weights.entries()) total += weight * alphabet.indexOf(text.charAt(place));
  return total;
}

/** `down(9)` is 9, 8 … 2: the weights that most authorities use. */
export const down = (from: number, to = 2): number[] =>
  Array.from({ length: from - to + 1 }, (_, place) => from - place);

export const up = (from: number, to: number): number[] => down(to, from).reverse();

/** Repeats weights up to a length. */
export const repeat = (weights: readonly number[], length: number): number[] =>
  Array.from({ length }, (_, place) => weights[place % weights.length] ?? 0);

/** The remainder of a decimal number of any length. */
export function remainder(digits: string, by: number): number {
  let rest = 0;
  for (const character of digits) rest = (rest * 10 + Number(character)) % by;
  return rest;
}

/** The sum of the digits, every second one from the right doubled, modulo 10: Luhn's check where it is 0. */
export function luhnSum(text: string, alphabet = "0123456789"): number {
  const size = alphabet.length;
  let total = 0;
  for (let place = 0; place < text.length; place++) {
    const value = alphabet.indexOf(text.charAt(text.length - 1 - place));
    const counted = place % 2 === 0 ? value : value * 2;
    total += Math.floor(counted / size) + (counted % size);
  }
  return total % size;
}

export const luhn = (text: string, alphabet?: string): boolean => luhnSum(text, alphabet) === 0;

/** GS1's: weights 3 and 1 from the right, beside the check digit. */
export function gs1(digits: string): boolean {
  let total = 0;
  for (let place = 0; place < digits.length; place++) total += digit(digits, -1 - place) * (place % 2 === 0 ? 1 : 3);
  return total % 10 === 0;
}

/** ISO 7064 MOD 97-10, letters as 10 to 35. */
export const mod97 = (text: string): number =>
  remainder(
    text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)),
    97,
  );

/** ISO 7064 MOD n+1,n: MOD 11,10 for digits, MOD 37,36 for letters and digits. 1 where the check character is right. */
export function hybrid(text: string, alphabet: string): number {
  const size = alphabet.length;
  let check = size;
  const body = text.slice(0, -1);
  for (const character of body) {
    check = (check + alphabet.indexOf(character)) % size || size;
    check = (check * 2) % (size + 1);
  }
  return (check + alphabet.indexOf(text.slice(-1))) % size;
}

export const mod11_10 = (digits: string): boolean => hybrid(digits, "0123456789") === 1;

/** ISO 7064 MOD n,2: MOD 11-2 with X, MOD 37-2 with *. 1 where the check character is right. */
export function pure(text: string, alphabet: string): number {
  let check = 0;
  for (const character of text) check = (check * 2 + alphabet.indexOf(character)) % alphabet.length;
  return check;
}

export const mod11_2 = (text: string): boolean => pure(text, "0123456789X") === 1;

const PERMUTATIONS = ["0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415"];
const DIHEDRAL = [
  ...["0123456789", "1234067895", "2340178956", "3401289567", "4012395678"],
  ...["5987604321", "6598710432", "7659821043", "8765932104", "9876543210"],
];

/** Verhoeff's: 0 where the check digit is right. */
export function verhoeff(digits: string): number {
  let check = 0;
  for (let place = 0; place < digits.length; place++) {
    const permuted = digit([...PERMUTATIONS, "7046913258"][place % 8] ?? "", digit(digits, -1 - place));
    check = digit(DIHEDRAL[check] ?? "", permuted);
  }
  return check;
}

const QUASIGROUP = [
  ...["0317598642", "7092154863", "4206871359", "1750983426", "6123045978"],
  ...["3674209581", "5869720134", "8945362017", "9438617205", "2581436790"],
];

/** Damm's: 0 where the check digit is right. */
export const damm = (digits: string): number =>
  [...digits].reduce((state, character) => digit(QUASIGROUP[state] ?? "", Number(character)), 0);

/** Whether a day exists; months from 1. */
export function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  return month >= 1 && month <= 12 && day >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
