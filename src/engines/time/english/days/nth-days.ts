/** Days by their number within a month or a year: the first Monday of June, the last day of the month. */
import { utcDay } from "../../iso-8601.js";
import { namedPeriod } from "../periods/named-periods.js";
import { halfOf } from "../periods/parts-of-a-period.js";
import { sign, yearOf } from "../periods/periods.js";
import { around, DAY, type Day, exact, isoWeekday, type Reference, two } from "../words/calendar.js";
import { type Scanned, type Scanner, scanned } from "../words/scan.js";
import { MONTHS, WEEKDAY_WORDS } from "../words/words.js";

interface Nth {
  /** From 1; from -1 counted from the end. */
  number: number;
  /** 1 Monday to 7 Sunday; undefined for any day. */
  weekday: number | undefined;
  /** Days from Monday to Friday. */
  isBusiness?: boolean;
}

/** `first Monday`, `2nd Tuesday`, `last day`, `second to last Friday`. */
export function readNth(scan: Scanner, at: number): Scanned<Nth> | undefined {
  const number = place(scan, scan.skip(at, "the"));
  if (!number) return;
  const weekday = WEEKDAY_WORDS.get(scan.word(number.next));
  const isNamed = scan.is(number.next, "business", "working", "work") && scan.is(number.next + 1, "day");
  if (isNamed || scan.is(number.next, "weekday"))
    return scanned({ number: number.value, weekday: undefined, isBusiness: true }, number.next + (isNamed ? 2 : 1));
  if (weekday === undefined && !scan.is(number.next, "day")) return;
  return scanned({ number: number.value, weekday }, number.next + 1);
}

const FROM_END: [words: string, number: number][] = [
  ["second to last", -2],
  ["second - to - last", -2],
  ["next to last", -2],
  ["penultimate", -2],
  ["third to last", -3],
  ["final", -1],
  ["last", -1],
];

function place(scan: Scanner, at: number): Scanned<number> | undefined {
  for (const [words, number] of FROM_END) {
    const next = scan.after(at, words);
    if (next !== undefined) return scanned(number, next);
  }
  return scan.ordinal(at);
}

/** `the last Monday of May`, `first Friday of next month`, `second Tuesday in June 2027`, `last day of the year`. */
export function nthDay(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  const nth = readNth(scan, at);
  if (!nth) return;
  const isOf = scan.is(nth.next, "of", "in");
  const start = isOf ? scan.skip(nth.next + 1, "the") : nth.next;
  const isThis = isOf && start > nth.next + 1;
  return (
    (isOf ? ofPeriod(scan, nth.value, nth.next + 1, ref) : undefined) ??
    ofThisOrNext(scan, nth.value, { at: start, isThis }, ref) ??
    (isOf ? nthOfNamed(scan, nth.value, start, ref) : undefined)
  );
}

/** `of the month`, `next year`. */
function ofThisOrNext(scan: Scanner, nth: Nth, { at, isThis }: { at: number; isThis: boolean }, ref: Reference) {
  const plus = sign(scan.word(at));
  if (plus === undefined && !isThis) return;
  const unit = scan.word(plus === undefined ? at : at + 1);
  const next = plus === undefined ? at + 1 : at + 2;
  const today = new Date(ref.day);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() + 1];
  if (unit === "month") return one(nth, year, month + (plus ?? 0), 1, next);
  return unit === "year" ? one(nth, year + (plus ?? 0), 1, 12, next) : undefined;
}

/** Of a quarter, a half or a week, and of the year 2025: all but months and years by their words. */
function ofPeriod(scan: Scanner, nth: Nth, at: number, ref: Reference): Scanned<Day> | undefined {
  const inner = scan.skip(at, "the");
  const period = halfOf(scan, inner, ref) ?? namedPeriod(scan, at, ref);
  const found = period?.value.filter((one) => !/^(?:\d{4}|XXXX)-\d\d$/.test(one.timex)) ?? [];
  if (!period || found.length === 0) return;
  const days = found.flatMap(({ start, end }) =>
    start === undefined || end === undefined ? [] : (nthBetween(nth, start, end) ?? []),
  );
  const day = days.find((one) => one >= ref.day) ?? days.at(-1);
  return day === undefined ? undefined : scanned(exact(day), period.next);
}

/** Of a month by its name, or a year by its number. */
function nthOfNamed(scan: Scanner, nth: Nth, at: number, ref: Reference): Scanned<Day> | undefined {
  const thisYear = new Date(ref.day).getUTCFullYear();
  const month = MONTHS.get(scan.word(at));
  if (month === undefined) {
    const year = yearOf(scan, scan.skip(at, "year"), thisYear);
    return year && one(nth, year.value, 1, 12, year.next);
  }
  const named = scan.is(at + 1, ".") && scan.word(at).length < 5 && at + 2 < scan.tokens.length ? at + 2 : at + 1;
  const year = yearOf(scan, scan.skip(scan.skip(named, ","), "of", "in"), thisYear);
  if (year) return one(nth, year.value, month, 1, year.next);
  const days = around((one) => nthIn(nth, one, month, 1), thisYear, ref.day);
  return scanned({ timex: `XXXX-${two(month)}-${timexOf(nth)}`, days }, at + 1);
}

/** As Recognizers write it; those from the end have a number below zero. */
export const timexOf = ({ number, weekday, isBusiness }: Nth): string =>
  isBusiness ? `BD#${number}` : weekday === undefined ? `#${number}` : `WXX-${weekday}-#${number}`;

function one(nth: Nth, year: number, month: number, months: number, next: number): Scanned<Day> {
  const day = nthIn(nth, year, month, months);
  if (day !== undefined) return scanned(exact(day), next);
  const from = new Date(utcDay(year, month, 1));
  const timex = months === 1 ? `${from.getUTCFullYear()}-${two(from.getUTCMonth() + 1)}` : `${from.getUTCFullYear()}`;
  return scanned({ timex: `${timex}-${timexOf(nth)}`, days: [] }, next);
}

const nthIn = (nth: Nth, year: number, month: number, months: number): number | undefined =>
  nthBetween(nth, utcDay(year, month, 1), utcDay(year, month + months, 1));

/** Undefined where there are not so many. */
function nthBetween({ number, weekday, isBusiness }: Nth, first: number, end: number): number | undefined {
  if (isBusiness) return nthBusinessDay(number, first, end);
  const step = weekday === undefined ? 1 : 7;
  const isFromEnd = number < 0;
  const edge = isFromEnd ? end - DAY : first;
  const ahead = weekday === undefined ? 0 : (weekday - isoWeekday(edge) + 7) % 7;
  const nearest = edge + (isFromEnd && ahead > 0 ? ahead - 7 : ahead) * DAY;
  const day = nearest + (isFromEnd ? number + 1 : number - 1) * step * DAY;
  return number !== 0 && day >= first && day < end ? day : undefined;
}

function nthBusinessDay(number: number, first: number, end: number): number | undefined {
  const step = Math.sign(number) * DAY;
  let left = Math.abs(number);
  for (let day = number > 0 ? first : end - DAY; day >= first && day < end; day += step) {
    if (isoWeekday(day) < 6) left -= 1;
    if (left === 0) return day;
  }
  return;
}
