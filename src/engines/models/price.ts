/** What models cost: exact amounts far below a millionth of a dollar, and how many tokens a text can be at most. */
import { type Micros, toMicros } from "../../lib/money.js";

/** 10^-18 US dollars. Prices per token have up to 16 digits after the point. */
export type Attos = bigint;

const ATTOS_PER_MICRO = 10n ** 12n;
const DECIMAL = /^(\d{1,9})(?:\.(\d{0,24}))?(?:e([+-]?\d{1,2}))?$/i;

/** "0.0000005", 8.1e-5 or "1e-7" as an exact amount, rounded up; undefined for what is no price, such as "-1". */
export function toAttos(usd: string | number | null | undefined): Attos | undefined {
  const [match, whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(String(usd ?? "")) ?? [];
  if (match === undefined) return undefined;
  const shift = 18 - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  return ceilDivide(digits, 10n ** BigInt(-shift));
}

/** Never below the amount. */
export const attosToMicros = (amount: Attos): Micros => ceilDivide(amount, ATTOS_PER_MICRO);

/** An amount times a decimal factor such as "1.2", rounded up. */
export function timesFactor(amount: Attos, factor: string): Attos {
  return ceilDivide(amount * toMicros(factor), 1_000_000n);
}

const ceilDivide = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/** Roles, separators and names of one message. */
const TOKENS_PER_MESSAGE = 8;
const TOKENS_PER_PROMPT = 16;
/** A picture of at most a megabyte, for the vendors that count highest. */
const TOKENS_PER_IMAGE = 1600;

/**
 * More tokens than a text has in the tokenizers in use: English is about 4 bytes a token and Chinese about 3, so bytes
 * divided by 3 err on the high side.
 */
export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3);

/** More tokens than a prompt of these texts has. */
export function promptTokens(contents: readonly string[], images = 0): number {
  const texts = contents.reduce((sum, content) => sum + tokensIn(content) + TOKENS_PER_MESSAGE, TOKENS_PER_PROMPT);
  return texts + images * TOKENS_PER_IMAGE;
}

/** A price per token from a number of prompt tokens on. */
export interface Tier {
  fromTokens: number;
  perToken: Attos;
}

export interface TokenPrice {
  /** In order of `fromTokens`, the first from 0. */
  input: readonly Tier[];
  output: readonly Tier[];
}

/** What a call costs that has at most these tokens. A long prompt changes the price of all its tokens. */
export function costOf(price: TokenPrice, prompt: number, completion: number): Attos {
  const rate = (tiers: readonly Tier[]) => tiers.findLast(({ fromTokens }) => prompt >= fromTokens)?.perToken ?? 0n;
  return BigInt(prompt) * rate(price.input) + BigInt(completion) * rate(price.output);
}
