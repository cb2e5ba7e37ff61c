/** Halves, edges, weeks and so many days of a period: `first half of 2026`, `end of March`, `the last week of May 2028`. */
import { utcDay } from "../../iso-8601.js";
import { addUnits, DAY, inWeek, isoWeekday, type Reference, type SpokenDays, two } from "../words/calendar.js";
import { lengthTimex } from "../words/lengths.js";
import { type Scanned, type Scanner, scanned } from "../words/scan.js";
import { middleDay, namedPeriod, type Period } from "./named-periods.js";
import { between, monthRange, unitAt } from "./periods.js";

const isYear = (timex: string): boolean => /^\d{4}$/.test(timex);
const isMonth = (timex: string): boolean => /^(?:\d{4}|XXXX)-\d\d$/.test(timex);
const isQuarter = (timex: string): boolean => timex.endsWith(",P3M)");

export function partOfPeriod(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  return (
    halfOf(scan, at, ref) ??
    monthOfYear(scan, at, ref) ??
    weekOf(scan, at, ref) ??
    countedPart(scan, at, ref) ??
    edgeOf(scan, at, ref)
  );
}

/** `H1`, `1H`, `first half`, `latter half`: the position is after it. */
function halfAt(scan: Scanner, at: number): Scanned<1 | 2> | undefined {
  const isLetter =
    scan.isTight(at + 1) &&
    ((scan.is(at, "h") && scan.is(at + 1, "1", "2")) || (scan.is(at, "1", "2") && scan.is(at + 1, "h")));
  if (isLetter) return scanned(scan.is(at, "1") || scan.is(at + 1, "1") ? 1 : 2, at + 2);
  const number = scan.is(at, "last", "latter", "later", "other") ? scanned(2, at + 1) : scan.ordinal(at);
  const next = number && scan.skip(number.next, "-");
  const value = number?.value;
  return next !== undefined && scan.is(next, "half") && (value === 1 || value === 2)
    ? scanned(value, next + 1)
    : undefined;
}

export function halfOf(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const half = halfAt(scan, at);
  if (!half) return;
  const whole = namedPeriod(scan, scan.skip(half.next, "of", "in", ","), ref);
  return (
    whole &&
    scanned(
      whole.value.map((one) => partBetween(one, half.value)),
      whole.next,
    )
  );
}

function partBetween(period: Period, number: 1 | 2): SpokenDays {
  const middle = halfway(period);
  const months = isYear(period.timex) ? "P6M" : undefined;
  return number === 1 ? between(period.start, middle, months) : between(middle, period.end, months);
}

/** July of a year, the 16th of a month, Thursday of a week. */
export function halfway(period: Period): number {
  if (isYear(period.timex)) return addUnits(period.start, 6, "M");
  if (isMonth(period.timex)) return period.start + 15 * DAY;
  return isWeek(period) ? period.start + 3 * DAY : middleDay(period);
}

const isWeek = ({ start, end }: Period): boolean => end - start === 7 * DAY;

/** `the third month of 2021`. */
function monthOfYear(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const number = scan.is(at, "last", "final") ? scanned(12, at + 1) : scan.ordinal(at);
  if (!number || number.value > 12 || !scan.is(number.next, "month") || !scan.is(number.next + 1, "of", "in")) return;
  const whole = namedPeriod(scan, number.next + 2, ref);
  if (!whole?.value.every(({ timex }) => isYear(timex))) return;
  return scanned(
    whole.value.map(({ start }) => monthRange(new Date(start).getUTCFullYear(), number.value)),
    whole.next,
  );
}

/** `the second week of March 2026`: that of its second Thursday, as the first of a year has its first one. */
function weekOf(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const isLast = scan.is(at, "last", "final");
  const number = isLast ? scanned(5, at + 1) : scan.ordinal(at);
  const unit = number && scan.unit(number.next);
  if (!number || !unit || !scan.is(unit.next, "of", "in") || !(unit.value === "W" || unit.value === "WE")) return;
  const whole = namedPeriod(scan, unit.next + 1, ref);
  const isOfMonths = whole?.value.every(({ timex }) => isMonth(timex));
  if (!whole || (unit.value === "W" && !isOfMonths)) return;
  const weekday = unit.value === "W" ? 4 : 6;
  const weeks = whole.value.flatMap((period): SpokenDays[] => {
    const day = nthOf(period, weekday, isLast ? -1 : number.value);
    if (day === undefined) return [];
    const monday = inWeek(day, 1);
    if (unit.value === "WE") return [between(day, day + 2 * DAY)];
    return [{ timex: `${period.timex}-W${two(number.value)}`, start: monday, end: monday + 7 * DAY }];
  });
  return weeks.length > 0 ? scanned(weeks, whole.next) : undefined;
}

function nthOf({ start, end }: Period, weekday: number, number: number): number | undefined {
  const first = start + ((weekday - isoWeekday(start) + 7) % 7) * DAY;
  const last = end - DAY - ((isoWeekday(end - DAY) - weekday + 7) % 7) * DAY;
  const day = number < 0 ? last : first + (number - 1) * 7 * DAY;
  return day >= start && day < end ? day : undefined;
}

/** `the first ten days of March`, `last three months of 2025`, `the first 2 weeks of 2021`. */
function countedPart(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const isLast = scan.is(at, "last", "final", "closing");
  if (!isLast && !scan.is(at, "first", "opening")) return;
  const amount = scan.amount(at + 1);
  const unit = amount && scan.unit(amount.next);
  if (!unit || !amount || !scan.is(unit.next, "of", "in") || !["D", "B", "W", "M", "Q", "Y"].includes(unit.value))
    return;
  const whole = namedPeriod(scan, unit.next + 1, ref);
  if (!whole) return;
  const text = lengthTimex([[amount.value, unit.value]]);
  const parts = whole.value.flatMap((period): SpokenDays[] => {
    const [from, to] = unit.value === "W" && isYear(period.timex) ? isoYear(period) : [period.start, period.end];
    const edge = addUnits(isLast ? to : from, isLast ? -amount.value : amount.value, unit.value);
    if (isLast ? edge < from : edge > to) return [];
    return [isLast ? between(edge, to, text) : between(from, edge, text)];
  });
  return parts.length > 0 ? scanned(parts, whole.next) : undefined;
}

/** Weeks of a year begin with that of its fourth of January. */
function isoYear({ start }: Period): [number, number] {
  const year = new Date(start).getUTCFullYear();
  return [inWeek(utcDay(year, 1, 4), 1), inWeek(utcDay(year + 1, 1, 4), 1)];
}

type Edge = "start" | "mid" | "end";
const EDGES: [words: string[], edge: Edge][] = [
  [["beginning of", "start of", "early", "early in", "early -"], "start"],
  [["middle of", "mid", "mid -", "mid - of"], "mid"],
  [["end of", "late", "late in", "late -"], "end"],
];

export interface EdgedPeriods {
  edge: Edge;
  periods: Period[];
}

/** `end of March 2026`, `mid-March`, `beginning of next week`: the edge and the period that it is of. */
export function readEdge(scan: Scanner, at: number, ref: Reference): Scanned<EdgedPeriods> | undefined {
  for (const [words, edge] of EDGES) {
    const inner = Math.max(...words.map((one) => scan.after(at, one) ?? -1));
    const periods = inner < 0 ? undefined : (namedPeriod(scan, inner, ref) ?? bareUnit(scan, inner, at, ref));
    if (periods) return scanned({ edge, periods: periods.value }, periods.next);
  }
  return;
}

/** `end of month`, `end of year`. */
function bareUnit(scan: Scanner, inner: number, at: number, ref: Reference): Scanned<Period[]> | undefined {
  const unit = inner === at + 2 && scan.is(inner, "month", "year", "week", "quarter") ? scan.unit(inner) : undefined;
  const whole = unit && unitAt(unit.value, 0, ref.day);
  return unit && whole?.start !== undefined && whole.end !== undefined
    ? scanned([{ ...whole, start: whole.start, end: whole.end }], unit.next)
    : undefined;
}

function edgeOf(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const found = readEdge(scan, at, ref);
  if (!found) return;
  const { edge, periods } = found.value;
  return scanned(
    periods.map((period) => ({ timex: period.timex, ...edgeBetween(period, edge) })),
    found.next,
  );
}

/** The first half, the last half, or what lies in the middle; of a quarter its months. */
function edgeBetween(period: Period, edge: Edge): { start: number; end: number } {
  const { start, end } = period;
  const month = (number: number) => addUnits(start, number, "M");
  if (isQuarter(period.timex)) {
    const number = { start: 0, mid: 1, end: 2 }[edge];
    return { start: month(number), end: month(number + 1) };
  }
  if (edge !== "mid") return edge === "start" ? { start, end: halfway(period) } : { start: halfway(period), end };
  if (isYear(period.timex)) return { start: month(4), end: month(8) };
  if (isMonth(period.timex)) return { start: start + 10 * DAY, end: start + 20 * DAY };
  const third = Math.floor((end - start) / DAY / 3) * DAY;
  return isWeek(period) ? { start: start + DAY, end: start + 4 * DAY } : { start: start + third, end: end - third };
}
