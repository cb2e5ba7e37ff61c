import { lettersToNumbers, passesLuhn } from "./check-digits.js";

/**
 * An International Securities Identification Number (ISO 6166) in upper case: two letters, nine letters or digits, and a
 * check digit by Luhn. Undefined for what is none.
 */
export function readIsin(text: string): string | undefined {
  const isin = text.trim().toUpperCase();
  return /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(isin) && passesLuhn(lettersToNumbers(isin)) ? isin : undefined;
}
