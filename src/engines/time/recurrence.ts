/**
 * Dates of recurrence rules, as RFC 5545 describes them: each period has a set of days and times, of which positions may
 * be taken. Times are local, written as if they were UTC. Only what the rule gives is an occurrence, also of its start.
 */
import { utcDay } from "./iso-8601.js";
import { type DayTest, dayTest, weekdayAt } from "./recurrence-days.js";
import type { Frequency, RecurrenceRule } from "./recurrence-rule.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNIT: Partial<Record<Frequency, number>> = { DAILY: DAY, HOURLY: HOUR, MINUTELY: MINUTE, SECONDLY: SECOND };
/** The last moment of the calendar. */
const END = Date.UTC(10_000, 0);

export const MAX_PERIODS = 100_000;

/** Days and times that all rules of a call may look at together: about two seconds of them. */
export interface Budget {
  steps: number;
}

export const openBudget = (): Budget => ({ steps: 5_000_000 });

/** A rule that looked at too many periods; `reached` is the local time to which it came. */
export class TooManyPeriods extends Error {
  constructor(readonly reached: number) {
    super("too many periods");
  }
}

/** Throws TooManyPeriods. */
export function spend(budget: Budget, steps: number, at: number): void {
  budget.steps -= steps;
  if (budget.steps < 0) throw new TooManyPeriods(at);
}

export interface TimeSpan {
  /** Earlier occurrences are left out. */
  from?: number;
  /** The last local time to give. */
  until?: number;
  /** Offset of the zone at an instant, for rules that end at an instant. */
  offsetAt?: (instant: number) => number;
}

/** The local times of a rule in order. Throws TooManyPeriods. */
export function* occurrencesOf(
  rule: RecurrenceRule,
  start: number,
  budget: Budget,
  span: TimeSpan = {},
): Generator<number> {
  const { from = start } = span;
  const until = Math.min(span.until ?? END, endOf(rule, span));
  const given = isPlain(rule) ? plainTimes(rule, start, from) : allTimes(rule, start, budget, from);
  let left = rule.count ?? Number.POSITIVE_INFINITY;
  if (isPlain(rule) && from > start) left -= Math.ceil((from - start) / stepOf(rule));
  for (const time of given) {
    spend(budget, 1, time);
    if (time > until || time >= END || left <= 0) return;
    if (time < start) continue;
    left -= 1;
    if (time >= from) yield time;
  }
}

function endOf({ until }: RecurrenceRule, { offsetAt }: TimeSpan): number {
  if (!until) return END;
  return until.time + (until.isUtc && offsetAt ? offsetAt(until.time) : 0);
}

const stepOf = ({ freq, interval }: RecurrenceRule): number => (UNIT[freq] ?? DAY) * interval;

/** Without parts that choose, times lie evenly. */
const isPlain = (rule: RecurrenceRule): boolean =>
  UNIT[rule.freq] !== undefined &&
  [rule.month, rule.weekNo, rule.yearDay, rule.monthDay, rule.day, rule.easter].every((list) => list.length === 0) &&
  [rule.hour, rule.minute, rule.second, rule.setPos].every((list) => list.length === 0);

function* plainTimes(rule: RecurrenceRule, start: number, from: number): Generator<number> {
  const step = stepOf(rule);
  for (let time = start + Math.max(0, Math.ceil((from - start) / step)) * step; time < END; time += step) yield time;
}

/** The times of all periods, those before the start as well. */
function* allTimes(rule: RecurrenceRule, start: number, budget: Budget, from: number): Generator<number> {
  // A count begins at the start, so only rules without one may begin later.
  const begin = rule.count === undefined ? Math.max(start, from) : start;
  const cost = { YEARLY: 366, MONTHLY: 31, WEEKLY: 7 }[rule.freq as string] ?? 1;
  const lists = [rule.hour, rule.minute, rule.second].map(({ length }) => Math.max(1, length));
  spend(
    budget,
    lists.reduce((product, length) => product * length),
    start,
  );
  if (isBeyondSets(rule, start)) return;
  const cycle = cycleOf(rule);
  let [seen, empty] = [0, 0];
  for (const { at, days, times } of periodsOf(rule, start, begin)) {
    seen += 1;
    // guard: offline: a rule of recurrence goes through so many periods | gone | ics
    if (seen > MAX_PERIODS) throw new TooManyPeriods(at);
    spend(budget, cost, at);
    const places = placesOf(days.length * times.length, rule.setPos);
    empty = places?.length === 0 ? empty + 1 : 0;
    if (empty > cycle) return;
    // Positions count all days of a set; without them, days before the beginning need no times.
    yield* chosen(places ? days : days.filter((day) => day > begin - DAY), times, places);
  }
}

function periodsOf(rule: RecurrenceRule, start: number, begin: number): Generator<Period> {
  const unit = UNIT[rule.freq] ?? DAY;
  return unit < DAY ? shortPeriods(rule, start, begin, unit) : longPeriods(rule, start, begin);
}

/** Whether every position is greater than the largest set that a period can have. */
function isBeyondSets(rule: RecurrenceRule, start: number): boolean {
  const days = { YEARLY: 366, MONTHLY: 31, WEEKLY: 7 }[rule.freq as string] ?? 1;
  const unit = UNIT[rule.freq] ?? DAY;
  const size = days * (unit < DAY ? timesWithin(rule, start, unit) : timesOfDay(rule, start)).length;
  return rule.setPos.length > 0 && rule.setPos.every((position) => Math.abs(position) > size);
}

/** The calendar repeats after 400 years: a rule that gave nothing for so long gives nothing ever. */
const CYCLES: Partial<Record<Frequency, number>> = { YEARLY: 400, MONTHLY: 4800, WEEKLY: 20_871, DAILY: 146_097 };

function cycleOf({ freq, interval }: RecurrenceRule): number {
  const periods = CYCLES[freq];
  return periods === undefined ? Number.POSITIVE_INFINITY : periods / divisor(periods, interval);
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

interface Period {
  /** Where it begins. */
  at: number;
  /** Midnights, or the beginning of an hour or minute. */
  days: number[];
  /** From each of them. */
  times: number[];
}

/** The positions in a set that a rule takes; undefined for all of them. */
function placesOf(size: number, positions: number[]): number[] | undefined {
  if (size === 0) return [];
  if (positions.length === 0) return;
  const places = positions.map((position) => (position > 0 ? position - 1 : size + position));
  return [...new Set(places)].filter((place) => place >= 0 && place < size).sort((a, b) => a - b);
}

function* chosen(days: number[], times: number[], places: number[] | undefined): Generator<number> {
  if (places) {
    for (const at of places) yield (days[Math.floor(at / times.length)] ?? 0) + (times[at % times.length] ?? 0);
    return;
  }
  for (const day of days) for (const time of times) yield day + time;
}

/** Years, months, weeks and days. */
function* longPeriods(rule: RecurrenceRule, start: number, begin: number): Generator<Period> {
  const times = timesOfDay(rule, start);
  const isDay = dayTest(rule, start);
  for (const [first, last] of spansOf(rule, start, begin)) {
    if (first >= END) return;
    yield { at: first, days: daysBetween(first, last, isDay), times };
  }
}

function daysBetween(first: number, last: number, isDay: DayTest): number[] {
  const days: number[] = [];
  for (let day = first; day < last; day += DAY) if (isDay(day)) days.push(day);
  return days;
}

/** Where each period begins and ends, in whole days. */
function* spansOf(
  { freq, interval, weekStart }: RecurrenceRule,
  start: number,
  begin: number,
): Generator<[number, number]> {
  const [first, target] = [new Date(start), new Date(begin)];
  const today = Math.floor(start / DAY) * DAY;
  /** The last period of the sequence that begins no later than the target. */
  const skip = (distance: number, step: number) => Math.max(0, Math.floor(distance / step)) * step;
  if (freq === "YEARLY") {
    const year = first.getUTCFullYear();
    for (let at = year + skip(target.getUTCFullYear() - year, interval); at < 10_000; at += interval)
      yield [utcDay(at, 1, 1), utcDay(at + 1, 1, 1)];
  } else if (freq === "MONTHLY") {
    const month = first.getUTCFullYear() * 12 + first.getUTCMonth();
    const distance = target.getUTCFullYear() * 12 + target.getUTCMonth() - month;
    for (let at = month + skip(distance, interval); at < 120_000; at += interval)
      yield [utcDay(0, at + 1, 1), utcDay(0, at + 2, 1)];
  } else if (freq === "WEEKLY") {
    const week = today - ((weekdayAt(today) - weekStart + 7) % 7) * DAY;
    // The first week begins with the start itself.
    for (let at = week + skip(begin - week, 7 * DAY * interval); at < END; at += 7 * DAY * interval)
      yield [Math.max(at, today), at + 7 * DAY];
  } else {
    for (let at = today + skip(begin - today, DAY * interval); at < END; at += DAY * interval) yield [at, at + DAY];
  }
}

function timesOfDay(rule: RecurrenceRule, start: number): number[] {
  const date = new Date(start);
  const or = (list: number[], byDefault: number) => (list.length > 0 ? list : [byDefault]);
  const [minutes, seconds] = [or(rule.minute, date.getUTCMinutes()), or(rule.second, date.getUTCSeconds())];
  return or(rule.hour, date.getUTCHours()).flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => hour * HOUR + minute * MINUTE + second * SECOND)),
  );
}

/** Hours, minutes and seconds: jumps over days, hours and minutes that the rule leaves out. */
function* shortPeriods(rule: RecurrenceRule, start: number, begin: number, unit: number): Generator<Period> {
  const isDay = dayTest(rule, start);
  const base = Math.floor(start / unit) * unit;
  const step = unit * rule.interval;
  const align = (time: number) => base + Math.max(0, Math.ceil((time - base) / step)) * step;
  const times = timesWithin(rule, start, unit);
  for (let at = align(Math.floor(begin / unit) * unit); at < END; ) {
    const next = nextAllowed(rule, at, unit, isDay);
    yield { at, days: next === at ? [at] : [], times };
    at = next === at ? at + step : align(next);
  }
}

/** The time itself if it is allowed, else a later one before which none is. */
function nextAllowed(rule: RecurrenceRule, at: number, unit: number, isDay: DayTest): number {
  const day = Math.floor(at / DAY) * DAY;
  if (!isDay(day)) return day + DAY;
  if (!isIn(rule.hour, Math.floor((at - day) / HOUR))) return Math.floor(at / HOUR) * HOUR + HOUR;
  if (unit < HOUR && !isIn(rule.minute, Math.floor(at / MINUTE) % 60)) return Math.floor(at / MINUTE) * MINUTE + MINUTE;
  if (unit < MINUTE && !isIn(rule.second, Math.floor(at / SECOND) % 60)) return at + SECOND;
  return at;
}

const isIn = (list: number[], value: number): boolean => list.length === 0 || list.includes(value);

function timesWithin(rule: RecurrenceRule, start: number, unit: number): number[] {
  if (unit === SECOND) return [0];
  const date = new Date(start);
  const seconds = rule.second.length > 0 ? rule.second : [date.getUTCSeconds()];
  if (unit === MINUTE) return seconds.map((second) => second * SECOND);
  const minutes = rule.minute.length > 0 ? rule.minute : [date.getUTCMinutes()];
  return minutes.flatMap((minute) => seconds.map((second) => minute * MINUTE + second * SECOND));
}
