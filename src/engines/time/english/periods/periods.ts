/** Weeks, months, quarters and years. They end before their end. */
import { utcDay } from "../../iso-8601.js";
import { addUnits, DAY, dayText, inWeek, type Reference, type SpokenDays, two } from "../words/calendar.js";
import { lengthTimex } from "../words/lengths.js";
import { type Scanned, type Scanner, scanned } from "../words/scan.js";
import { LAST, MONTHS, NEXT, THIS, type TimeUnit } from "../words/words.js";
import { beginsIsoWeek } from "./iso-weeks.js";

export const between = (start: number, end: number, length = `P${Math.round((end - start) / DAY)}D`): SpokenDays => ({
  ...{ start, end },
  timex: `(${dayText(start)},${dayText(end)},${length})`,
});

export const monthRange = (year: number, month: number, timex = `${year}-${two(month)}`): SpokenDays => ({
  ...{ timex, start: utcDay(year, month, 1), end: utcDay(year, month + 1, 1) },
});

const yearRange = (year: number): SpokenDays => ({
  timex: String(year),
  start: utcDay(year, 1, 1),
  end: utcDay(year + 1, 1, 1),
});

export const sign = (word: string): -1 | 0 | 1 | undefined =>
  NEXT.has(word) ? 1 : LAST.has(word) ? -1 : THIS.has(word) ? 0 : undefined;

/** `next week`, `this month`, `last year`, `the weekend`, `last quarter`. */
export function unitRange(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const plus = sign(scan.word(at));
  const unit = scan.unit(plus === undefined ? at : at + 1)?.value;
  if (unit === undefined || (plus === undefined && !scan.is(at - 1, "the") && unit !== "WE")) return;
  const range = unitAt(unit, plus ?? 0, ref.day);
  return range && scanned([range], plus === undefined ? at + 1 : at + 2);
}

export function unitAt(unit: TimeUnit, plus: number, day: number): SpokenDays | undefined {
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  const monday = inWeek(day, 1, plus);
  if (unit === "W") return { timex: weekTimex(monday), start: monday, end: monday + 7 * DAY };
  if (unit === "WE") return { timex: `${weekTimex(monday)}-WE`, start: monday + 5 * DAY, end: monday + 7 * DAY };
  if (unit === "M") {
    const first = new Date(utcDay(year, month + plus, 1));
    return monthRange(first.getUTCFullYear(), first.getUTCMonth() + 1);
  }
  if (unit === "Y") return yearRange(year + plus);
  if (unit === "C") return decadesFrom(year, plus, 1);
  const first = Math.floor((month - 1) / 3) * 3 + 1 + plus * 3;
  return unit === "Q" ? between(utcDay(year, first, 1), utcDay(year, first + 3, 1), "P3M") : undefined;
}

/** They begin with a year that ends in 0. */
function decadesFrom(year: number, plus: number, count: number): SpokenDays {
  const first = Math.floor(year / 10) * 10 + (plus < 0 ? -10 * count : plus * 10);
  return between(utcDay(first, 1, 1), utcDay(first + 10 * count, 1, 1), `P${10 * count}Y`);
}

function weekTimex(monday: number): string {
  const thursday = monday + 3 * DAY;
  const year = new Date(thursday).getUTCFullYear();
  return `${year}-W${two(Math.floor((thursday - utcDay(year, 1, 1)) / (7 * DAY)) + 1)}`;
}

/** `next 3 days`, `past two weeks`, `previous three quarters`. */
export function severalUnits(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const early = sign(scan.word(at));
  const amount = scan.amount(early === undefined ? at : at + 1);
  // `next 3 days`, or `3 upcoming days`.
  const late = early === undefined && amount ? sign(scan.word(amount.next)) : undefined;
  const plus = early ?? late;
  const unit = amount && scan.unit(late === undefined ? amount.next : amount.next + 1);
  if (!plus || !unit || !amount || isOtherNumber(scan, amount, late) || ["H", "N", "S"].includes(unit.value)) return;
  if (unit.value === "C")
    return scanned([decadesFrom(new Date(ref.day).getUTCFullYear(), plus, amount.value)], unit.next);
  const text = lengthTimex([[amount.value, unit.value]]);
  const base = unit.value === "Q" ? quarterStart(ref.day) : ref.day;
  const begin = plus > 0 ? (unit.value === "Q" ? addUnits(base, 1, "Q") : base + DAY) : base;
  const other = addUnits(begin, plus * amount.value, unit.value);
  return scanned([plus > 0 ? between(begin, other, text) : between(other, begin, text)], unit.next);
}

/** `iPhone 15 next week` has no 15 weeks. */
const isOtherNumber = (scan: Scanner, { value, next }: Scanned<number>, late: number | undefined): boolean =>
  late !== undefined && value > 1 && !scan.word(next + 1).endsWith("s");

const quarterStart = (day: number): number => {
  const date = new Date(day);
  return utcDay(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / 3) * 3 + 1, 1);
};

/** `September`, `this September`, `September 2016`, `Sept of last year`. */
export function monthName(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const plus = sign(scan.word(at));
  const start = plus === undefined ? at : at + 1;
  const month = MONTHS.get(scan.word(start));
  // `may`, `march` and `sat` are words of other meanings as well.
  if (month === undefined || (scan.is(start, "may", "march", "mar") && plus === undefined && !isLed(scan, start)))
    return;
  const thisYear = new Date(ref.day).getUTCFullYear();
  if (plus !== undefined) return scanned([monthRange(thisYear + plus, month)], start + 1);
  const dotted = scan.skip(start + 1, ".");
  const joined = scan.skip(dotted, ",", "-", "/");
  const inner = scan.skip(joined, "of", "in");
  const short = inner > joined ? scan.yearOfDate(inner) : undefined;
  const year = yearOf(scan, inner, thisYear) ?? (scan.digits(inner, 1, 6) ? short : scan.year(inner));
  if (year) return scanned([monthRange(year.value, month)], year.next);
  const isPast = utcDay(thisYear, month, 1) < ref.day;
  const years = isPast ? [thisYear, thisYear + 1] : [thisYear - 1, thisYear];
  return scanned(
    years.map((one) => monthRange(one, month, `XXXX-${two(month)}`)),
    start + 1,
  );
}

const isLed = (scan: Scanner, at: number): boolean =>
  scan.is(at - 1, "in", "of", "since", "until", "before", "after", "by", "during", "on", "from", "to") ||
  scan.year(at + 1) !== undefined;

/** `2016`, `the last year`. */
export function yearOf(scan: Scanner, at: number, thisYear: number): Scanned<number> | undefined {
  const year = scan.digits(at, 4, 4) && scan.year(at);
  if (year) return year;
  const start = scan.skip(at, "the");
  const plus = scan.is(start + 1, "year") ? sign(scan.word(start)) : undefined;
  return plus === undefined ? undefined : scanned(thisYear + plus, start + 2);
}

/** `2016`, `2015-3`, `1990s`. */
export function numbers(scan: Scanner, at: number): Scanned<SpokenDays[]> | undefined {
  const start = scan.skip(at, "year");
  const year = scan.digits(start, 4, 4) && scan.year(start);
  if (!year || scan.is(at - 1, "$", "€", "£", ".") || isInNumber(scan, start) || beginsIsoWeek(scan, start)) return;
  if (scan.is(year.next, "s") && year.value % 10 === 0)
    return scanned([between(utcDay(year.value, 1, 1), utcDay(year.value + 10, 1, 1), "P10Y")], year.next + 1);
  const named = MONTHS.get(scan.word(year.next));
  if (named !== undefined && !scan.is(year.next, "may", "march", "mar", "sun", "sat"))
    return scanned([monthRange(year.value, named)], year.next + 1);
  const month = scan.is(year.next, "-", "/") ? scan.digits(year.next + 1, 1, 2) : undefined;
  if (month && month.value >= 1 && month.value <= 12) return scanned([monthRange(year.value, month.value)], month.next);
  return scanned([yearRange(year.value)], year.next);
}

/** Digits joined to others are telephone numbers and the like. */
const isInNumber = (scan: Scanner, at: number): boolean =>
  (scan.is(at - 1, "-", "/") &&
    scan.isTight(at) &&
    scan.isTight(at - 1) &&
    /^\d/.test(scan.word(at - 2)) &&
    scan.word(at - 2).length !== 4) ||
  (scan.is(at + 1, "-", "/", ".") &&
    scan.isTight(at + 2) &&
    /^\d+$/.test(scan.word(at + 2)) &&
    scan.word(at + 2).length > 2 &&
    scan.word(at + 2).length !== 4);

/** `Q1 2016`, `first quarter of 2016`. */
export function quarter(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const number =
    scan.is(at, "q") && scan.isTight(at + 1)
      ? scan.digits(at + 1, 1, 1)
      : scan.is(scan.ordinal(at)?.next ?? at, "quarter")
        ? scan.ordinal(at)
        : undefined;
  if (!number || number.value < 1 || number.value > 4) return;
  const next = scan.skip(number.next, "quarter");
  const thisYear = new Date(ref.day).getUTCFullYear();
  const year = yearOf(scan, scan.skip(scan.skip(next, ",", "-"), "of", "in"), thisYear);
  const start = number.value * 3 - 2;
  const range = (one: number) => between(utcDay(one, start, 1), utcDay(one, start + 3, 1), "P3M");
  if (year) return scanned([range(year.value)], year.next);
  const isPast = utcDay(thisYear, start, 1) < ref.day;
  return scanned((isPast ? [thisYear, thisYear + 1] : [thisYear - 1, thisYear]).map(range), next);
}
