/** Coordinates in degrees, minutes and seconds, as people write them. */
import { type Point, wrapped } from "./point.js";

export interface Degrees extends Point {
  format: "degrees" | "dms";
}

/** Signs that look like one of ours. */
const ALIKE: [string, RegExp][] = [
  ["-", /[\u2010-\u2015\u2212]/g],
  ["°", /[\u00ba\u02da]/g],
  ['"', /[\u2033\u201c-\u201f\u02ba]|''|\u2032\u2032|\u2019\u2019/g],
  ["'", /[\u2032\u2018\u2019\u02b9\u00b4`]/g],
];
const TOKEN = /\s*(?:([+-]?(?:\d+(?:\.\d*)?|\.\d+))|([NSEW])|([°:'"])|([,;/]))/y;
const MAX_TOKENS = 24;

interface Token {
  number?: string | undefined;
  letter?: string | undefined;
  unit?: string | undefined;
}

/** The point; a reason where numbers are out of range; undefined for text that is not of this form. */
export function readDegrees(text: string): Degrees | string | undefined {
  const tokens = tokensOf(text.replace(/^geo:/i, "").toUpperCase());
  const groups = tokens && groupsOf(tokens);
  if (!groups) return undefined;
  const [first, second] = groups.map(angleOf);
  if (!first || !second) return undefined;
  const isSwapped = first.axis === "longitude" || second.axis === "latitude";
  const [latitude, longitude] = isSwapped ? [second, first] : [first, second];
  if (latitude.axis === "longitude" || longitude.axis === "latitude")
    return "names one of latitude and longitude twice";
  if (Math.abs(latitude.degrees) > 90) return "has a latitude beyond 90 degrees";
  if (Math.abs(longitude.degrees) > 360) return "has a longitude beyond 360 degrees";
  const format = groups.every((group) => group.filter(({ number }) => number !== undefined).length === 1)
    ? "degrees"
    : "dms";
  return { latitude: latitude.degrees, longitude: wrapped(longitude.degrees), format };
}

/** Undefined where anything else stands between; a comma is a token without content. */
function tokensOf(text: string): Token[] | undefined {
  const plain = ALIKE.reduce((rest, [sign, alike]) => rest.replace(alike, sign), text).trim();
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < plain.length) {
    const [, number, letter, unit] = TOKEN.exec(plain) ?? [];
    if (TOKEN.lastIndex === 0 || tokens.length >= MAX_TOKENS) return undefined;
    tokens.push({ number, letter, unit });
  }
  return tokens;
}

const isComma = ({ number, letter, unit }: Token): boolean => !number && !letter && !unit;

/** The tokens of each angle: divided by letters, by a comma, or in two halves. */
function groupsOf(tokens: Token[]): [Token[], Token[]] | undefined {
  const commas = tokens.flatMap((token, i) => (isComma(token) ? [i] : []));
  const letters = tokens.flatMap(({ letter }, i) => (letter ? [i] : []));
  const numbers = tokens.flatMap(({ number }, i) => (number ? [i] : []));
  const at = placeOfDivision(tokens, { commas, letters, numbers });
  if (at === undefined) return undefined;
  const halves = [tokens.slice(0, at), tokens.slice(at)].map((half) => half.filter((token) => !isComma(token)));
  const [first = [], second = []] = halves;
  return commas.length <= 1 || /* ISO 6709 ends with a slash */ commas.at(-1) === tokens.length - 1
    ? [first, second]
    : undefined;
}

interface Places {
  commas: number[];
  letters: number[];
  numbers: number[];
}

function placeOfDivision(tokens: Token[], { commas, letters, numbers }: Places): number | undefined {
  if (letters.length > 0) {
    if (letters.length !== 2) return undefined;
    // "N 52 E 13" or "52 N 13 E"
    return tokens[0]?.letter ? letters[1] : (letters[0] ?? 0) + 1;
  }
  const [comma] = commas;
  if (comma !== undefined && comma < tokens.length - 1) return comma;
  return numbers.length % 2 === 0 ? numbers[numbers.length / 2] : undefined;
}

interface Angle {
  degrees: number;
  axis: "latitude" | "longitude" | undefined;
}

const UNITS = ["°", "'", '"'];

function angleOf(tokens: Token[]): Angle | undefined {
  const numbers = tokens.flatMap(({ number }) => (number === undefined ? [] : [number]));
  const letter = tokens.find((token) => token.letter)?.letter;
  if (!areUnitsRight(tokens) || numbers.length < 1 || numbers.length > 3) return undefined;
  const [degrees = "", ...parts] = numbers;
  // Only the last may have a fraction, and only the first a sign.
  if (numbers.slice(0, -1).some((number) => number.includes(".")) || parts.some((part) => /[+-]/.test(part)))
    return undefined;
  const [minutes = 0, seconds = 0] = parts.map(Number);
  if (minutes >= 60 || seconds >= 60 || (letter && /[+-]/.test(degrees))) return undefined;
  const size = Math.abs(Number(degrees)) + minutes / 60 + seconds / 3600;
  const isNegative = degrees.startsWith("-") || letter === "S" || letter === "W";
  const axis = letter === undefined ? undefined : letter === "N" || letter === "S" ? "latitude" : "longitude";
  return { degrees: isNegative ? -size : size, axis };
}

/** Degrees, minutes and seconds have their own signs, or colons between them, or none. */
function areUnitsRight(tokens: Token[]): boolean {
  let numbers = 0;
  for (const { number, unit } of tokens) {
    if (number !== undefined) numbers++;
    if (unit !== undefined && unit !== ":" && UNITS.indexOf(unit) !== numbers - 1) return false;
    if (unit === ":" && numbers === 0) return false;
  }
  return true;
}

/** To a thousandth of a second, which is some three centimetres: `52°31'12.000"N 13°24'18.000"E`. */
export const dmsText = ({ latitude, longitude }: Point): string =>
  `${angleText(latitude)}${latitude < 0 ? "S" : "N"} ${angleText(longitude)}${longitude < 0 ? "W" : "E"}`;

function angleText(degrees: number): string {
  const thousandths = Math.round(Math.abs(degrees) * 3_600_000);
  const [minutes, rest] = [Math.floor(thousandths / 60_000), thousandths % 60_000];
  const seconds = (rest / 1000).toFixed(3).padStart(6, "0");
  return `${Math.floor(minutes / 60)}°${String(minutes % 60).padStart(2, "0")}'${seconds}"`;
}
