/** From one moment to another: days with hours, hours alone, and what lies before or after. */

import { readClockRange } from "./clock/clock-ranges.js";
import { zonesDiffer } from "./clock/clock-zones.js";
import { barePart, clockText, partAfter, readClock } from "./clock/times.js";
import { atTimes, dayAndTime, dayPart } from "./dates-and-times.js";
import { readDayRange } from "./day-ranges.js";
import { readDay } from "./days/day.js";
import { type FoundTime, moment, range, type TimeReading } from "./reading.js";
import { DAY, type Day, dayText, type Reference } from "./words/calendar.js";
import { durationTimex } from "./words/lengths.js";
import { type Scanned, type Scanner, scanned } from "./words/scan.js";

/** A day with a range of hours, in either order. */
export function dayAndRange(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
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
function partAndRange(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
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
export function dayBounded(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
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
  const dated = hours.timex.replace(/^\((T[\d:.]+),(T[\d:.]+),/, `(${timex}$1,${timex}$2,`);
  return range(dated, moment(day, hours.start), moment(day, end));
}

/** From one moment to another one. */
export function span(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
  const start = scan.skip(at, "from", "between");
  const first = dayAndTime(scan, start, ref);
  if (!first || !scan.is(first.next, "to", "till", "until", "through", "-", "and")) return;
  const last = dayAndTime(scan, first.next + 1, ref);
  if (!last || (scan.is(first.next, "and") && !scan.is(at, "between")) || zonesDiffer(scan, at, last.next)) return;
  const readings = first.value.readings.flatMap((from, place) => {
    const same = last.value.readings[place] ?? last.value.readings.at(-1);
    const to = laterOf(from, [...(same ? [same] : []), ...last.value.readings]);
    return to?.value && from.value
      ? [range(`(${from.timex},${to.timex},${durationTimex(secondsBetween(from, to))})`, from.value, to.value)]
      : [];
  });
  return readings.length === 0 ? undefined : scanned({ type: "datetimerange", readings }, last.next);
}

const instantOf = ({ value }: TimeReading): number => Date.parse(`${value?.replace(" ", "T")}Z`);
const secondsBetween = (from: TimeReading, to: TimeReading): number => (instantOf(to) - instantOf(from)) / 1000;

/** The first reading that lies after a start; a weekday comes again after a week. */
function laterOf(from: TimeReading, ends: TimeReading[]): TimeReading | undefined {
  const later = ends.find((to) => secondsBetween(from, to) > 0);
  const last = ends.at(-1);
  if (later || !last?.value || !last.timex.startsWith("XXXX-WXX")) return later;
  const weeks = Math.floor(-secondsBetween(from, last) / 604_800) + 1;
  const day = Date.parse(`${last.value.slice(0, 10)}T00:00:00Z`) + weeks * 7 * DAY;
  const moved = { ...last, value: `${dayText(day)}${last.value.slice(10)}` };
  return secondsBetween(from, moved) > 0 ? moved : undefined;
}

const rangeText = (day: number | undefined): string | null => (day === undefined ? null : dayText(day));

export function dayRange(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
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

export function clockRange(scan: Scanner, at: number): Scanned<FoundTime> | undefined {
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

export function partOfDay(scan: Scanner, at: number): Scanned<FoundTime> | undefined {
  const part = partAfter(scan, at) ?? barePart(scan, scan.skip(at, "the"));
  // Greetings and amounts of nights do not count.
  const isOther = scan.is(at - 1, "good") || (scan.is(at, "nights") && scan.amount(at - 1) !== undefined);
  if (!part || isOther) return;
  return scanned(
    { type: "timerange", readings: [range(part.value.timex, clockText(part.value.from), clockText(part.value.to))] },
    part.next,
  );
}
