/** Periods that a part or a neighbour is told of: `march 2026`, `next week`, `the first quarter of 2026`, `the year`. */
import { utcDay } from "../../iso-8601.js";
import { DAY, type Reference, type SpokenDays, two } from "../words/calendar.js";
import { type Scanned, type Scanner, scanned } from "../words/scan.js";
import { MONTHS } from "../words/words.js";
import { century } from "./parts-of-periods.js";
import { monthName, monthRange, numbers, quarter, unitRange } from "./periods.js";

/** A period with both of its ends. */
export interface Period extends SpokenDays {
  start: number;
  end: number;
}

/** The readings of a period at a position, `the` before it or not. */
export function namedPeriod(scan: Scanner, at: number, ref: Reference): Scanned<Period[]> | undefined {
  const inner = scan.skip(at, "the");
  const found =
    quarter(scan, inner, ref) ??
    century(scan, inner) ??
    (inner > at ? ofUnit(scan, inner, ref) : undefined) ??
    unitRange(scan, inner, ref) ??
    monthName(scan, inner, ref) ??
    looseMonth(scan, inner, ref) ??
    numbers(scan, inner);
  const whole = found?.value.filter((one): one is Period => one.start !== undefined && one.end !== undefined) ?? [];
  return found && whole.length > 0 ? scanned(whole, found.next) : undefined;
}

/** `the year`, `the month of October`, `the year 2025`: the name after a unit tells which one. */
function ofUnit(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const inner = scan.skip(at + 1, "of");
  if (scan.is(at, "year")) return numbers(scan, inner);
  return scan.is(at, "month") ? monthName(scan, inner, ref) : undefined;
}

/** `may` and `march` after another word of time. */
function looseMonth(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const month = MONTHS.get(scan.word(at));
  if (month === undefined) return;
  const thisYear = new Date(ref.day).getUTCFullYear();
  const isPast = utcDay(thisYear, month, 1) < ref.day;
  const years = isPast ? [thisYear, thisYear + 1] : [thisYear - 1, thisYear];
  return scanned(
    years.map((year) => monthRange(year, month, `XXXX-${two(month)}`)),
    at + 1,
  );
}

/** The day in the middle of a period. */
export const middleDay = ({ start, end }: Period): number => start + Math.floor((end - start) / DAY / 2) * DAY;
