/** Weekdays, alone or with a week or a date. */
import { utcDay } from "../../iso-8601.js";
import {
  DAY,
  type Day,
  type DayReader,
  exact,
  inWeek,
  isoWeekday,
  type Reference,
  sameYear,
} from "../words/calendar.js";
import { type Scanned, type Scanner, scanned } from "../words/scan.js";
import { LAST, NEXT, THIS, WEEKDAY_WORDS } from "../words/words.js";
import { shifted } from "./relative-days.js";
import { dottedDate, writtenDate } from "./written-days.js";

type Direction = { weeks: number; next: number; isExact: boolean };

/** `this`, `next` and `last` before a weekday; `coming` and `past` mean the nearest one. */
function direction(scan: Scanner, at: number): Direction & { nearest: -1 | 0 | 1 } {
  const start = scan.skip(at, "this", "the");
  const isLed = start > at && scan.is(at, "this");
  if (scan.is(start, "upcoming") || (isLed && scan.is(start, "coming")))
    return { weeks: 0, next: start + 1, isExact: true, nearest: 1 };
  if (scan.is(start, "past")) return { weeks: 0, next: start + 1, isExact: true, nearest: -1 };
  if (NEXT.has(scan.word(start))) return { weeks: 1, next: start + 1, isExact: true, nearest: 0 };
  if (LAST.has(scan.word(start))) return { weeks: -1, next: start + 1, isExact: true, nearest: 0 };
  return { weeks: 0, next: start, isExact: isLed || THIS.has(scan.word(at)), nearest: 0 };
}

/** Weekdays, with what tells which one of them. */
export function withWeekday(scan: Scanner, at: number, ref: Reference, read: DayReader): Scanned<Day> | undefined {
  const { weeks, next, isExact, nearest } = direction(scan, at);
  const weekday = WEEKDAY_WORDS.get(scan.word(next));
  if (weekday === undefined) return weekThenDay(scan, at, ref);
  const end = scan.skip(next + 1, ".");
  const named = dateAfterWeekday(scan, next + 1, weekday, ref, isExact);
  if (named) return named;
  const ofWeek = weekAfter(scan, next + 1);
  if (ofWeek) return scanned(exact(inWeek(ref.day, weekday, ofWeek.value)), ofWeek.next);
  const after = shifted(scan, scan.skip(next + 1, ",", "in"), ref, read);
  if (after?.value.days[0] !== undefined)
    return scanned(exact(inWeek(after.value.days.at(-1) ?? 0, weekday)), after.next);
  const bare = scan.is(next + 1, ".") && scan.word(next).length < 6 && end < scan.tokens.length ? next + 1 : next + 1;
  if (nearest !== 0) return scanned(exact(nearestDay(ref.day, weekday, nearest)), bare);
  if (isExact) return scanned(exact(inWeek(ref.day, weekday, weeks)), bare);
  const thisWeek = inWeek(ref.day, weekday);
  const days = thisWeek >= ref.day ? [thisWeek - 7 * DAY, thisWeek] : [thisWeek, thisWeek + 7 * DAY];
  return scanned({ timex: `XXXX-WXX-${weekday}`, days }, bare);
}

function nearestDay(day: number, weekday: number, sign: -1 | 1): number {
  const distance = (((weekday - isoWeekday(day)) * sign + 7) % 7 || 7) * sign;
  return day + distance * DAY;
}

/** `of next week`, `this week`, `of the following week`. */
function weekAfter(scan: Scanner, at: number): Scanned<number> | undefined {
  const start = scan.skip(scan.skip(at, "of", "in"), "the");
  if (!scan.is(start + 1, "week")) return;
  if (NEXT.has(scan.word(start))) return scanned(1, start + 2);
  if (LAST.has(scan.word(start))) return scanned(-1, start + 2);
  return THIS.has(scan.word(start)) ? scanned(0, start + 2) : undefined;
}

/** `next week Wednesday`, `previous week - Monday`. */
function weekThenDay(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  const week = weekAfter(scan, at);
  const start = week && scan.skip(scan.skip(week.next, "-", ",", "on"), "on");
  const weekday = start === undefined ? undefined : WEEKDAY_WORDS.get(scan.word(start));
  return week && start !== undefined && weekday !== undefined
    ? scanned(exact(inWeek(ref.day, weekday, week.value)), start + 1)
    : undefined;
}

/** `Friday, June 15`, `Friday (jun-15)`, `Tuesday the eleventh`, `Monday 21`. */
function dateAfterWeekday(
  scan: Scanner,
  at: number,
  weekday: number,
  ref: Reference,
  isExact: boolean,
): Scanned<Day> | undefined {
  const start = scan.skip(scan.skip(at, ",", "-", "(", "."), "the");
  const written = writtenDate(scan, start, ref) ?? dottedDate(scan, start, ref);
  if (written) {
    const { timex, days } = written.value;
    const kept = isExact && days.length > 1 ? days.filter((day) => sameYear(day, ref.day)) : days;
    return scanned({ timex, days: kept }, scan.is(at, "(") ? scan.skip(written.next, ")") : written.next);
  }
  const day = scan.ordinal(start) ?? bareDay(scan, start);
  if (!day || day.value > 31) return;
  const [past, future, nearest] = monthsWith(weekday, day.value, ref.day);
  if (scan.is(start - 1, "the") || isExact)
    return nearest === undefined ? undefined : scanned(exact(nearest), day.next);
  const days = [past, future].filter((one) => one !== undefined);
  return scanned({ timex: `XXXX-WXX-${weekday}`, days }, day.next);
}

const bareDay = (scan: Scanner, at: number): Scanned<number> | undefined => {
  const day = scan.digits(at, 2, 2);
  return day && !scan.is(day.next, ":", "am", "pm", "a", "p", ".", "-", "/", "minutes", "hours", "o'clock")
    ? day
    : undefined;
};

/** The last and the next month whose day falls on a weekday, and the one that is meant: this month's if it does. */
function monthsWith(weekday: number, day: number, today: number): (number | undefined)[] {
  const date = new Date(today);
  const dayIn = (months: number) => {
    const at = utcDay(date.getUTCFullYear(), date.getUTCMonth() + 1 + months, day);
    return new Date(at).getUTCDate() === day && isoWeekday(at) === weekday ? [at] : [];
  };
  const all = Array.from({ length: 49 }, (_, at) => at - 24).flatMap(dayIn);
  const past = all.filter((at) => at < today).at(-1);
  const future = all.find((at) => at >= today);
  return [past, future, dayIn(0)[0] ?? future];
}
