/** Business days of a place: every day but its weekends and holidays, and the days that make up for bridges. */
import { setImmediate } from "node:timers/promises";
import { toDay, toIso, type Weekday, weekdayOf, yearOf } from "./days.js";
import { holidaysOf, workdaysOf } from "./holidays.js";
import type { HolidayPlace } from "./place.js";
import type { Holiday, HolidayType } from "./types.js";
import { weekendOf } from "./weekend.js";

export interface BusinessCalendarOptions {
  place: HolidayPlace;
  /** At most six days, or no day would ever be a business day; the country's own when left out. */
  weekend?: readonly Weekday[] | undefined;
  /** The kinds of holidays that are days off. */
  types: readonly HolidayType[];
  signal: AbortSignal;
}

export type BusinessCalendar = ReturnType<typeof createBusinessCalendar>;

export function createBusinessCalendar({ place, weekend, types, signal }: BusinessCalendarOptions) {
  const daysOff = new Map<number, Map<number, Holiday>>();
  const makeUpDays: string[] = [];
  const skipped: { date: string; name: string; type: HolidayType; substitute: boolean }[] = [];

  async function holidayOn(day: number): Promise<Holiday | undefined> {
    const year = yearOf(day);
    const known = daysOff.get(year) ?? (await loadYear(year));
    daysOff.set(year, known);
    return known.get(day);
  }

  async function loadYear(year: number): Promise<Map<number, Holiday>> {
    // A century takes seconds of computing: let others have a turn in between, and end with the call.
    await setImmediate(undefined, { signal });
    const byDay = new Map<number, Holiday>();
    // A feast of several days may have begun in December.
    for (const holiday of [...(await holidaysOf(place, year - 1)), ...(await holidaysOf(place, year))]) {
      if (holiday.partDay || !types.includes(holiday.type)) continue;
      const first = toDay(holiday.date);
      for (let day = first; day < first + holiday.days; day++) if (!byDay.has(day)) byDay.set(day, holiday);
    }
    return byDay;
  }

  const weekendAt = (day: number): readonly Weekday[] => weekend ?? weekendOf(place, day);
  const isWeekend = (day: number): boolean => weekendAt(day).includes(weekdayOf(day));

  /** Also notes the holiday that makes a weekday a day off, and the day of a weekend that is worked. */
  async function isBusinessDay(day: number): Promise<boolean> {
    if (isWeekend(day)) {
      const isWorked = (await workdaysOf(place)).has(toIso(day));
      if (isWorked) makeUpDays.push(toIso(day));
      return isWorked;
    }
    const holiday = await holidayOn(day);
    if (!holiday) return true;
    const { name, type, substitute } = holiday;
    skipped.push({ date: toIso(day), name, type, substitute });
    return false;
  }

  /** The day that is `count` business days after `start`, or before it when `count` is negative. */
  async function shift(start: number, count: number): Promise<number> {
    let day = start;
    for (let left = Math.abs(count); left > 0; ) {
      day += Math.sign(count);
      if (await isBusinessDay(day)) left--;
    }
    return day;
  }

  /** Business days after `start`, up to and with `end`; those of a walk back are negative. */
  async function count(start: number, end: number): Promise<number> {
    const step = Math.sign(end - start);
    let days = 0;
    for (let day = start; day !== end; ) {
      day += step;
      if (await isBusinessDay(day)) days += step;
    }
    return days;
  }

  return { weekendAt, isWeekend, isBusinessDay, shift, count, skipped, makeUpDays };
}
