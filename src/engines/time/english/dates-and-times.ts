/** Days, times of day, and days with times. */

import { barePart, chosen, clockText, partAfter, readClock } from "./clock/times.js";
import { readDay } from "./days/day.js";
import { type FoundTime, moment, point, range, type TimeReading } from "./reading.js";
import { DAY, type Day, dayText, longest, type Reference } from "./words/calendar.js";
import { type Scanned, type Scanner, scanned } from "./words/scan.js";
import { type Clock, type DayPart, NEXT, NIGHT, THIS } from "./words/words.js";

const dateReadings = ({ timex, days }: Day): TimeReading[] =>
  days.length === 0 ? [point(timex, null)] : days.map((day) => point(timex, dayText(day)));

export function date(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
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

export function time(scan: Scanner, at: number): Scanned<FoundTime> | undefined {
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

export const atTimes = (day: Day, { readings }: Clock): TimeReading[] =>
  readings.flatMap(({ timex, seconds }) =>
    day.days.length === 0
      ? [point(`${day.timex}${timex}`, null)]
      : day.days.map((one) => point(`${day.timex}${timex}`, moment(one, seconds))),
  );

/** A day and a time in either order, also with a part of the day between or after them. */
export function dayAndTime(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
  const start = scan.skip(at, "around", "about");
  return longest([dayThenTime(scan, start, ref), timeThenDay(scan, start, ref)].flatMap((found) => found ?? []));
}

function dayThenTime(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
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

function timeThenDay(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
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
export function dayPart(scan: Scanner, at: number, ref: Reference): Scanned<{ day: Day; part: DayPart }> | undefined {
  const today: Day = { timex: dayText(ref.day), days: [ref.day] };
  if (scan.is(at, "tonight", "tonite")) return scanned({ day: today, part: NIGHT }, at + 1);
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

export function dayAndPart(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
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

/** `end of the day`, `eod`, `end of tomorrow`. */
export function endOfDay(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
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
