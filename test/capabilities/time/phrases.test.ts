import { describe, expect, it } from "vitest";
import { timeParse } from "../../../src/capabilities/time/parse.js";
import { parseEnglish } from "../../../src/engines/time/english/parse.js";

const DAY = 86_400_000;
/** A Tuesday. */
const REFERENCE = "2026-11-24T10:00:00";
const find = async (text: string, reference = REFERENCE) => {
  const [item] = (await timeParse({ text, reference })).items;
  return item?.matches ?? [];
};

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

describe("ranges of weekdays", () => {
  const forms = [
    (a: string, b: string) => `from ${a} to ${b}`,
    (a: string, b: string) => `${a} - ${b}`,
    (a: string, b: string) => `between ${a} and ${b}`,
  ];
  it.each(WEEKDAYS)("beginning with %s end on the first such day after their start, whatever day it is", (first) => {
    for (let reference = Date.UTC(2026, 10, 23); reference < Date.UTC(2026, 10, 30); reference += DAY)
      for (const last of WEEKDAYS)
        for (const form of forms) {
          const text = form(first, last);
          const [match] = parseEnglish(text, { day: reference, time: 0, order: "mdy" });
          const length = (WEEKDAYS.indexOf(last) - WEEKDAYS.indexOf(first) + 7) % 7 || 7;
          expect(match?.text).toBe(text);
          expect(match?.readings.length).toBeGreaterThan(0);
          for (const { start, end, timex } of match?.readings ?? []) {
            const [from, to] = [Date.parse(start ?? ""), Date.parse(end ?? "")];
            expect([text, (to - from) / DAY, (new Date(from).getUTCDay() + 6) % 7]).toEqual([
              ...[text, length, WEEKDAYS.indexOf(first)],
            ]);
            expect(timex).toMatch(new RegExp(`,P${length}D\\)$`));
            expect(Math.abs(from - reference)).toBeLessThanOrEqual(7 * DAY);
          }
        }
  });

  it("have times as well", async () => {
    expect(await find("monday 9am to wednesday 5pm")).toMatchObject([
      { type: "datetimerange", start: "2026-11-30 09:00:00", end: "2026-12-02 17:00:00", unread: [] },
    ]);
    expect(await find("from the 25th to the 3rd")).toMatchObject([{ start: "2026-11-25", end: "2026-12-03" }]);
  });
});

describe("days beside others and within periods", () => {
  it.each([
    ["the last day of february 2028", "2028-02-29"],
    ["the first monday of october 2023", "2023-10-02"],
    ["the third thursday of november 2025", "2025-11-20"],
    ["the third thursday of the year 2025", "2025-01-16"],
    ["the last day of q1 2026", "2026-03-31"],
    ["the last day of the quarter", "2026-12-31"],
    ["the last friday of the first half of 2027", "2027-06-25"],
    ["the first business day of march 2026", "2026-03-02"],
    ["the last working day of october 2026", "2026-10-30"],
    ["the day after october 27, 2023", "2023-10-28"],
    ["the day before october 27, 2023", "2023-10-26"],
    ["day after 2024-02-28", "2024-02-29"],
    ["the day after the first monday of october 2023", "2023-10-03"],
    ["the day after the day after tomorrow", "2026-11-27"],
    ["the monday after october 27, 2023", "2023-10-30"],
    ["the second friday before christmas 2025", "2025-12-12"],
    ["the third tuesday after labor day 2024", "2024-09-17"],
    ["the business day after july 3, 2026", "2026-07-06"],
    ["the friday after next", "2026-12-11"],
    ["1 1/2 years ago", "2025-05-24"],
  ])("%s is %s", async (text, value) => {
    expect(await find(text)).toMatchObject([{ text, type: "date", value, timex: value, unread: [] }]);
  });

  it("tells both days where the other has no year", async () => {
    const [match] = await find("the day after christmas");
    expect(match).toMatchObject({ timex: "XXXX-12-26", value: "2026-12-26", ambiguous: true });
  });
});

describe("parts of periods and periods beside others", () => {
  it.each([
    ["first half of 2026", "2026-01-01", "2026-07-01"],
    ["the second half of next year", "2027-07-01", "2028-01-01"],
    ["H1 2026", "2026-01-01", "2026-07-01"],
    ["2H 2026", "2026-07-01", "2027-01-01"],
    ["the first half of march 2026", "2026-03-01", "2026-03-16"],
    ["the second half of the 19th century", "1850-01-01", "1900-01-01"],
    ["end of march 2026", "2026-03-16", "2026-04-01"],
    ["mid-march 2026", "2026-03-11", "2026-03-21"],
    ["beginning of q3 2026", "2026-07-01", "2026-08-01"],
    ["the last week of february 2028", "2028-02-21", "2028-02-28"],
    ["the first weekend of october 2023", "2023-10-07", "2023-10-09"],
    ["the first ten days of march 2026", "2026-03-01", "2026-03-11"],
    ["last three months of 2025", "2025-10-01", "2026-01-01"],
    ["the week after october 27, 2023", "2023-10-30", "2023-11-06"],
    ["the weekend after october 25, 2023", "2023-10-28", "2023-10-30"],
    ["the week of october 27, 2023", "2023-10-23", "2023-10-30"],
    ["the week after next", "2026-12-07", "2026-12-14"],
    ["the year after 2023", "2024-01-01", "2025-01-01"],
    ["before the end of march 2026", null, "2026-04-01"],
    ["since the beginning of 2026", "2026-01-01", null],
  ])("%s is from %s to %s", async (text, start, end) => {
    expect(await find(text)).toMatchObject([{ text, type: "daterange", start, end, unread: [] }]);
  });
});

describe("amounts with a fraction", () => {
  it.each([
    ["1 1/2 hours", "PT1.5H", "5400"],
    ["1-1/2 hours", "PT1.5H", "5400"],
    ["2 and 3/4 hours", "PT2.75H", "9900"],
    ["1 ½ hours", "PT1.5H", "5400"],
    ["1/2 hour", "PT0.5H", "1800"],
    ["half hour", "PT0.5H", "1800"],
    ["a quarter of an hour", "PT0.25H", "900"],
    ["three quarters of an hour", "PT0.75H", "2700"],
    ["two thirds of an hour", "PT0.6667H", "2400"],
    ["1,500 hours", "PT1500H", "5400000"],
  ])("%s is %s", async (text, timex, value) => {
    expect(await find(text)).toMatchObject([{ text, type: "duration", timex, value, unread: [] }]);
  });

  it("are days where no unit follows", async () => {
    expect((await find("from 1/2 to 3/4"))[0]).toMatchObject({ type: "daterange" });
    expect((await find("on 1/2"))[0]).toMatchObject({ type: "date", timex: "XXXX-01-02" });
  });
});

describe("zones of times", () => {
  it.each([
    ["8:00 PM EST", "T20:00-05:00", "-05:00", null],
    ["tomorrow at 8pm pst", "2026-11-25T20-08:00", "-08:00", null],
    ["8pm EDT tomorrow", "2026-11-25T20-04:00", "-04:00", null],
    ["2026-03-01T10:00Z", "2026-03-01T10:00Z", "+00:00", "UTC"],
    ["2026-03-01T10:00:00.123Z", "2026-03-01T10:00:00.123Z", "+00:00", "UTC"],
    ["2026-03-01T10:00+05:30", "2026-03-01T10:00+05:30", "+05:30", null],
    ["2026-03-01T10:00-0500", "2026-03-01T10:00-05:00", "-05:00", null],
    ["2026-03-01 10:00 UTC", "2026-03-01T10:00Z", "+00:00", "UTC"],
    ["17:30 UTC+2", "T17:30+02:00", "+02:00", null],
    ["from 2pm to 3pm CET", "(T14+01:00,T15+01:00,PT1H)", "+01:00", null],
    ["noon ET", "T12", null, "America/New_York"],
    ["5 pm Pacific time", "T17", null, "America/Los_Angeles"],
    ["3pm IST", "T15", null, null],
  ])("%s keeps its zone: %s", async (text, timex, offset, timeZone) => {
    expect(await find(text)).toMatchObject([{ text, timex, zone: { offset, timeZone }, ambiguous: false, unread: [] }]);
  });

  it("are none of words that only look alike, and ranges of clock times stay ranges", async () => {
    for (const text of ["we eat at 5pm eat well", "8pm art show", "5pm CEO office"])
      expect((await find(text))[0]).toMatchObject({ zone: null });
    expect((await find("10:00-11:30"))[0]).toMatchObject({ type: "timerange", zone: null });
  });

  it("do not make a length of times in different zones", async () => {
    expect(await find("10am PST to 1pm EST")).toMatchObject([
      { timex: "T10-08:00", unread: ["to 1pm EST"] },
      { timex: "T13-05:00" },
    ]);
  });
});

describe("sets", () => {
  it.each([
    ["every second friday", "XXXX-WXX-5/P2W"],
    ["every 2nd friday at 9am", "XXXX-WXX-5T09/P2W"],
    ["every two fridays", "XXXX-WXX-5/P2W"],
    ["every first monday", "XXXX-XX-WXX-1-#1"],
    ["the last business day of every month", "XXXX-XX-BD#-1"],
  ])("%s is %s", async (text, timex) => {
    expect(await find(text)).toMatchObject([{ text, type: "set", timex, unread: [] }]);
  });
});

describe("what a match leaves out", () => {
  it.each([
    ["the third blursday of october 2023", "october 2023", ["third blursday of"]],
    ["fiscal year 2026", "year 2026", ["fiscal"]],
    ["summer of 2026", "2026", ["summer of"]],
    ["christmas week", "christmas", ["week"]],
    ["the eve of christmas", "christmas", ["eve of"]],
    ["8pm IRST", "8pm", ["IRST"]],
    ["5pm London time", "5pm", ["London time"]],
    ["2 to 3 hours", "3 hours", ["2 to"]],
    ["every second and fourth friday of the month", "fourth friday of the month", ["every second and"]],
    ["every monday and wednesday", "every monday", ["and wednesday"]],
    ["monday to friday 9am to 5pm", "monday to friday", ["9am to 5pm"]],
    ["3 days before the end of march", "3 days", ["before the end of march"]],
    ["all mondays in march 2026", "mondays", ["in march 2026"]],
  ])("of %s is named beside %s: %j", async (text, part, unread) => {
    expect((await find(text))[0]).toMatchObject({ text: part, unread });
  });

  it.each([
    "Lunch tomorrow at 12:30 pm for 2 hours, then every Monday at 9am",
    "Take a week off. Tomorrow we meet",
    "class of 2020",
    "Start tomorrow",
    "happy hour tomorrow at 5pm",
    "flight 203 on friday",
    "iPhone 15 next week",
    "on Monday each team meets",
    "on Monday half of them came",
    "on Monday every employee got one",
  ])("is nothing in: %s", async (text) => {
    expect((await find(text)).flatMap(({ unread }) => unread)).toEqual([]);
  });
});

it.each([
  "the day after ",
  "the week of ",
  "first half of ",
  "1/2 ",
  "8pm EST ",
  "end of ",
  "every second and ",
  "the last day of ",
])("reads a long row of: %s", async (part) => {
  expect((await find(part.repeat(500).slice(0, 500))).length).toBeLessThanOrEqual(250);
});

describe("bounds and edges", () => {
  it.each([
    ["starting on september 2027", "2027-09-01", null, "since"],
    ["by the end of this month", null, "2026-12-01", "until"],
    ["more than 2 weeks before today", null, "2026-11-10", "before"],
    ["from 2007 to the end of 2008", "2007-01-01", "2009-01-01", null],
    ["the third month of 2021", "2021-03-01", "2021-04-01", null],
    ["august two thousand and fifteen", "2015-08-01", "2015-09-01", null],
    ["april of 87", "1987-04-01", "1987-05-01", null],
  ])("of %s are %s and %s", async (text, start, end, modifier) => {
    expect(await find(text)).toMatchObject([{ text, type: "daterange", start, end, modifier, unread: [] }]);
  });

  it.each([
    ["less than 3 days after tomorrow", "3 days after tomorrow", ["less than"]],
    ["2014 through may 2nd 2018", "2014", ["through may 2nd 2018"]],
    ["dec/2018-may/2019", "dec/2018", ["-may"]],
    ["between now and november 15th", "now", ["and november 15th"]],
    ["a week starting tomorrow", "a week", ["starting tomorrow"]],
    ["in the night-time", "in the night", ["-time"]],
    ["first monday evening of next month", "monday evening", ["first", "of next month"]],
    ["school year 2008", "year 2008", ["school"]],
    ["> = 2019", "2019", ["> ="]],
    ["from 10:30 to 3 on 1/1/2015", "from 10:30 to 3", ["on 1/1/2015"]],
    ["at least 3 hours", "3 hours", ["at least"]],
  ])("of %s are named beside %s: %j", async (text, part, unread) => {
    expect((await find(text))[0]).toMatchObject({ text: part, unread });
  });
});
