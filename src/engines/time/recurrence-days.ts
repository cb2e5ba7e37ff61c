/** The days that a recurrence rule allows, whatever its periods are. */
import { utcDay } from "./iso-8601.js";
import type { RecurrenceRule, WeekdayOf } from "./recurrence-rule.js";

const DAY = 86_400_000;

/** Whether a day, as midnight in milliseconds, is allowed. */
export type DayTest = (midnight: number) => boolean;

interface Facts {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  weekday: number;
  daysInMonth: number;
  yearDay: number;
  daysInYear: number;
  midnight: number;
}

/** 0 Monday to 6 Sunday. */
export const weekdayAt = (midnight: number): number => (((midnight / DAY + 3) % 7) + 7) % 7;

export function dayTest(rule: RecurrenceRule, start: number): DayTest {
  const { month, weekNo, yearDay, monthDay, day, easter } = withDefaults(rule, start);
  const tests: ((facts: Facts) => boolean)[] = [];
  const both = (list: number[], size: number, value: number) => list.includes(value) || list.includes(value - size - 1);
  if (month.length > 0) tests.push((facts) => month.includes(facts.month));
  if (monthDay.length > 0) tests.push((facts) => both(monthDay, facts.daysInMonth, facts.day));
  if (yearDay.length > 0) tests.push((facts) => both(yearDay, facts.daysInYear, facts.yearDay));
  if (day.length > 0) tests.push(weekdayTest(rule, day));
  if (weekNo.length > 0)
    tests.push(({ midnight }) => weekNumbers(midnight, rule.weekStart).some((week) => weekNo.includes(week)));
  if (easter.length > 0)
    tests.push(({ midnight, year }) => easter.includes(Math.round((midnight - easterOf(year)) / DAY)));
  return tests.length === 0 ? () => true : (midnight) => tests.every((test) => test(factsOf(midnight)));
}

/** A rule that chooses no day takes the start's own. */
function withDefaults(rule: RecurrenceRule, start: number) {
  const { weekNo, yearDay, monthDay, day, easter, freq } = rule;
  if ([weekNo, yearDay, monthDay, day, easter].some((list) => list.length > 0)) return rule;
  const date = new Date(start);
  const today = { monthDay: [date.getUTCDate()] };
  if (freq === "YEARLY")
    return { ...rule, ...today, month: rule.month.length > 0 ? rule.month : [date.getUTCMonth() + 1] };
  if (freq === "MONTHLY") return { ...rule, ...today };
  const weekday = weekdayAt(Math.floor(start / DAY) * DAY);
  return freq === "WEEKLY" ? { ...rule, day: [{ weekday, nth: 0 }] } : rule;
}

let last: Facts | undefined;

/** Several tests ask about one day, one after the other. Whole numbers only: a search for rare days asks millions. */
function factsOf(midnight: number): Facts {
  if (last?.midnight === midnight) return last;
  const { year, month, day } = civil(midnight / DAY);
  const leap = isLeap(year) ? 1 : 0;
  const daysInMonth = month === 2 ? 28 + leap : 30 + ((month + (month > 7 ? 1 : 0)) % 2);
  const yearDay = Math.floor((275 * month) / 9) - (month > 2 ? 2 - leap : 0) + day - 30;
  last = { year, month, midnight, day, weekday: weekdayAt(midnight), daysInMonth, yearDay, daysInYear: 365 + leap };
  return last;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** A day of the Gregorian calendar from its number since 1970: years begin in March, so that leap days come last. */
function civil(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const inEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (inEra - Math.floor(inEra / 1460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) / 365,
  );
  const inYear = inEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * inYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: inYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}

/** Numbers count in the month, or in a year without months; other periods have no numbers. */
function weekdayTest({ freq, month }: RecurrenceRule, days: WeekdayOf[]): (facts: Facts) => boolean {
  const inMonth = freq === "MONTHLY" || (freq === "YEARLY" && month.length > 0);
  const inYear = freq === "YEARLY" && month.length === 0;
  return (facts) => {
    const [at, size] = inMonth ? [facts.day, facts.daysInMonth] : [facts.yearDay, facts.daysInYear];
    const [forward, backward] = [Math.ceil(at / 7), -Math.ceil((size - at + 1) / 7)];
    return days.some(
      ({ weekday, nth }) =>
        weekday === facts.weekday && (nth === 0 || !(inMonth || inYear) || nth === forward || nth === backward),
    );
  };
}

/** The number of a day's week from both ends of the year that the week belongs to. */
function weekNumbers(midnight: number, weekStart: number): [number, number] {
  // ISO weeks begin on Monday: days move so that theirs do, too.
  const first = midnight - ((weekdayAt(midnight) - weekStart + 7) % 7) * DAY;
  const fourth = new Date(first + 3 * DAY).getUTCFullYear();
  const week = Math.floor((first + 3 * DAY - utcDay(fourth, 1, 1)) / (7 * DAY)) + 1;
  const newYear = utcDay(fourth + 1, 1, 1);
  const weeks = Math.floor((lastFourthDay(newYear, weekStart) - utcDay(fourth, 1, 1)) / (7 * DAY)) + 1;
  return [week, week - weeks - 1];
}

/** The fourth day of the last week of a year that ends before `newYear`. */
function lastFourthDay(newYear: number, weekStart: number): number {
  const fourth = (weekStart + 3) % 7;
  const eve = newYear - DAY;
  return eve - ((weekdayAt(eve) - fourth + 7) % 7) * DAY;
}

/** Easter Sunday of the Gregorian calendar (Anonymous algorithm). */
export function easterOf(year: number): number {
  const a = year % 19;
  const [b, c] = [Math.floor(year / 100), year % 100];
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return utcDay(year, Math.floor(n / 31), (n % 31) + 1);
}
