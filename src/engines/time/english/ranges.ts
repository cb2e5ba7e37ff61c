/** Ranges and lengths of time in English. They end before their end. */
import { utcDay } from "../iso-8601.js";
import { addUnits, DAY, type Day, dated, dayText, inWeek, longest, type Reference } from "./calendar.js";
import { readDay } from "./day.js";
import { readLength } from "./relative-days.js";
import { type Scanned, type Scanner, scanned } from "./scan.js";
import { type Clock, clockText, readClock } from "./times.js";
import { LAST, MONTHS, NEXT, SECONDS, THIS, type TimeUnit } from "./words.js";
import { writtenDate } from "./written-days.js";

/** Midnights, the second one not included; undefined for an open end. */
export interface SpokenDays {
  timex: string;
  start: number | undefined;
  end: number | undefined;
}

const two = (value: number) => String(value).padStart(2, "0");
const TO = ["to", "till", "until", "through", "thru", "-", "–", "—", "~"];

const between = (start: number, end: number, length = `P${Math.round((end - start) / DAY)}D`): SpokenDays => ({
  ...{ start, end },
  timex: `(${dayText(start)},${dayText(end)},${length})`,
});

const monthRange = (year: number, month: number, timex = `${year}-${two(month)}`): SpokenDays => ({
  ...{ timex, start: utcDay(year, month, 1), end: utcDay(year, month + 1, 1) },
});

const yearRange = (year: number): SpokenDays => ({
  timex: String(year),
  start: utcDay(year, 1, 1),
  end: utcDay(year + 1, 1, 1),
});

export function readDayRange(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const inner = scan.skip(at, "the");
  return longest(
    [
      fromTo(scan, at, ref),
      unitRange(scan, inner, ref),
      severalUnits(scan, inner, ref),
      monthName(scan, inner, ref),
      numbers(scan, inner),
      quarter(scan, inner, ref),
    ].filter((one) => one !== undefined),
  );
}

const sign = (word: string): -1 | 0 | 1 | undefined =>
  NEXT.has(word) ? 1 : LAST.has(word) ? -1 : THIS.has(word) ? 0 : undefined;

/** `next week`, `this month`, `last year`, `the weekend`, `last quarter`. */
function unitRange(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const plus = sign(scan.word(at));
  const unit = scan.unit(plus === undefined ? at : at + 1)?.value;
  if (unit === undefined || (plus === undefined && !scan.is(at - 1, "the") && unit !== "WE")) return;
  const range = unitAt(unit, plus ?? 0, ref.day);
  return range && scanned([range], plus === undefined ? at + 1 : at + 2);
}

function unitAt(unit: TimeUnit, plus: number, day: number): SpokenDays | undefined {
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
  const first = Math.floor((month - 1) / 3) * 3 + 1 + plus * 3;
  return unit === "Q" ? between(utcDay(year, first, 1), utcDay(year, first + 3, 1), "P3M") : undefined;
}

function weekTimex(monday: number): string {
  const thursday = monday + 3 * DAY;
  const year = new Date(thursday).getUTCFullYear();
  return `${year}-W${two(Math.floor((thursday - utcDay(year, 1, 1)) / (7 * DAY)) + 1)}`;
}

/** `next 3 days`, `past two weeks`, `previous three quarters`. */
function severalUnits(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const early = sign(scan.word(at));
  const amount = scan.amount(early === undefined ? at : at + 1);
  // `next 3 days`, or `3 upcoming days`.
  const late = early === undefined && amount ? sign(scan.word(amount.next)) : undefined;
  const plus = early ?? late;
  const unit = amount && scan.unit(late === undefined ? amount.next : amount.next + 1);
  if (!plus || !unit || !amount || ["H", "N", "S"].includes(unit.value)) return;
  const text = lengthTimex([[amount.value, unit.value]]);
  const base = unit.value === "Q" ? quarterStart(ref.day) : ref.day;
  const begin = plus > 0 ? (unit.value === "Q" ? addUnits(base, 1, "Q") : base + DAY) : base;
  const other = addUnits(begin, plus * amount.value, unit.value);
  return scanned([plus > 0 ? between(begin, other, text) : between(other, begin, text)], unit.next);
}

const quarterStart = (day: number): number => {
  const date = new Date(day);
  return utcDay(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / 3) * 3 + 1, 1);
};

/** `September`, `this September`, `September 2016`, `Sept of last year`. */
function monthName(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const plus = sign(scan.word(at));
  const start = plus === undefined ? at : at + 1;
  const month = MONTHS.get(scan.word(start));
  // `may`, `march` and `sat` are words of other meanings as well.
  if (month === undefined || (scan.is(start, "may", "march", "mar") && plus === undefined && !isLed(scan, start)))
    return;
  const thisYear = new Date(ref.day).getUTCFullYear();
  if (plus !== undefined) return scanned([monthRange(thisYear + plus, month)], start + 1);
  const dotted = scan.skip(start + 1, ".");
  const year = yearOf(scan, scan.skip(scan.skip(dotted, ",", "-", "/"), "of", "in"), thisYear);
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

function yearOf(scan: Scanner, at: number, thisYear: number): Scanned<number> | undefined {
  const year = scan.digits(at, 4, 4) && scan.year(at);
  if (year) return year;
  const start = scan.skip(at, "the");
  const plus = scan.is(start + 1, "year") ? sign(scan.word(start)) : undefined;
  return plus === undefined ? undefined : scanned(thisYear + plus, start + 2);
}

/** `2016`, `2015-3`, `1990s`. */
function numbers(scan: Scanner, at: number): Scanned<SpokenDays[]> | undefined {
  const start = scan.skip(at, "year");
  const year = scan.digits(start, 4, 4) && scan.year(start);
  if (!year || scan.is(at - 1, "$", "€", "£", ".") || isInNumber(scan, start)) return;
  if (scan.is(year.next, "s") && year.value % 10 === 0)
    return scanned([between(utcDay(year.value, 1, 1), utcDay(year.value + 10, 1, 1), "P10Y")], year.next + 1);
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
function quarter(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
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

/** `from 4-23 in next month`, `between 3 and 12 of Sept`, `April 9th through 17th`, `January 12, 2016 - 01/22/2016`. */
function fromTo(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const isBetween = scan.is(at, "between");
  const start = scan.skip(at, "from", "between");
  const joins = isBetween ? ["and", "-", "to"] : TO;
  return longest(
    [wholeDays(scan, start, joins, ref), bareDays(scan, start, joins, ref), coarse(scan, start, joins, ref)].filter(
      (one) => one !== undefined,
    ),
  );
}

/** From one month or year to another: `2007 to 2009`, `May to September`, `Jan-Feb 2017`. */
function coarse(scan: Scanner, start: number, joins: string[], ref: Reference): Scanned<SpokenDays[]> | undefined {
  const first = monthOrYear(scan, start, ref);
  if (!first || !joins.includes(scan.word(first.next))) return;
  const last = monthOrYear(scan, scan.skip(first.next + 1, "the"), ref);
  if (!last) return;
  const year = /^\d{4}/.exec(last.value[0]?.timex ?? "")?.[0];
  const from = year === undefined ? first.value : first.value.map((range) => inYear(range, Number(year)));
  const ranges = from.flatMap((range) => pairedMonths(range, last.value));
  return ranges.length === 0 ? undefined : scanned(ranges, last.next);
}

const monthOrYear = (scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined => {
  const month = MONTHS.has(scan.word(at)) ? (monthName(scan, at, ref) ?? looseMonth(scan, at, ref)) : undefined;
  return month ?? numbers(scan, at);
};

/** `may` and `march` beside another month. */
const looseMonth = (scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined => {
  const month = MONTHS.get(scan.word(at)) ?? 1;
  const thisYear = new Date(ref.day).getUTCFullYear();
  const isPast = utcDay(thisYear, month, 1) < ref.day;
  const years = isPast ? [thisYear, thisYear + 1] : [thisYear - 1, thisYear];
  return scanned(
    years.map((one) => monthRange(one, month, `XXXX-${two(month)}`)),
    at + 1,
  );
};

/** A month without a year takes that of the end. */
function inYear(range: SpokenDays, year: number): SpokenDays {
  const month = /^XXXX-(\d\d)$/.exec(range.timex)?.[1];
  return month === undefined ? range : monthRange(year, Number(month));
}

function pairedMonths(first: SpokenDays, ends: SpokenDays[]): SpokenDays[] {
  const start = first.start ?? 0;
  const last = ends.find((one) => (one.start ?? 0) > start);
  if (last?.start === undefined) return [];
  const [from, to] = [new Date(start), new Date(last.start)];
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const isYears = /^\d{4}$/.test(first.timex) && /^\d{4}$/.test(last.timex);
  const text = (range: SpokenDays) => (range.timex.startsWith("X") ? `${range.timex}-01` : dayText(range.start ?? 0));
  const timex = `(${text(first)},${text(last)},${isYears ? `P${months / 12}Y` : `P${months}M`})`;
  return [{ timex, start, end: last.start }];
}

function wholeDays(scan: Scanner, start: number, joins: string[], ref: Reference): Scanned<SpokenDays[]> | undefined {
  const first = readDay(scan, start, ref) ?? monthStart(scan, start, ref);
  if (!first || !joins.includes(scan.word(first.next))) return;
  const from = scan.skip(first.next + 1, "the");
  const last = readDay(scan, first.next + 1, ref) ?? laterDay(scan, from, first.value, ref);
  return last && scanned(paired(first.value, last.value), last.next);
}

const monthStart = (scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined => {
  const month = monthName(scan, at, ref);
  return (
    month &&
    scanned({ timex: month.value[0]?.timex ?? "", days: month.value.flatMap(({ start }) => start ?? []) }, month.next)
  );
};

/** A day of the month after the first day's own. */
function laterDay(scan: Scanner, at: number, first: Day, ref: Reference): Scanned<Day> | undefined {
  const day = scan.dayOfMonth(at);
  const [year, month] = first.timex.split("-");
  if (!day || scan.is(day.next, ":", "am", "pm") || !/^\d\d$/.test(month ?? "")) return;
  const isNextMonth = day.value < Number(first.timex.slice(-2));
  const named = year === "XXXX" ? undefined : Number(year);
  const value = isNextMonth ? (Number(month) % 12) + 1 : Number(month);
  return scanned(dated(named, value, day.value, ref), day.next);
}

/** Two numbers before the month that they share. */
function bareDays(scan: Scanner, start: number, joins: string[], ref: Reference): Scanned<SpokenDays[]> | undefined {
  const first = scan.dayOfMonth(scan.skip(start, "the"));
  if (!first || !joins.includes(scan.word(first.next))) return;
  const from = scan.skip(first.next + 1, "the");
  const number = scan.dayOfMonth(from);
  const last = writtenDate(scan, from, ref);
  if (last) return scanned(paired(sameMonth(last.value, first.value, ref), last.value), last.next);
  const inside = number && scan.skip(scan.skip(number.next, "of", "in"), "the");
  const plus = inside === undefined ? undefined : sign(scan.word(inside));
  if (!number || inside === undefined || plus === undefined || !scan.is(inside + 1, "month")) return;
  const month = unitAt("M", plus, ref.day)?.start ?? ref.day;
  return scanned([between(month + (first.value - 1) * DAY, month + (number.value - 1) * DAY)], inside + 2);
}

function sameMonth({ timex }: Day, day: number, ref: Reference): Day {
  const [year, month] = timex.split("-");
  return dated(year === "XXXX" ? undefined : Number(year), Number(month), day, ref);
}

/** Each start with the first end after it. */
function paired(first: Day, last: Day): SpokenDays[] {
  const ranges = first.days.flatMap((start, at): SpokenDays[] => {
    const end =
      last.days[at] !== undefined && last.days[at] >= start ? last.days[at] : last.days.find((day) => day >= start);
    const shifted = end ?? (last.days.length > 0 ? nextYear(last.days.at(-1) ?? start, start) : undefined);
    if (shifted === undefined) return [];
    return [{ start, end: shifted, timex: `(${first.timex},${last.timex},P${Math.round((shifted - start) / DAY)}D)` }];
  });
  return ranges.length === 0 ? [] : last.days.length === 1 && first.days.length === 2 ? ranges.slice(-1) : ranges;
}

function nextYear(day: number, start: number): number | undefined {
  const later = addUnits(day, 1, "Y");
  return later >= start ? later : undefined;
}

export interface ClockRange {
  timex: string;
  start: number;
  end: number;
}

/** `5 to 6pm`, `from 5 to 6pm`, `between 2:20 and 3pm`, `from 9 for 2.5 hours`. */
export function readClockRange(scan: Scanner, at: number): Scanned<ClockRange[]> | undefined {
  const isBetween = scan.is(at, "between");
  const start = scan.skip(at, "from", "between");
  const first = readClock(scan, start);
  if (!first) return;
  const length =
    start > at && scan.is(first.next, "for")
      ? readLength(scan, first.next + 1, (unit) => ["H", "N", "S"].includes(unit))
      : undefined;
  if (length) return lasting(first.value, length);
  if (!(isBetween ? ["and", "to", "-"] : TO).includes(scan.word(first.next))) return;
  const last = readClock(scan, first.next + 1);
  if (!last || !(first.value.isClear || last.value.isClear || start > at)) return;
  return scanned(clockPairs(first.value, last.value), last.next);
}

function lasting(
  { readings }: Clock,
  { value, next }: Scanned<{ amounts: [number, TimeUnit][] }>,
): Scanned<ClockRange[]> {
  const seconds = value.amounts.reduce((sum, [amount, unit]) => sum + amount * SECONDS[unit], 0);
  return scanned(
    readings
      .slice(0, 1)
      .map(({ timex, seconds: start }) =>
        rangeOf(timex, start, `T${clockText((start + seconds) % 86_400)}`, start + seconds),
      ),
    next,
  );
}

function clockPairs(first: Clock, last: Clock): ClockRange[] {
  const pairs = last.readings.flatMap((end, at) => {
    // One end with its half of the day gives it to the other.
    const same =
      first.readings.length > 1 && last.readings.length > 1 ? first.readings.slice(at, at + 1) : first.readings;
    const fitting = same.filter((start) => start.seconds < end.seconds);
    const nearest = (fitting.length > 0 ? fitting : same).reduce((a, b) =>
      distance(a.seconds, end.seconds) <= distance(b.seconds, end.seconds) ? a : b,
    );
    return [rangeOf(nearest.timex, nearest.seconds, end.timex, end.seconds)];
  });
  if (first.readings.length === 1 && last.readings.length > 1)
    return [pairs.reduce((a, b) => (distance(a.start, a.end) <= distance(b.start, b.end) ? a : b))];
  return pairs;
}

const distance = (start: number, end: number): number => (end - start + 86_400) % 86_400 || 86_400;

const rangeOf = (from: string, start: number, to: string, end: number): ClockRange => ({
  ...{ start, end },
  timex: `(${from},${to},${durationTimex(distance(start, end))})`,
});

/** `PT1H`, `PT2H30M`. */
export function durationTimex(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `PT${hours > 0 ? `${hours}H` : ""}${minutes > 0 ? `${minutes}M` : ""}${rest > 0 ? `${rest}S` : ""}`;
}

/** `PT3H`, `P1DT2H`, of amounts as they were said. */
export function lengthTimex(amounts: [number, TimeUnit][]): string {
  const days = amounts.filter(([, unit]) => !["H", "N", "S"].includes(unit));
  const times = amounts.filter(([, unit]) => ["H", "N", "S"].includes(unit));
  const date = days.map(([amount, unit]) => letter(amount, unit)).join("");
  return `P${date}${times.length > 0 ? `T${times.map(([amount, unit]) => `${amount}${unit === "N" ? "M" : unit}`).join("")}` : ""}`;
}

function letter(amount: number, unit: TimeUnit): string {
  const [factor, name] = { C: [10, "Y"], F: [2, "W"], Q: [3, "M"], B: [1, "BD"] }[unit as string] ?? [1, unit];
  return `${amount * Number(factor)}${name}`;
}
