/** Weeks of ISO 8601 and their days, by number. */
import { utcDay } from "../../iso-8601.js";
import { DAY, type Day, exact, inWeek, type SpokenDays, two } from "../words/calendar.js";
import { type Scanned, type Scanner, scanned } from "../words/scan.js";

/** A week of ISO 8601: the first one of a year has its fourth of January. */
export function weekOf(year: number, number: number): (SpokenDays & { start: number }) | undefined {
  const start = inWeek(utcDay(year, 1, 4), 1, number - 1);
  if (number < 1 || new Date(start + 3 * DAY).getUTCFullYear() !== year) return;
  return { timex: `${year}-W${two(number)}`, start, end: start + 7 * DAY };
}

interface Written {
  year: number;
  week: number;
  day: number | undefined;
}

/** `2026-W48-1`, `2026-W48`, `2026W481`, `2026W48`: all of it without blanks. */
function written(scan: Scanner, at: number): Scanned<Written> | undefined {
  const year = scan.digits(at, 4, 4);
  const isDashed = year && scan.is(year.next, "-");
  const mark = year && (isDashed ? year.next + 1 : year.next);
  if (!year || mark === undefined || !scan.is(mark, "w")) return;
  const digits = scan.digits(mark + 1, 2, isDashed ? 2 : 3);
  if (!digits || ![...(isDashed ? [year.next] : []), mark, mark + 1].every((one) => scan.isTight(one))) return;
  const word = scan.word(mark + 1);
  const week = Number(word.slice(0, 2));
  if (word.length === 3) return scanned({ year: year.value, week, day: Number(word[2]) }, digits.next);
  const isDay = isDashed && scan.is(digits.next, "-") && scan.isTight(digits.next) && scan.isTight(digits.next + 1);
  const day = isDay ? scan.digits(digits.next + 1, 1, 1) : undefined;
  return scanned({ year: year.value, week, day: day?.value }, day?.next ?? digits.next);
}

export function isoWeekDay(scan: Scanner, at: number): Scanned<Day> | undefined {
  const found = written(scan, at);
  const day = found?.value.day;
  const week = found && day !== undefined ? weekOf(found.value.year, found.value.week) : undefined;
  if (!found || !week || day === undefined || day < 1 || day > 7) return;
  return scanned(exact(week.start + (day - 1) * DAY), found.next);
}

export function isoWeek(scan: Scanner, at: number): Scanned<SpokenDays[]> | undefined {
  const found = written(scan, at);
  const week = found && found.value.day === undefined ? weekOf(found.value.year, found.value.week) : undefined;
  return found && week && scanned([week], found.next);
}

/** Whether digits begin the number of a week, right or not: they are no year by themselves. */
export const beginsIsoWeek = (scan: Scanner, at: number): boolean => {
  const mark = scan.skip(at + 1, "-");
  return (
    scan.is(mark, "w") &&
    scan.isTight(at + 1) &&
    scan.isTight(mark) &&
    scan.isTight(mark + 1) &&
    /^\d/.test(scan.word(mark + 1))
  );
};
