import { weightedSum } from "./check-digits.js";

const WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];

/** A Norwegian organisation number as nine digits, with or without blanks. Undefined if the check digit is wrong. */
export function readOrganizationNumber(text: string): string | undefined {
  const number = text.replace(/\s/g, "");
  if (!/^\d{9}$/.test(number)) return undefined;
  const rest = weightedSum(number, WEIGHTS) % 11;
  return rest !== 1 && Number(number.at(-1)) === (11 - rest) % 11 ? number : undefined;
}
