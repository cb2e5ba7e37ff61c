/** Offsets of a time zone from UTC in milliseconds, and the instants of their changes. */

const MINUTE = 60_000;

export interface Zone {
  /** Local time minus UTC. */
  offsetAt(instant: number): number;
  /**
   * The first instant after `from`, up to `to`, with another offset. It finds a single change, so search days, not
   * years.
   */
  changeBetween(from: number, to: number): number | undefined;
}

export function openZone(timeZone: string): Zone {
  const numeric = "numeric";
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });

  const offsetAt = (instant: number): number => {
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(instant)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
  };

  return {
    offsetAt,
    changeBetween(from, to) {
      const before = offsetAt(from);
      if (offsetAt(to) === before) return;
      // Clocks change at whole minutes.
      let [low, high] = [Math.floor(from / MINUTE), Math.ceil(to / MINUTE)];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (offsetAt(middle * MINUTE) === before) low = middle;
        else high = middle;
      }
      return high * MINUTE;
    },
  };
}
