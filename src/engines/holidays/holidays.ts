/** Holidays by place and year, from the date-holidays library. */
import type { HolidaysTypes } from "date-holidays";
import type { Source } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import { correct, correctionsOf } from "./corrections.js";
import { definition, type HolidayPlace, levelsOf, library, regionOf } from "./place.js";
import type { Holiday } from "./types.js";

export const HOLIDAYS_SOURCE: Source = {
  provider: "date-holidays, corrected after python-holidays",
  url: "https://github.com/commenthol/date-holidays",
  license: "ISC (code), CC BY-SA 3.0 (data); python-holidays MIT",
};

export const FIRST_YEAR = 1950;
export const LAST_YEAR = 2100;

/** Languages of the names of a place's holidays. */
export async function languagesOf(place: HolidayPlace): Promise<string[]> {
  const { Holidays } = await library();
  return new Holidays(definition(place)).getLanguages();
}

/** A year takes 2 to 40 ms to compute and 10 KB to keep. */
const yearsKept = lazy(async () => new (await import("lru-cache")).LRUCache<string, Holiday[]>({ max: 1000 }));

/** The holidays that begin in a year, by date. A language without names falls back to the country's own. */
export async function holidaysOf(place: HolidayPlace, year: number, language = ""): Promise<Holiday[]> {
  const [{ Holidays }, computed] = await Promise.all([library(), yearsKept()]);
  const key = [place.country, regionOf(place), year, language].join("|");
  const known = computed.get(key);
  if (known) return known;
  const corrections = await correctionsOf(levelsOf(place));
  const calendar = new Holidays(definition(place));
  for (const { rule, names, from, to } of corrections.rules)
    if (year >= from && year <= to) calendar.setHoliday(rule, { name: names, type: "public", substitute: true });
  const rows: (HolidaysTypes.Holiday & { note?: string })[] = calendar.getHolidays(year, language);
  // guard: a holiday that a country and its region give is listed once | without once | official
  const holidays = once(correct(rows.map(toHoliday), year, corrections)).sort((a, b) => a.date.localeCompare(b.date));
  computed.set(key, holidays);
  return holidays;
}

/** Rules of country and region, or of the library and ours, may give the same day: the longer one stays. */
function once(holidays: readonly Holiday[]): Holiday[] {
  const days = new Map<string, Holiday>();
  for (const holiday of holidays) {
    const key = [holiday.date, holiday.type, holiday.name].join("|");
    const known = days.get(key);
    if (!known || known.days < holiday.days) days.set(key, holiday);
  }
  return [...days.values()];
}

/** Weekend days on which a place works, to compensate for bridge days. */
export async function workdaysOf(place: HolidayPlace): Promise<ReadonlySet<string>> {
  return (await correctionsOf(levelsOf(place))).workdays;
}

/** Calendars whose days are announced each year, or when the moon is seen. */
const ANNOUNCED =
  /Muharram|Safar|Rabi|Jumada|Rajab|Shaban|Ramadan|Shawwal|Dhu al|Vesak|Deepavali|\bHoli\b|Thaipusam|Puja|Bucha|Buddhist/i;

const MS_PER_HOUR = 3_600_000;

function toHoliday(row: HolidaysTypes.Holiday & { note?: string }): Holiday {
  const hours = (row.end.getTime() - row.start.getTime()) / MS_PER_HOUR;
  // A day of a daylight saving change has 22 to 26 hours. Turkey's feasts (PT90H) are three days and an eve.
  const fullDays = Math.floor((hours + 2) / 24);
  // "2026-02-02 00:00:00 -0600": the offset marks a day that begins on the evening before, but the date is still right.
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
    estimated: ANNOUNCED.test(row.rule),
  };
}

/** The first year whose announced, substitute and compensating days are in the table of corrections. */
const FIRST_CHECKED = 2015;
const LAST_CHECKED = 2030;

/** Notes for these years of a place: the origin of the rules, and uncertain days. */
export async function reachOf(place: HolidayPlace, firstYear: number, lastYear: number) {
  const { sources, doubt, added, announced } = await correctionsOf(levelsOf(place));
  const notes: string[] = [];
  if (doubt !== null) notes.push(`Not vouched for: ${doubt}`);
  if ((added.length > 0 || announced.length > 0) && (firstYear < FIRST_CHECKED || lastYear > LAST_CHECKED))
    notes.push(
      `Announced and substitute days were checked for ${FIRST_CHECKED} to ${LAST_CHECKED}; other years follow the rules alone.`,
    );
  if (firstYear < 1970 || lastYear > 2076)
    notes.push(
      "Islamic dates are known from 1970 to 2076 and Hebrew dates from 1969 to 2099: outside, holidays after them are missing.",
    );
  return {
    ...(sources.length > 0 ? { sources } : {}),
    ...(doubt === null ? {} : { vouched: false }),
    ...(notes.length > 0 ? { note: notes.join(" ") } : {}),
  };
}
