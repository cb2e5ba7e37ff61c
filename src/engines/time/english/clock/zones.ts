/** Time zones behind a time of day: `8 PM EST`, `10:00Z`, `9:00 UTC+2`, `noon Pacific time`. */
import { type Scanned, type Scanner, scanned } from "../words/scan.js";
import type { SpokenZone } from "../words/words.js";

const OFFSETS: ReadonlyMap<string, string> = new Map(
  [
    ["+00:00", "utc gmt wet"],
    ["+01:00", "bst cet west wat"],
    ["+02:00", "cest eet cat sast"],
    ["+03:00", "eest eat msk trt"],
    ["+05:00", "pkt"],
    ["+05:45", "npt"],
    ["+07:00", "ict wib"],
    ["+08:00", "hkt sgt awst pht"],
    ["+09:00", "jst kst"],
    ["+09:30", "acst"],
    ["+10:00", "aest"],
    ["+10:30", "acdt"],
    ["+11:00", "aedt"],
    ["+12:00", "nzst"],
    ["+13:00", "nzdt"],
    ["-10:00", "hst"],
    ["-09:00", "akst hdt"],
    ["-08:00", "pst akdt"],
    ["-07:00", "mst pdt"],
    ["-06:00", "cst mdt"],
    ["-05:00", "est cdt"],
    ["-04:00", "edt ast"],
    ["-03:30", "nst"],
    ["-03:00", "adt brt art"],
    ["-02:30", "ndt"],
  ].flatMap(([offset = "", names = ""]) => names.split(" ").map((name): [string, string] => [name, offset])),
);

/** Letters of several countries with different offsets. */
const OPEN = new Set(["ist", "amt", "gst"]);

const REGIONS: ReadonlyMap<string, [letter: string, timeZone: string]> = new Map([
  ["eastern", ["e", "America/New_York"]],
  ["central", ["c", "America/Chicago"]],
  ["mountain", ["m", "America/Denver"]],
  ["pacific", ["p", "America/Los_Angeles"]],
]);

/** Written small as well: no other words of English. */
const SMALL = new Set("utc gmt est edt cst cdt mst mdt pst pdt cet cest eet eest jst".split(" "));

/** A zone after a time; of a time of ISO 8601 also `-05:00`, which is a range elsewhere. */
export function readZone(scan: Scanner, at: number, isIso: boolean): Scanned<SpokenZone> | undefined {
  const isInside = scan.is(at, "(");
  const start = isInside ? at + 1 : at;
  const found =
    universal(scan, start) ??
    numeric(scan, start, isIso ? ["+", "-", "−"] : ["+"]) ??
    letters(scan, start) ??
    region(scan, start);
  if (!found || !isInside) return found;
  return scan.is(found.next, ")") ? scanned(found.value, found.next + 1) : undefined;
}

const written = (scan: Scanner, from: number, next: number): string =>
  scan.text.slice(scan.tokens[from]?.start, scan.tokens[next - 1]?.end);

const zone = (
  scan: Scanner,
  from: number,
  next: number,
  [offset, name]: [string | null, string?],
): Scanned<SpokenZone> => scanned({ text: written(scan, from, next), offset, timeZone: name ?? null }, next);

/** `Z`, `UTC`, `GMT+1`. */
function universal(scan: Scanner, at: number): Scanned<SpokenZone> | undefined {
  if (scan.is(at, "z") && scan.isTight(at)) return zone(scan, at, at + 1, ["+00:00", "UTC"]);
  if (!scan.is(at, "utc", "gmt")) return;
  const plus = numeric(scan, at + 1, ["+", "-", "−"]);
  return plus ? zone(scan, at, plus.next, [plus.value.offset]) : zone(scan, at, at + 1, ["+00:00", "UTC"]);
}

/** `+02:00`, `+0200`, `+2`: without blanks. */
function numeric(scan: Scanner, at: number, signs: string[]): Scanned<SpokenZone> | undefined {
  if (!scan.is(at, ...signs) || !scan.isTight(at) || !scan.isTight(at + 1)) return;
  const digits = scan.digits(at + 1, 1, 4);
  if (!digits) return;
  const word = scan.word(at + 1);
  const isColon = word.length <= 2 && scan.is(digits.next, ":") && scan.isTight(digits.next);
  const minutes = isColon ? scan.digits(digits.next + 1, 2, 2) : undefined;
  const [hour, minute] =
    word.length > 2 ? [Number(word.slice(0, -2)), Number(word.slice(-2))] : [digits.value, minutes?.value ?? 0];
  if (hour > 14 || minute > 59) return;
  const two = (value: number) => String(value).padStart(2, "0");
  return zone(scan, at, minutes?.next ?? digits.next, [`${scan.is(at, "+") ? "+" : "-"}${two(hour)}:${two(minute)}`]);
}

function letters(scan: Scanner, at: number): Scanned<SpokenZone> | undefined {
  const word = scan.word(at);
  const raw = written(scan, at, at + 1);
  if (!SMALL.has(word) && raw !== word.toUpperCase()) return;
  const offset = OFFSETS.get(word);
  if (offset !== undefined || OPEN.has(word)) return zone(scan, at, at + 1, [offset ?? null]);
  const [, timeZone] = [...REGIONS.values()].find(([letter]) => word === `${letter}t`) ?? [];
  return timeZone === undefined ? undefined : zone(scan, at, at + 1, [null, timeZone]);
}

/** `Eastern time`, `Pacific Standard Time`, `mountain timezone`. */
function region(scan: Scanner, at: number): Scanned<SpokenZone> | undefined {
  const [letter, timeZone] = REGIONS.get(scan.word(at)) ?? [];
  const kind = scan.is(at + 1, "standard", "daylight") ? scan.word(at + 1) : undefined;
  const last = kind === undefined ? at + 1 : at + 2;
  if (letter === undefined || !scan.is(last, "time", "timezone")) return;
  const next = scan.is(last, "time") ? scan.skip(last + 1, "zone") : last + 1;
  const offset = kind === undefined ? null : (OFFSETS.get(`${letter}${kind.charAt(0)}t`) ?? null);
  return zone(scan, at, next, [offset, timeZone]);
}

/** Writes an offset behind each time of a timex; lengths keep their letters. */
export function withOffset(timex: string, { offset }: SpokenZone): string {
  if (offset === null) return timex;
  const suffix = offset === "+00:00" ? "Z" : offset;
  return timex.replace(/(?<!P|\dD)T\d\d(?::\d\d(?::\d\d(?:\.\d+)?)?)?(?![\d:]|[A-Z])/g, `$&${suffix}`);
}
