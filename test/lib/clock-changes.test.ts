import { Cron } from "croner";
import { beforeAll, expect, it } from "vitest";
import { openZones } from "../../src/lib/time-zone.js";
import { openCron } from "../../src/state/schedules/cron.js";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const [BEGIN, END] = [Date.UTC(2025, 0, 1), Date.UTC(2028, 0, 1)];
/** Zones that the host, whose data croner reads, and the package know alike. */
const ZONES = [
  ...["Europe/Berlin", "America/New_York", "America/Santiago", "Australia/Lord_Howe", "America/St_Johns"],
  ...["Africa/Cairo", "Asia/Beirut", "Asia/Kolkata"],
];

/** 600 expressions: what is named, in lists and in ranges, with steps and with stars, at the hours when clocks change. */
function expressions(): string[] {
  let state = 20_260;
  const below = (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  const pick = <T>(...from: T[]): T => from[below(from.length)] as T;
  const minutes = () => pick(0, 0, 5, 15, 29, 30, 45, 59);
  const hours = () => pick(0, 0, 1, 1, 2, 2, 3, 12, 14, 23);
  const list = (part: () => number) => [...new Set([part(), part(), part()])].join(",");
  const range = (part: () => number, most: number) => {
    const first = part();
    return `${first}-${Math.min(most, first + 1 + below(most === 23 ? 4 : 25))}`;
  };
  const minute = () => pick(`${minutes()}`, list(minutes), range(minutes, 59), `${range(minutes, 59)}/10`, "*/15", "*");
  const hour = () => pick(`${hours()}`, list(hours), range(hours, 23), `${range(hours, 23)}/2`, "*/2", "*");
  const days = () =>
    pick("* * *", "* * *", "* * *", "* * 0", "* * SUN,MON", "1-7 * *", "* 3,4,9-11 *", "29 2 *", "1 * 6");
  const all = new Set(["30 2,14 * * *", "15,45 2 * * *", "0 0,12 * * *"]);
  while (all.size < 600) all.add(`${minute()} ${hour()} ${days()}`);
  return [...all];
}

interface Change {
  at: number;
  before: number;
  after: number;
}

const changesOf = new Map<string, Change[]>();
beforeAll(async () => {
  // Croner reads the host's data, so both do.
  const zones = await openZones("9999z");
  for (const name of ZONES) {
    const zone = zones.open(name);
    const found: Change[] = [];
    for (let day = BEGIN; day < END; day += DAY) {
      const at = zone.changeBetween(day, day + DAY);
      if (at !== undefined) found.push({ at, before: zone.offsetAt(day), after: zone.offsetAt(at) });
    }
    changesOf.set(name, found);
  }
});

const AROUND = 3 * 60 * MINUTE;

/** All that comes from three hours before a change to three hours after it. */
function runs(next: (after: Date) => Date | null | undefined, { at }: Change): number[] {
  const times: number[] = [];
  for (let time = next(new Date(at - AROUND)); time && time.getTime() <= at + AROUND; time = next(time))
    times.push(time.getTime());
  return times;
}

const fieldsOf = (cron: string) => {
  const [minute = "", hour = ""] = cron.split(" ");
  return { namesHours: !hour.includes("*"), isFixed: !hour.includes("*") && !minute.includes("*") };
};

/** The promise, word for word: every minute of those hours is asked whether it is one. */
function promised(cron: string, { at, before, after }: Change): number[] {
  const { namesHours, isFixed } = fieldsOf(cron);
  const locals = new Cron(cron, { timezone: "UTC", mode: "5-part", paused: true });
  const first = new Date(at - AROUND + Math.min(before, after) - MINUTE);
  const matches = new Set<number>();
  for (let time = locals.nextRun(first); time && time.getTime() <= at + AROUND + Math.max(before, after); )
    time = locals.nextRun(new Date(matches.add(time.getTime()) && time));
  const isSkipped = [...matches].some((local) => local >= at + before && local < at + after);
  const times: number[] = [];
  for (let time = at - AROUND + MINUTE; time <= at + AROUND; time += MINUTE) {
    const comesAgain = isFixed && time >= at && time < at + (before - after);
    const isDue = !comesAgain && matches.has(time + (time < at ? before : after));
    if (isDue || (time === at && namesHours && isSkipped)) times.push(time);
  }
  return times;
}

// All of them take minutes: `PROOFS=1` compares them, and otherwise every fiftieth stands for its kind.
const all = expressions().filter((_, index) => process.env.PROOFS !== undefined || index < 3 || index % 50 === 0);
const PATIENCE = 900_000;

it(
  "WAL-40 keeps the promise at every clock change: eight zones, three years",
  async () => {
    const wrong: string[] = [];
    for (const cron of all)
      for (const zone of ZONES) {
        const next = await openCron(cron, zone);
        for (const change of changesOf.get(zone) ?? [])
          if (`${runs(next, change)}` !== `${promised(cron, change)}`) wrong.push(`${cron} ${zone} ${change.at}`);
      }
    expect(wrong).toEqual([]);
  },
  PATIENCE,
);

it(
  "WAL-40 differs from croner in nothing but steps, which croner calls intervals",
  async () => {
    const unexplained: string[] = [];
    for (const cron of all.filter((cron) => fieldsOf(cron).isFixed && !/^\S*(?: \S*)?\//.test(cron)))
      for (const timezone of ZONES) {
        const ours = await openCron(cron, timezone);
        const theirs = new Cron(cron, { timezone, mode: "5-part", paused: true, fixedTimeRule: "no-wildcard" });
        for (const change of changesOf.get(timezone) ?? [])
          if (`${runs(ours, change)}` !== `${runs((after) => theirs.nextRun(after), change)}`)
            unexplained.push(`${cron} ${timezone} ${change.at}`);
      }
    expect(unexplained).toEqual([]);
  },
  PATIENCE,
);

it.each(all.filter((_, index) => index % 3 === 0))(
  "WAL-40 finds the last time of %s as it finds the next",
  async (cron) => {
    for (const timezone of ZONES) {
      const next = await openCron(cron, timezone);
      for (const change of changesOf.get(timezone)?.slice(0, 2) ?? []) {
        const times = runs(next, change);
        for (const [index, time] of times.slice(0, 40).entries()) {
          expect(next.before(new Date(time))?.getTime()).toBe(time);
          if (index > 0) expect(next.before(new Date(time - 1))?.getTime()).toBe(times[index - 1]);
        }
      }
    }
  },
);
