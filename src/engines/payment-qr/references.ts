/** References that a creditor finds a payment by, and amounts. */
import { Decimal } from "../../lib/decimal.js";
import { mod97 } from "../numbers/arithmetic.js";

const LARGEST = Decimal.of("999999999.99");

/** Two decimals at least, as amounts are written; undefined for what is not a plain decimal number. */
export function amountText(text: string): string | undefined {
  if (!/^-?\d{1,20}(?:\.\d{0,20})?$/.test(text)) return undefined;
  return Decimal.parse(text)?.withAtLeast(2).toString();
}

export function isInRange(amount: string, least: string): boolean {
  const value = Decimal.of(amount);
  return value.compare(Decimal.of(least)) >= 0 && value.compare(LARGEST) <= 0;
}

/** ISO 11649: RF, two check digits, and up to 21 letters and digits. */
export const isCreditorReference = (reference: string): boolean =>
  /^RF\d\d[0-9A-Z]{1,21}$/.test(reference) && mod97(reference.slice(4) + reference.slice(0, 4)) === 1;

const CARRIES = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5];

/** 27 digits of which the last is a recursive check digit modulo 10. */
export function isQrReference(reference: string): boolean {
  if (!/^\d{27}$/.test(reference) || /^0+$/.test(reference)) return false;
  let carry = 0;
  for (const digit of reference) carry = CARRIES[(carry + Number(digit)) % 10] ?? 0;
  return carry === 0;
}

/** A Swiss account that takes payments with a QR reference only: its bank's number is 30000 to 31999. */
export const isQrIban = (iban: string): boolean => /^(?:CH|LI)\d{2}3[01]\d{3}/.test(iban);
