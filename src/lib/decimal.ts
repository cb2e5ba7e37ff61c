/** Exact decimal numbers of any length: an integer and how many of its digits stand behind the point. */

export type Rounding = "half-up" | "half-even";

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
/** Longer ones make a multiplication slow; no amount, rate or coordinate needs them. */
const MAX_DIGITS = 2_000;

export class Decimal {
  /** The value is `units / 10^scale`. */
  private constructor(
    readonly units: bigint,
    readonly scale: number,
  ) {}

  /**
   * Reads `-12.50`, `.5`, `1e-7`; undefined for anything else. Trailing zeros count: "336.90" has the scale 2.
   *
   * @example
   * ```ts
   * Decimal.parse("336.9")?.plus(Decimal.of("0.01")).toString(); // "336.91"
   * ```
   */
  static parse(text: string): Decimal | undefined {
    if (text.length > MAX_DIGITS) return undefined;
    const [, sign, whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(text) ?? [];
    if (sign === undefined || whole + fraction === "") return undefined;
    const scale = fraction.length - Number(exponent);
    if (Math.abs(scale) > MAX_DIGITS) return undefined;
    const units = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
    return scale < 0 ? new Decimal(units * tenTo(-scale), 0) : new Decimal(units, scale);
  }

  /** The same for text that is known to be a decimal, an integer, or units with a scale. Throws a RangeError. */
  static of(value: string | bigint, scale = 0): Decimal {
    if (typeof value === "bigint") return new Decimal(value, scale);
    const read = Decimal.parse(value);
    if (!read) throw new RangeError(`"${value.slice(0, 40)}" is not a decimal number`);
    return read;
  }

  plus(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    return new Decimal(this.#at(scale) + other.#at(scale), scale);
  }

  minus(other: Decimal): Decimal {
    return this.plus(other.negated());
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.units * other.units, this.scale + other.scale);
  }

  /** The quotient, rounded to `places` digits behind the point. Throws a RangeError for a divisor of zero. */
  dividedBy(other: Decimal, places: number, rounding: Rounding = "half-up"): Decimal {
    if (other.units === 0n) throw new RangeError("a decimal cannot be divided by zero");
    // The scale of the plain quotient is this.scale - other.scale; what it lacks is added to one of the two.
    const lacking = places - (this.scale - other.scale);
    const dividend = lacking > 0 ? this.units * tenTo(lacking) : this.units;
    const divisor = lacking < 0 ? other.units * tenTo(-lacking) : other.units;
    return new Decimal(divideRounded(dividend, divisor, rounding), places);
  }

  /** With exactly `places` digits behind the point. */
  round(places: number, rounding: Rounding = "half-up"): Decimal {
    if (places >= this.scale) return new Decimal(this.#at(places), places);
    return new Decimal(divideRounded(this.units, tenTo(this.scale - places), rounding), places);
  }

  /** With at least `places` digits behind the point: what was written is never shortened. */
  withAtLeast(places: number): Decimal {
    return places > this.scale ? this.round(places) : this;
  }

  negated(): Decimal {
    return new Decimal(-this.units, this.scale);
  }

  abs(): Decimal {
    return this.units < 0n ? this.negated() : this;
  }

  /** Negative, zero or positive, as comparing functions return. */
  compare(other: Decimal): number {
    const { units } = this.minus(other);
    return units < 0n ? -1 : units > 0n ? 1 : 0;
  }

  equals(other: Decimal): boolean {
    return this.compare(other) === 0;
  }

  get isZero(): boolean {
    return this.units === 0n;
  }

  /** Without trailing zeros behind the point. */
  normalized(): Decimal {
    let { units, scale } = this;
    while (scale > 0 && units % 10n === 0n) {
      units /= 10n;
      scale--;
    }
    return new Decimal(units, scale);
  }

  /** Plain digits with `scale` of them behind the point, never an exponent. */
  toString(): string {
    const digits = (this.units < 0n ? -this.units : this.units).toString().padStart(this.scale + 1, "0");
    const whole = digits.slice(0, digits.length - this.scale);
    const fraction = this.scale > 0 ? `.${digits.slice(-this.scale)}` : "";
    return `${this.units < 0n ? "-" : ""}${whole}${fraction}`;
  }

  toNumber(): number {
    return Number(this.toString());
  }

  #at(scale: number): bigint {
    return this.units * tenTo(scale - this.scale);
  }
}

const tenTo = (exponent: number): bigint => 10n ** BigInt(exponent);

/** Halves go away from zero, or to the even neighbour. */
function divideRounded(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const negative = dividend < 0n !== divisor < 0n;
  const [a, b] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const quotient = a / b;
  const twice = (a % b) * 2n;
  const isUp = twice > b || (twice === b && (rounding === "half-up" || quotient % 2n === 1n));
  const rounded = isUp ? quotient + 1n : quotient;
  return negative ? -rounded : rounded;
}
