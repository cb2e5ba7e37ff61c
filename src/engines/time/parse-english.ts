/**
 * Dates and times in English text, in the words of TIMEX3 as Microsoft's Recognizers use them. At each word the longest
 * reading wins; every rule reads forward only, so the work grows with the length of the text.
 */
import { type Day, dayText, longest, OutOfCalendar, type Reference, readDay, readLength } from "./parse-dates.js";
import { durationTimex, lengthTimex, readClockRange, readDayRange } from "./parse-ranges.js";
import { type Scanned, Scanner, scanned } from "./parse-scan.js";
import { barePart, type Clock, chosen, clockText, partAfter, readClock } from "./parse-times.js";
import {
  type DayPart,
  NEXT,
  NIGHT,
  NOW,
  SECONDS,
  THIS,
  type TimeUnit,
  tokensOf,
  WEEKDAY_WORDS,
} from "./parse-words.js";

const DAY = 86_400_000;

export const MATCH_TYPES = [
  ...(["date", "time", "datetime", "daterange", "timerange", "datetimerange", "duration", "set"] as const),
] as const;
export type MatchType = (typeof MATCH_TYPES)[number];

export interface TimeReading {
  timex: string;
  /** Of a date, time or duration; null for a range, a set and what does not exist. */
  value: string | null;
  start: string | null;
  end: string | null;
}

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
}

interface Found {
  type: MatchType;
  readings: TimeReading[];
  modifier?: string;
}

type Rule = (scan: Scanner, at: number, ref: Reference) => Scanned<Found> | undefined;

const moment = (day: number, seconds: number): string =>
  `${dayText(day + Math.floor(seconds / 86_400) * DAY)} ${clockText(seconds % 86_400)}`;
const point = (timex: string, value: string | null): TimeReading => ({ timex, value, start: null, end: null });
const range = (timex: string, start: string | null, end: string | null): TimeReading => ({
  timex,
  value: null,
  start,
  end,
});

/** The first rule wins among equally long readings. */
const RULES: Rule[] = [
  set,
  modified,
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
  const matches: TimeMatch[] = [];
  for (let at = 0; at < scan.tokens.length; ) {
    const found = isInsideWord(scan, at)
      ? undefined
      : longest(RULES.flatMap((rule) => inCalendar(rule, scan, at, ref)));
    if (!found) {
      at += 1;
      continue;
    }
    matches.push(matchOf(scan, at, found, ref));
    at = found.next;
  }
  return matches;
}

/** No reading instead of one that leaves the calendar. */
function inCalendar(rule: Rule, scan: Scanner, at: number, ref: Reference): Scanned<Found>[] {
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

function matchOf(scan: Scanner, at: number, { value, next }: Scanned<Found>, ref: Reference): TimeMatch {
  const isLed = value.type === "time" && scan.is(at, "at");
  const start = scan.tokens[isLed ? at + 1 : at]?.start ?? 0;
  const unique = [...new Map(value.readings.map((one) => [JSON.stringify(one), one])).values()];
  return {
    ...{ text: scan.text.slice(start, scan.tokens[next - 1]?.end), index: start, type: value.type, readings: unique },
    ...{ modifier: value.modifier ?? null, preferred: preferredOf(unique, ref) },
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

const dateReadings = ({ timex, days }: Day): TimeReading[] =>
  days.length === 0 ? [point(timex, null)] : days.map((day) => point(timex, dayText(day)));

function date(scan: Scanner, at: number, ref: Reference): Scanned<Found> | undefined {
  // `may` and `second` alone are words.
  const start = scan.is(at, "around", "about", "circa") ? at + 1 : at;
  const day = readDay(scan, start, ref);
  if (
    !day ||
    (scan.is(at, "sun", "sat", "mon", "wed") && day.next === at + 1 && !scan.is(at - 1, "on", "this", "next", "last"))
  )
    return;
  return scanned({ type: "date", readings: dateReadings(day.value) }, day.next);
}

function time(scan: Scanner, at: number): Scanned<Found> | undefined {
  const start = scan.skip(at, "around", "about", "circa");
  const clock = readClock(scan, start);
  if (!clock || !(clock.value.isClear || isTimeLed(scan, at, clock.next))) return;
  return scanned(
    { type: "time", readings: clock.value.readings.map(({ timex, seconds }) => point(timex, clockText(seconds))) },
    clock.next,
  );
}

/** A bare number is a time after `at`, unless it counts something. */
const isTimeLed = (scan: Scanner, at: number, next: number): boolean =>
  scan.is(at, "at") && !/^[a-z%$]/.test(scan.word(next)) && !scan.is(next, "-", "/", "%");

const atTimes = (day: Day, { readings }: Clock): TimeReading[] =>
  readings.flatMap(({ timex, seconds }) =>
    day.days.length === 0
      ? [point(`${day.timex}${timex}`, null)]
      : day.days.map((one) => point(`${day.timex}${timex}`, moment(one, seconds))),
  );

/** A day and a time in either order, also with a part of the day between or after them. */
function dayAndTime(scan: Scanner, at: number, ref: Reference): Scanned<Found> | undefined {
  const start = scan.skip(at, "around", "about");
  return longest([dayThenTime(scan, start, ref), timeThenDay(scan, start, ref)].flatMap((found) => found ?? []));
}

function dayThenTime(scan: Scanner, at: number, ref: Reference): Scanned<Found> | undefined {
  const whole = dayPart(scan, at, ref);
  const day = whole ? scanned(whole.value.day, whole.next) : readDay(scan, at, ref);
  if (!day) return;
  const sign = scan.skip(day.next, ",", "-", "t");
  const lead = scan.skip(sign, "at", "@", "around", "for", "by", "about", "from");
  const clock = readClock(scan, lead) ?? undefined;
  if (!clock || !(clock.value.isClear || lead > sign || whole)) return;
  const value = whole ? chosen(clock.value, whole.value.part) : clock.value;
  return scanned({ type: "datetime", readings: atTimes(day.value, value) }, clock.next);
}

function timeThenDay(scan: Scanner, at: number, ref: Reference): Scanned<Found> | undefined {
  const clock = readClock(scan, at);
  if (!clock) return;
  const start = scan.skip(scan.skip(clock.next, ",", "-"), "of", "on");
  const whole = dayPart(scan, start, ref);
  if (whole)
    return scanned(
      { type: "datetime", readings: atTimes(whole.value.day, chosen(clock.value, whole.value.part)) },
      whole.next,
    );
  const day = clock.value.isClear ? readDay(scan, start, ref) : undefined;
  return day && scanned({ type: "datetime", readings: atTimes(day.value, clock.value) }, day.next);
}

/** `tonight`, `this morning`, `last night`, `tomorrow evening`, `Tuesday in the morning`. */
function dayPart(scan: Scanner, at: number, ref: Reference): Scanned<{ day: Day; part: DayPart }> | undefined {
  const today: Day = { timex: dayText(ref.day), days: [ref.day] };
  if (scan.is(at, "tonight")) return scanned({ day: today, part: NIGHT }, at + 1);
  const part = barePart(scan, at + 1);
  if (part && THIS.has(scan.word(at))) return scanned({ day: today, part: part.value }, part.next);
  const plus = scan.is(at, "last", "previous") ? -1 : NEXT.has(scan.word(at)) ? 1 : 0;
  if (part && plus !== 0) {
    const day = ref.day + plus * DAY;
    return scanned({ day: { timex: dayText(day), days: [day] }, part: part.value }, part.next);
  }
  const named = readDay(scan, at, ref);
  const after = named && (barePart(scan, scan.skip(named.next, ",")) ?? partAfter(scan, named.next));
  return named && after ? scanned({ day: named.value, part: after.value }, after.next) : undefined;
}

function dayAndPart(scan: Scanner, at: number, ref: Reference): Scanned<Found> | undefined {
  const found = dayPart(scan, at, ref) ?? partThenDay(scan, at, ref);
  if (!found) return;
  const { day, part } = found.value;
  const readings = day.days.map((one) =>
    range(`${day.timex}${part.timex}`, moment(one, part.from), moment(one, part.to)),
  );
  return scanned({ type: "datetimerange", readings }, found.next);
}

/** `in the morning of June 5`, `the evening of tomorrow`. */
function partThenDay(scan: Scanner, at: number, ref: Reference): Scanned<{ day: Day; part: DayPart }> | undefined {
  const part = partAfter(scan, at) ?? barePart(scan, scan.skip(at, "the"));
  const day = part && readDay(scan, scan.skip(part.next, "of", ","), ref);
  return part && day ? scanned({ day: day.value, part: part.value }, day.next) : undefined;
}

/** A day with a range of hours, in either order. */
function dayAndRange(scan: Scanner, at: number, ref: Reference): Scanned<Found> | undefined {
  const part = partAndRange(scan, at, ref);
  if (part) return part;
  const day = readDay(scan, at, ref);
  const inside = day && readClockRange(scan, scan.skip(day.next, ",", "at"));
  const first = readClockRange(scan, at);
  const later = first && readDay(scan, scan.skip(scan.skip(first.next, ","), "of"), ref);
  const found =
    day && inside
      ? { day, hours: inside, next: inside.next }
      : first && later
        ? { day: later, hours: first, next: later.next }
        : undefined;
  if (!found) return;
  const readings = found.hours.value.flatMap((hours) =>
    found.day.value.days.map((one) => datedHours(found.day.value, hours, one)),
  );
  return scanned({ type: "datetimerange", readings }, found.next);
}

/** `tonight from 7 to 7:30`, `between 7 and 9 last night`: the part of the day says which half is meant. */
function partAndRange(scan: Scanner, at: number, ref: Reference): Scanned<Found> | undefined {
  const first = dayPart(scan, at, ref);
  const later = first ? undefined : readClockRange(scan, at);
  const whole = first ?? (later && dayPart(scan, scan.skip(later.next, ","), ref));
  const hours = later ?? (first && readClockRange(scan, scan.skip(first.next, ",")));
  if (!whole || !hours) return;
  const { day, part } = whole.value;
  const fits = ({ end }: { end: number }) => (part.timex === "TMO" ? end <= 43_200 + 3600 : end > 43_200);
  const found = hours.value.find(fits) ?? hours.value[0];
  if (!found) return;
  const readings = day.days.map((one) => datedHours(day, found, one));
  return scanned({ type: "datetimerange", readings }, Math.max(whole.next, hours.next));
}

/** `tomorrow before 5pm`. */
function dayBounded(scan: Scanner, at: number, ref: Reference): Scanned<Found> | undefined {
  const day = readDay(scan, at, ref);
  const word = day ? scan.word(day.next) : "";
  const clock = day && (word === "before" || word === "after") ? readClock(scan, day.next + 1) : undefined;
  if (!day || !clock?.value.isClear) return;
  const readings = atTimes(day.value, clock.value).map(({ timex, value }) =>
    word === "before" ? range(timex, null, value) : range(timex, value, null),
  );
  return scanned({ type: "datetimerange", readings, modifier: word }, clock.next);
}

function datedHours({ timex }: Day, hours: { timex: string; start: number; end: number }, day: number): TimeReading {
  const end = hours.end > hours.start ? hours.end : hours.end + 86_400;
  const dated = hours.timex.replace(/^\((T[\d:]+),(T[\d:]+),/, `(${timex}$1,${timex}$2,`);
  return range(dated, moment(day, hours.start), moment(day, end));
}

/** From one moment to another one. */
function span(scan: Scanner, at: number, ref: Reference): Scanned<Found> | undefined {
  const start = scan.skip(at, "from", "between");
  const first = dayAndTime(scan, start, ref);
  if (!first || !scan.is(first.next, "to", "till", "until", "through", "-", "and")) return;
  const last = dayAndTime(scan, first.next + 1, ref);
  if (!last || (scan.is(first.next, "and") && !scan.is(at, "between"))) return;
  const readings = first.value.readings.flatMap((from, place) => {
    const to = last.value.readings[place] ?? last.value.readings.at(-1);
    const seconds = (Date.parse(`${to?.value}Z`) - Date.parse(`${from.value}Z`)) / 1000;
    return to?.value && from.value && seconds > 0
      ? [range(`(${from.timex},${to.timex},${durationTimex(seconds)})`, from.value, to.value)]
      : [];
  });
  return readings.length === 0 ? undefined : scanned({ type: "datetimerange", readings }, last.next);
}

const PRESENT = [
  "right now",
  "at the moment",
  "at present",
  "at the present time",
  "at this time",
  "at the minute",
  "at this moment",
];

function now(scan: Scanner, at: number, ref: Reference): Scanned<Found> | undefined {
  const words = PRESENT.flatMap((one) => scan.after(at, one) ?? []);
  const next = words.length > 0 ? Math.max(...words) : NOW.has(scan.word(at)) ? at + 1 : undefined;
  return next === undefined
    ? undefined
    : scanned({ type: "datetime", readings: [point("PRESENT_REF", moment(ref.day, ref.time / 1000))] }, next);
}

const isClockUnit = (unit: TimeUnit): boolean => unit === "H" || unit === "N" || unit === "S";

/** `in 5 minutes`, `half an hour from now`, `30 min later`, `2 hours ago`, `next hour`. */
function shiftedTime(scan: Scanner, at: number, ref: Reference): Scanned<Found> | undefined {
  const start = scan.skip(at, "in");
  const length = readLength(scan, start, (unit) => isClockUnit(unit) || unit === "D");
  if (!length?.value.amounts.some(([, unit]) => isClockUnit(unit))) return nextUnits(scan, at, ref);
  const seconds = secondsOf(length.value.amounts);
  const after =
    scan.after(length.next, "from now") ?? (scan.is(length.next, "later", "hence") ? length.next + 1 : undefined);
  const ago = scan.is(length.next, "ago", "earlier") ? length.next + 1 : undefined;
  const next = ago ?? after ?? (start > at ? length.next : undefined);
  if (next === undefined) return;
  const text = fromNow(ref, ago === undefined ? seconds : -seconds);
  return scanned({ type: "datetime", readings: [point(text.replace(" ", "T"), text)] }, next);
}

/** A moment some seconds from the reference. */
function fromNow(ref: Reference, seconds: number): string {
  const at = ref.day + ref.time + Math.round(seconds) * 1000;
  return `${dayText(at)} ${clockText(Math.floor(at / 1000) - Math.floor(at / DAY) * 86_400)}`;
}

function nextUnits(scan: Scanner, at: number, ref: Reference): Scanned<Found> | undefined {
  const within = scan.is(at, "within") ? readLength(scan, at + 1, isClockUnit) : undefined;
  if (within) {
    const [from, to] = [fromNow(ref, 0), fromNow(ref, secondsOf(within.value.amounts))];
    const timex = `(${from.replace(" ", "T")},${to.replace(" ", "T")},${lengthTimex(within.value.amounts)})`;
    return scanned({ type: "datetimerange", readings: [range(timex, from, to)] }, within.next);
  }
  const start = scan.skip(at, "the");
  const plus = NEXT.has(scan.word(start)) ? 1 : scan.is(start, "last", "past", "previous") ? -1 : 0;
  const amount = scan.amount(start + 1) ?? scanned(1, start + 1);
  const unit = scan.unit(amount.next);
  if (plus === 0 || !unit || !isClockUnit(unit.value)) return;
  const seconds = amount.value * SECONDS[unit.value];
  const [from, to] = plus > 0 ? [fromNow(ref, 0), fromNow(ref, seconds)] : [fromNow(ref, -seconds), fromNow(ref, 0)];
  const timex = `(${from.replace(" ", "T")},${to.replace(" ", "T")},${lengthTimex([[amount.value, unit.value]])})`;
  return scanned({ type: "datetimerange", readings: [range(timex, from, to)] }, unit.next);
}

const secondsOf = (amounts: [number, TimeUnit][]): number =>
  amounts.reduce((sum, [amount, unit]) => sum + amount * SECONDS[unit], 0);

/** `end of the day`, `eod`, `end of tomorrow`. */
function endOfDay(scan: Scanner, at: number, ref: Reference): Scanned<Found> | undefined {
  const start = scan.skip(scan.skip(at, "at", "by"), "the");
  const today: Day = { timex: dayText(ref.day), days: [ref.day] };
  const end = scan.after(start, "end of");
  const isDay = end !== undefined && scan.is(scan.skip(end, "the", "this"), "day");
  const inner = end === undefined ? undefined : scan.skip(end, "the");
  const day = scan.is(start, "eod")
    ? scanned(today, start + 1)
    : isDay && end !== undefined
      ? scanned(today, scan.skip(end, "the", "this") + 1)
      : inner === undefined
        ? undefined
        : readDay(scan, inner, ref);
  return (
    day &&
    scanned(
      {
        type: "datetime",
        readings: atTimes(day.value, { readings: [{ timex: "T23:59:59", seconds: 86_399 }], isClear: true }),
      },
      day.next,
    )
  );
}

const rangeText = (day: number | undefined): string | null => (day === undefined ? null : dayText(day));

function dayRange(scan: Scanner, at: number, ref: Reference): Scanned<Found> | undefined {
  const found = readDayRange(scan, at, ref);
  if (!found || found.value.length === 0) return;
  return scanned(
    {
      type: "daterange",
      readings: found.value.map(({ timex, start, end }) => range(timex, rangeText(start), rangeText(end))),
    },
    found.next,
  );
}

const clockEnd = (seconds: number): string => clockText(seconds % 86_400);

function clockRange(scan: Scanner, at: number): Scanned<Found> | undefined {
  const found = readClockRange(scan, at);
  return (
    found &&
    scanned(
      {
        type: "timerange",
        readings: found.value.map(({ timex, start, end }) => range(timex, clockText(start), clockEnd(end))),
      },
      found.next,
    )
  );
}

function partOfDay(scan: Scanner, at: number): Scanned<Found> | undefined {
  const part = partAfter(scan, at) ?? barePart(scan, scan.skip(at, "the"));
  // Greetings and amounts of nights do not count.
  const isOther = scan.is(at - 1, "good") || (scan.is(at, "nights") && scan.amount(at - 1) !== undefined);
  if (!part || isOther) return;
  return scanned(
    { type: "timerange", readings: [range(part.value.timex, clockText(part.value.from), clockText(part.value.to))] },
    part.next,
  );
}

const BEFORE = new Set(["before", "until", "till"]);
const AFTER = new Set(["after", "since"]);

/** `before 2018`, `since tomorrow`, `after 2:00`, `until Friday`. */
function modified(scan: Scanner, at: number, ref: Reference): Scanned<Found> | undefined {
  const word = scan.word(at);
  if (!BEFORE.has(word) && !AFTER.has(word)) return;
  const found = longest(
    [dayAndTime, date, dayRange, time].flatMap((rule) => rule(scan, scan.skip(at + 1, "the"), ref) ?? []),
  );
  const loose = found ?? bareTime(scan, at + 1);
  if (!loose || loose.value.type === "set") return;
  const isBefore = BEFORE.has(word);
  const readings = loose.value.readings.map(({ timex, value, start, end }) => {
    const whole = word === "after" ? (value ?? end) : (value ?? start);
    return isBefore ? range(timex, null, value ?? start) : range(timex, whole, null);
  });
  const modifier = word === "till" ? "until" : word;
  const type =
    ({ date: "daterange", time: "timerange", datetime: "datetimerange" } as Record<string, MatchType>)[
      loose.value.type
    ] ?? loose.value.type;
  return scanned({ type, readings, modifier }, loose.next);
}

const bareTime = (scan: Scanner, at: number): Scanned<Found> | undefined => {
  const clock = readClock(scan, at);
  return clock?.value.isClear
    ? scanned(
        { type: "time", readings: clock.value.readings.map(({ timex, seconds }) => point(timex, clockText(seconds))) },
        clock.next,
      )
    : undefined;
};

/** `3 hours`, `2 hours 30 minutes`, `all day`. Months count 30 days, years 365. */
function duration(scan: Scanner, at: number): Scanned<Found> | undefined {
  const isAll =
    scan.is(at, "all", "whole", "entire", "full") || (scan.is(at, "the") && scan.is(at + 1, "whole", "entire", "full"));
  const unit = isAll ? scan.unit(scan.is(at, "the") ? at + 2 : at + 1) : undefined;
  const length = unit
    ? scanned({ amounts: [[1, unit.value]] as [number, TimeUnit][] }, unit.next)
    : readLength(scan, at, (one) => one !== "WE");
  if (!length || (scan.is(at, "a") && scan.is(at + 1, "second"))) return;
  const { amounts } = length.value;
  return scanned(
    { type: "duration", readings: [point(lengthTimex(amounts), String(secondsOf(amounts)))] },
    length.next,
  );
}

const ADVERBS: Record<string, string> = {
  ...{ daily: "P1D", weekly: "P1W", biweekly: "P2W", monthly: "P1M", quarterly: "P3M", yearly: "P1Y", annually: "P1Y" },
  ...{ everyday: "P1D", hourly: "PT1H", annual: "P1Y", weekday: "" },
};

/** `every day`, `each two weeks`, `every Monday at 4pm`, `3pm each day`, `weekly`. */
function set(scan: Scanner, at: number): Scanned<Found> | undefined {
  const clock = readClock(scan, at);
  const every = repeated(scan, clock ? clock.next : at);
  if (!every) return;
  const first = clock?.value.readings ?? [];
  const lead = scan.skip(every.next, "at", "@", ",");
  const later = clock ? undefined : readClock(scan, lead);
  const isTimed = later && (later.value.isClear || lead > every.next);
  const times = isTimed ? later.value.readings : first;
  const base = /^(?:P1D$|T)/.test(every.value) && times.length > 0 ? "" : every.value;
  const readings =
    times.length > 0 ? times.map(({ timex }) => point(`${base}${timex}`, null)) : [point(every.value, null)];
  return scanned({ type: "set", readings }, isTimed ? later.next : every.next);
}

function repeated(scan: Scanner, at: number): Scanned<string> | undefined {
  const adverb = ADVERBS[scan.word(at)];
  if (adverb) return scanned(adverb, at + 1);
  const start = scan.skip(at, "on");
  if (!scan.is(start, "every", "each")) return withoutEvery(scan, start);
  if (scan.is(start + 1, "weekday")) return scanned("P1WD", start + 2);
  const isOther = scan.is(start + 1, "other", "alternate");
  const named = isOther ? start + 2 : start + 1;
  const weekday = WEEKDAY_WORDS.get(scan.word(named));
  if (weekday !== undefined) return scanned(`XXXX-WXX-${weekday}`, named + 1);
  const part = barePart(scan, start + 1);
  if (part) return scanned(part.value.timex, part.next);
  const amount = isOther ? scanned(2, start + 2) : (scan.amount(start + 1) ?? scanned(1, start + 1));
  const unit = scan.unit(amount.next);
  return (
    unit && scanned(unit.value === "WE" ? `P${amount.value}WE` : lengthTimex([[amount.value, unit.value]]), unit.next)
  );
}

/** `Tuesdays`, `once a week`. */
function withoutEvery(scan: Scanner, at: number): Scanned<string> | undefined {
  const weekday = /days$/.test(scan.word(at)) ? WEEKDAY_WORDS.get(scan.word(at)) : undefined;
  if (weekday !== undefined) return scanned(`XXXX-WXX-${weekday}`, at + 1);
  const unit = scan.is(at, "once") && scan.is(at + 1, "a", "an") ? scan.unit(at + 2) : undefined;
  return unit && scanned(lengthTimex([[1, unit.value]]), unit.next);
}
