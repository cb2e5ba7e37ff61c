/** The local times of a cron expression, jumping over years, months and days without any. */
import type { CronExpression, DayRule } from "./cron-expression.js";
import { utcDay } from "./iso-8601.js";

const SECOND = 1000;
const DAY = 86_400_000;
/** Days of the week repeat in the calendar after so many years. */
const MAX_YEARS = 400;

/** The first local time at or after another one, both written as if they were UTC; undefined if there is none. */
export type LocalTimesFrom = (local: number) => number | undefined;

export function localTimes(cron: CronExpression): LocalTimesFrom {
  const first = firstOfDay(cron, 0) ?? 0;
  return (from) => {
    const start = Math.ceil(from / SECOND) * SECOND;
    const date = new Date(start);
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
    const today = utcDay(year, month, day);
    const inDay = firstOfDay(cron, (start - today) / SECOND);
    if (inDay !== undefined && isMonthOf(cron, year, month) && daysOf(cron, year, month).includes(day))
      return today + inDay * SECOND;
    const next = firstDay(cron, year, month, day + 1);
    return next === undefined ? undefined : next + first * SECOND;
  };
}

const isMonthOf = ({ text, values }: CronExpression, year: number, month: number): boolean =>
  values.month.includes(month) && (text.year === "*" || values.year.includes(year));

/** Midnight of the first day at or after another one. */
function firstDay(cron: CronExpression, year: number, month: number, day: number): number | undefined {
  const least = cron.text.year === "*" ? year : cron.values.year.find((other) => other >= year);
  if (least === undefined) return;
  const start = least === year ? year * 12 + month - 1 : least * 12;
  for (let at = start; at < start + MAX_YEARS * 12; at++) {
    const [inYear, inMonth] = [Math.floor(at / 12), (at % 12) + 1];
    if (!isMonthOf(cron, inYear, inMonth)) continue;
    const from = at === year * 12 + month - 1 ? day : 1;
    const found = daysOf(cron, inYear, inMonth).find((other) => other >= from);
    if (found !== undefined) return utcDay(inYear, inMonth, found);
  }
  return;
}

/** The first second of a day at or after another one that hours, minutes and seconds name. */
function firstOfDay({ values }: CronExpression, from: number): number | undefined {
  const [hour, minute, second] = [Math.floor(from / 3600), Math.floor(from / 60) % 60, from % 60];
  const at = (list: number[], least: number) => list.find((value) => value >= least);
  const [minutes = 0, seconds = 0] = [values.minute[0], values.second[0]];
  if (values.hour.includes(hour)) {
    const sameMinute = values.minute.includes(minute) ? at(values.second, second) : undefined;
    if (sameMinute !== undefined) return hour * 3600 + minute * 60 + sameMinute;
    const later = at(values.minute, minute + 1);
    if (later !== undefined) return hour * 3600 + later * 60 + seconds;
  }
  const next = at(values.hour, hour + 1);
  return next === undefined ? undefined : next * 3600 + minutes * 60 + seconds;
}

const known = new WeakMap<CronExpression, Map<number, number[]>>();

/** The days of a month that an expression names, in order: months of one length and first weekday have the same. */
function daysOf(cron: CronExpression, year: number, month: number): number[] {
  const first = utcDay(year, month, 1);
  const length = Math.round((utcDay(year, month + 1, 1) - first) / DAY);
  const firstWeekday = (((first / DAY + 4) % 7) + 7) % 7;
  const ofExpression = known.get(cron) ?? new Map<number, number[]>();
  known.set(cron, ofExpression);
  const key = length * 7 + firstWeekday;
  const days = ofExpression.get(key) ?? namedDays(cron, length, firstWeekday);
  ofExpression.set(key, days);
  return days;
}

/** A named day and a named weekday each suffice. */
function namedDays(cron: CronExpression, length: number, firstWeekday: number): number[] {
  const weekdayOf = (day: number) => (firstWeekday + day - 1) % 7;
  const ofMonth = new Set(cron.values.dayOfMonth);
  const ofWeek = new Set(cron.values.dayOfWeek);
  const named = (rules: DayRule[]) => new Set(rules.map((rule) => ruleDay(rule, length, weekdayOf)));
  const [byDay, byWeekday] = [named(cron.dayRules), named(cron.weekdayRules)];
  const matches = (day: number): boolean => {
    const isDay = ofMonth.has(day) || byDay.has(day);
    const isWeekday = ofWeek.has(weekdayOf(day)) || byWeekday.has(day);
    return cron.anyDay || cron.anyWeekday
      ? (cron.anyDay || isDay) && (cron.anyWeekday || isWeekday)
      : isDay || isWeekday;
  };
  return Array.from({ length }, (_, at) => at + 1).filter(matches);
}

/** The day of a month that a rule names; 0 if there is none. */
function ruleDay(rule: DayRule, length: number, weekdayOf: (day: number) => number): number {
  switch (rule.kind) {
    case "last":
      return Math.max(0, length - rule.before);
    case "lastWorkday":
      return length - (weekdayOf(length) === 0 ? 2 : weekdayOf(length) === 6 ? 1 : 0);
    case "nearestWorkday":
      return rule.day > length ? 0 : nearestWorkday(rule.day, length, weekdayOf(rule.day));
    case "lastOfWeekday":
      return length - ((weekdayOf(length) - rule.weekday + 7) % 7);
    case "nth": {
      const day = 1 + ((rule.weekday - weekdayOf(1) + 7) % 7) + (rule.nth - 1) * 7;
      return day > length ? 0 : day;
    }
  }
}

/** It never leaves the month. */
function nearestWorkday(day: number, length: number, weekday: number): number {
  if (weekday === 6) return day > 1 ? day - 1 : day + 2;
  if (weekday === 0) return day < length ? day + 1 : day - 2;
  return day;
}
