/** A time zone by the host's own data, which Intl reads. */
import type { Zone } from "./zone.js";

const MINUTE = 60_000;
/** No zone changes its clocks twice within so long. */
const BUCKET = 6 * 60 * MINUTE;
const MAX_BUCKETS = 10_000;

/** The release of the host's data, such as 2025c; undefined where the platform does not tell, as on Workers. */
export const hostRelease = (): string | undefined => globalThis.process?.versions?.tz;

export function hostZone(timeZone: string): Zone {
  const offsetOf = inBuckets(reader(timeZone));

  return {
    offsetAt: offsetOf,
    changeBetween(from, to) {
      const before = offsetOf(from);
      if (offsetOf(to) === before) return;
      // Clocks change at whole minutes.
      let [low, high] = [Math.floor(from / MINUTE), Math.ceil(to / MINUTE)];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (offsetOf(middle * MINUTE) === before) low = middle;
        else high = middle;
      }
      return high * MINUTE;
    },
  };
}

function reader(timeZone: string) {
  const numeric = "numeric";
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, hourCycle: "h23", era: "short", year: numeric, month: numeric, day: numeric },
    ...{ hour: numeric, minute: numeric, second: numeric },
  });
  const local = new Date(0);
  return (instant: number): number => {
    const parts: Record<string, string> = {};
    for (const { type, value } of format.formatToParts(instant)) parts[type] = value;
    const year = Number(parts.year);
    local.setUTCFullYear(parts.era === "BC" ? 1 - year : year, Number(parts.month) - 1, Number(parts.day));
    local.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second), 0);
    return local.getTime() - Math.floor(instant / 1000) * 1000;
  };
}

/** Formatting is slow, so both ends of six hours are remembered: with one offset at both, all between have it. */
function inBuckets(offsetAt: (instant: number) => number) {
  const ends = new Map<number, number>();
  const at = (bucket: number): number => {
    const known = ends.get(bucket);
    if (known !== undefined) return known;
    if (ends.size >= MAX_BUCKETS) ends.clear();
    const offset = offsetAt(bucket * BUCKET);
    ends.set(bucket, offset);
    return offset;
  };
  return (instant: number): number => {
    const bucket = Math.floor(instant / BUCKET);
    const offset = at(bucket);
    return offset === at(bucket + 1) ? offset : offsetAt(instant);
  };
}
