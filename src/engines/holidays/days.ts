/** Calendar days as whole numbers since 1970-01-01, independent of time zones. */
import { DAY_MS } from "../../lib/time.js";

/** Two inclusive ISO days. */
export interface DayRange {
  from: string;
  to: string;
}

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The number of an ISO day, YYYY-MM-DD. */
export function toDay(iso: string): number {
  return Date.parse(`${iso}T00:00:00Z`) / DAY_MS;
}

export function toIso(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export function yearOf(day: number): number {
  return new Date(day * DAY_MS).getUTCFullYear();
}

export function weekdayOf(day: number): Weekday {
  // Day 0 was a Thursday. The second addition keeps days before 1970 positive.
  const index = (((day + 3) % 7) + 7) % 7;
  return WEEKDAYS[index] as Weekday;
}
