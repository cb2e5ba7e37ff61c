/** Finds payment card numbers in a run of digits: by issued ranges, their lengths, and Luhn's check. */
import { passesLuhn } from "../identifiers/check-digits.js";

/** ISO/IEC 7812: prefixes and their lengths. */
const ISSUED: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|095|[689])/, [14, 15, 16, 17, 18, 19]],
  [/^35/, [16, 17, 18, 19]],
  [/^(?:5[0678]|6)/, [12, 13, 14, 15, 16, 17, 18, 19]],
  [/^(?:220[0-4]|8[12]|9792)/, [16, 17, 18, 19]],
  [/^(?:1|2014|2149)/, [15]],
];

/** Groupings of printed cards; digits without separators match none of these. */
const LAYOUTS = new Set(["4 4 4 4", "4 4 4 4 3", "4 6 5", "4 6 4", "4 4 4 3", "4 5 6", "6 13"]);

function isCard(digits: string): boolean {
  const lengths = ISSUED.find(([begin]) => begin.test(digits))?.[1];
  return lengths?.includes(digits.length) === true && passesLuhn(digits) && !/^(\d)\1+$/.test(digits);
}

/**
 * The card numbers in a run of digits with blanks and hyphens. If other digits precede or follow, the grouping must be
 * that of a card, since every tenth number passes Luhn's check.
 */
export function cardsIn(run: string): string[] {
  if (isCard(run.replace(/\D/g, ""))) return [run];
  const groups = [...run.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({ digits, index }));
  const found: string[] = [];
  for (let first = 0; first < groups.length; first++) {
    // The longest first, because a part of a number may pass, too.
    for (let count = Math.min(5, groups.length - first); count > 0; count--) {
      const some = groups.slice(first, first + count);
      const layout = some.map(({ digits }) => digits.length).join(" ");
      if (count > 1 && !LAYOUTS.has(layout)) continue;
      if (!isCard(some.map(({ digits }) => digits).join(""))) continue;
      const last = some[count - 1];
      found.push(run.slice(some[0]?.index, (last?.index ?? 0) + (last?.digits.length ?? 0)));
      first += count - 1;
      break;
    }
  }
  return found;
}
