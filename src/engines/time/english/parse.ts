/**
 * Dates and times in English text, in the words of TIMEX3 as Microsoft's Recognizers use them. At each word the longest
 * reading wins; every rule reads forward only, so the work grows with the length of the text.
 */
import { modified, orLater } from "./bounds.js";
import { withOffset } from "./clock/zones.js";
import { date, dayAndPart, dayAndTime, endOfDay, time } from "./dates-and-times.js";
import { duration, now, shiftedTime } from "./from-now.js";
import type { FoundTime, MatchType, TimeReading, TimeRule } from "./reading.js";
import { set } from "./sets.js";
import { clockRange, dayAndRange, dayBounded, dayRange, partOfDay, span } from "./spans.js";
import { type MatchPlace, unreadBeside } from "./unread.js";
import { dayText, longest, OutOfCalendar, type Reference } from "./words/calendar.js";
import { type Scanned, Scanner } from "./words/scan.js";
import { type SpokenZone, tokensOf } from "./words/words.js";

export interface TimeMatch {
  text: string;
  /** Where the text begins, in UTF-16 units. */
  index: number;
  type: MatchType;
  readings: TimeReading[];
  /** `before`, `after`, `since`, `until`; null without such a word. */
  modifier: string | null;
  /** The reading that most people mean: the next day, and the first half of it. */
  preferred: number;
  /** The zone that its times are told in. */
  zone: SpokenZone | null;
  /** Words beside it that belong to it and were not understood: the readings leave them out. */
  unread: string[];
}

/** The first rule wins among equally long readings. */
const RULES: TimeRule[] = [
  set,
  modified,
  orLater,
  dayAndRange,
  dayBounded,
  dayAndPart,
  span,
  dayAndTime,
  now,
  shiftedTime,
  endOfDay,
  dayRange,
  date,
  clockRange,
  partOfDay,
  time,
  duration,
];

export function parseEnglish(text: string, ref: Reference): TimeMatch[] {
  const scan = new Scanner(text, tokensOf(text));
  const matches: Omit<TimeMatch, "unread">[] = [];
  const places: MatchPlace[] = [];
  for (let at = 0; at < scan.tokens.length; ) {
    const found = isInsideWord(scan, at)
      ? undefined
      : longest(RULES.flatMap((rule) => inCalendar(rule, scan, at, ref)));
    if (!found) {
      at += 1;
      continue;
    }
    matches.push(matchOf(scan, at, found, ref));
    places.push({ from: at, next: found.next, type: found.value.type, modifier: found.value.modifier ?? null });
    at = found.next;
  }
  return matches.map((match, at) => ({ ...match, unread: unreadBeside(scan, places, at) }));
}

/** No reading instead of one that leaves the calendar. */
function inCalendar(rule: TimeRule, scan: Scanner, at: number, ref: Reference): Scanned<FoundTime>[] {
  try {
    const found = rule(scan, at, ref);
    return found ? [found] : [];
  } catch (error) {
    if (error instanceof OutOfCalendar) return [];
    throw error;
  }
}

/** Numbers after a decimal point or a sign of a currency are amounts; digits that follow letters are names. */
function isInsideWord(scan: Scanner, at: number): boolean {
  if (!/^[\d]/.test(scan.word(at))) return false;
  if (scan.is(at - 1, "$", "€", "£", "#")) return true;
  if (scan.is(at - 1, ":", ".") && scan.isTight(at) && scan.isTight(at - 1) && /^\d/.test(scan.word(at - 2)))
    return true;
  return scan.isTight(at) && /^[a-z]/.test(scan.word(at - 1)) && scan.word(at).length < 4;
}

function matchOf(
  scan: Scanner,
  at: number,
  { value, next }: Scanned<FoundTime>,
  ref: Reference,
): Omit<TimeMatch, "unread"> {
  const isLed = value.type === "time" && scan.is(at, "at");
  const start = scan.tokens[isLed ? at + 1 : at]?.start ?? 0;
  const zone = [...scan.zones].find(([place]) => place >= at && place < next)?.[1] ?? null;
  const readings = zone
    ? value.readings.map((one) => ({ ...one, timex: withOffset(one.timex, zone) }))
    : value.readings;
  const unique = [...new Map(readings.map((one) => [JSON.stringify(one), one])).values()];
  return {
    ...{ text: scan.text.slice(start, scan.tokens[next - 1]?.end), index: start, type: value.type, readings: unique },
    ...{ modifier: value.modifier ?? null, preferred: preferredOf(unique, ref), zone },
  };
}

function preferredOf(readings: TimeReading[], ref: Reference): number {
  const today = dayText(ref.day);
  const at = readings.findIndex(({ value, start, end }) => {
    const text = value ?? start ?? end ?? "";
    return /^\d{4}-/.test(text) ? text.slice(0, 10) >= today : true;
  });
  return Math.max(0, at);
}

/** The work of a thread: each word may begin many phrases. */
export const parseTask = ({ text, reference }: { text: string; reference: Reference }): TimeMatch[] =>
  parseEnglish(text, reference);
