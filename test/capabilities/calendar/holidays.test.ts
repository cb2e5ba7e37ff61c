import { describe, expect, it } from "vitest";
import { calendarHolidays } from "../../../src/capabilities/calendar/index.js";

type Input = Parameters<typeof calendarHolidays>[0];

async function list(country: string, year: number, options: Partial<Input> = {}) {
  return (await calendarHolidays({ country, year, ...options })).items;
}

describe("calendar.holidays", () => {
  it("lists a year with its substitute days", async () => {
    const { items, ...rest } = await calendarHolidays({ country: "us", year: 2026 });
    expect(rest).toEqual({
      ok: true,
      total: 23,
      source: {
        provider: "date-holidays, corrected after python-holidays",
        url: "https://github.com/commenthol/date-holidays",
        license: "ISC (code), CC BY-SA 3.0 (data); python-holidays MIT",
        attribution: expect.stringMatching(/date-holidays.*CC BY-SA 3\.0.*python-holidays.*MIT/),
      },
      meta: {
        country: "US",
        countryName: "United States of America",
        region: null,
        year: 2026,
        lang: null,
        languages: ["en-us", "en"],
        sources: expect.arrayContaining([expect.stringContaining("opm.gov")]),
      },
    });
    expect(items).toHaveLength(23);
    const rule = "07-04 and if sunday then next monday if saturday then previous friday";
    const shared = { type: "public", rule, days: 1, note: null, partDay: false, estimated: false };
    expect(items.filter(({ date }) => date.startsWith("2026-07"))).toEqual([
      { ...shared, date: "2026-07-03", name: "Independence Day (substitute day)", substitute: true },
      { ...shared, date: "2026-07-04", name: "Independence Day", substitute: false },
    ]);
  });

  it.each([
    ["JP", undefined, 23],
    ["DE", undefined, 30],
    ["DE", "BY", 34],
    ["DE", "by", 34],
    ["DE", "DE-BY", 34],
    ["DE", "BY-A", 35],
    ["de", "de-by-a", 35],
  ])("knows %s %s", async (country, region, count) => {
    expect(await list(country, 2026, { region })).toHaveLength(count);
  });

  it("knows regions in their own spelling", async () => {
    const { meta } = await calendarHolidays({ country: "CK", year: 2026, region: "RAROTONGA" });
    expect(meta).toMatchObject({ countryName: "Cook Islands", region: "Rarotonga" });
  });

  it("sorts by date", async () => {
    for (const country of ["IL", "KR", "AT", "CH"]) {
      const dates = (await list(country, 2026)).map(({ date }) => date);
      expect(dates).toEqual([...dates].sort());
    }
  });

  it("filters by type, in any case and order", async () => {
    const items = await list("US", 2026, { types: "Bank, PUBLIC" });
    expect(items).toHaveLength(12);
    expect(items.every(({ type }) => type === "public")).toBe(true);
    expect((await list("JP", 2026, { types: "bank" })).map(({ type }) => type)).toEqual(["bank", "bank", "bank"]);
  });

  it("gives a holiday of several days one row", async () => {
    const [eid] = (await list("AE", 2026, { lang: "en" })).filter(({ date }) => date === "2026-03-20");
    expect(eid).toMatchObject({ name: "End of Ramadan (Eid al-Fitr)", days: 3 });
    // PT90H: three days off and an eve.
    const [bayram] = (await list("TR", 2026)).filter(({ date }) => date === "2026-03-20");
    expect(bayram).toMatchObject({ name: "Ramazan Bayramı", days: 3 });
    // A day of 25 hours is a day.
    const [easter] = (await list("NZ", 2026)).filter(({ date }) => date === "2026-04-05");
    expect(easter?.days).toBe(1);
  });

  it("names holidays in the language asked for, else in the country's own", async () => {
    expect((await list("DE", 2026, { lang: "EN" }))[0]?.name).toBe("New Year's Day");
    expect((await list("DE", 2026, { lang: "zu" }))[0]?.name).toBe("Neujahr");
    expect((await list("CH", 2026, { lang: "fr" }))[0]?.name).toBe("Nouvel An");
    expect((await list("CH", 2026, { lang: "de-CH" })).length).toBeGreaterThan(0);
    const { meta } = await calendarHolidays({ country: "CH", year: 2026, lang: "FR" });
    expect(meta).toMatchObject({ lang: "fr", languages: ["de-ch", "de", "fr", "it", "en"] });
  });

  it("says which dates are estimates, and where its rules are from", async () => {
    const eid = async (year: number) =>
      (await list("PK", year, { lang: "en", types: "public" })).find(({ name }) => name.includes("Eid al-Fitr"));
    expect(await eid(2024)).toMatchObject({ date: "2024-04-10", estimated: false });
    expect(await eid(2028)).toMatchObject({ estimated: true });
    const { meta } = await calendarHolidays({ country: "KR", year: 2026 });
    expect(meta?.sources).toEqual(expect.arrayContaining([expect.stringContaining("https://")]));
  });

  it("says for which countries it does not vouch", async () => {
    const { meta } = await calendarHolidays({ country: "CM", year: 2026 });
    expect(meta).toMatchObject({ vouched: false, note: expect.stringMatching(/^Not vouched for: /) });
    expect((await calendarHolidays({ country: "FR", year: 2026 })).meta).not.toHaveProperty("vouched");
  });

  it("says so where moon calendars are out of reach", async () => {
    for (const year of [1950, 1969, 2077, 2100]) {
      const { meta, items } = await calendarHolidays({ country: "SA", year });
      expect(meta?.note).toMatch(/Islamic dates are known from 1970 to 2076/);
      expect(items.every(({ date }) => date.startsWith(String(year)))).toBe(true);
    }
    for (const year of [1970, 2076])
      expect((await calendarHolidays({ country: "SA", year })).meta?.note).not.toMatch(/Islamic/);
    expect((await calendarHolidays({ country: "SA", year: 2026 })).meta?.note).toBeUndefined();
  });

  it.each<[string, object, RegExp]>([
    ["country", { year: 2026 }, /required/],
    ["country", { country: "USA", year: 2026 }, /two-letter/],
    ["country", { country: "XX", year: 2026 }, /two-letter/],
    ["country", { country: "AQ", year: 2026 }, /not one of the \d{3} countries known here; with A begin AD, AE/],
    ["country", { country: "uk", year: 2026 }, /two-letter/],
    ["region", { country: "DE", year: 2026, region: "XX" }, /BB, BE, BW, BY, BY-A/],
    ["region", { country: "DE", year: 2026, region: "BY-B" }, /BY-A/],
    ["region", { country: "DE", year: 2026, region: "BY-DE-A" }, /BY-A/],
    ["region", { country: "SG", year: 2026, region: "X" }, /SG has none/],
    ["region", { country: "DE", year: 2026, region: "__proto__" }, /not one of DE/],
    ["region", { country: "DE", year: 2026, region: "r".repeat(11) }, /1 to 10/],
    ["year", { country: "US" }, /required/],
    ["year", { country: "US", year: 1949 }, /1950/],
    ["year", { country: "US", year: 2101 }, /2100/],
    ["year", { country: "US", year: 2026.5 }, /int/],
    ["types", { country: "US", year: 2026, types: "lunar" }, /public, bank, school, optional, observance/],
    ["types", { country: "US", year: 2026, types: "" }, /1 to 60/],
    ["types", { country: "US", year: 2026, types: "public,constructor" }, /public, bank/],
    ["types", { country: "US", year: 2026, types: "p".repeat(61) }, /60/],
    ["lang", { country: "US", year: 2026, lang: "e" }, /language code/],
    ["lang", { country: "US", year: 2026, lang: "const" }, /language code/],
    ["lang", { country: "US", year: 2026, lang: "eng-us" }, /5/],
  ])("refuses a wrong %s: %o", async (path, input, message) => {
    const refused = calendarHolidays(input as Input);
    await expect(refused).rejects.toMatchObject({ status: 400, code: "INVALID_INPUT" });
    const issues = await refused.catch((error) => error.issues);
    expect(issues[0]).toMatchObject({ path, message: expect.stringMatching(message) });
  });
});
