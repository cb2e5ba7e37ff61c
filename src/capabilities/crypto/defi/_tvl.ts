/** Series of total value locked: one row per UTC day. */
import { z } from "zod";

export const tvlDay = () =>
  z.object({
    date: z.string().describe("YYYY-MM-DD, in UTC"),
    tvlUsd: z.number().describe("Total value locked, in US dollars"),
  });

/** Oldest first. Of several points on a day the later one counts: the newest is the current value. */
export function dailyTvl(points: (readonly [time: string, tvlUsd: number])[]): z.output<ReturnType<typeof tvlDay>>[] {
  const sorted = points.toSorted(([a], [b]) => a.localeCompare(b));
  const byDay = new Map(sorted.map(([time, tvlUsd]) => [time.slice(0, 10), tvlUsd]));
  return [...byDay].map(([date, tvlUsd]) => ({ date, tvlUsd }));
}
