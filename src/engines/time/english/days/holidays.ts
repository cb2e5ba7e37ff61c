/** Holidays by name, with a year or without. */
import { once } from "../../../../lib/lazy.js";
import { utcDay } from "../../iso-8601.js";
import { easterOf } from "../../recurrence-days.js";
import { around, DAY, type Day, dayText, exact, isoWeekday, longest, type Reference, two } from "../words/calendar.js";
import { type Scanned, type Scanner, scanned } from "../words/scan.js";
import { EASTER_HOLIDAYS, FIXED_HOLIDAYS, LAST, NEXT, THIS, WEEKDAY_HOLIDAYS } from "../words/words.js";

type DayIn = (year: number) => number;

const holidayRules = once(makeHolidayRules);

function makeHolidayRules(): [names: string[], dayIn: DayIn, timex: (year: string) => string][] {
  return [
    ...FIXED_HOLIDAYS.map(([names, month, day]): [string[], DayIn, (year: string) => string] => [
      names,
      (year) => utcDay(year, month, day),
      (year) => `${year}-${two(month)}-${two(day)}`,
    ]),
    ...WEEKDAY_HOLIDAYS.map(([names, month, weekday, nth, plus]): [string[], DayIn, (year: string) => string] => [
      names,
      (year) => nthWeekday(year, month, weekday, nth) + plus * DAY,
      (year) => (plus === 0 && nth > 0 ? `${year}-${two(month)}-WXX-${weekday}-${nth}` : ""),
    ]),
    ...EASTER_HOLIDAYS.map(([names, days]): [string[], DayIn, (year: string) => string] => [
      names,
      (year) => easterOf(year) + days * DAY,
      () => "",
    ]),
  ];
}

function nthWeekday(year: number, month: number, weekday: number, nth: number): number {
  const first = nth > 0 ? utcDay(year, month, 1) : utcDay(year, month + 1, 0);
  const distance = nth > 0 ? (weekday - isoWeekday(first) + 7) % 7 : -((isoWeekday(first) - weekday + 7) % 7);
  return first + (distance + (nth > 0 ? nth - 1 : nth + 1) * 7) * DAY;
}

/** Holidays, with a year or with `next` and `last` before them. */
export function holiday(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  const isNext = NEXT.has(scan.word(at));
  const isLast = LAST.has(scan.word(at));
  const isThis = THIS.has(scan.word(at));
  const start = isNext || isLast || isThis ? at + 1 : at;
  const found = longest(
    holidayRules().flatMap(([names, dayIn, timex]) =>
      names.flatMap((name) => {
        const next = scan.after(start, name);
        return next === undefined ? [] : [scanned({ dayIn, timex }, next)];
      }),
    ),
  );
  if (!found) return;
  const { dayIn, timex } = found.value;
  const thisYear = new Date(ref.day).getUTCFullYear();
  if (start > at) {
    const all = [-2, -1, 0, 1, 2].map((plus) => dayIn(thisYear + plus));
    const day = isNext
      ? all.find((one) => one > ref.day)
      : isLast
        ? all.filter((one) => one < ref.day).at(-1)
        : dayIn(thisYear);
    return day === undefined ? undefined : scanned(exact(day), found.next);
  }
  const year = holidayYear(scan, found.next, thisYear);
  if (year) return scanned(exact(dayIn(year.value)), year.next);
  const days = around(dayIn, thisYear, ref.day);
  return scanned({ timex: timex("XXXX") || `XXXX-${dayText(days.at(-1) ?? ref.day).slice(5)}`, days }, found.next);
}

function holidayYear(scan: Scanner, at: number, thisYear: number): Scanned<number> | undefined {
  const start = scan.skip(scan.skip(at, ",", "of", "in"), "the");
  const year = scan.year(start);
  if (year) return year;
  if (!scan.is(start + 1, "year")) return;
  const word = scan.word(start);
  return NEXT.has(word)
    ? scanned(thisYear + 1, start + 2)
    : LAST.has(word)
      ? scanned(thisYear - 1, start + 2)
      : THIS.has(word)
        ? scanned(thisYear, start + 2)
        : undefined;
}
