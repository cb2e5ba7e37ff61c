/**
 * Business days of a place: all days except weekends and holidays, and working days that compensate for bridge days.
 */
import { setImmediate } from "node:timers/promises";
import { toDay, toIso, type Weekday, weekdayOf, yearOf } from "./days.js";
import { holidaysOf, workdaysOf } from "./holidays.js";
import type { HolidayPlace } from "./place.js";
import type { Holiday, HolidayType } from "./types.js";
import { weekendOf } from "./weekend.js";

export interface BusinessCalendarOptions {
  place: HolidayPlace;
  /** At most six days, because otherwise there would be no business day. Default: the country's own. */
  weekend?: readonly Weekday[] | undefined;
  /** The kinds of holidays that are days off. */
  types: readonly HolidayType[];
  signal: AbortSignal;
}

export type BusinessCalendar = ReturnType<typeof createBusinessCalendar>;

export function createBusinessCalendar({ place, weekend, types, signal }: BusinessCalendarOptions) {
  const daysOff = new Map<number, Map<number, Holiday>>();
  const makeUpDays: string[] = [];
  const skipped: { date: string; name: string; type: HolidayType; substitute: boolean; estimated: boolean }[] = [];
  const estimates = new Set<string>();

  async function holidayOn(day: number): Promise<Holiday | undefined> {
    const year = yearOf(day);
    const known = daysOff.get(year) ?? (await loadYear(year));
    daysOff.set(year, known);
    return known.get(day);
  }

  async function loadYear(year: number): Promise<Map<number, Holiday>> {
    // A century takes seconds to compute, so other work gets a turn, and the call can be aborted.
    await setImmediate(undefined, { signal });
    const byDay = new Map<number, Holiday>();
    // A holiday of several days may have begun in December.
    for (const holiday of [...(await holidaysOf(place, year - 1)), ...(await holidaysOf(place, year))]) {
      if (holiday.partDay || !types.includes(holiday.type)) continue;
      const first = toDay(holiday.date);
      for (let day = first; day < first + holiday.days; day++) if (!byDay.has(day)) byDay.set(day, holiday);
    }
    return byDay;
  }

  const weekendAt = (day: number): readonly Weekday[] => weekend ?? weekendOf(place, day);
  const isWeekend = (day: number): boolean => weekendAt(day).includes(weekdayOf(day));

  /** Also records the holiday of a weekday, and working days on weekends. */
  async function isBusinessDay(day: number): Promise<boolean> {
    if (isWeekend(day)) {
      const isWorked = (await workdaysOf(place)).has(toIso(day));
      if (isWorked) makeUpDays.push(toIso(day));
      return isWorked;
    }
    // An estimate may move by a day, so that it concerns the days beside it as well.
    for (const near of [day - 1, day, day + 1]) if ((await holidayOn(near))?.estimated) estimates.add(toIso(near));
    const holiday = await holidayOn(day);
    if (!holiday) return true;
    const { name, type, substitute, estimated } = holiday;
    skipped.push({ date: toIso(day), name, type, substitute, estimated });
    return false;
  }

  /** The day that is `count` business days after `start`, or before it if `count` is negative. */
  async function shift(start: number, count: number): Promise<number> {
    let day = start;
    for (let left = Math.abs(count); left > 0; ) {
      day += Math.sign(count);
      if (await isBusinessDay(day)) left--;
    }
    return day;
  }

  /** Business days after `start`, up to and including `end`; negative if `end` is earlier. */
  async function count(start: number, end: number): Promise<number> {
    const step = Math.sign(end - start);
    let days = 0;
    for (let day = start; day !== end; ) {
      day += step;
      if (await isBusinessDay(day)) days += step;
    }
    return days;
  }

  return { weekendAt, isWeekend, isBusinessDay, shift, count, skipped, estimates, makeUpDays };
}
