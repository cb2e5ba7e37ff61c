/** Numbers of JSON with every digit. JavaScript's have some sixteen, and a rounded number equals another one. */

/** A number that JavaScript cannot hold: its digits as they were written. */
export class ExactNumber {
  #decimal: Decimal | undefined;

  constructor(readonly text: string) {}

  get decimal(): Decimal {
    this.#decimal ??= decimalOf(this.text);
    return this.#decimal;
  }
}

/** The digits times ten to the power of `exponent`. Of equal numbers all three are the same. */
interface Decimal {
  isNegative: boolean;
  /** Without zeros at either end; empty for zero. */
  digits: string;
  exponent: number;
}

/** The number of a literal, exact if JavaScript's would be another. */
export function numberOf(literal: string): number | ExactNumber {
  const value = Number(literal);
  // Fifteen digits always fit.
  if (literal.length <= 15 && !/[eE]/.test(literal)) return value;
  const exact = new ExactNumber(literal);
  return Number.isFinite(value) && keyOf(exact) === keyOf(value) ? value : exact;
}

function decimalOf(literal: string): Decimal {
  const [mantissa = "", exponent = "0"] = literal.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = withoutZerosAtEnd(all);
  if (digits === "") return { isNegative: false, digits, exponent: 0 };
  const isNegative = mantissa.startsWith("-");
  return { isNegative, digits, exponent: Number(exponent) - fraction.length + all.length - digits.length };
}

function withoutZerosAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === "0") end--;
  return text.slice(0, end);
}

const decimal = (value: number | ExactNumber): Decimal =>
  typeof value === "number" ? decimalOf(String(value)) : value.decimal;

/** The same text for equal numbers, however they were written: 1.50 and 15e-1. */
export function keyOf(value: number | ExactNumber): string {
  const { isNegative, digits, exponent } = decimal(value);
  return `${isNegative ? "-" : ""}${digits}e${exponent}`;
}

/** Below zero if the first is less. */
export function compareNumbers(a: number | ExactNumber, b: number | ExactNumber): number {
  if (typeof a === "number" && typeof b === "number") return Math.sign(a - b);
  const [left, right] = [decimal(a), decimal(b)];
  const [leftSign, rightSign] = [signOf(left), signOf(right)];
  return leftSign === rightSign ? leftSign * compareSizes(left, right) : leftSign - rightSign;
}

const signOf = ({ isNegative, digits }: Decimal): number => (digits === "" ? 0 : isNegative ? -1 : 1);

function compareSizes(a: Decimal, b: Decimal): number {
  const places = a.digits.length + a.exponent - (b.digits.length + b.exponent);
  if (places !== 0) return Math.sign(places);
  return a.digits < b.digits ? -1 : a.digits > b.digits ? 1 : 0;
}

/** A whole number to its last digit; undefined for a fraction, and for more digits than `most`. */
export function integerOf(value: number | ExactNumber, most: number): bigint | undefined {
  const { isNegative, digits, exponent } = decimal(value);
  if (exponent < 0 || digits.length + exponent > most) return undefined;
  const size = BigInt(digits || "0") * 10n ** BigInt(exponent);
  return isNegative ? -size : size;
}
