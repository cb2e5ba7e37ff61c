/** Tests of dates and times inside components. */
import type { Test } from "./finding.js";

/** Years of two digits lie from 49 years before to 50 years after the present one. */
export function fullYear(twoDigits: number, present: number): number {
  const year = present - (present % 100) + twoDigits;
  if (year - present >= 51) return year - 100;
  return year - present <= -50 ? year + 100 : year;
}

const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** YYMMDD or YYYYMMDD; where `dayZero` is, the day 00 means the month as a whole. */
export function dateTest({ dayZero }: { dayZero: boolean }): Test {
  return (text, present) => {
    const at = text.length - 4;
    const written = Number(text.slice(0, at));
    const year = at === 2 ? fullYear(written, present) : written;
    const [month, day] = [Number(text.slice(at, at + 2)), Number(text.slice(at + 2))];
    if (month < 1 || month > 12) return { code: "ILLEGAL_MONTH", at };
    const isDay = day === 0 ? dayZero : day <= daysIn(year, month);
    return isDay ? undefined : { code: "ILLEGAL_DAY", at: at + 2 };
  };
}

type Unit = "HOUR" | "MINUTE" | "SECOND";

export function timeTest(units: readonly Unit[]): Test {
  return (text) => {
    for (const [index, unit] of units.entries()) {
      const at = index * 2;
      if (Number(text.slice(at, at + 2)) > (unit === "HOUR" ? 23 : 59)) return { code: `ILLEGAL_${unit}`, at };
    }
    return undefined;
  };
}
