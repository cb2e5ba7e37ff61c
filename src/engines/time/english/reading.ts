/** Readings of a text in the words of TIMEX3, and the rules that find them. */

import { clockText } from "./clock/times.js";
import { DAY, dayText, type Reference } from "./words/calendar.js";
import type { Scanned, Scanner } from "./words/scan.js";

export type MatchType = "date" | "time" | "datetime" | "daterange" | "timerange" | "datetimerange" | "duration" | "set";

export interface TimeReading {
  timex: string;
  /** Of a date, time or duration; null for a range, a set and what does not exist. */
  value: string | null;
  start: string | null;
  end: string | null;
}

export interface FoundTime {
  type: MatchType;
  readings: TimeReading[];
  modifier?: string;
}

export type TimeRule = (scan: Scanner, at: number, ref: Reference) => Scanned<FoundTime> | undefined;

export const moment = (day: number, seconds: number): string =>
  `${dayText(day + Math.floor(seconds / 86_400) * DAY)} ${clockText(seconds % 86_400)}`;

export const point = (timex: string, value: string | null): TimeReading => ({ timex, value, start: null, end: null });

export const range = (timex: string, start: string | null, end: string | null): TimeReading => ({
  timex,
  value: null,
  start,
  end,
});
