import { weightedSum } from "./check-digits.js";

const SECOND_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const FIRST_WEIGHTS = SECOND_WEIGHTS.slice(1);

/**
 * A number of Brazil's register of legal entities as 14 plain characters, from text with or without punctuation. Since
 * July 2026 the first twelve may be letters. Undefined if the form or one of the two check digits is wrong. All zeros
 * pass the arithmetic, and the register refuses them.
 */
export function readCnpj(text: string): string | undefined {
  const cnpj = text.replace(/[./\s-]/g, "").toUpperCase();
  if (!/^[0-9A-Z]{12}\d{2}$/.test(cnpj)) return undefined;
  const digits = checkDigit(cnpj, FIRST_WEIGHTS) + checkDigit(cnpj, SECOND_WEIGHTS);
  return cnpj.endsWith(digits) ? cnpj : undefined;
}

/** 33.683.111/0002-80 */
export const formatCnpj = (cnpj: string): string =>
  cnpj.replace(/^(..)(...)(...)(....)(..)$/, (_, a, b, c, branch, check) => `${a}.${b}.${c}/${branch}-${check}`);

function checkDigit(cnpj: string, weights: readonly number[]): string {
  const rest = weightedSum(cnpj, weights) % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}
