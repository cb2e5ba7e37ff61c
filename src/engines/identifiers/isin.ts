import { isCountryCode } from "../../lib/facts/country-codes.js";
import { lettersToNumbers, passesLuhn } from "./check-digits.js";

/**
 * Prefixes without a country: the European Union, supranational and regional issuers, derivatives, and former states.
 */
const OTHER_PREFIXES = new Set([
  ...["EU", "EZ", "QS", "QT", "QW", "QY", "XA", "XB", "XC", "XD", "XF", "XK", "XS", "XT"],
  ...["AN", "CS", "DD", "SU", "YU", "ZR"],
]);

/**
 * An International Securities Identification Number (ISO 6166) in upper case: two assigned letters, nine letters or
 * digits, and a check digit by Luhn. Undefined for anything else.
 */
export function readIsin(text: string): string | undefined {
  const isin = text.trim().toUpperCase();
  const isAssigned = isCountryCode(isin.slice(0, 2)) || OTHER_PREFIXES.has(isin.slice(0, 2));
  const isOne = isAssigned && /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(isin) && passesLuhn(lettersToNumbers(isin));
  return isOne ? isin : undefined;
}
