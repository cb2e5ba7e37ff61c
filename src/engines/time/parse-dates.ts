/** Days in English: written dates, weekdays, days relative to others, and holidays. */
import { once } from "../../lib/lazy.js";
import { utcDay } from "./iso-8601.js";
import { type Scanned, type Scanner, scanned } from "./parse-scan.js";
import {
  EASTER_HOLIDAYS,
  FIXED_HOLIDAYS,
  LAST,
  MONTHS,
  NEXT,
  THIS,
  type TimeUnit,
  WEEKDAY_HOLIDAYS,
  WEEKDAY_WORDS,
} from "./parse-words.js";
import { easterOf } from "./recurrence-days.js";

const DAY = 86_400_000;

/** A day by its timex, with the midnights that it may mean: none, one, or the last and the next. */
export interface Day {
  timex: string;
  days: number[];
}

export interface Reference {
  /** Midnight. */
  day: number;
  /** Milliseconds since then. */
  time: number;
  order: "mdy" | "dmy";
}

const two = (value: number) => String(value).padStart(2, "0");

/** A day before the year 1 or after 9999: nothing is said of it. */
export class OutOfCalendar extends Error {}

const [FIRST, LAST_DAY] = [utcDay(1, 1, 1), utcDay(9999, 12, 31)];

/** Throws OutOfCalendar. */
export function dayText(day: number): string {
  if (!(day >= FIRST && day <= LAST_DAY + DAY - 1)) throw new OutOfCalendar();
  return new Date(day).toISOString().slice(0, 10);
}

const exact = (day: number): Day => ({ timex: dayText(day), days: [day] });

const isoWeekday = (day: number): number => new Date(day).getUTCDay() || 7;

/** The day of this week, counted from Monday, plus whole weeks. */
export const inWeek = (day: number, weekday: number, weeks = 0): number =>
  day + (weekday - isoWeekday(day) + weeks * 7) * DAY;

/** Months carry on, and a day that a month lacks becomes its last. */
function addMonths(day: number, months: number): number {
  const date = new Date(day);
  const first = utcDay(date.getUTCFullYear(), date.getUTCMonth() + 1 + months, 1);
  const length = new Date(utcDay(date.getUTCFullYear(), date.getUTCMonth() + 2 + months, 0)).getUTCDate();
  return first + (Math.min(date.getUTCDate(), length) - 1) * DAY;
}

export function addUnits(day: number, amount: number, unit: TimeUnit): number {
  if (unit === "Y" || unit === "C") return addMonths(day, Math.round(amount * 12 * (unit === "C" ? 10 : 1)));
  if (unit === "M" || unit === "Q") return addMonths(day, Math.round(amount * (unit === "Q" ? 3 : 1)));
  if (unit === "B") return addBusinessDays(day, amount);
  const days = { W: 7, F: 14, WE: 7 }[unit as string] ?? 1;
  return day + Math.round(amount * days) * DAY;
}

function addBusinessDays(day: number, amount: number): number {
  let [at, left] = [day, Math.min(Math.abs(Math.round(amount)), 10_000)];
  while (left > 0) {
    at += Math.sign(amount) * DAY;
    if (isoWeekday(at) < 6) left -= 1;
  }
  return at;
}

const isReal = (year: number, month: number, day: number): boolean =>
  day >= 1 && new Date(utcDay(year, month, day)).getUTCMonth() === month - 1;

/** A day of a written date; without a year the last and the next of them. */
export function dated(year: number | undefined, month: number, day: number, ref: Reference): Day {
  const timex = `${year === undefined ? "XXXX" : String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
  if (year !== undefined) return { timex, days: isReal(year, month, day) ? [utcDay(year, month, day)] : [] };
  const thisYear = new Date(ref.day).getUTCFullYear();
  if (day > 28 && !isReal(2024, month, day)) return { timex, days: [] };
  return {
    timex,
    days: around((at) => (isReal(at, month, day) ? utcDay(at, month, day) : undefined), thisYear, ref.day),
  };
}

/** The last of a yearly day before the reference and the next from it on. */
function around(dayIn: (year: number) => number | undefined, year: number, today: number): number[] {
  const all = Array.from({ length: 19 }, (_, at) => dayIn(year - 9 + at)).filter((day) => day !== undefined);
  const past = all.filter((day) => day < today).at(-1);
  const future = all.find((day) => day >= today);
  return [past, future].filter((day) => day !== undefined);
}

/** The longest date that begins at a position. */
export const readDay = (scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined =>
  scan.once("day", at, () => dayAt(scan, at, ref));

function dayAt(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  const inner = scan.skip(at, "the");
  const found = [
    withWeekday(scan, at, ref),
    ledDate(scan, inner, ref),
    writtenDate(scan, inner, ref),
    relativeDay(scan, at, ref),
    shifted(scan, at, ref),
    holiday(scan, inner, ref),
    dayOfMonthAlone(scan, inner, ref),
  ].filter((one) => one !== undefined);
  return longest(found);
}

export function longest<T>(found: Scanned<T>[]): Scanned<T> | undefined {
  return found.reduce<Scanned<T> | undefined>((best, one) => (best && best.next >= one.next ? best : one), undefined);
}

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
function ledDate(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
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

type Direction = { weeks: number; next: number; isExact: boolean };

/** `this`, `next` and `last` before a weekday; `coming` and `past` mean the nearest one. */
function direction(scan: Scanner, at: number): Direction & { nearest: -1 | 0 | 1 } {
  const start = scan.skip(at, "this", "the");
  const isLed = start > at && scan.is(at, "this");
  if (scan.is(start, "upcoming") || (isLed && scan.is(start, "coming")))
    return { weeks: 0, next: start + 1, isExact: true, nearest: 1 };
  if (scan.is(start, "past")) return { weeks: 0, next: start + 1, isExact: true, nearest: -1 };
  if (NEXT.has(scan.word(start))) return { weeks: 1, next: start + 1, isExact: true, nearest: 0 };
  if (LAST.has(scan.word(start))) return { weeks: -1, next: start + 1, isExact: true, nearest: 0 };
  return { weeks: 0, next: start, isExact: isLed || THIS.has(scan.word(at)), nearest: 0 };
}

/** Weekdays, with what tells which one of them. */
function withWeekday(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  const { weeks, next, isExact, nearest } = direction(scan, at);
  const weekday = WEEKDAY_WORDS.get(scan.word(next));
  if (weekday === undefined) return weekThenDay(scan, at, ref);
  const end = scan.skip(next + 1, ".");
  const named = dateAfterWeekday(scan, next + 1, weekday, ref, isExact);
  if (named) return named;
  const ofWeek = weekAfter(scan, next + 1);
  if (ofWeek) return scanned(exact(inWeek(ref.day, weekday, ofWeek.value)), ofWeek.next);
  const after = shifted(scan, scan.skip(next + 1, ",", "in"), ref);
  if (after?.value.days[0] !== undefined)
    return scanned(exact(inWeek(after.value.days.at(-1) ?? 0, weekday)), after.next);
  const bare = scan.is(next + 1, ".") && scan.word(next).length < 6 && end < scan.tokens.length ? next + 1 : next + 1;
  if (nearest !== 0) return scanned(exact(nearestDay(ref.day, weekday, nearest)), bare);
  if (isExact) return scanned(exact(inWeek(ref.day, weekday, weeks)), bare);
  const thisWeek = inWeek(ref.day, weekday);
  const days = thisWeek >= ref.day ? [thisWeek - 7 * DAY, thisWeek] : [thisWeek, thisWeek + 7 * DAY];
  return scanned({ timex: `XXXX-WXX-${weekday}`, days }, bare);
}

function nearestDay(day: number, weekday: number, sign: -1 | 1): number {
  const distance = (((weekday - isoWeekday(day)) * sign + 7) % 7 || 7) * sign;
  return day + distance * DAY;
}

/** `of next week`, `this week`, `of the following week`. */
function weekAfter(scan: Scanner, at: number): Scanned<number> | undefined {
  const start = scan.skip(scan.skip(at, "of", "in"), "the");
  if (!scan.is(start + 1, "week")) return;
  if (NEXT.has(scan.word(start))) return scanned(1, start + 2);
  if (LAST.has(scan.word(start))) return scanned(-1, start + 2);
  return THIS.has(scan.word(start)) ? scanned(0, start + 2) : undefined;
}

/** `next week Wednesday`, `previous week - Monday`. */
function weekThenDay(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  const week = weekAfter(scan, at);
  const start = week && scan.skip(scan.skip(week.next, "-", ",", "on"), "on");
  const weekday = start === undefined ? undefined : WEEKDAY_WORDS.get(scan.word(start));
  return week && start !== undefined && weekday !== undefined
    ? scanned(exact(inWeek(ref.day, weekday, week.value)), start + 1)
    : undefined;
}

/** `Friday, June 15`, `Friday (jun-15)`, `Tuesday the eleventh`, `Monday 21`. */
function dateAfterWeekday(
  scan: Scanner,
  at: number,
  weekday: number,
  ref: Reference,
  isExact: boolean,
): Scanned<Day> | undefined {
  const start = scan.skip(scan.skip(at, ",", "-", "(", "."), "the");
  const written = writtenDate(scan, start, ref) ?? dottedDate(scan, start, ref);
  if (written) {
    const { timex, days } = written.value;
    const kept = isExact && days.length > 1 ? days.filter((day) => sameYear(day, ref.day)) : days;
    return scanned({ timex, days: kept }, scan.is(at, "(") ? scan.skip(written.next, ")") : written.next);
  }
  const day = scan.ordinal(start) ?? bareDay(scan, start);
  if (!day || day.value > 31) return;
  const [past, future, nearest] = monthsWith(weekday, day.value, ref.day);
  if (scan.is(start - 1, "the") || isExact)
    return nearest === undefined ? undefined : scanned(exact(nearest), day.next);
  const days = [past, future].filter((one) => one !== undefined);
  return scanned({ timex: `XXXX-WXX-${weekday}`, days }, day.next);
}

const sameYear = (a: number, b: number): boolean => new Date(a).getUTCFullYear() === new Date(b).getUTCFullYear();

const dottedDate = (scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined => {
  const [a, b] = [scan.digits(at, 1, 2), scan.digits(at + 2, 1, 2)];
  const [parts] = a && b && scan.is(at + 1, ".") ? ordered(a.value, b.value, ref.order, undefined) : [];
  return parts && b ? scanned(dated(undefined, parts.month, parts.day, ref), b.next) : undefined;
};

const bareDay = (scan: Scanner, at: number): Scanned<number> | undefined => {
  const day = scan.digits(at, 2, 2);
  return day && !scan.is(day.next, ":", "am", "pm", "a", "p", ".", "-", "/", "minutes", "hours", "o'clock")
    ? day
    : undefined;
};

/** The last and the next month whose day falls on a weekday, and the one that is meant: this month's if it does. */
function monthsWith(weekday: number, day: number, today: number): (number | undefined)[] {
  const date = new Date(today);
  const dayIn = (months: number) => {
    const at = utcDay(date.getUTCFullYear(), date.getUTCMonth() + 1 + months, day);
    return new Date(at).getUTCDate() === day && isoWeekday(at) === weekday ? [at] : [];
  };
  const all = Array.from({ length: 49 }, (_, at) => at - 24).flatMap(dayIn);
  const past = all.filter((at) => at < today).at(-1);
  const future = all.find((at) => at >= today);
  return [past, future, dayIn(0)[0] ?? future];
}

const NAMED_DAYS: [words: string, days: number][] = [
  ["the day after tomorrow", 2],
  ["day after tomorrow", 2],
  ["the day before yesterday", -2],
  ["day before yesterday", -2],
  ["today", 0],
  ["tomorrow", 1],
  ["tmrw", 1],
  ["tmr", 1],
  ["yesterday", -1],
  ["the day after", 1],
  ["the following day", 1],
  ["following day", 1],
  ["the next day", 1],
  ["next day", 1],
  ["the day before", -1],
  ["the previous day", -1],
  ["previous day", -1],
  ["last day", -1],
  ["this day", 0],
  ["current day", 0],
  ["the day", 0],
  ["otd", 0],
];

function relativeDay(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  for (const [words, days] of NAMED_DAYS) {
    const next = scan.after(at, words);
    if (next !== undefined) return scanned(exact(ref.day + days * DAY), next);
  }
  return;
}

const DATE_UNITS = new Set<TimeUnit>(["Y", "M", "W", "D", "B", "F", "Q", "C"]);

interface Length {
  amounts: [number, TimeUnit][];
}

/** `two weeks`, `2 years 1 month 21 days`. */
export function readLength(
  scan: Scanner,
  at: number,
  isUnit: (unit: TimeUnit) => boolean,
): Scanned<Length> | undefined {
  const amounts: [number, TimeUnit][] = [];
  let next = at;
  for (let from = at; amounts.length < 6; ) {
    const amount =
      scan.amount(from) ?? (amounts.length === 0 && scan.is(from, "fortnight") ? scanned(1, from) : undefined);
    const unit = amount && scan.unit(amount.next);
    if (!amount || !unit || !isUnit(unit.value)) break;
    const half = scan.after(unit.next, "and a half") ?? scan.after(unit.next, "and half");
    amounts.push([amount.value + (half === undefined ? 0 : 0.5), unit.value]);
    next = half ?? unit.next;
    from = scan.skip(scan.skip(next, ","), "and");
  }
  return amounts.length > 0 ? scanned({ amounts }, next) : undefined;
}

const add = (day: number, { amounts }: Length, sign: number): number =>
  amounts.reduce((at, [amount, unit]) => addUnits(at, sign * amount, unit), day);

/** `in two weeks`, `3 days ago`, `2 weeks from January 15`, `two days after tomorrow`. */
function shifted(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  const start = scan.skip(at, "in", "within");
  const length = readLength(scan, start, (unit) => DATE_UNITS.has(unit));
  if (!length) return;
  const found = anchored(scan, length, start > at, ref);
  if (!found) return start > at ? scanned(exact(add(ref.day, length.value, 1)), length.next) : undefined;
  // `two months from today on Tuesday`
  const on = scan.skip(found.next, "on");
  const weekday = on > found.next ? WEEKDAY_WORDS.get(scan.word(on)) : undefined;
  const [day] = found.value.days;
  return weekday !== undefined && day !== undefined
    ? scanned(exact(inWeek(found.value.days.at(-1) ?? day, weekday)), on + 1)
    : found;
}

function anchored(scan: Scanner, length: Scanned<Length>, isIn: boolean, ref: Reference): Scanned<Day> | undefined {
  const { next, value } = length;
  if (scan.is(next, "ago", "earlier")) return scanned(exact(add(ref.day, value, -1)), next + 1);
  if (scan.is(next, "later", "hence", "afterwards")) return scanned(exact(add(ref.day, value, 1)), next + 1);
  const now = scan.after(next, "from now");
  if (now !== undefined) return scanned(exact(add(ref.day, value, 1)), now);
  const sign = scan.is(next, "from", "after", "since") ? 1 : scan.is(next, "before") ? -1 : 0;
  if (sign === 0) return isIn ? onWeekday(scan, next, add(ref.day, value, 1)) : undefined;
  const anchor = anchorDay(scan, next + 1, ref);
  const day = anchor?.value.days.at(-1);
  return anchor && day !== undefined ? scanned(exact(add(day, value, sign)), anchor.next) : undefined;
}

/** `in 3 days on Friday`. */
function onWeekday(scan: Scanner, at: number, day: number): Scanned<Day> | undefined {
  const weekday = scan.is(at, "on") ? WEEKDAY_WORDS.get(scan.word(at + 1)) : undefined;
  return weekday === undefined ? undefined : scanned(exact(inWeek(day, weekday)), at + 2);
}

function anchorDay(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  const year = scan.year(scan.skip(scan.skip(at, "the"), "year"));
  const day = readDay(scan, at, ref);
  if (year && !(day && day.next > year.next)) return scanned(exact(utcDay(year.value, 1, 1)), year.next);
  return day;
}

/** `the 21st this month`, `the 15th day of next month`, `the 21st`. */
function dayOfMonthAlone(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  const day = scan.ordinal(at);
  if (!day || day.value > 31) return;
  const isLed = scan.is(at - 1, "the", "on");
  const start = scan.skip(scan.skip(scan.skip(day.next, "day"), "of", "in"), "the");
  const months = NEXT.has(scan.word(start))
    ? 1
    : LAST.has(scan.word(start))
      ? -1
      : THIS.has(scan.word(start))
        ? 0
        : undefined;
  const date = new Date(ref.day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  const dayIn = (plus: number) => {
    const found = utcDay(year, month + plus, day.value);
    return new Date(found).getUTCDate() === day.value ? found : undefined;
  };
  if (months !== undefined && scan.is(start + 1, "month")) {
    const found = dayIn(months);
    return found === undefined ? undefined : scanned(exact(found), start + 2);
  }
  if (!isLed || !/^\d/.test(scan.word(at))) return;
  const all = [-2, -1, 0, 1, 2, 3].map(dayIn).filter((found) => found !== undefined);
  const days = [all.filter((found) => found < ref.day).at(-1), all.find((found) => found >= ref.day)].filter(
    (found) => found !== undefined,
  );
  return scanned({ timex: `XXXX-XX-${two(day.value)}`, days }, day.next);
}

type DayIn = (year: number) => number;

const holidayRules = once(makeHolidayRules);

function makeHolidayRules(): [names: string[], dayIn: DayIn, timex: (year: string) => string][] {
  return [
    ...FIXED_HOLIDAYS.map(([names, month, day]): [string[], DayIn, (year: string) => string] => [
      names,
      (year) => utcDay(year, month, day),
      (year) => `${year}-${two(month)}-${two(day)}`,
    ]),
    ...WEEKDAY_HOLIDAYS.map(([names, month, weekday, nth, plus]): [string[], DayIn, (year: string) => string] => [
      names,
      (year) => nthWeekday(year, month, weekday, nth) + plus * DAY,
      (year) => (plus === 0 && nth > 0 ? `${year}-${two(month)}-WXX-${weekday}-${nth}` : ""),
    ]),
    ...EASTER_HOLIDAYS.map(([names, days]): [string[], DayIn, (year: string) => string] => [
      names,
      (year) => easterOf(year) + days * DAY,
      () => "",
    ]),
  ];
}

function nthWeekday(year: number, month: number, weekday: number, nth: number): number {
  const first = nth > 0 ? utcDay(year, month, 1) : utcDay(year, month + 1, 0);
  const distance = nth > 0 ? (weekday - isoWeekday(first) + 7) % 7 : -((isoWeekday(first) - weekday + 7) % 7);
  return first + (distance + (nth > 0 ? nth - 1 : nth + 1) * 7) * DAY;
}

/** Holidays, with a year or with `next` and `last` before them. */
function holiday(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  const isNext = NEXT.has(scan.word(at));
  const isLast = LAST.has(scan.word(at));
  const isThis = THIS.has(scan.word(at));
  const start = isNext || isLast || isThis ? at + 1 : at;
  const found = longest(
    holidayRules().flatMap(([names, dayIn, timex]) =>
      names.flatMap((name) => {
        const next = scan.after(start, name);
        return next === undefined ? [] : [scanned({ dayIn, timex }, next)];
      }),
    ),
  );
  if (!found) return;
  const { dayIn, timex } = found.value;
  const thisYear = new Date(ref.day).getUTCFullYear();
  if (start > at) {
    const all = [-2, -1, 0, 1, 2].map((plus) => dayIn(thisYear + plus));
    const day = isNext
      ? all.find((one) => one > ref.day)
      : isLast
        ? all.filter((one) => one < ref.day).at(-1)
        : dayIn(thisYear);
    return day === undefined ? undefined : scanned(exact(day), found.next);
  }
  const year = holidayYear(scan, found.next, thisYear);
  if (year) return scanned(exact(dayIn(year.value)), year.next);
  const days = around(dayIn, thisYear, ref.day);
  return scanned({ timex: timex("XXXX") || `XXXX-${dayText(days.at(-1) ?? ref.day).slice(5)}`, days }, found.next);
}

function holidayYear(scan: Scanner, at: number, thisYear: number): Scanned<number> | undefined {
  const start = scan.skip(scan.skip(at, ",", "of", "in"), "the");
  const year = scan.year(start);
  if (year) return year;
  if (!scan.is(start + 1, "year")) return;
  const word = scan.word(start);
  return NEXT.has(word)
    ? scanned(thisYear + 1, start + 2)
    : LAST.has(word)
      ? scanned(thisYear - 1, start + 2)
      : THIS.has(word)
        ? scanned(thisYear, start + 2)
        : undefined;
}
