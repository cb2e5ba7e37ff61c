/** Days by their number of milliseconds: weeks, months, years, and what TIMEX3 calls them. */
import { utcDay } from "../../iso-8601.js";
import type { Scanned, Scanner } from "./scan.js";
import type { TimeUnit } from "./words.js";

/** Midnights, the second one not included; undefined for an open end. */
export interface SpokenDays {
  timex: string;
  start: number | undefined;
  end: number | undefined;
}

export const DAY = 86_400_000;

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

export const two = (value: number) => String(value).padStart(2, "0");

/** A day before the year 1 or after 9999: nothing is said of it. */
export class OutOfCalendar extends Error {}

const [FIRST, LAST_DAY] = [utcDay(1, 1, 1), utcDay(9999, 12, 31)];

/** Throws OutOfCalendar. */
export function dayText(day: number): string {
  if (!(day >= FIRST && day <= LAST_DAY + DAY - 1)) throw new OutOfCalendar();
  return new Date(day).toISOString().slice(0, 10);
}

export const exact = (day: number): Day => ({ timex: dayText(day), days: [day] });

export const isoWeekday = (day: number): number => new Date(day).getUTCDay() || 7;

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
export function around(dayIn: (year: number) => number | undefined, year: number, today: number): number[] {
  const all = Array.from({ length: 19 }, (_, at) => dayIn(year - 9 + at)).filter((day) => day !== undefined);
  const past = all.filter((day) => day < today).at(-1);
  const future = all.find((day) => day >= today);
  return [past, future].filter((day) => day !== undefined);
}

export const sameYear = (a: number, b: number): boolean =>
  new Date(a).getUTCFullYear() === new Date(b).getUTCFullYear();

export function longest<T>(found: Scanned<T>[]): Scanned<T> | undefined {
  return found.reduce<Scanned<T> | undefined>((best, one) => (best && best.next >= one.next ? best : one), undefined);
}

/** Reads the longest day at a word: days are counted from days. */
export type DayReader = (scan: Scanner, at: number, ref: Reference) => Scanned<Day> | undefined;
