/** Money: integers of one millionth of a dollar inside, decimal strings on the wire, never floats. */

/** Millionths of a US dollar, which are also the atomic units of USDC (6 decimals). */
export type Micros = bigint;

const DECIMAL = /^(\d{1,15})(?:\.(\d{1,18}))?$/;

/** A decimal as a fraction: `digits / 10^scale`. */
function parse(decimal: string): { digits: bigint; scale: number } {
  const match = DECIMAL.exec(decimal);
  if (!match)
    throw new RangeError(
      `"${decimal}" is not a decimal amount such as "0.00144", with at most 15 digits before the point and 18 after it`,
    );
  const [, whole = "", fraction = ""] = match;
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

function ceilDivide(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

/**
 * "0.00144" to 1440n. A remainder below one millionth is rounded up, so that nothing is sold below its price.
 *
 * @example
 * ```ts
 * toMicros("0.01"); // 10000n
 * ```
 */
export function toMicros(usd: string): Micros {
  const { digits, scale } = parse(usd);
  return scale <= 6 ? digits * 10n ** BigInt(6 - scale) : ceilDivide(digits, 10n ** BigInt(scale - 6));
}

/**
 * An amount that a host or a caller names: it is taken as it is written, so one that is finer than a millionth is refused.
 *
 * @example
 * ```ts
 * exactMicros("0.0020000000"); // 2000n
 * ```
 */
export function exactMicros(usd: string): Micros {
  const { digits, scale } = parse(usd);
  const finer = scale > 6 ? 10n ** BigInt(scale - 6) : 1n;
  // guard: host refund: an amount is exact | digits % finer > -> finer === | handler/refund
  if (digits % finer > 0n) throw new RangeError(`"${usd}" is finer than a millionth of a dollar`);
  return toMicros(usd);
}

/**
 * A bound that a caller names, in whole millionths: no price lies between it and the amount as it is written.
 *
 * @example
 * ```ts
 * boundMicros("0.30000000000000004"); // 300000n
 * ```
 */
export function boundMicros(usd: string): Micros {
  return toMicros(usd.replace(/(\.\d{6})\d+$/, "$1"));
}

/**
 * 1440n to "0.00144", without trailing zeros.
 *
 * @example
 * ```ts
 * fromMicros(10_000n); // "0.01"
 * ```
 */
export function fromMicros(micros: Micros): string {
  if (micros < 0n) throw new RangeError("an amount of money cannot be negative");
  const padded = micros.toString().padStart(7, "0");
  const fraction = padded.slice(-6).replace(/0+$/, "");
  return fraction ? `${padded.slice(0, -6)}.${fraction}` : padded.slice(0, -6);
}

/** The smaller of two amounts, because Math.min takes no bigint. */
export function least(a: Micros, b: Micros): Micros {
  return a > b ? b : a;
}

/**
 * `amount` times a factor such as 1.2, exact in decimals, rounded up to the next millionth.
 *
 * @example
 * ```ts
 * multiply(toMicros("0.01"), 1.2); // 12000n
 * ```
 */
export function multiply(amount: Micros, factor: number): Micros {
  // A number's text is the decimal that the host wrote; exponents only occur below 1e-6 and above 1e21.
  const { digits, scale } = parse(String(factor));
  return ceilDivide(amount * digits, 10n ** BigInt(scale));
}
