import { describe, expect, it } from "vitest";
import { calendarBusinessDays } from "../../../src/capabilities/calendar/index.js";
import { createBusinessCalendar } from "../../../src/engines/holidays/business-calendar.js";
import { toDay } from "../../../src/engines/holidays/days.js";

type Input = Parameters<typeof calendarBusinessDays>[0];

async function ask(input: Input) {
  const { items } = await calendarBusinessDays(input);
  return items[0];
}

describe("calendar.business-days", () => {
  it("shifts a date over weekends and holidays", async () => {
    expect(await calendarBusinessDays({ country: "us", start: "2026-07-02", addDays: 1 })).toEqual({
      ok: true,
      items: [
        {
          mode: "shift",
          country: "US",
          region: null,
          start: "2026-07-02",
          end: null,
          addDays: 1,
          resultDate: "2026-07-06",
          businessDays: null,
          calendarDays: 4,
          isBusinessDay: null,
          isWeekend: false,
          weekend: ["sat", "sun"],
          types: ["public", "bank"],
          skippedHolidays: [
            {
              ...{ date: "2026-07-03", name: "Independence Day (substitute day)", type: "public", substitute: true },
              estimated: false,
            },
          ],
          makeUpDays: [],
        },
      ],
      total: 1,
      source: {
        provider: "date-holidays, corrected after python-holidays",
        url: "https://github.com/commenthol/date-holidays",
        license: "ISC (code), CC BY-SA 3.0 (data); python-holidays MIT",
        attribution: expect.stringMatching(/date-holidays.*CC BY-SA 3\.0.*python-holidays.*MIT/),
      },
      meta: { sources: expect.arrayContaining([expect.stringContaining("opm.gov")]) },
    });
  });

  it.each<[string, string, number, string]>([
    ["US", "2026-07-06", -1, "2026-07-02"],
    ["GB", "2022-12-23", 1, "2022-12-28"],
    // New Year's Day 2022 was a Saturday, so the day off lay in the year before.
    ["US", "2021-12-30", 1, "2022-01-03"],
    ["US", "2026-03-07", 1, "2026-03-09"],
    // Women's Day is a holiday from noon on: March 8, 2027 is a Monday.
    ["CN", "2027-03-05", 1, "2027-03-08"],
    // Three days of feast from March 20, 2026, a Friday; Monday is the first day of work.
    ["TR", "2026-03-19", 1, "2026-03-23"],
    ["US", "2026-03-02", 3660, "2040-10-19"],
    ["US", "2040-10-19", -3660, "2026-03-02"],
  ])("%s: %s and %i business days are %s", async (country, start, addDays, resultDate) => {
    expect(await ask({ country, start, addDays })).toMatchObject({ mode: "shift", resultDate });
  });

  it("skips a holiday of several days day by day", async () => {
    const item = await ask({ country: "SA", start: "2026-03-18", addDays: 1 });
    expect(item?.weekend).toEqual(["fri", "sat"]);
    expect(item?.resultDate).toBe("2026-03-25");
    // Two days of the feast fall on the weekend, and are given back.
    const skipped = ["2026-03-19", "2026-03-22", "2026-03-23", "2026-03-24"];
    expect(item?.skippedHolidays.map(({ date }) => date)).toEqual(skipped);
  });

  it("says which days are estimates, also beside the days that are asked for", async () => {
    const asked = await calendarBusinessDays({ country: "MY", start: "2027-03-08", end: "2027-03-15" });
    expect(asked.items[0]?.skippedHolidays).toMatchObject([
      { date: "2027-03-10", estimated: true },
      { date: "2027-03-11", estimated: true },
    ]);
    expect(asked.meta).toMatchObject({ note: expect.stringContaining("may move by a day: 2027-03-10, 2027-03-11.") });
    const beside = await calendarBusinessDays({ country: "MY", start: "2027-03-09" });
    expect(beside.meta).toMatchObject({ note: expect.stringContaining("2027-03-10") });
    const announced = await calendarBusinessDays({ country: "MY", start: "2026-03-19", end: "2026-03-24" });
    expect(announced.items[0]?.skippedHolidays.map(({ date, estimated }) => [date, estimated])).toEqual([
      ["2026-03-20", false],
      ["2026-03-23", false],
    ]);
    expect(announced.meta).not.toHaveProperty("note");
  });

  it("counts after start, up to and with end", async () => {
    const counted = await ask({ country: "US", start: "2026-07-01", end: "2026-07-07" });
    expect(counted).toMatchObject({ mode: "count", businessDays: 3, calendarDays: 6, resultDate: null });
    expect(counted?.skippedHolidays.map(({ date }) => date)).toEqual(["2026-07-03"]);
    expect(await ask({ country: "US", start: "2026-07-07", end: "2026-07-01" })).toMatchObject({
      businessDays: -3,
      calendarDays: -6,
    });
    expect(await ask({ country: "US", start: "2026-07-07", end: "2026-07-07" })).toMatchObject({ businessDays: 0 });
  });

  it("a shift counted back gives the same number", async () => {
    for (const country of ["US", "DE", "JP", "AE"])
      for (const addDays of [-200, -7, 3, 250]) {
        const shifted = await ask({ country, start: "2026-05-13", addDays });
        const counted = await ask({ country, start: "2026-05-13", end: shifted?.resultDate ?? "" });
        expect(counted?.businessDays).toBe(addDays);
      }
  });

  it.each([
    ["2026-11-26", false, false, ["Thanksgiving Day"]],
    ["2026-11-27", true, false, []],
    ["2026-11-28", false, true, []],
    ["2026-07-04", false, true, []],
  ])("checks %s", async (start, isBusinessDay, isWeekend, names) => {
    const item = await ask({ country: "US", start });
    expect(item).toMatchObject({ mode: "check", isBusinessDay, isWeekend, calendarDays: 0, businessDays: null });
    expect(item?.skippedHolidays.map(({ name }) => name)).toEqual(names);
  });

  it("knows regions, other weekends and other kinds of holidays", async () => {
    expect(await ask({ country: "DE", start: "2026-01-06" })).toMatchObject({ isBusinessDay: true });
    expect(await ask({ country: "DE", region: "by", start: "2026-01-06" })).toMatchObject({
      isBusinessDay: false,
      region: "BY",
    });
    expect(await ask({ country: "US", start: "2026-11-26", types: "school" })).toMatchObject({ isBusinessDay: true });
    expect(await ask({ country: "US", start: "2026-03-06", weekend: "Sat, FRI" })).toMatchObject({
      isWeekend: true,
      weekend: ["fri", "sat"],
    });
    expect(await ask({ country: "US", start: "2026-03-08", weekend: "sat" })).toMatchObject({ isBusinessDay: true });
  });

  it("answers at the edges and says what is out of reach", async () => {
    const late = await calendarBusinessDays({ country: "SA", start: "2100-12-31", addDays: 3660 });
    expect(late.items[0]?.resultDate).toMatch(/^211/);
    expect(late.meta?.note).toMatch(/1970 to 2076/);
    const early = await calendarBusinessDays({ country: "US", start: "1950-01-01", addDays: -1 });
    expect(early.items[0]?.resultDate).toBe("1949-12-30");
    const whole = await calendarBusinessDays({ country: "US", start: "1950-01-01", end: "2100-12-31" });
    expect(whole.items[0]).toMatchObject({ calendarDays: 55151 });
    expect((await calendarBusinessDays({ country: "SA", start: "2026-01-01", addDays: 5 })).meta?.note).toBeUndefined();
  });

  it.each([
    ["SA", "2026-01-02", ["fri", "sat"]],
    ["SA", "2013-06-27", ["thu", "fri"]],
    ["AE", "2021-12-31", ["fri", "sat"]],
    ["AE", "2022-01-01", ["sat", "sun"]],
    ["BN", "2026-01-02", ["fri", "sun"]],
    ["IR", "2026-01-02", ["fri"]],
    ["MX", "2026-01-03", ["sat", "sun"]],
  ])("%s rests on its own weekend: %s", async (country, start, weekend) => {
    expect(await ask({ country, start })).toMatchObject({ weekend, isWeekend: true, isBusinessDay: false });
  });

  it("knows the days of China's weekends that are worked", async () => {
    expect(await ask({ country: "CN", start: "2026-02-14" })).toMatchObject({
      isBusinessDay: true,
      isWeekend: true,
      makeUpDays: ["2026-02-14"],
    });
    const february = await ask({ country: "CN", start: "2026-01-31", end: "2026-02-28" });
    expect(february).toMatchObject({ businessDays: 16, makeUpDays: ["2026-02-14", "2026-02-28"] });
  });

  it("RES-6 one working day a week still ends, and seven weekend days are refused", async () => {
    const weekend = "mon,tue,wed,thu,fri,sat";
    const item = await ask({ country: "US", start: "2026-03-02", addDays: 52, weekend });
    expect(item?.resultDate).toMatch(/^2027/);
    await expect(
      ask({ country: "US", start: "2026-03-02", addDays: 1, weekend: `${weekend},sun` }),
    ).rejects.toMatchObject({ status: 400, issues: [{ path: "weekend", message: "must leave a day to work on" }] });
  });

  it("stops computing when the call ends", async () => {
    const controller = new AbortController();
    const place = { country: "CN", countryName: "China" };
    const calendar = createBusinessCalendar({ place, weekend: ["sun"], types: ["public"], signal: controller.signal });
    expect(await calendar.isBusinessDay(toDay("2026-03-02"))).toBe(true);
    controller.abort();
    await expect(calendar.count(toDay("2026-03-02"), toDay("2100-12-31"))).rejects.toThrow("aborted");
  });

  it.each<[string, object]>([
    ["country", { start: "2026-03-02" }],
    ["country", { country: "USA", start: "2026-03-02" }],
    ["country", { country: "QQ", start: "2026-03-02" }],
    ["region", { country: "US", start: "2026-03-02", region: "ZZ" }],
    ["region", { country: "US", start: "2026-03-02", region: "r".repeat(11) }],
    ["start", { country: "US" }],
    ["start", { country: "US", start: "2026-02-30" }],
    ["start", { country: "US", start: "03/02/2026" }],
    ["start", { country: "US", start: "1949-12-31" }],
    ["end", { country: "US", start: "2026-03-02", end: "2101-01-01" }],
    ["end", { country: "US", start: "2026-03-02", end: "2026-02-29" }],
    ["addDays", { country: "US", start: "2026-03-02", addDays: 0 }],
    ["addDays", { country: "US", start: "2026-03-02", addDays: 3661 }],
    ["addDays", { country: "US", start: "2026-03-02", addDays: -3661 }],
    ["addDays", { country: "US", start: "2026-03-02", addDays: 1.5 }],
    ["addDays", { country: "US", start: "2026-03-02", addDays: 5, end: "2026-03-10" }],
    ["weekend", { country: "US", start: "2026-03-02", weekend: "funday" }],
    ["weekend", { country: "US", start: "2026-03-02", weekend: "" }],
    ["weekend", { country: "US", start: "2026-03-02", weekend: "sat,".repeat(8) }],
    ["types", { country: "US", start: "2026-03-02", types: "lunar" }],
    ["types", { country: "US", start: "2026-03-02", types: "public,".repeat(9) }],
  ])("IN-17 refuses a wrong %s: %o", async (path, input) => {
    const refused = calendarBusinessDays(input as Input);
    await expect(refused).rejects.toMatchObject({ status: 400, code: "INVALID_INPUT" });
    expect((await refused.catch((error) => error.issues))[0].path).toBe(path);
  });
});
