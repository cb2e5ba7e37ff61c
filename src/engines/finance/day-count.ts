/** Years between two days, by the conventions of ISDA. A day is `{ year, month, day }` of the calendar, month from 1. */

export const DAY_COUNTS = ["act/365f", "act/act", "30/360"] as const;
export type DayCount = (typeof DAY_COUNTS)[number];

export interface Day {
  year: number;
  month: number;
  day: number;
}

const DAY_MS = 86_400_000;

/** Reads YYYY-MM-DD, which is known to exist. */
export function calendarDay(text: string): Day {
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number);
  return { year, month, day };
}

/** Days since 1970. */
export function serial({ year, month, day }: Day): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / DAY_MS;
}

export function yearsBetween(from: Day, to: Day, count: DayCount): number {
  if (count === "30/360") return days30(from, to) / 360;
  if (count === "act/365f" || from.year === to.year)
    return (serial(to) - serial(from)) / (count === "act/365f" ? 365 : daysIn(from.year));
  // Of a leap year each day is 1/366 of a year, of others 1/365.
  const inFirst = (serial(newYear(from.year + 1)) - serial(from)) / daysIn(from.year);
  const inLast = (serial(to) - serial(newYear(to.year))) / daysIn(to.year);
  return inFirst + (to.year - from.year - 1) + inLast;
}

const newYear = (year: number): Day => ({ year, month: 1, day: 1 });
const daysIn = (year: number): number => serial(newYear(year + 1)) - serial(newYear(year));

/** 30/360 bond basis: the 31st of the first day is the 30th; that of the second one, too, after a 30th. */
function days30(from: Day, to: Day): number {
  const first = Math.min(from.day, 30);
  const second = first === 30 ? Math.min(to.day, 30) : to.day;
  return 360 * (to.year - from.year) + 30 * (to.month - from.month) + (second - first);
}
