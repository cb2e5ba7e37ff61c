/** Exact prices of models, far below a millionth of a dollar. */
import { type Micros, toMicros } from "../../lib/money.js";

/** 10^-18 US dollars. Prices per token have up to 16 digits after the point. */
export type Attos = bigint;

const ATTOS_PER_MICRO = 10n ** 12n;
const DECIMAL = /^(\d{1,9})(?:\.(\d{0,24}))?(?:e([+-]?\d{1,2}))?$/i;

/** "0.0000005", 8.1e-5 or "1e-7" as an exact amount, rounded up; undefined for an invalid price, such as "-1". */
export function toAttos(usd: string | number | null | undefined): Attos | undefined {
  const [match, whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(String(usd ?? "")) ?? [];
  if (match === undefined) return undefined;
  const shift = 18 - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  return ceilDivide(digits, 10n ** BigInt(-shift));
}

/** Rounded up. */
export const attosToMicros = (amount: Attos): Micros => ceilDivide(amount, ATTOS_PER_MICRO);

/** An amount times a decimal factor such as "1.2", rounded up. */
export function timesFactor(amount: Attos, factor: string): Attos {
  return ceilDivide(amount * toMicros(factor), 1_000_000n);
}

const ceilDivide = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/** A price per token from a number of prompt tokens on. */
export interface Tier {
  fromTokens: number;
  perToken: Attos;
}

export interface TokenPrice {
  /** In order of `fromTokens`, the first from 0. */
  input: readonly Tier[];
  output: readonly Tier[];
  /** Price of prompt tokens that the vendor cached; empty if the list has none. */
  cached: readonly Tier[];
}

/** Price of a call with these tokens, `cached` of the prompt's among them. A long prompt changes the price of all. */
export function tokenCost(price: TokenPrice, prompt: number, completion: number, cached = 0): Attos {
  const rate = (tiers: readonly Tier[]) => tiers.findLast(({ fromTokens }) => prompt >= fromTokens)?.perToken;
  const [input = 0n, output = 0n] = [rate(price.input), rate(price.output)];
  const kept = BigInt(Math.min(cached, prompt));
  return (BigInt(prompt) - kept) * input + kept * (rate(price.cached) ?? input) + BigInt(completion) * output;
}
