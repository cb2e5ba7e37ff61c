import { isCountryCode } from "../../lib/country-codes.js";
import { lettersToNumbers, passesLuhn } from "./check-digits.js";

/** Of no country: the European Union, supranational and regional issuers, derivatives, and states that are no more. */
const OTHER_PREFIXES = new Set([
  ...["EU", "EZ", "QS", "QT", "QW", "QY", "XA", "XB", "XC", "XD", "XF", "XK", "XS", "XT"],
  ...["AN", "CS", "DD", "SU", "YU", "ZR"],
]);

/**
 * An International Securities Identification Number (ISO 6166) in upper case: two letters that are assigned, nine letters or
 * digits, and a check digit by Luhn. Undefined for what is none.
 */
export function readIsin(text: string): string | undefined {
  const isin = text.trim().toUpperCase();
  const isAssigned = isCountryCode(isin.slice(0, 2)) || OTHER_PREFIXES.has(isin.slice(0, 2));
  const isOne = isAssigned && /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(isin) && passesLuhn(lettersToNumbers(isin));
  return isOne ? isin : undefined;
}
