/** Weeks by their number, centuries, and the earlier and later part of a period. */
import { utcDay } from "../../iso-8601.js";
import { DAY, type Reference, type SpokenDays } from "../words/calendar.js";
import { type Scanned, type Scanner, scanned } from "../words/scan.js";
import type { TimeUnit } from "../words/words.js";
import { isoWeek, weekOf } from "./iso-weeks.js";
import { between, sign, unitAt, yearOf } from "./periods.js";

/** `week 31`, `week 3 of 2027`, `week 27 of last year`. */
export function numberedWeek(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const iso = isoWeek(scan, at);
  if (iso) return iso;
  const number = scan.is(at, "week") ? scan.digits(at + 1, 1, 2) : undefined;
  if (!number) return;
  const thisYear = new Date(ref.day).getUTCFullYear();
  const next = scan.skip(scan.skip(number.next, ","), "of", "in");
  const year = yearOf(scan, next, thisYear) ?? scanned(thisYear, number.next);
  const week = weekOf(year.value, number.value);
  return week && scanned([week], year.next);
}

/** `first week of 2015`, `3rd week of 2018`, `last week of this year`. */
export function ordinalWeek(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const number = scan.is(at, "last") ? scanned(undefined, at + 1) : scan.ordinal(at);
  const inner = number && (scan.after(number.next, "week of") ?? scan.after(number.next, "week in"));
  const year = inner === undefined ? undefined : yearOf(scan, inner, new Date(ref.day).getUTCFullYear());
  if (!number || !year) return;
  const week =
    number.value === undefined ? (weekOf(year.value, 53) ?? weekOf(year.value, 52)) : weekOf(year.value, number.value);
  return week && scanned([week], year.next);
}

/** `2019 Q1`, `2017-q3`, `2019 H2`. */
export function yearAndQuarter(scan: Scanner, at: number): Scanned<SpokenDays[]> | undefined {
  const year = scan.digits(at, 4, 4) && scan.year(at);
  const inner = year && scan.skip(year.next, "-");
  const number = inner !== undefined && scan.isTight(inner + 1) ? scan.digits(inner + 1, 1, 1) : undefined;
  const months = inner === undefined ? 0 : scan.is(inner, "q") ? 3 : scan.is(inner, "h") ? 6 : 0;
  if (!year || !number || months === 0 || number.value < 1 || number.value * months > 12) return;
  const first = (number.value - 1) * months + 1;
  const [start, end] = [utcDay(year.value, first, 1), utcDay(year.value, first + months, 1)];
  return scanned([between(start, end, `P${months}M`)], number.next);
}

const THIRDS: [words: string[], first: number][] = [
  [["beginning of", "start of", "early", "early in"], 1],
  [["middle of", "mid", "mid -"], 5],
  [["end of", "late", "late in"], 9],
];

/** `beginning of 2000`, `mid 1989`, `late 2012`: four months each. */
export function thirdOfYear(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  for (const [words, first] of THIRDS) {
    const inner = Math.max(...words.map((one) => scan.after(at, one) ?? -1));
    const year = inner < 0 ? undefined : scan.digits(inner, 4, 4) && yearOf(scan, inner, ref.day);
    if (!year) continue;
    const [start, end] = [utcDay(year.value, first, 1), utcDay(year.value, first + 4, 1)];
    return scanned([{ timex: String(year.value), start, end }], year.next);
  }
  return;
}

/** `15th century`. */
export function century(scan: Scanner, at: number): Scanned<SpokenDays[]> | undefined {
  const number = scan.ordinal(at);
  if (!number || number.value > 30 || !scan.is(number.next, "century")) return;
  const start = (number.value - 1) * 100;
  return scanned([between(utcDay(Math.max(start, 1), 1, 1), utcDay(start + 100, 1, 1), "P100Y")], number.next + 1);
}

/** `earlier this month`, `later in the week`: from its start to now, or from now to its end, but half of it at most. */
export function earlierOrLater(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const isLater = scan.is(at, "later");
  if (!isLater && !scan.is(at, "earlier")) return;
  const inner = scan.skip(at + 1, "in");
  const unit = scan.is(inner, "the") || sign(scan.word(inner)) === 0 ? scan.unit(inner + 1) : undefined;
  const whole = unit && unitAt(unit.value, 0, ref.day);
  const middle = unit && whole?.start !== undefined ? middleOf(unit.value, whole.start) : undefined;
  if (!unit || !whole || middle === undefined) return;
  const part = isLater
    ? { start: Math.max(middle, ref.day), end: whole.end }
    : { start: whole.start, end: Math.min(middle, ref.day) };
  return scanned([{ timex: whole.timex, ...part }], unit.next);
}

function middleOf(unit: TimeUnit, start: number): number | undefined {
  if (unit === "W") return start + 3 * DAY;
  if (unit === "M") return start + 15 * DAY;
  return unit === "Y" ? utcDay(new Date(start).getUTCFullYear(), 7, 1) : undefined;
}
