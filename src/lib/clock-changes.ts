/** Converts repeated local times to instants, across clock changes. */
import type { Zone } from "./time-zone.js";

const MINUTE = 60_000;
/** Longer than any clock change, including a zone that crosses the date line. */
const MARGIN = 48 * 60 * MINUTE;
/** 29 February comes every four years, or once in eight. */
const LONGEST = 16 * 366 * 24 * 60 * MINUTE;

export interface LocalTimes {
  /** The first local time at or after another one, both written as if they were UTC; undefined if there is none. */
  from(local: number): number | undefined;
  /** True if hours are named, not `*`: a skipped time then fires once, at the end of the gap. */
  namesHours: boolean;
  /** True if hours and minutes are named: a repeated time fires once, the first time. */
  isFixed: boolean;
}

/**
 * The first instant after another one. Times without `*` are fixed, as in Vixie cron; all others are intervals of
 * elapsed minutes, which run twice through a repeated hour. Undefined if there is none up to `until`: without it times that
 * clocks always skip are searched for without end.
 */
export function instantAfter(after: number, times: LocalTimes, zone: Zone, until = Infinity): number | undefined {
  let from = after + 1;
  while (from <= until) {
    const offset = zone.offsetAt(from);
    const local = times.from(from + offset);
    if (local === undefined) return;
    const instant = local - offset;
    const horizon = Math.min(instant, from + MARGIN);
    const change = zone.changeBetween(from, horizon);
    // guard: a fixed time that comes twice fires once | times.isFixed -> false | clock-changes
    if (change !== undefined) {
      const isSkipped = local < change + zone.offsetAt(change);
      // guard: a skipped hour fires once, at its end | gone | clock-changes
      if (isSkipped && times.namesHours) return change;
      from = change;
    } else if (instant > horizon) {
      // No local time lies between, so only a clock change near its end could bring it forward.
      from = Math.max(horizon, instant - MARGIN);
    } else if (times.isFixed && isSecondTime(instant, offset, zone)) {
      from = instant + MINUTE;
    } else return instant;
  }
  return;
}

/** The last instant up to another one; undefined if there was none for years. Times lie at least `unit` apart. */
export function lastInstant(
  until: number,
  times: LocalTimes,
  zone: Zone,
  { unit = MINUTE, longest = LONGEST } = {},
): number | undefined {
  const firstOf = (unitsBack: number) => instantAfter(until - unitsBack * unit - 1, times, zone, until);
  const isPast = (instant: number | undefined) => instant !== undefined && instant <= until;
  // Bisects the distance: nearer starts have no time before the end, and the first time after the nearest other start
  // is the last.
  let [near, far] = [-1, 0];
  while (!isPast(firstOf(far))) {
    if (far * unit > longest) return;
    [near, far] = [far, far * 2 + 1];
  }
  while (far - near > 1) {
    const middle = Math.floor((near + far) / 2);
    if (isPast(firstOf(middle))) far = middle;
    else near = middle;
  }
  // A skipped time fires where clocks change, which may be the end itself: no start of whole units lies just before it.
  let last = firstOf(far);
  for (let next = last; isPast(next); next = instantAfter(next as number, times, zone, until)) last = next;
  return last;
}

/** Whether local clocks already showed this time before they were put back. */
function isSecondTime(instant: number, offset: number, zone: Zone): boolean {
  const before = zone.offsetAt(instant - MARGIN);
  return before > offset && zone.offsetAt(instant - (before - offset)) === before;
}
