/** Digits behind the point of a currency (ISO 4217), and amounts written with them. */
import type { Decimal } from "../decimal.js";

const WITHOUT = new Set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" "));
const THREE = new Set("BHD IQD JOD KWD LYD OMR TND".split(" "));
const FOUR = new Set("CLF UYW".split(" "));

/** Two for a currency that is not known, as nearly all have. */
function currencyDigits(currency: string | null): number {
  if (currency === null) return 2;
  if (WITHOUT.has(currency)) return 0;
  if (THREE.has(currency)) return 3;
  return FOUR.has(currency) ? 4 : 2;
}

/**
 * An amount as text with the digits of its currency, and never fewer than were written.
 *
 * @example
 * ```ts
 * amountText(Decimal.of("336.9"), "EUR"); // "336.90"
 * ```
 */
export const amountText = (amount: Decimal, currency: string | null): string =>
  amount.withAtLeast(currencyDigits(currency)).toString();
