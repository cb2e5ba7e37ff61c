/** Recurrence rules of RFC 5545 (RRULE) as data. */
import { readIcsTime } from "./ics-time.js";

/** A mistake in a rule. */
export class RuleError extends Error {}

const FREQUENCIES = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export interface WeekdayOf {
  /** 0 Monday to 6 Sunday. */
  weekday: number;
  /** Of the month or year, from its end if negative; 0 for each. */
  nth: number;
}

export interface RecurrenceRule {
  freq: Frequency;
  interval: number;
  count: number | undefined;
  /** A local time, written as if it were UTC, or an instant if `isUtc`. */
  until: { time: number; isUtc: boolean } | undefined;
  weekStart: number;
  month: number[];
  weekNo: number[];
  yearDay: number[];
  monthDay: number[];
  day: WeekdayOf[];
  hour: number[];
  minute: number[];
  second: number[];
  setPos: number[];
  /** Days from Easter Sunday, as dateutil has it. */
  easter: number[];
}

const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/** Bounds of lists: the least absolute value, the largest, and whether it may be negative. */
const LISTS = {
  BYMONTH: ["month", 1, 12, false],
  BYWEEKNO: ["weekNo", 1, 53, true],
  BYYEARDAY: ["yearDay", 1, 366, true],
  BYMONTHDAY: ["monthDay", 1, 31, true],
  BYHOUR: ["hour", 0, 23, false],
  BYMINUTE: ["minute", 0, 59, false],
  BYSECOND: ["second", 0, 60, false],
  BYSETPOS: ["setPos", 1, 366, true],
  BYEASTER: ["easter", 0, 366, true],
} as const;

/** Throws a RuleError. */
export function parseRule(text: string): RecurrenceRule {
  const rule: Omit<RecurrenceRule, "freq"> & { freq: Frequency | undefined } = {
    ...{ freq: undefined, interval: 1, count: undefined, until: undefined, weekStart: 0, month: [], weekNo: [] },
    ...{ yearDay: [], monthDay: [], day: [], hour: [], minute: [], second: [], setPos: [], easter: [] },
  };
  for (const part of text
    .trim()
    .replace(/^RRULE:/i, "")
    .split(";")) {
    if (part.trim() === "") continue;
    const [name = "", value = ""] = part.split("=", 2).map((word) => word.trim().toUpperCase());
    readPart(rule, name, value);
  }
  if (rule.freq === undefined) throw new RuleError("the rule has no FREQ");
  return rule as RecurrenceRule;
}

function readPart(rule: Omit<RecurrenceRule, "freq"> & { freq: Frequency | undefined }, name: string, value: string) {
  if (name in LISTS) return readList(rule, name as keyof typeof LISTS, value);
  switch (name) {
    case "FREQ":
      rule.freq = FREQUENCIES.find((known) => known === value);
      if (!rule.freq) throw new RuleError(`FREQ=${value} is not known; known are ${FREQUENCIES.join(", ")}`);
      return;
    case "INTERVAL":
      rule.interval = whole(name, value, 1, 1_000_000_000);
      return;
    case "COUNT":
      rule.count = whole(name, value, 0, 1_000_000_000);
      return;
    case "UNTIL":
      rule.until = readUntil(value);
      return;
    case "WKST":
      rule.weekStart = weekdayOf(value);
      return;
    case "BYDAY":
    case "BYWEEKDAY":
      rule.day = value.split(",").map(readDay);
      return;
    default:
      if (!name.startsWith("X-")) throw new RuleError(`${name} is not a part of a rule`);
  }
}

function readList(rule: object, name: keyof typeof LISTS, value: string): void {
  const [key, min, max, isSigned] = LISTS[name];
  const values = value.split(",").map((text) => {
    const number = /^[+-]?\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN;
    const size = isSigned ? Math.abs(number) : number;
    if (size >= min && size <= max) return name === "BYSECOND" ? Math.min(number, 59) : number;
    throw new RuleError(`${name}=${text} is not ${isSigned ? "plus or minus " : ""}${min} to ${max}`);
  });
  Object.assign(rule, { [key]: [...new Set(values)].sort((a, b) => a - b) });
}

function readDay(text: string): WeekdayOf {
  const [, nth = "0", name = ""] = /^([+-]?\d{1,2})?\s*([A-Z]{2})$/.exec(text.trim()) ?? [];
  if (Math.abs(Number(nth)) > 53) throw new RuleError(`BYDAY=${text} counts further than 53`);
  return { weekday: weekdayOf(name || text), nth: Number(nth) };
}

function weekdayOf(name: string): number {
  const at = WEEKDAYS.indexOf(name);
  if (at < 0) throw new RuleError(`${name.slice(0, 20)} is not a weekday; known are ${WEEKDAYS.join(", ")}`);
  return at;
}

function whole(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new RuleError(`${name}=${text.slice(0, 20)} is not ${min} to ${max}`);
}

function readUntil(text: string): { time: number; isUtc: boolean } {
  const time = readIcsTime(text);
  if (!time) throw new RuleError(`UNTIL=${text.slice(0, 20)} is not a date or time`);
  return { time: time.local, isUtc: time.isUtc };
}
