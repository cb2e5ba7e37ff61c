/** Times that come again and again. */

import { barePart, readClock } from "./clock/times.js";
import { readNth, timexOf } from "./days/nth-days.js";
import { type FoundTime, point } from "./reading.js";
import { lengthTimex } from "./words/lengths.js";
import { type Scanned, type Scanner, scanned } from "./words/scan.js";
import { type TimeUnit, WEEKDAY_WORDS } from "./words/words.js";

const ADVERBS: Record<string, string> = {
  ...{ daily: "P1D", weekly: "P1W", biweekly: "P2W", monthly: "P1M", quarterly: "P3M", yearly: "P1Y", annually: "P1Y" },
  ...{ everyday: "P1D", hourly: "PT1H", annual: "P1Y", weekday: "" },
};

/** `every day`, `each two weeks`, `every Monday at 4pm`, `3pm each day`, `weekly`. */
export function set(scan: Scanner, at: number): Scanned<FoundTime> | undefined {
  const led = readClock(scan, at);
  // `2 Fridays` are no Fridays at two.
  const clock = led?.value.isClear ? led : undefined;
  const every = repeated(scan, clock ? clock.next : at);
  if (!every) return;
  const first = clock?.value.readings ?? [];
  const lead = scan.skip(every.next, "at", "@", ",");
  const later = clock ? undefined : readClock(scan, lead);
  const isTimed = later && (later.value.isClear || lead > every.next);
  const times = isTimed ? later.value.readings : first;
  const [days = "", period] = every.value.split("/");
  const base = /^(?:P1D$|T)/.test(days) && times.length > 0 ? "" : days;
  const whole = (timex: string) => (period === undefined ? timex : `${timex}/${period}`);
  const readings = (times.length > 0 ? times.map(({ timex }) => `${base}${timex}`) : [days]).map((timex) =>
    point(whole(timex), null),
  );
  return scanned({ type: "set", readings }, isTimed ? later.next : every.next);
}

/** The days of a set, and after a slash its period where that is more than a week. */
function repeated(scan: Scanner, at: number): Scanned<string> | undefined {
  const adverb = ADVERBS[scan.word(at)];
  if (adverb) return scanned(adverb, at + 1);
  const start = scan.skip(at, "on");
  const monthly = nthOfEach(scan, start);
  if (monthly) return monthly;
  if (!scan.is(start, "every", "each")) return withoutEvery(scan, start);
  if (scan.is(start + 1, "weekday")) return scanned("P1WD", start + 2);
  const each = eachMonth(scan, start + 1);
  if (each) return each;
  const count = countOfWeeks(scan, start + 1);
  const weekday = WEEKDAY_WORDS.get(scan.word(count.next));
  if (weekday !== undefined) return scanned(onWeekday(weekday, count.value), count.next + 1);
  const part = barePart(scan, start + 1);
  if (part) return scanned(part.value.timex, part.next);
  const amount = count.next > start + 1 ? count : (scan.amount(start + 1) ?? scanned(1, start + 1));
  const unit = scan.unit(amount.next);
  return unit && everyUnit(scan, amount.value, unit);
}

const onWeekday = (weekday: number, weeks: number): string => `XXXX-WXX-${weekday}${weeks === 1 ? "" : `/P${weeks}W`}`;

/** `every two weeks`, `every other week on Monday`. */
function everyUnit(scan: Scanner, amount: number, unit: Scanned<TimeUnit>): Scanned<string> {
  if (unit.value === "WE") return scanned(`P${amount}WE`, unit.next);
  const weekday =
    unit.value === "W" && scan.is(unit.next, "on") ? WEEKDAY_WORDS.get(scan.word(unit.next + 1)) : undefined;
  if (weekday !== undefined) return scanned(onWeekday(weekday, amount), unit.next + 2);
  return scanned(lengthTimex([[amount, unit.value]]), unit.next);
}

/** `other`, `second`, `third`: every so many. */
function countOfWeeks(scan: Scanner, at: number): Scanned<number> {
  if (scan.is(at, "other", "alternate")) return scanned(2, at + 1);
  const ordinal = scan.ordinal(at);
  if (ordinal && ordinal.value > 1) return ordinal;
  // `every two Fridays`
  const amount = /days$/.test(scan.word(scan.amount(at)?.next ?? at)) ? scan.amount(at) : undefined;
  return amount && WEEKDAY_WORDS.has(scan.word(amount.next)) && Number.isInteger(amount.value)
    ? amount
    : scanned(1, at);
}

/** `every first Monday`, `every last Friday`: of a month, because every week has one. */
function eachMonth(scan: Scanner, at: number): Scanned<string> | undefined {
  const nth = readNth(scan, at);
  if (nth?.value.weekday === undefined || nth.value.number > 1) return;
  return scanned(`XXXX-XX-${timexOf(nth.value)}`, nth.next);
}

/** `the last Friday of every month`, `every second Tuesday of the month`, `the first day of each month`. */
function nthOfEach(scan: Scanner, at: number): Scanned<string> | undefined {
  const isEvery = scan.is(at, "every", "each");
  const nth = readNth(scan, isEvery ? at + 1 : at);
  if (!nth || !scan.is(nth.next, "of", "in")) return;
  const isEach = scan.is(nth.next + 1, "every", "each") || (isEvery && scan.is(nth.next + 1, "the", "a"));
  const unit = isEach ? scan.word(nth.next + 2) : "";
  const period = unit === "month" ? "XXXX-XX" : unit === "year" ? "XXXX" : undefined;
  return period === undefined ? undefined : scanned(`${period}-${timexOf(nth.value)}`, nth.next + 3);
}

/** `Tuesdays`, `once a week`. */
function withoutEvery(scan: Scanner, at: number): Scanned<string> | undefined {
  const isOther = scan.is(at, "alternate");
  const day = isOther ? at + 1 : at;
  const weekday = /days$/.test(scan.word(day)) ? WEEKDAY_WORDS.get(scan.word(day)) : undefined;
  if (weekday !== undefined) return scanned(onWeekday(weekday, isOther ? 2 : 1), day + 1);
  const unit = scan.is(at, "once") && scan.is(at + 1, "a", "an") ? scan.unit(at + 2) : undefined;
  return unit && scanned(lengthTimex([[1, unit.value]]), unit.next);
}
