import { afterEach, describe, expect, it, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** The capabilities as a process in another time zone loads them: results are remembered, so they start anew. */
async function loadIn(zone: string) {
  vi.stubEnv("TZ", zone);
  vi.resetModules();
  return import("../../../src/capabilities/calendar/index.js");
}

describe.each([
  ["Pacific/Kiritimati", -840],
  ["America/Los_Angeles", 480],
  ["UTC", 0],
])("IN-17 in %s", (zone, offset) => {
  it("days are the same as everywhere", async () => {
    const { calendarBusinessDays, calendarHolidays } = await loadIn(zone);
    expect(new Date(2026, 0, 1).getTimezoneOffset()).toBe(offset);

    const { items } = await calendarHolidays({ country: "SA", year: 2026, lang: "en" });
    expect(items.map(({ date, days }) => [date, days])).toEqual([
      ["2026-02-22", 1],
      ["2026-03-19", 4],
      ["2026-03-23", 1],
      ["2026-03-24", 1],
      ["2026-05-26", 4],
      ["2026-05-31", 1],
      ["2026-09-23", 1],
    ]);
    const shift = await calendarBusinessDays({ country: "US", start: "2026-07-02", addDays: 1 });
    expect(shift.items[0]?.resultDate).toBe("2026-07-06");
    const count = await calendarBusinessDays({ country: "GB", start: "2026-03-01", end: "2026-04-30" });
    expect(count.items[0]).toMatchObject({ businessDays: 42, calendarDays: 60 });
    const check = await calendarBusinessDays({ country: "US", start: "2026-11-26" });
    expect(check.items[0]).toMatchObject({ isBusinessDay: false, isWeekend: false });
  });
});
