/** The longest day that a text says at a word. */

import { isoWeekDay } from "../periods/iso-weeks.js";
import { type Day, type DayReader, longest, type Reference } from "../words/calendar.js";
import type { Scanned, Scanner } from "../words/scan.js";
import { besideDay } from "./beside-days.js";
import { holiday } from "./holidays.js";
import { nthDay } from "./nth-days.js";
import { dayOfMonthAlone, relativeDay, shifted } from "./relative-days.js";
import { withWeekday } from "./weekdays.js";
import { ledDate, writtenDate } from "./written-days.js";

/** The longest date that begins at a position. */
export const readDay: DayReader = (scan, at, ref) => scan.once("day", at, () => dayAt(scan, at, ref));

function dayAt(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  const inner = scan.skip(at, "the");
  const found = [
    withWeekday(scan, at, ref, readDay),
    ledDate(scan, inner, ref),
    writtenDate(scan, inner, ref),
    isoWeekDay(scan, at),
    nthDay(scan, at, ref),
    besideDay(scan, at, ref, readDay),
    relativeDay(scan, at, ref),
    shifted(scan, at, ref, readDay),
    holiday(scan, inner, ref),
    dayOfMonthAlone(scan, inner, ref),
  ].filter((one) => one !== undefined);
  return longest(found);
}
