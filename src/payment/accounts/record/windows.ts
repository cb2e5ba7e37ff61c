/** Periods in which an account's calls and spending are counted. */
import { sharedNow } from "../../../lib/clocks.js";
import type { Micros } from "../../../lib/money.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/time.js";
import type { Spending, Usage } from "./record.js";

export type Period = "hour" | "day" | "month";

const startOf: Record<Period, (now: number) => number> = {
  hour: (now) => Math.floor(now / HOUR_MS) * HOUR_MS,
  day: (now) => Math.floor(now / DAY_MS) * DAY_MS,
  month: (now) => monthFrom(now, 0),
};

export const endOf: Record<Period, (start: number) => number> = {
  hour: (start) => start + HOUR_MS,
  day: (start) => start + DAY_MS,
  month: (start) => monthFrom(start, 1),
};

function monthFrom(time: number, months: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
}

/**
 * The start of the period to count in. An instance whose clock is a little behind stays in the period that another one
 * has begun, so that the two do not begin it anew in turns; after a clock that was far ahead the count goes on in the
 * right period.
 */
// guard: accounts: a clock that is behind begins no period anew |
//   sharedNow(now, counted) -> now + 0 * counted | accounts/limits
const startFor = (counted: number, period: Period, now: number): number => startOf[period](sharedNow(now, counted));

/** Spending in the current period. A count is begun anew only by a later period. */
export function currentSpending({ start, spent }: Spending, period: Period, now: number): Spending {
  const current = startFor(start, period, now);
  return { start: current, spent: current > start ? 0n : spent };
}

export function currentFree({ start, usd, calls }: Usage["free"], now: number): Usage["free"] {
  const current = startFor(start, "month", now);
  return current > start ? { start: current, usd: 0n, calls: {} } : { start: current, usd, calls };
}

/** The time by which calls of the last minute are counted, on whatever instance. */
const paceNow = (minute: Usage["minute"], now: number): number => sharedNow(now, minute.at(-1)?.[0] ?? 0);

/** Calls of the last minute. A time far in the future, of a clock that was wrong, counts as now. */
export function recentCalls(minute: Usage["minute"], now: number): Usage["minute"] {
  const at = paceNow(minute, now);
  return minute
    .map(([time, calls]): [number, number] => [Math.min(time, at + TICK_MS), calls])
    .filter(([time]) => time > at - MINUTE_MS);
}

const TICK_MS = 1000;
/** Beyond this number times are rounded up to seconds, so that the list of a fast caller stays short. */
const MOST_TIMES = 60;

/** Notes calls; together the times are at most 61. */
export function noteCalls(minute: Usage["minute"], calls: number, { most, now }: { most: number; now: number }): void {
  const time = paceNow(minute, now);
  const at = most <= MOST_TIMES ? time : Math.ceil(time / TICK_MS) * TICK_MS;
  const last = minute.at(-1);
  if (last && last[0] >= at) last[1] += calls;
  else minute.push([at, calls]);
}

export const sumOf = (minute: Usage["minute"]): number => minute.reduce((sum, [, calls]) => sum + calls, 0);

/** Milliseconds until so many calls of the last minute have left it. */
export function untilFree(minute: Usage["minute"], calls: number, now: number): number {
  let left = calls;
  for (const [at, count] of minute) {
    left -= count;
    if (left <= 0) return at + MINUTE_MS - paceNow(minute, now);
  }
  return MINUTE_MS;
}

export const noUsage = (): Usage => ({
  minute: [],
  hour: { start: 0, spent: 0n as Micros },
  day: { start: 0, spent: 0n },
  month: { start: 0, spent: 0n },
  free: { start: 0, usd: 0n, calls: {} },
});
