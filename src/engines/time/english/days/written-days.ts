/** Days that name a month or are written in numbers. */
import { type Day, dated, longest, type Reference, sameYear } from "../words/calendar.js";
import { type Scanned, type Scanner, scanned } from "../words/scan.js";
import { LAST, MONTHS, NEXT, THIS } from "../words/words.js";

/** Dates that name a month or are written in numbers. */
export function writtenDate(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  const named = [monthFirst(scan, at), dayFirst(scan, at), yearFirst(scan, at)].filter((one) => one !== undefined);
  const best = longest([...named, ...numericDates(scan, at, ref)]);
  return best && scanned(dated(best.value.year, best.value.month, best.value.day, ref), best.next);
}

interface Parts {
  year: number | undefined;
  month: number;
  day: number;
}

const SEPARATORS = ["-", "/", ".", ","];

const month = (scan: Scanner, at: number): Scanned<number> | undefined => {
  const value = MONTHS.get(scan.word(at));
  return value === undefined ? undefined : scanned(value, scan.skip(at + 1, "."));
};

/** `Jan 4th, 2019`, `Sep-23-2020`, `September-2020-23`, `oct/2`, `Dec31`. */
function monthFirst(scan: Scanner, at: number): Scanned<Parts> | undefined {
  const name = month(scan, at);
  if (!name) return;
  const comma = scan.is(name.next, ",") && scan.ordinal(name.next + 1) ? name.next + 1 : name.next;
  const start = scan.skip(scan.skip(comma, "-", "/"), "the");
  const early = scan.digits(start, 4, 4) && scan.year(start);
  const late = early && scan.is(early.next, "-", "/") ? scan.digits(early.next + 1, 1, 2) : undefined;
  if (early && late) return scanned({ year: early.value, month: name.value, day: late.value }, late.next);
  const day = scan.dayOfMonth(start);
  // `March 10:30` and `May 2016` are something else.
  if (!day || scan.is(day.next, ":", "am", "pm") || scan.is(day.next, "hundred", "thousand")) return;
  const year = yearAfter(scan, day.next);
  return scanned({ year: year?.value, month: name.value, day: day.value }, year?.next ?? day.next);
}

/** `4th of Jan 2019`, `05-Aug-2016`, `23/Sep/2020`, `23-2020-September`. */
function dayFirst(scan: Scanner, at: number): Scanned<Parts> | undefined {
  const day = scan.dayOfMonth(at);
  if (!day) return;
  const start = scan.skip(scan.skip(scan.skip(day.next, "day"), "of", "-", "/", ","), "of");
  const early = scan.digits(start, 4, 4) && scan.year(start);
  const last = early && month(scan, scan.skip(early.next, "-", "/"));
  if (early && last) return scanned({ year: early.value, month: last.value, day: day.value }, last.next);
  const name = month(scan, scan.skip(start, "."));
  if (!name) return;
  const year = yearAfter(scan, name.next);
  return scanned({ year: year?.value, month: name.value, day: day.value }, year?.next ?? beforeStop(scan, name.next));
}

/** A full stop after a short month ends a sentence as well. */
const beforeStop = (scan: Scanner, next: number): number => (scan.is(next - 1, ".") ? next - 1 : next);

function yearAfter(scan: Scanner, at: number): Scanned<number> | undefined {
  const start = SEPARATORS.includes(scan.word(at)) ? at + 1 : at;
  const inside = scan.skip(scan.skip(start, "of", "in"), "the");
  const year = scan.yearOfDate(scan.skip(inside, "year"));
  const isLoose = inside === start && start === at && year !== undefined && year.value < 1500;
  // Two digits after a comma may begin something else.
  if (year && start > at && scan.is(at, ",", ".") && scan.word(start).length === 2) return;
  return isLoose ? undefined : year;
}

/** `2019-aug-1`, `2020/23/sep`. */
function yearFirst(scan: Scanner, at: number): Scanned<Parts> | undefined {
  const year = scan.digits(at, 4, 4) && scan.year(at);
  if (!year || !scan.is(year.next, "-", "/")) return;
  const name = month(scan, year.next + 1);
  const day = scan.digits(name ? scan.skip(name.next, "-", "/") : year.next + 1, 1, 2);
  if (!day) return;
  if (name) return scanned({ year: year.value, month: name.value, day: day.value }, day.next);
  const last = month(scan, scan.skip(day.next, "-", "/"));
  return last && scanned({ year: year.value, month: last.value, day: day.value }, last.next);
}

function numericDates(scan: Scanner, at: number, ref: Reference): Scanned<Parts>[] {
  const word = scan.word(at);
  if (/^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(word))
    return [
      scanned({ year: Number(word.slice(0, 4)), month: Number(word.slice(4, 6)), day: Number(word.slice(6)) }, at + 1),
    ];
  const first = scan.digits(at, 1, 4);
  if (!first || word.length === 3) return [];
  return word.length === 4 ? numericFromYear(scan, at, first.value) : numericFromDay(scan, at, first.value, ref);
}

/** `2016-10-16`, `2016/10/16`, `2016 10 16`. */
function numericFromYear(scan: Scanner, at: number, year: number): Scanned<Parts>[] {
  const sign = scan.word(at + 1);
  const isSpaced = /^\d+$/.test(sign);
  if (!isSpaced && !["-", "/", "."].includes(sign)) return [];
  const month = scan.digits(isSpaced ? at + 1 : at + 2, 1, 2);
  const end = month && (isSpaced ? month.next : scan.word(month.next) === sign ? month.next + 1 : undefined);
  return month && end !== undefined ? isoParts(year, month.value, scan.digits(end, 1, 2)) : [];
}

/** `5/12`, `5/12/2016`, `23.04.2022`. `7.6` alone is a number, `4-23` a range. */
function numericFromDay(scan: Scanner, at: number, first: number, ref: Reference): Scanned<Parts>[] {
  const sign = scan.word(at + 1);
  const second = ["-", "/", "."].includes(sign) ? scan.digits(at + 2, 1, 2) : undefined;
  if (!second) return [];
  const third = scan.word(second.next) === sign ? scan.digits(second.next + 1, 1, 4) : undefined;
  const year = third && yearOfDigits(scan.word(third.next - 1), third.value);
  if (third ? year === undefined : sign !== "/") return [];
  const order = sign === "." ? "dmy" : ref.order;
  return ordered(first, second.value, order, year).map((parts) => scanned(parts, third?.next ?? second.next));
}

const isoParts = (year: number, month: number, day: Scanned<number> | undefined): Scanned<Parts>[] =>
  day && year >= 1500 && month >= 1 && month <= 12 && day.value >= 1 && day.value <= 31
    ? [scanned({ year, month, day: day.value }, day.next)]
    : [];

function yearOfDigits(word: string, value: number): number | undefined {
  if (word.length === 4) return value >= 1500 && value < 2200 ? value : undefined;
  return word.length === 2 ? value + (value < 40 ? 2000 : 1900) : undefined;
}

/** By the order asked for, unless only the other one makes a date. */
function ordered(a: number, b: number, order: "mdy" | "dmy", year: number | undefined): Parts[] {
  const [month, day] = order === "mdy" ? [a, b] : [b, a];
  const fits = (m: number, d: number) => m >= 1 && m <= 12 && d >= 1 && d <= 31;
  if (fits(month, day)) return [{ year, month, day }];
  return fits(day, month) ? [{ year, month: day, day: month }] : [];
}

/** `this 5/12`, `next 6th of April`. */
export function ledDate(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  const word = scan.word(at);
  const isNext = NEXT.has(word);
  const isLast = LAST.has(word);
  const written = isNext || isLast || THIS.has(word) ? writtenDate(scan, scan.skip(at + 1, "the"), ref) : undefined;
  if (!written) return;
  const { timex, days } = written.value;
  const [past, future = past] = days;
  const inYear = days.find((day) => sameYear(day, ref.day)) ?? future;
  const day = isNext ? (future ?? past) : isLast ? past : inYear;
  return scanned({ timex, days: day === undefined ? [] : [day] }, written.next);
}

export const dottedDate = (scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined => {
  const [a, b] = [scan.digits(at, 1, 2), scan.digits(at + 2, 1, 2)];
  const [parts] = a && b && scan.is(at + 1, ".") ? ordered(a.value, b.value, ref.order, undefined) : [];
  return parts && b ? scanned(dated(undefined, parts.month, parts.day, ref), b.next) : undefined;
};
