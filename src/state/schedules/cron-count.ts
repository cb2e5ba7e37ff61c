/**
 * Counts the times of a cron expression between two instants day by day, because computing each time takes too long.
 */

import { DAY_MS, MINUTE_MS } from "../../lib/time.js";
import type { Zone } from "../../lib/time-zone.js";

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
/** Longer than any schedule lives. */
const MAX_DAYS = 400;

/** The numbers that a field names. The expression was validated before. */
function numbersOf(field: string, [min, max]: [number, number], names: string[] = [], first = 0): Set<number> {
  const read = (part: string) => {
    const named = names.indexOf(part.toUpperCase());
    return named < 0 ? Number(part) : named + first;
  };
  const all = field.split(",").flatMap((item) => {
    const [range = "", step] = item.split("/");
    const [from = "", to] = range === "*" ? [String(min), String(max)] : range.split("-");
    const last = to === undefined ? (step === undefined ? read(from) : max) : read(to);
    const numbers: number[] = [];
    for (let number = read(from); number <= last; number += Number(step ?? 1)) numbers.push(number);
    return numbers;
  });
  return new Set(all);
}

/** Times in the zone's clock after the first and up to the second; hours of a clock change are not considered. */
export function countCron(cron: string, zone: Zone, after: Date, until: Date): number {
  const [minutes = "", hours = "", days = "", months = "", weekdays = ""] = cron.split(" ");
  const minuteSet = numbersOf(minutes, [0, 59]);
  const hourSet = numbersOf(hours, [0, 23]);
  const daySet = numbersOf(days, [1, 31]);
  const monthSet = numbersOf(months, [1, 12], MONTHS, 1);
  const weekdaySet = new Set([...numbersOf(weekdays, [0, 7], WEEKDAYS)].map((day) => day % 7));
  // If both day fields are restricted, either may match, as in cron.
  const isDay = (day: Date) => {
    const [ofMonth, ofWeek] = [daySet.has(day.getUTCDate()), weekdaySet.has(day.getUTCDay())];
    const fits = days === "*" || weekdays === "*" ? ofMonth && ofWeek : ofMonth || ofWeek;
    return fits && monthSet.has(day.getUTCMonth() + 1);
  };
  /** Times of a day up to a minute of it. */
  const upTo = (minute: number): number => {
    const [hour, rest] = [Math.floor(minute / 60), minute % 60];
    const whole = [...hourSet].filter((one) => one < hour).length * minuteSet.size;
    return whole + (hourSet.has(hour) ? [...minuteSet].filter((one) => one <= rest).length : 0);
  };
  const [begin, end] = [after, until].map((at) => at.getTime() + zone.offsetAt(at.getTime())) as [number, number];
  const first = Math.max(Math.floor(begin / DAY_MS), Math.floor(end / DAY_MS) - MAX_DAYS);
  let count = 0;
  for (let day = first; day * DAY_MS <= end; day++) {
    if (!isDay(new Date(day * DAY_MS))) continue;
    const minuteOf = (at: number) => Math.floor((at - day * DAY_MS) / MINUTE_MS);
    count += upTo(Math.min(minuteOf(end), 1439)) - (minuteOf(begin) >= 0 ? upTo(minuteOf(begin)) : 0);
  }
  return count;
}
