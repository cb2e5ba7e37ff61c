/** Cron expressions: five fields and a time zone, without extensions that only some crons have. */
import { invalid, without } from "../../errors.js";
import { instantAfter, lastInstant } from "../../lib/clock-changes.js";
import { lazy } from "../../lib/lazy.js";
import { openZone } from "../../lib/time-zone.js";

const croner = /* @__PURE__ */ lazy(() => import("croner").catch(without("croner")));

const PART = "(?:\\d{1,2}|[A-Za-z]{3})";
const ITEM = `(?:\\*|${PART}(?:-${PART})?)(?:/[1-9]\\d?)?`;
const FIELD = `${ITEM}(?:,${ITEM})*`;
const CRON = new RegExp(`^${FIELD}(?: ${FIELD}){4}$`);

/** Numbers, names, `*`, lists, ranges and steps; no seconds, no `@daily`, no `L` and no `#`. */
export const isCron = (text: string): boolean => text.length <= 100 && CRON.test(text);

export interface Cron {
  /** The first time after another one; undefined if there is none. */
  (after: Date): Date | undefined;
  /** The last time up to another one. */
  before(until: Date): Date | undefined;
}

/** Each call takes about a millisecond. Rejects an invalid expression, naming the field. */
export async function openCron(cron: string, timezone: string): Promise<Cron> {
  const from = await localTimesOf(cron);
  const [minutes = "", hours = ""] = cron.split(" ");
  const namesHours = !hours.includes("*");
  const times = { from, namesHours, isFixed: namesHours && !minutes.includes("*") };
  const zone = await openZone(timezone);
  const dateOf = (instant: number | undefined) => (instant === undefined ? undefined : new Date(instant));
  return Object.assign((after: Date) => dateOf(instantAfter(after.getTime(), times, zone)), {
    before: (until: Date) => dateOf(lastInstant(until.getTime(), times, zone)),
  });
}

/** Croner reads the fields in UTC and gives the local times; clock changes follow our own rules. */
async function localTimesOf(cron: string) {
  const { Cron } = await croner();
  try {
    const pattern = new Cron(cron, { timezone: "UTC", mode: "5-part", paused: true });
    return (local: number) => pattern.nextRun(new Date(local - 1))?.getTime();
  } catch {
    throw invalid("cron", "must be five fields that name real times, such as 30 9 * * MON-FRI");
  }
}
