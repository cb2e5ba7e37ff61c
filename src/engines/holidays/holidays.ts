/** Holidays by place and year, from the date-holidays library. */
import type { HolidaysTypes } from "date-holidays";
import { LRUCache } from "lru-cache";
import type { Source } from "../../capability/output.js";
import { definition, library, type Place, regionOf } from "./place.js";

export const HOLIDAYS_SOURCE: Source = {
  provider: "date-holidays",
  url: "https://github.com/commenthol/date-holidays",
  license: "ISC (code), CC BY-SA 3.0 (data)",
};

export const FIRST_YEAR = 1950;
export const LAST_YEAR = 2100;

export const HOLIDAY_TYPES = ["public", "bank", "school", "optional", "observance"] as const;
export type HolidayType = (typeof HOLIDAY_TYPES)[number];

export interface Holiday {
  /** YYYY-MM-DD, the first day. */
  date: string;
  /** Full days covered, at least 1. */
  days: number;
  /** A holiday that begins at noon or lasts an afternoon. */
  partDay: boolean;
  name: string;
  type: HolidayType;
  substitute: boolean;
  rule: string;
  note: string | null;
}

/** The languages that a place's holidays have names in. */
export async function languagesOf(place: Place): Promise<string[]> {
  const { Holidays } = await library();
  return new Holidays(definition(place)).getLanguages();
}

/** A year takes 2 to 40 ms to compute and 10 KB to keep. */
const computed = new LRUCache<string, Holiday[]>({ max: 1000 });

/** The holidays that begin in a year, by date. A language without names falls back to the country's own. */
export async function holidaysOf(place: Place, year: number, language = ""): Promise<Holiday[]> {
  const { Holidays } = await library();
  const key = [place.country, regionOf(place), year, language].join("|");
  const known = computed.get(key);
  if (known) return known;
  const rows: (HolidaysTypes.Holiday & { note?: string })[] = new Holidays(definition(place)).getHolidays(
    year,
    language,
  );
  const holidays = rows.map(toHoliday).sort((a, b) => a.date.localeCompare(b.date));
  computed.set(key, holidays);
  return holidays;
}

const MS_PER_HOUR = 3_600_000;

function toHoliday(row: HolidaysTypes.Holiday & { note?: string }): Holiday {
  const hours = (row.end.getTime() - row.start.getTime()) / MS_PER_HOUR;
  // A day that daylight saving begins or ends on has 22 to 26 hours. Turkey's feasts (PT90H) are three days and an eve.
  const fullDays = Math.floor((hours + 2) / 24);
  // "2026-02-02 00:00:00 -0600": the zone marks a day that begins on the evening before, and is still that day.
  const startsAtMidnight = row.date.slice(11, 19) === "00:00:00";
  return {
    date: row.date.slice(0, 10),
    days: Math.max(1, fullDays),
    partDay: !startsAtMidnight || fullDays === 0,
    name: row.name,
    type: row.type,
    substitute: row.substitute ?? false,
    rule: row.rule,
    note: row.note ?? null,
  };
}

/** What a reader of these years should know, or undefined when there is nothing. */
export function reachNote(firstYear: number, lastYear: number): string | undefined {
  if (firstYear >= 1970 && lastYear <= 2076) return undefined;
  return "Islamic dates are known from 1970 to 2076 and Hebrew dates from 1969 to 2099: outside, holidays after them are missing.";
}
