/** Days from one to another, and periods of days. */
import { utcDay } from "../iso-8601.js";
import { besidePeriod } from "./beside-periods.js";
import { TO } from "./clock/clock-ranges.js";
import { readDay } from "./days/day.js";
import { writtenDate } from "./days/written-days.js";
import { halfway, partOfPeriod, readEdge } from "./periods/parts-of-a-period.js";
import {
  century,
  earlierOrLater,
  numberedWeek,
  ordinalWeek,
  thirdOfYear,
  yearAndQuarter,
} from "./periods/parts-of-periods.js";
import {
  between,
  monthName,
  monthRange,
  numbers,
  quarter,
  severalUnits,
  sign,
  unitAt,
  unitRange,
} from "./periods/periods.js";
import {
  addUnits,
  DAY,
  type Day,
  dated,
  dayText,
  exact,
  inWeek,
  longest,
  type Reference,
  type SpokenDays,
  two,
} from "./words/calendar.js";
import { type Scanned, type Scanner, scanned } from "./words/scan.js";
import { MONTHS } from "./words/words.js";

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
      numberedWeek(scan, inner, ref),
      century(scan, inner),
      earlierOrLater(scan, inner, ref),
      ordinalWeek(scan, inner, ref),
      thirdOfYear(scan, inner, ref),
      yearAndQuarter(scan, inner),
      besidePeriod(scan, inner, ref),
      partOfPeriod(scan, inner, ref),
    ].filter((one) => one !== undefined),
  );
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
  if (!last || goesOn(scan, last.next)) return;
  const year = /^\d{4}/.exec(last.value[0]?.timex ?? "")?.[0];
  const from = year === undefined ? first.value : first.value.map((range) => inYear(range, Number(year)));
  const ranges = from.flatMap((range) => pairedMonths(range, last.value));
  return ranges.length === 0 ? undefined : scanned(ranges, last.next);
}

/** A month that is followed by its day, or by a year after a sign, is not the end by itself. */
const goesOn = (scan: Scanner, at: number): boolean =>
  (MONTHS.has(scan.word(at - 1)) && scan.dayOfMonth(at) !== undefined) ||
  (scan.is(at, "/", "-") && scan.isTight(at) && scan.isTight(at + 1) && /^\d/.test(scan.word(at + 1)));

/** `the end of 2008`, `the middle of March`: the day of that edge. */
function edgeDay(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const found = scan.is(at, "end", "beginning", "start", "middle") ? readEdge(scan, at, ref) : undefined;
  if (!found) return;
  const days = found.value.periods.map((period) => {
    const day = { start: period.start, mid: halfway(period), end: period.end }[found.value.edge];
    return { timex: dayText(day), start: day, end: day };
  });
  return scanned(days, found.next);
}

const monthOrYear = (scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined => {
  const edge = edgeDay(scan, scan.skip(at, "the"), ref);
  if (edge) return edge;
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
  if (!last) return;
  const end = weekdayAfter(first.value, last.value);
  return scanned(paired(beforeEnd(first.value, end, ref), end), last.next);
}

/** A day without a year is in that of the end, or in the one before. */
function beforeEnd(first: Day, { timex, days: [end] }: Day, ref: Reference): Day {
  const [, month, day] = /^XXXX-(\d\d)-(\d\d)$/.exec(first.timex) ?? [];
  if (month === undefined || end === undefined || !/^\d{4}-\d\d-\d\d$/.test(timex)) return first;
  const year = new Date(end).getUTCFullYear();
  const inYear = (one: number) => dated(one, Number(month), Number(day), ref);
  const same = inYear(year);
  return (same.days[0] ?? end) > end ? inYear(year - 1) : same;
}

/** A weekday at the end is the first one after the start, after each of them if there are several. */
function weekdayAfter({ days }: Day, last: Day): Day {
  const weekday = /^XXXX-WXX-(\d)$/.exec(last.timex)?.[1];
  if (weekday === undefined || days.length === 0) return last;
  const ends = days.map((start) => {
    const inSame = inWeek(start, Number(weekday));
    return inSame > start ? inSame : inSame + 7 * DAY;
  });
  const [only = 0] = ends;
  return days.length === 1 ? exact(only) : { timex: last.timex, days: ends };
}

const monthStart = (scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined => {
  const month = monthName(scan, at, ref);
  return (
    month &&
    scanned({ timex: `${month.value[0]?.timex}-01`, days: month.value.flatMap(({ start }) => start ?? []) }, month.next)
  );
};

/** A day of the month after the first day's own. */
function laterDay(scan: Scanner, at: number, first: Day, ref: Reference): Scanned<Day> | undefined {
  const day = scan.dayOfMonth(at);
  const [year, month] = first.timex.split("-");
  if (!day || scan.is(day.next, ":", "am", "pm") || scan.unit(day.next) || !/^\d\d$/.test(month ?? "")) return;
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
    const shifted = end ?? (last.days.length > 0 ? nextTime(last, start) : undefined);
    if (shifted === undefined) return [];
    return [{ start, end: shifted, timex: `(${first.timex},${last.timex},P${Math.round((shifted - start) / DAY)}D)` }];
  });
  return ranges.length === 0 ? [] : last.days.length === 1 && first.days.length === 2 ? ranges.slice(-1) : ranges;
}

/** A day without its month comes again after a month, one without its year after a year. */
function nextTime({ timex, days }: Day, start: number): number | undefined {
  const later = addUnits(days.at(-1) ?? start, 1, timex.startsWith("XXXX-XX-") ? "M" : "Y");
  return later >= start && timex.startsWith("XXXX") ? later : undefined;
}
