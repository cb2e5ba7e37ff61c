import { weightedSum } from "./check-digits.js";

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2];

/** A Finnish business ID (Y-tunnus) as 0112038-9. Undefined if the form or the check digit is wrong. */
export function readBusinessId(text: string): string | undefined {
  const id = text.trim();
  if (!/^\d{7}-\d$/.test(id)) return undefined;
  const rest = weightedSum(id, WEIGHTS) % 11;
  // A remainder of 1 would need a check digit of ten: such numbers are not assigned.
  return rest !== 1 && Number(id.at(-1)) === (11 - rest) % 11 ? id : undefined;
}
