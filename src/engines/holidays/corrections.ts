/**
 * Corrections of the date-holidays library: rules with their sources, applied to its own. The table is generated from
 * scripts/holiday-rules.txt, whose head explains the notation.
 */

import { lazy } from "../../lib/lazy.js";
import { toDay, toIso } from "./days.js";
import { HOLIDAY_TYPES, type Holiday, type HolidayType } from "./types.js";

/** The dates of a holiday in a year: announced, or estimated from a calendar. */
interface Occurrence {
  date: string;
  days: number;
  estimated: boolean;
}

/** A rule holds in the years from `from` to `to`. */
interface Years {
  from: number;
  to: number;
}

export interface Corrections {
  sources: string[];
  /** Why the days of this place are uncertain; null if they were checked. */
  doubt: string | null;
  /** Missing rules, in the library's notation. */
  rules: (Years & { rule: string; names: Record<string, string> })[];
  /** Library rules whose days have another type, or are not holidays. */
  types: (Years & { rule: string; type: HolidayType | "none" })[];
  /** Announced dates of library rules. */
  announced: { rule: string; dates: Occurrence[] }[];
  /** Single days off without a rule. */
  added: (Occurrence & { name: string })[];
  /** Days that are not off. */
  removed: Set<string>;
  /** Working days on weekends that compensate for a bridge day. */
  workdays: Set<string>;
}

const loadTable = lazy(async () => (await import("./corrections-table.js")).CORRECTIONS);

/** Countries with entries in the table, in upper case. */
export async function correctedCountries(): Promise<string[]> {
  return Object.keys(await loadTable()).filter((place) => place.length === 2);
}

/** Reading a place's lines takes up to a millisecond. */
const placesKept = lazy(async () => new (await import("lru-cache")).LRUCache<string, Corrections>({ max: 500 }));

/** Regions of a country with entries in the table: `JH`. */
export async function correctedRegions(country: string): Promise<string[]> {
  const places = Object.keys(await loadTable()).filter((place) => place.startsWith(`${country}-`));
  return places.map((place) => place.slice(3));
}

/** The corrections of places from the country down: `US`, `US-CA`. */
export async function correctionsOf(places: readonly string[]): Promise<Corrections> {
  const [table, known] = await Promise.all([loadTable(), placesKept()]);
  const key = places.join(" ");
  const corrections = known.get(key) ?? readAll(places, table);
  known.set(key, corrections);
  return corrections;
}

function readAll(places: readonly string[], table: Readonly<Record<string, string>>): Corrections {
  const all: Corrections = {
    sources: [],
    doubt: null,
    rules: [],
    types: [],
    announced: [],
    added: [],
    removed: new Set(),
    workdays: new Set(),
  };
  for (const place of places) for (const line of table[place]?.split("\n") ?? []) read(line, all);
  return all;
}

function read(line: string, into: Corrections): void {
  const [subject = "", value = ""] = line.slice(2).split(" = ");
  const [rule = "", years = ""] = subject.split(" @");
  const range = { from: Number(years.slice(0, 4) || 0), to: Number(years.slice(6, 10) || 9999) };
  switch (line[0]) {
    case "s":
      into.sources.push(line.slice(2));
      break;
    case "?":
      into.doubt = line.slice(2);
      break;
    case "~":
      into.types.push({ rule, ...range, type: HOLIDAY_TYPES.find((type) => type === value) ?? "none" });
      break;
    case "!":
      into.announced.push({ rule, dates: occurrences(value) });
      break;
    case "-":
      for (const { date } of occurrences(subject)) {
        into.removed.add(date);
        into.added = into.added.filter((added) => added.date !== date);
      }
      break;
    case "w":
      for (const { date } of occurrences(subject)) into.workdays.add(date);
      break;
    default:
      if (/^\d{4}-/.test(rule)) {
        for (const occurrence of occurrences(rule)) {
          into.added.push({ ...occurrence, name: value });
          into.removed.delete(occurrence.date);
        }
      } else into.rules.push({ rule, ...range, names: names(value) });
  }
}

/** A name in English, or in several languages: `ko:설날 / en:Korean New Year`. */
function names(text: string): Record<string, string> {
  if (!/^[a-z]{2}:/.test(text)) return { en: text };
  return Object.fromEntries(text.split(" / ").map((part) => [part.slice(0, 2), part.slice(3)]));
}

/**
 * `2026-03-20*3?`: three days from that date, an estimate. The year holds for the following dates: `2026-03-20 05-01`.
 */
function occurrences(text: string): Occurrence[] {
  let year = "";
  return text.split(" ").map((word) => {
    const [, ownYear, day, days] = /^(?:(\d{4})-)?(\d\d-\d\d)(?:\*(\d+))?\??$/.exec(word) ?? [];
    year = ownYear ?? year;
    return { date: `${year}-${day}`, days: Number(days ?? 1), estimated: word.endsWith("?") };
  });
}

/** Applies the corrections to a year's holidays of the library. */
export function correct(holidays: readonly Holiday[], year: number, corrections: Corrections): Holiday[] {
  const moved = corrections.announced.flatMap(({ rule, dates }) => {
    const inYear = dates.filter(({ date }) => date.startsWith(`${year}-`));
    const sample = holidays.find((holiday) => holiday.rule === rule);
    return inYear.length > 0 && sample ? [{ rule, sample, dates: inYear }] : [];
  });
  const rows = [
    ...holidays.filter(({ rule }) => !moved.some((other) => other.rule === rule)),
    ...moved.flatMap(({ sample, dates }) => dates.map((occurrence) => ({ ...sample, ...occurrence }))),
  ];
  const typed = rows.flatMap((holiday) => {
    // A region overrides its country.
    const change = corrections.types.findLast(
      ({ rule, from, to }) => rule === holiday.rule && year >= from && year <= to,
    );
    if (change?.type === "none") return [];
    return change ? { ...holiday, type: change.type } : holiday;
  });
  const added = corrections.added
    .filter(({ date }) => date.startsWith(`${year}-`))
    .map((occurrence): Holiday => {
      const substitute = occurrence.name.endsWith(SUBSTITUTE);
      return { ...occurrence, partDay: false, type: "public", substitute, rule: occurrence.date, note: null };
    });
  return [...typed.flatMap((holiday) => withoutDays(holiday, corrections.removed)), ...added];
}

const SUBSTITUTE = " (substitute day)";

/** A holiday without the days that are not off: complete, in parts, or removed. */
function withoutDays(holiday: Holiday, removed: ReadonlySet<string>): Holiday[] {
  if (holiday.type !== "public" && holiday.type !== "bank") return [holiday];
  const first = toDay(holiday.date);
  const pieces: Holiday[] = [];
  for (let day = first; day < first + holiday.days; day++) {
    const date = toIso(day);
    const last = pieces.at(-1);
    if (removed.has(date)) continue;
    if (last && toDay(last.date) + last.days === day) last.days++;
    else pieces.push({ ...holiday, date, days: 1 });
  }
  return pieces;
}
