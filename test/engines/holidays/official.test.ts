import { describe, expect, it } from "vitest";
import { toDay, toIso, weekdayOf } from "../../../src/engines/holidays/days.js";
import { holidaysOf, workdaysOf } from "../../../src/engines/holidays/holidays.js";
import { readPlace } from "../../../src/engines/holidays/place.js";
import { OFFICIAL } from "./official-days.js";

/**
 * Taiwan's calendar of government offices: weekdays off and Saturdays worked, from the Directorate-General of Personnel
 * Administration (data.gov.tw, dataset 14718, Open Government Data License 1.0), read from ruyut/TaiwanCalendar.
 */
const TAIWAN = {
  off: {
    2017: "01-02 01-27 01-30 01-31 02-01 02-27 02-28 04-03 04-04 05-29 05-30 10-04 10-09 10-10",
    2018: "01-01 02-15 02-16 02-19 02-20 02-28 04-04 04-05 04-06 06-18 09-24 10-10 12-31",
    2019: "01-01 02-04 02-05 02-06 02-07 02-08 02-28 03-01 04-04 04-05 06-07 09-13 10-10 10-11",
    2020: "01-01 01-23 01-24 01-27 01-28 01-29 02-28 04-02 04-03 06-25 06-26 10-01 10-02 10-09",
    2021: "01-01 02-10 02-11 02-12 02-15 02-16 03-01 04-02 04-05 06-14 09-20 09-21 10-11 12-31",
    2022: "01-31 02-01 02-02 02-03 02-04 02-28 04-04 04-05 06-03 09-09 10-10",
    2023: "01-02 01-20 01-23 01-24 01-25 01-26 01-27 02-27 02-28 04-03 04-04 04-05 06-22 06-23 09-29 10-09 10-10",
    2024: "01-01 02-08 02-09 02-12 02-13 02-14 02-28 04-04 04-05 06-10 09-17 10-10",
    2025: "01-01 01-27 01-28 01-29 01-30 01-31 02-28 04-03 04-04 05-30 10-06 10-10",
  },
  worked: {
    2017: "02-18 06-03 09-30",
    2018: "03-31 12-22",
    2019: "01-19 02-23 10-05",
    2020: "02-15 06-20 09-26",
    2021: "02-20 09-11",
    2022: "01-22",
    2023: "01-07 02-04 02-18 03-25 06-17 09-23",
    2024: "02-17",
    2025: "02-08",
  },
};
/** By the law of 28 May 2025, after the calendar of that year was published. */
const ADDED_IN_2025 = ["2025-09-29", "2025-10-24", "2025-12-25"];

const dates = (table: Record<string, string>) =>
  Object.entries(table).flatMap(([year, days]) => days.split(" ").map((day) => `${year}-${day}`));

/** Days off by the default kinds, whole days only. */
async function daysOff(
  country: string,
  region: string | undefined,
  first: number,
  last: number,
  kinds: readonly string[] = ["public", "bank"],
) {
  const place = await readPlace({ country, region });
  const days = new Set<string>();
  for (let year = first - 1; year <= last; year++)
    for (const { date, days: count, type, partDay } of await holidaysOf(place, year))
      if (!partDay && kinds.includes(type))
        for (let day = toDay(date); day < toDay(date) + count; day++) days.add(toIso(day));
  return days;
}

describe("days off as governments published them", () => {
  it("are Taiwan's, with the Saturdays that make up for bridges", async () => {
    const ours = await daysOff("TW", undefined, 2017, 2025);
    const weekdays = [...ours].filter(
      (date) => date >= "2017" && date < "2026" && !["sat", "sun"].includes(weekdayOf(toDay(date))),
    );
    expect(weekdays.sort()).toEqual([...dates(TAIWAN.off), ...ADDED_IN_2025].sort());
    const worked = [...(await workdaysOf(await readPlace({ country: "TW" })))];
    expect(worked.filter((date) => date >= "2017" && date < "2026").sort()).toEqual(dates(TAIWAN.worked));
  });
});

const isWeekday = (date: string) => !["sat", "sun"].includes(weekdayOf(toDay(date)));

describe("weekdays off, beside the lists and laws of governments", () => {
  it.each(OFFICIAL)("are those of $country $region ($source)", async ({ country, region, kinds, years }) => {
    for (const [year, listed] of Object.entries(years)) {
      const ours = await daysOff(country, region, Number(year), Number(year), kinds);
      const theirs = listed.split(" ").map((day) => `${year}-${day}`);
      expect([...ours].filter((date) => date.startsWith(year) && isWeekday(date)).sort()).toEqual(
        [...new Set(theirs)].filter(isWeekday).sort(),
      );
    }
  });
});

it.each([
  ["MY", "10", 2024, "2024-10-31"],
  ["BA", "SRP", 2026, "2026-05-27"],
])("a holiday of %s %s in %s is listed once", async (country, region, year, date) => {
  const rows = await holidaysOf(await readPlace({ country, region }), year);
  expect(rows.filter((row) => row.date === date)).toHaveLength(1);
});

describe("days off that the library lacks, or has in excess", () => {
  it.each([
    ["TN", undefined, "2026-03-21", true, "the second day of the feast of Ramadan"],
    ["TN", undefined, "2026-05-29", true, "the third day of the feast of sacrifice"],
    ["DJ", undefined, "2026-05-28", true, "the second day of the feast of sacrifice"],
    ["DJ", undefined, "2026-06-28", true, "the second day of independence"],
    ["CM", undefined, "2026-08-25", true, "the Prophet's birthday"],
    ["CM", undefined, "2024-02-12", true, "Monday for a Youth Day on Sunday"],
    ["AX", undefined, "2026-06-09", true, "Autonomy Day"],
    ["AX", undefined, "2026-12-24", true, "Christmas Eve"],
    ["FI", "01", "2026-06-09", true, "Åland's Autonomy Day by its region in Finland"],
    ["FI", undefined, "2026-06-09", false, "Åland's Autonomy Day in the rest of Finland"],
    ["BA", "SRP", "2026-01-14", true, "Orthodox New Year"],
    ["RS", undefined, "2027-05-04", true, "Labour Day moved beyond Easter Monday"],
    ["MG", undefined, "2026-12-11", true, "Republic Day"],
    ["SE", undefined, "2026-06-19", false, "Midsummer Eve, which no law names"],
    ["SE", undefined, "2026-12-24", false, "Christmas Eve, which no law names"],
    ["SE", undefined, "2026-12-31", false, "New Year's Eve, which no law names"],
    ["SE", undefined, "2026-06-14", false, "an ordinary Sunday as a holiday"],
    ["UY", undefined, "2026-04-02", false, "Thursday of the week of tourism"],
    ["UY", undefined, "2026-04-03", false, "Friday of the week of tourism"],
    ["AU", "NSW", "2026-04-27", true, "an additional day after an Anzac Day on Saturday, by an order of 2026"],
    ["AU", "NSW", "2027-04-26", true, "an additional day after an Anzac Day on Sunday, by the same order"],
    ["AU", "NSW", "2026-08-03", false, "the day off of banks' own staff"],
  ])("%s %s %s: %s, %s", async (country, region, date, isOff, _what) => {
    const year = Number(date.slice(0, 4));
    expect((await daysOff(country, region, year, year)).has(date)).toBe(isOff);
  });
});
