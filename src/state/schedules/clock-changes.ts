/** Repeated local times as instants, where clocks are put forward and back. */
import type { Zone } from "./time-zone.js";

const MINUTE = 60_000;
/** Longer than any change of a clock, also that of a zone which crosses the date line. */
const MARGIN = 48 * 60 * MINUTE;
/** In minutes: 29 February comes every four years, or once in eight. */
const LONGEST = 16 * 366 * 24 * 60;

export interface LocalTimes {
  /** The first local time at or after another one, both written as if they were UTC; undefined where there is none. */
  from(local: number): number | undefined;
  /** Hours that are named, not `*`: when one is skipped, what it held fires once, at the end of the gap. */
  namesHours: boolean;
  /** Hours and minutes that are named: when they come twice, they fire once, the first time. */
  isFixed: boolean;
}

/**
 * The first instant after another one. Times without `*` are fixed, as in Vixie cron; the others are intervals, which
 * follow the minutes that pass: they run through a doubled hour twice.
 */
export function instantAfter(after: number, times: LocalTimes, zone: Zone): number | undefined {
  let from = after + 1;
  for (;;) {
    const offset = zone.offsetAt(from);
    const local = times.from(from + offset);
    if (local === undefined) return;
    const instant = local - offset;
    const horizon = Math.min(instant, from + MARGIN);
    const change = zone.changeBetween(from, horizon);
    if (change !== undefined) {
      const isSkipped = local < change + zone.offsetAt(change);
      if (isSkipped && times.namesHours) return change;
      from = change;
    } else if (instant > horizon) {
      // No local time lies between: only a change near its end could bring it forward.
      from = Math.max(horizon, instant - MARGIN);
    } else if (times.isFixed && isSecondTime(instant, offset, zone)) {
      from = instant + MINUTE;
    } else return instant;
  }
}

/** The last instant up to another one; undefined where there was none for years. */
export function lastInstant(until: number, times: LocalTimes, zone: Zone): number | undefined {
  const firstOf = (minutesBack: number) => instantAfter(until - minutesBack * MINUTE - 1, times, zone);
  const isPast = (instant: number | undefined) => instant !== undefined && instant <= until;
  // From less far back there is none: what is first from the nearest of the others is the last.
  let [near, far] = [-1, 0];
  while (!isPast(firstOf(far))) {
    if (far > LONGEST) return;
    [near, far] = [far, far * 2 + 1];
  }
  while (far - near > 1) {
    const middle = Math.floor((near + far) / 2);
    if (isPast(firstOf(middle))) far = middle;
    else near = middle;
  }
  return firstOf(far);
}

/** Whether local clocks showed the same time before, since they were put back. */
function isSecondTime(instant: number, offset: number, zone: Zone): boolean {
  const before = zone.offsetAt(instant - MARGIN);
  return before > offset && zone.offsetAt(instant - (before - offset)) === before;
}
