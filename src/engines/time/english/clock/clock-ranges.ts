/** Hours from one to another. They end before their end. */

import { readLength } from "../days/relative-days.js";
import { durationTimex } from "../words/lengths.js";
import { type Scanned, type Scanner, scanned } from "../words/scan.js";
import { type Clock, SECONDS, type TimeUnit } from "../words/words.js";
import { zonesDiffer } from "./clock-zones.js";
import { clockText, readClock } from "./times.js";

export const TO = ["to", "till", "until", "through", "thru", "-", "–", "—", "~"];

export interface ClockRange {
  timex: string;
  start: number;
  end: number;
}

/** `5 to 6pm`, `from 5 to 6pm`, `between 2:20 and 3pm`, `from 9 for 2.5 hours`. */
export function readClockRange(scan: Scanner, at: number): Scanned<ClockRange[]> | undefined {
  const isBetween = scan.is(at, "between");
  const start = scan.skip(at, "from", "between");
  const first = readClock(scan, start);
  if (!first) return;
  const length =
    start > at && scan.is(first.next, "for")
      ? readLength(scan, first.next + 1, (unit) => ["H", "N", "S"].includes(unit))
      : undefined;
  if (length) return lasting(first.value, length);
  if (!(isBetween ? ["and", "to", "-"] : TO).includes(scan.word(first.next))) return;
  const last = readClock(scan, first.next + 1);
  if (!last || zonesDiffer(scan, at, last.next) || !(first.value.isClear || last.value.isClear || start > at)) return;
  return scanned(clockPairs(first.value, last.value), last.next);
}

function lasting(
  { readings }: Clock,
  { value, next }: Scanned<{ amounts: [number, TimeUnit][] }>,
): Scanned<ClockRange[]> {
  const seconds = value.amounts.reduce((sum, [amount, unit]) => sum + amount * SECONDS[unit], 0);
  return scanned(
    readings
      .slice(0, 1)
      .map(({ timex, seconds: start }) =>
        rangeOf(timex, start, `T${clockText((start + seconds) % 86_400)}`, start + seconds),
      ),
    next,
  );
}

function clockPairs(first: Clock, last: Clock): ClockRange[] {
  const pairs = last.readings.flatMap((end, at) => {
    // One end with its half of the day gives it to the other.
    const same =
      first.readings.length > 1 && last.readings.length > 1 ? first.readings.slice(at, at + 1) : first.readings;
    const fitting = same.filter((start) => start.seconds < end.seconds);
    const nearest = (fitting.length > 0 ? fitting : same).reduce((a, b) =>
      distance(a.seconds, end.seconds) <= distance(b.seconds, end.seconds) ? a : b,
    );
    return [rangeOf(nearest.timex, nearest.seconds, end.timex, end.seconds)];
  });
  if (first.readings.length === 1 && last.readings.length > 1)
    return [pairs.reduce((a, b) => (distance(a.start, a.end) <= distance(b.start, b.end) ? a : b))];
  return pairs;
}

const distance = (start: number, end: number): number => (end - start + 86_400) % 86_400 || 86_400;

const rangeOf = (from: string, start: number, to: string, end: number): ClockRange => ({
  ...{ start, end },
  timex: `(${from},${to},${durationTimex(distance(start, end))})`,
});
