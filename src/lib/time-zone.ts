/** Offsets of a time zone from UTC in milliseconds, and the instants of their changes. */

const MINUTE = 60_000;
/** No zone changes its clocks twice within so long. */
const BUCKET = 6 * 60 * MINUTE;
const MAX_BUCKETS = 10_000;

export interface Zone {
  /** Local time minus UTC. */
  offsetAt(instant: number): number;
  /**
   * The first instant after `from`, up to `to`, with another offset. It finds a single change, so search days, not
   * years.
   */
  changeBetween(from: number, to: number): number | undefined;
}

/** An IANA name; an offset such as `+02:00` is refused, because it has no daylight saving. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export function openZone(timeZone: string): Zone {
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

/** Reads an offset from the host's zone data. */
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
