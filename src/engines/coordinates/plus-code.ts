/** Plus Codes (Open Location Code), in integers: decimal degrees such as 0.1 have no exact number. */
import { Decimal } from "../../lib/decimal.js";
import type { Bounds, Point } from "./point.js";

const ALPHABET = "23456789CFGHJMPQRVWX";
const [SEPARATOR_AT, PAIRS, LONGEST] = [8, 10, 15];
/** Steps of a degree that the 15th digit counts. */
const [LATITUDE_STEPS, LONGITUDE_STEPS] = [8000 * 5 ** 5, 8000 * 4 ** 5];
/** Of latitudes from the south pole, of longitudes from the antimeridian. */
const [HEIGHT, WIDTH] = [180 * LATITUDE_STEPS, 360 * LONGITUDE_STEPS];

/** A full code of 2 to 15 digits, of which those below ten are even. Latitudes beyond a pole are at the pole. */
export function toPlusCode({ latitude, longitude }: Point, length: number): string {
  let row = Math.max(0, Math.min(HEIGHT - 1, steps(latitude, LATITUDE_STEPS) + HEIGHT / 2));
  let column = (((steps(longitude, LONGITUDE_STEPS) + WIDTH / 2) % WIDTH) + WIDTH) % WIDTH;
  const digits: string[] = [];
  for (let place = LONGEST; place > PAIRS; place--) {
    digits.unshift(ALPHABET[(row % 5) * 4 + (column % 4)] ?? "");
    row = Math.floor(row / 5);
    column = Math.floor(column / 4);
  }
  for (let place = PAIRS; place > 0; place -= 2) {
    digits.unshift(ALPHABET[row % 20] ?? "", ALPHABET[column % 20] ?? "");
    row = Math.floor(row / 20);
    column = Math.floor(column / 20);
  }
  const code = digits.slice(0, Math.min(length, LONGEST)).join("").padEnd(SEPARATOR_AT, "0");
  return `${code.slice(0, SEPARATOR_AT)}+${code.slice(SEPARATOR_AT)}`;
}

/** Whole steps of a decimal number, downwards. */
function steps(degrees: number, perDegree: number): number {
  const { units, scale } = Decimal.of(String(degrees)).times(Decimal.of(BigInt(perDegree)));
  const [dividend, divisor] = [units, 10n ** BigInt(scale)];
  const quotient = dividend / divisor;
  return Number(quotient * divisor > dividend ? quotient - 1n : quotient);
}

export type PlusCodeKind = "full" | "short" | undefined;

/** Whether a text in upper case is a full or a short code, or none. */
export function plusCodeKind(code: string): PlusCodeKind {
  const [, before = "", zeros = "", after] = /^([2-9CFGHJMPQRVWX]*)(0*)\+([2-9CFGHJMPQRVWX]*)$/.exec(code) ?? [];
  const head = before.length + zeros.length;
  if (after === undefined || head > SEPARATOR_AT || head % 2 === 1 || after.length === 1) return undefined;
  if (zeros && (head < SEPARATOR_AT || zeros.length % 2 === 1 || after || before.length < 2)) return undefined;
  if (head < SEPARATOR_AT) return head + after.length > 0 ? "short" : undefined;
  // The first two digits count 20 degrees: nine of latitude, eighteen of longitude.
  return ALPHABET.indexOf(code[0] ?? "") < 9 && ALPHABET.indexOf(code[1] ?? "") < 18 ? "full" : undefined;
}

/** Bounds of a full code. Digits after the 15th do not count. */
export function plusCodeBounds(code: string): Bounds {
  const digits = [...code.replace("+", "").replace(/0+$/, "")]
    .slice(0, LONGEST)
    .map((digit) => ALPHABET.indexOf(digit));
  let [south, west] = [-HEIGHT / 2, -WIDTH / 2];
  let [height, width] = [400 * LATITUDE_STEPS, 400 * LONGITUDE_STEPS];
  for (let place = 0; place < digits.length; place += place < PAIRS ? 2 : 1) {
    const digit = digits[place] ?? 0;
    const isPair = place < PAIRS;
    height /= isPair ? 20 : 5;
    width /= isPair ? 20 : 4;
    south += height * (isPair ? digit : Math.floor(digit / 4));
    west += width * (isPair ? (digits[place + 1] ?? 0) : digit % 4);
  }
  return {
    south: south / LATITUDE_STEPS,
    west: west / LONGITUDE_STEPS,
    north: (south + height) / LATITUDE_STEPS,
    east: (west + width) / LONGITUDE_STEPS,
  };
}

/** The full code nearest to a place that a short code stands for. */
export function recoverPlusCode(short: string, near: Point): string {
  const missing = SEPARATOR_AT - short.indexOf("+");
  const size = 20 ** (2 - missing / 2);
  const { south, west, north, east } = plusCodeBounds(toPlusCode(near, PAIRS).slice(0, missing) + short);
  let [latitude, longitude] = [(south + north) / 2, (west + east) / 2];
  if (near.latitude + size / 2 < latitude && latitude - size >= -90) latitude -= size;
  else if (near.latitude - size / 2 > latitude && latitude + size <= 90) latitude += size;
  if (near.longitude + size / 2 < longitude) longitude -= size;
  else if (near.longitude - size / 2 > longitude) longitude += size;
  return toPlusCode({ latitude, longitude }, short.length - 1 + missing);
}

/** A full code without the digits that follow from a place nearby; as it is where none do. */
export function shortenPlusCode(code: string, near: Point): string {
  if (code.includes("0")) return code;
  const { south, west, north, east } = plusCodeBounds(code);
  const away = Math.abs((((((west + east) / 2 - near.longitude + 540) % 360) + 360) % 360) - 180);
  const distance = Math.max(Math.abs((south + north) / 2 - near.latitude), away);
  // A margin: from anywhere within it, the short code is recovered.
  const cut = [8, 6, 4].find((digits) => distance < 20 ** (2 - digits / 2) * 0.3) ?? 0;
  return code.slice(cut);
}
