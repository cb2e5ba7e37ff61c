import { lettersToNumbers } from "./check-digits.js";

/**
 * A Legal Entity Identifier (ISO 17442) in upper case: 18 letters or digits and two check digits by ISO 7064 MOD 97-10.
 * Undefined for anything else: "INR2EJN1ERAN0W5ZP974" is valid, "INR2EJN1ERAN0W5ZP975" is not.
 */
export function readLei(text: string): string | undefined {
  const lei = text.trim().toUpperCase();
  if (!/^[A-Z0-9]{18}\d{2}$/.test(lei)) return undefined;
  return BigInt(lettersToNumbers(lei)) % 97n === 1n ? lei : undefined;
}
