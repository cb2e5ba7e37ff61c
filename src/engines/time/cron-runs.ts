/** The instants at which a cron expression runs in a time zone, with notes about clock changes. */
import { instantAfter, type LocalTimes, lastInstant } from "../../lib/clock-changes.js";
import type { Zone } from "../../lib/time-zone.js";
import type { CronExpression } from "./cron-expression.js";
import { localTimes } from "./cron-times.js";
import { instantsOf, instantText, localText, offsetText } from "./local-time.js";

const SECOND = 1000;
const DAY = 86_400_000;
const WEEK = 7 * DAY;
/** How far runs are searched for: years before 1970 are never named, and clocks may skip a time in every year. */
const LONGEST = 250 * 366 * DAY;
/** Of searching for skipped times. */
const MAX_WEEKS = 1000;

export interface CronRun {
  instant: string;
  local: string;
  offset: string;
  note: string | null;
}

export interface Runs {
  /** The first runs after an instant. */
  after(from: number, count: number): CronRun[];
  /** The last run before an instant. */
  before(from: number): CronRun | undefined;
  /** Local times that no clock shows, from an instant to another one. */
  skipped(from: number, to: number): string[];
}

const isFixed = (text: string): boolean => !/[*?/]/.test(text);

/** With `gap: "next"` a fixed hour that is skipped runs at the first moment after the gap, with `skip` not at all. */
export function openRuns(cron: CronExpression, zone: Zone, gap: "next" | "skip"): Runs {
  const { second, minute, hour } = cron.text;
  const from = localTimes(cron);
  const namesHours = isFixed(hour);
  const times: LocalTimes = {
    from,
    namesHours: namesHours && gap === "next",
    isFixed: namesHours && isFixed(minute) && isFixed(second),
  };

  const show = (instant: number): CronRun => {
    const offset = zone.offsetAt(instant);
    const local = instant + offset;
    return {
      instant: instantText(instant),
      local: localText(local),
      offset: offsetText(offset),
      note: noteOn(instant, local),
    };
  };

  const noteOn = (instant: number, local: number): string | null => {
    if (from(local) !== local)
      return "Its local time is skipped by a clock change: runs at the first moment after the gap.";
    const { kind, instants } = instantsOf(local, zone);
    if (kind !== "ambiguous") return null;
    if (times.isFixed) return "Its local time comes twice because of a clock change: runs once, the first time.";
    return `Its local time comes twice because of a clock change: this is the ${instant === instants[0] ? "first" : "second"} time.`;
  };

  return {
    after(start, count) {
      // Named years come to an end by themselves.
      const until = cron.text.year === "*" ? start + LONGEST : undefined;
      const found: CronRun[] = [];
      for (let at = start; found.length < count; ) {
        const next = instantAfter(at, times, zone, until);
        if (next === undefined) break;
        found.push(show(next));
        at = next;
      }
      return found;
    },
    before(start) {
      const last = lastInstant(start - 1, times, zone, { unit: SECOND, longest: LONGEST });
      return last === undefined ? undefined : show(last);
    },
    skipped(start, end) {
      const found: string[] = [];
      if (!namesHours) return found;
      for (let week = start; week < Math.min(end, start + MAX_WEEKS * WEEK); week += WEEK) {
        const change = zone.changeBetween(week, Math.min(end, week + WEEK));
        if (change === undefined) continue;
        const local = from(change + zone.offsetAt(change - 1));
        if (local !== undefined && local < change + zone.offsetAt(change)) found.push(localText(local));
      }
      return found;
    },
  };
}
