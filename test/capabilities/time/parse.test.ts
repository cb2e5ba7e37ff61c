import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { timeParse } from "../../../src/capabilities/time/parse.js";

const REFERENCE = "2016-11-07T16:12:00";
type Query = Parameters<typeof timeParse>[0];
const parse = async (input: Query) => {
  const [item] = (await timeParse(input, { clock: () => new Date("2026-01-01T23:30:00Z") })).items;
  if (!item) throw new Error("no item");
  return item;
};
const find = async (text: string, more: Partial<Query> = {}) =>
  (await parse({ text, reference: REFERENCE, ...more })).matches;

describe("time.parse", () => {
  it("finds what a sentence says about time, and where", async () => {
    const text = "Lunch tomorrow at 12:30 pm for 2 hours, then every Monday at 9am until 5 May 2017";
    expect((await find(text)).map(({ text, type, value, timex, index }) => [text, type, value, timex, index])).toEqual([
      ["tomorrow at 12:30 pm", "datetime", "2016-11-08 12:30:00", "2016-11-08T12:30", 6],
      ["2 hours", "duration", "7200", "PT2H", 31],
      ["every Monday at 9am", "set", null, "XXXX-WXX-1T09", 45],
      ["until 5 May 2017", "daterange", null, "2017-05-05", 65],
    ]);
  });

  it.each([
    ["today", "date", "2016-11-07", "2016-11-07"],
    ["4 Jan 2019", "date", "2019-01-04", "2019-01-04"],
    ["two weeks from next Friday", "date", "2016-12-02", "2016-12-02"],
    ["black friday 2010", "date", "2010-11-26", "2010-11-26"],
    ["easter 2018", "date", "2018-04-01", "2018-04-01"],
    ["half past seven in the evening", "time", "T19:30", "19:30:00"],
    ["in 5 minutes", "datetime", "2016-11-07T16:17:00", "2016-11-07 16:17:00"],
    ["end of tomorrow", "datetime", "2016-11-08T23:59:59", "2016-11-08 23:59:59"],
    ["tonight at 8", "datetime", "2016-11-07T20", "2016-11-07 20:00:00"],
    ["3.5 years", "duration", "P3.5Y", "110376000"],
    ["every other day", "set", "P2D", null],
    ["feb 30 2019", "date", "2019-02-30", null],
  ])("%s is a %s: %s, %s", async (text, type, timex, value) => {
    expect(await find(text)).toMatchObject([{ text, type, timex, value, ambiguous: false }]);
  });

  it.each([
    ["half past noon", "T12:30", "12:30:00"],
    ["half past midnight", "T00:30", "00:30:00"],
    ["quarter to noon", "T11:45", "11:45:00"],
    ["a quarter to midnight", "T23:45", "23:45:00"],
    ["ten past midday", "T12:10", "12:10:00"],
    ["20 minutes before noon", "T11:40", "11:40:00"],
    ["five minutes after 12 midnight", "T00:05", "00:05:00"],
  ])("%s is one time: %s, %s", async (text, timex, value) => {
    expect(await find(text)).toMatchObject([{ text, type: "time", timex, value, ambiguous: false }]);
  });

  it.each([
    ["the last monday of may", "XXXX-05-WXX-1-#-1", "2017-05-29"],
    ["last monday in may 2026", "2026-05-25", "2026-05-25"],
    ["the first monday of june", "XXXX-06-WXX-1-#1", "2017-06-05"],
    ["third thursday of november", "XXXX-11-WXX-4-#3", "2016-11-17"],
    ["2nd Tuesday of December, 2026", "2026-12-08", "2026-12-08"],
    ["the second to last friday of march 2026", "2026-03-20", "2026-03-20"],
    ["the first friday of next month", "2016-12-02", "2016-12-02"],
    ["first friday next month", "2016-12-02", "2016-12-02"],
    ["the last sunday of the month", "2016-11-27", "2016-11-27"],
    ["the last friday of last month", "2016-10-28", "2016-10-28"],
    ["last friday of the year", "2016-12-30", "2016-12-30"],
    ["the first monday of 2027", "2027-01-04", "2027-01-04"],
    ["the last day of february", "XXXX-02-#-1", "2017-02-28"],
    ["last day of the month", "2016-11-30", "2016-11-30"],
    ["the first day of next year", "2017-01-01", "2017-01-01"],
    ["the fifth monday of may 2017", "2017-05-29", "2017-05-29"],
    ["the fifth monday of june 2017", "2017-06-WXX-1-#5", null],
    ["2026-W48-1", "2026-11-23", "2026-11-23"],
    ["2026W487", "2026-11-29", "2026-11-29"],
    ["2020-W53-5", "2021-01-01", "2021-01-01"],
  ])("%s is the day %s, %s", async (text, timex, value) => {
    expect(await find(text)).toMatchObject([{ text, type: "date", timex, value }]);
  });

  it("gives the last and the next of a weekday in a month, and its time", async () => {
    const [day] = await find("the last monday of may");
    expect(day?.readings.map(({ value }) => value)).toEqual(["2016-05-30", "2017-05-29"]);
    expect(await find("the last monday of may at 9am")).toMatchObject([
      { type: "datetime", value: "2017-05-29 09:00:00" },
    ]);
    expect(await find("2026-W48-1T10:30")).toMatchObject([{ type: "datetime", value: "2026-11-23 10:30:00" }]);
  });

  it.each([
    ["every other tuesday", "XXXX-WXX-2/P2W"],
    ["every alternate Tuesday at 9am", "XXXX-WXX-2T09/P2W"],
    ["every second tuesday", "XXXX-WXX-2/P2W"],
    ["every third friday", "XXXX-WXX-5/P3W"],
    ["every two weeks on monday", "XXXX-WXX-1/P2W"],
    ["every other week on monday", "XXXX-WXX-1/P2W"],
    ["alternate tuesdays", "XXXX-WXX-2/P2W"],
    ["every tuesday", "XXXX-WXX-2"],
    ["every week on tuesday", "XXXX-WXX-2"],
    ["the last friday of every month", "XXXX-XX-WXX-5-#-1"],
    ["every second tuesday of the month at 5pm", "XXXX-XX-WXX-2-#2T17"],
    ["the first day of each month", "XXXX-XX-#1"],
    ["every other month", "P2M"],
  ])("%s is the set %s", async (text, timex) => {
    expect(await find(text)).toMatchObject([{ text, type: "set", timex, value: null }]);
  });

  it("reads a week of ISO 8601, and a wrong one as nothing", async () => {
    for (const text of ["2026-W48", "2026W48"])
      expect(await find(text)).toMatchObject([
        { text, type: "daterange", timex: "2026-W48", start: "2026-11-23", end: "2026-11-30" },
      ]);
    for (const text of ["2026-W54-1", "2026-W00", "2026-W48-8", "2025W53"]) expect(await find(text), text).toEqual([]);
  });

  it.each([
    ["next week", "daterange", "2016-W46", "2016-11-14", "2016-11-21"],
    ["this weekend", "daterange", "2016-W45-WE", "2016-11-12", "2016-11-14"],
    ["next 3 days", "daterange", "(2016-11-08,2016-11-11,P3D)", "2016-11-08", "2016-11-11"],
    ["last quarter", "daterange", "(2016-07-01,2016-10-01,P3M)", "2016-07-01", "2016-10-01"],
    ["January 12, 2016 - 01/22/2016", "daterange", "(2016-01-12,2016-01-22,P10D)", "2016-01-12", "2016-01-22"],
    ["from 5 to 6pm", "timerange", "(T17,T18,PT1H)", "17:00:00", "18:00:00"],
    ["tomorrow night", "datetimerange", "2016-11-08TNI", "2016-11-08 20:00:00", "2016-11-08 23:59:59"],
    [
      "next hour",
      "datetimerange",
      "(2016-11-07T16:12:00,2016-11-07T17:12:00,PT1H)",
      "2016-11-07 16:12:00",
      "2016-11-07 17:12:00",
    ],
    [
      "tomorrow from 5 to 6pm",
      "datetimerange",
      "(2016-11-08T17,2016-11-08T18,PT1H)",
      "2016-11-08 17:00:00",
      "2016-11-08 18:00:00",
    ],
  ])("%s is a %s that ends before its end", async (text, type, timex, start, end) => {
    expect(await find(text)).toMatchObject([{ text, type, timex, start, end }]);
  });

  it("gives all readings, and means the next day and the first half of it", async () => {
    const [friday] = await find("on Friday");
    expect(friday).toMatchObject({ text: "Friday", ambiguous: true, value: "2016-11-11", timex: "XXXX-WXX-5" });
    expect(friday?.readings.map(({ value }) => value)).toEqual(["2016-11-04", "2016-11-11"]);
    expect((await find("at 7"))[0]?.readings.map(({ timex }) => timex)).toEqual(["T07", "T19"]);
    expect((await find("before 2018"))[0]).toMatchObject({ modifier: "before", start: null, end: "2018-01-01" });
  });

  it("reads numbers in the order asked for, unless only the other makes a date", async () => {
    expect((await find("5/6/2026"))[0]?.value).toBe("2026-05-06");
    expect((await find("5/6/2026", { order: "dmy" }))[0]?.value).toBe("2026-06-05");
    expect((await find("22/6/2026"))[0]?.value).toBe("2026-06-22");
  });

  it("counts from now in the caller's zone", async () => {
    expect(await parse({ text: "today", timeZone: "Asia/Tokyo" })).toMatchObject({
      ...{ reference: "2026-01-02T08:30:00", matches: [{ value: "2026-01-02" }] },
    });
    const given = { text: "today", reference: "2026-01-01T23:30:00Z" };
    expect((await parse(given)).matches[0]?.value).toBe("2026-01-01");
    expect((await parse({ ...given, timeZone: "Europe/Berlin" })).matches[0]?.value).toBe("2026-01-02");
  });

  it.each([
    "This screen has a 4:3 aspect ratio.",
    "It costs $2016.",
    "version 1.2.3",
    "a second opinion",
    "Good morning",
  ])("finds nothing in: %s", async (text) => {
    expect(await find(text)).toEqual([]);
  });

  it.each([
    [{ text: "" }, "text"],
    [{ text: "  " }, "text"],
    [{ text: "x".repeat(501) }, "text"],
    [{ text: "today", reference: "yesterday" }, "reference"],
    [{ text: "today", reference: "0001-01-01" }, "reference"],
    [{ text: "today", timeZone: "Nowhere" }, "timeZone"],
    [{ text: "today", language: "de" as "en" }, "language"],
  ])("refuses %j at %s", async (input, path) => {
    await expect(parse(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
  });

  it.each([
    "1 day after ",
    "next ",
    "2 hours ",
    "from 1 to ",
    "monday, ",
    "20 ",
    "5-",
    "every ",
    "1/1/",
    "(",
    "in 9999 years ",
  ])("reads a long row of: %s", async (part) => {
    const matches = await find(part.repeat(500).slice(0, 500));
    expect(matches.length).toBeLessThanOrEqual(250);
  });

  it.each([
    ["week 31", "2016-W31", "2016-08-01", "2016-08-08"],
    ["the week 1 of 2027", "2027-W01", "2027-01-04", "2027-01-11"],
    ["the first week of 2015", "2015-W01", "2014-12-29", "2015-01-05"],
    ["last week of 2020", "2020-W53", "2020-12-28", "2021-01-04"],
    ["2019-Q3", "(2019-07-01,2019-10-01,P3M)", "2019-07-01", "2019-10-01"],
    ["2019 H2", "(2019-07-01,2020-01-01,P6M)", "2019-07-01", "2020-01-01"],
    ["the 15th century", "(1400-01-01,1500-01-01,P100Y)", "1400-01-01", "1500-01-01"],
    ["the next decade", "(2020-01-01,2030-01-01,P10Y)", "2020-01-01", "2030-01-01"],
    ["the last two decades", "(1990-01-01,2010-01-01,P20Y)", "1990-01-01", "2010-01-01"],
    ["earlier this month", "2016-11", "2016-11-01", "2016-11-07"],
    ["later in the year", "2016", "2016-11-07", "2017-01-01"],
    ["mid 1989", "1989", "1989-05-01", "1989-09-01"],
    ["2018 or later", "2018", "2018-01-01", null],
    ["greater than 2012", "2012", "2013-01-01", null],
    ["26 June to 28 June in 2020", "(2020-06-26,2020-06-28,P2D)", "2020-06-26", "2020-06-28"],
    ["12/20-1/5/2017", "(2016-12-20,2017-01-05,P16D)", "2016-12-20", "2017-01-05"],
    ["from next Monday to Friday", "(2016-11-14,2016-11-18,P4D)", "2016-11-14", "2016-11-18"],
    [
      "the 5 past minutes",
      "(2016-11-07T16:07:00,2016-11-07T16:12:00,PT5M)",
      "2016-11-07 16:07:00",
      "2016-11-07 16:12:00",
    ],
  ])("reads %s", async (text, timex, start, end) => {
    const [match, ...more] = await find(text);
    expect([match?.text, match?.timex, match?.start, match?.end, more]).toEqual([text, timex, start, end, []]);
  });

  it.each([
    ["two nights", "P2D"],
    ["½ hour", "PT0.5H"],
    ["2½ hours", "PT2.5H"],
  ])("reads the length of %s", async (text, timex) => {
    expect(await find(text)).toMatchObject([{ type: "duration", text, timex }]);
  });

  it.each([["week 54"], ["the 99th century"], ["2019 Q5"], ["2019 H3"], ["999999 next decades"], ["week 53 of 2019"]])(
    "makes no range of %s",
    async (text) => {
      const found = await find(text);
      expect(found.filter(({ text: part }) => part === text)).toEqual([]);
    },
  );

  it("stays within the calendar", async () => {
    for (const text of ["in 999999 years", "999999 weeks ago", "in 99999 business days", "999999 hours ago"])
      expect((await find(text)).length).toBeLessThanOrEqual(2);
  });
});

type Row = [input: string, reference: string, text: string, type: string, readings: (string | null)[][]];
const ROWS: Row[] = JSON.parse(readFileSync(new URL("../../suites/time/english.json", import.meta.url), "utf8"));

test("reads the texts of Recognizers-Text as counted: single dates, moments and times nearly all", async () => {
  const score: Record<string, [right: number, all: number]> = {};
  for (const [text, reference, , type, values] of ROWS) {
    const match = (await parse({ text, reference })).matches.find((one) => one.type === type);
    // Recognizers keep the zone out of the timex.
    const plain = (timex: string) => (match?.zone?.offset ? timex.replaceAll(match.zone.offset, "") : timex);
    const shown = match?.readings.map(({ timex, value, start, end }) => [plain(timex), value, start, end]);
    const wanted = values.map(([timex, value, start, end]) => [
      timex,
      value === "not resolved" ? null : value,
      start,
      end,
    ]);
    const key = `${type} of ${values.length === 1 ? "one reading" : "several"}`;
    const [right, all] = score[key] ?? [0, 0];
    score[key] = [right + (JSON.stringify(shown) === JSON.stringify(wanted) ? 1 : 0), all + 1];
  }
  expect(score).toMatchInlineSnapshot(`
    {
      "date of one reading": [
        123,
        126,
      ],
      "date of several": [
        36,
        47,
      ],
      "daterange of one reading": [
        196,
        260,
      ],
      "daterange of several": [
        38,
        56,
      ],
      "datetime of one reading": [
        49,
        49,
      ],
      "datetime of several": [
        23,
        27,
      ],
      "datetimerange of one reading": [
        34,
        55,
      ],
      "datetimerange of several": [
        22,
        38,
      ],
      "duration of one reading": [
        27,
        35,
      ],
      "set of one reading": [
        30,
        42,
      ],
      "time of one reading": [
        27,
        27,
      ],
      "time of several": [
        5,
        5,
      ],
      "timerange of one reading": [
        22,
        36,
      ],
      "timerange of several": [
        5,
        8,
      ],
    }
  `);
});
