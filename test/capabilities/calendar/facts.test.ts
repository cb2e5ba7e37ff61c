import { describe, expect, it } from "vitest";
import { calendarBusinessDays, calendarHolidays } from "../../../src/capabilities/calendar/index.js";

async function isBusinessDay(country: string, start: string) {
  const [code = "", ...region] = country.split("-");
  const { items } = await calendarBusinessDays({
    country: code,
    start,
    ...(region.length > 0 ? { region: region.join("-") } : {}),
  });
  return items[0]?.isBusinessDay;
}

describe("days off", () => {
  it.each([
    ["BG", "2026-09-07", "Labour Code, article 154: the Monday after Unification Day on a Sunday"],
    ["BG", "2025-05-26", "the Monday after Bulgarian Education Day on a Saturday"],
    ["CA-BC", "2026-09-30", "Employment Standards Act: National Day for Truth and Reconciliation"],
    ["CN", "2026-02-23", "State Council, notice of 2025: the eighth day of the Spring Festival"],
    ["CN", "2024-02-14", "State Council, notice of 2023"],
    ["CY", "2026-02-23", "Green Monday is a Monday"],
    ["GB-SCT", "2026-06-15", "Royal proclamation of February 2026"],
    ["GR", "2024-05-07", "Labour Day, moved from the Orthodox Holy Week"],
    ["ID", "2024-02-14", "general election"],
    ["IN", "2026-03-04", "Holi"],
    ["IN", "2024-10-31", "Diwali"],
    ["IN-JH", "2027-11-15", "Jharkhand Formation Day"],
    ["IN-OD", "2027-04-15", "Maha Vishuva Sankranti, under the state's code of today"],
    ["KR", "2026-02-16", "the day before the lunar new year"],
    ["KR", "2026-05-01", "Labour Day, since 2026"],
    ["KR", "2025-06-03", "presidential election"],
    ["MX", "2024-10-01", "Federal Labour Law, article 74: the federal executive changes"],
    ["MY", "2025-04-01", "the second day of Hari Raya Puasa"],
    ["PK", "2025-03-31", "Eid al-Fitr as announced"],
    ["QA", "2025-12-18", "Qatar National Day, a Thursday"],
    ["TH", "2026-05-01", "National Labour Day"],
    ["ZA", "2026-11-04", "declared for the municipal elections"],
    ["MY", "2026-03-20", "declared the day before Hari Raya on a Saturday"],
    ["UG", "2026-01-15", "declared for the general elections"],
    ["GH", "2026-07-03", "declared for Republic Day on a Wednesday"],
    ["PY", "2026-06-22", "Ley 7544/2025: Constitution Oath Day"],
    ["KR", "2027-07-19", "the Monday after Constitution Day on a Saturday"],
    ["KR", "2027-05-03", "the Monday after Labour Day on a Saturday"],
    ["TW", "2025-12-25", "Act on memorial days and holidays of 2025: Constitution Day"],
  ])("%s does not work on %s: %s", async (country, date) => {
    expect(await isBusinessDay(country, date)).toBe(false);
  });

  it.each([
    ["BR", "2026-02-17", "Carnival is a holiday of some states alone"],
    ["CN", "2026-06-01", "Children's Day is for children"],
    ["CN", "2026-10-10", "a Saturday that makes up for the National Day"],
    ["FI", "2026-12-31", "New Year's Eve"],
    ["GH", "2026-08-04", "Founder's Day is on 21 September again"],
    ["IE", "2026-04-03", "Good Friday is no public holiday"],
    ["KR", "2026-02-19", "the lunar new year ended the day before"],
    ["MX", "2026-04-02", "Maundy Thursday is not in article 74"],
    ["MX", "2026-04-03", "nor is Good Friday"],
    ["NL", "2026-12-31", "New Year's Eve is not in the Algemene termijnenwet"],
    ["SA", "2026-01-04", "a Sunday"],
    ["UA", "2026-05-01", "Law 2136-IX, article 6: no days off under martial law"],
    ["US-FL", "2026-10-12", "Columbus Day is none of the state's"],
  ])("%s works on %s: %s", async (country, date) => {
    expect(await isBusinessDay(country, date)).toBe(true);
  });

  it("still lists a day that is no longer one off, as optional", async () => {
    const { items } = await calendarHolidays({ country: "MX", year: 2026, types: "optional" });
    expect(items.map(({ date }) => date)).toEqual(expect.arrayContaining(["2026-04-02", "2026-04-03"]));
  });

  it("lists the three days of the Korean new year as one, in Korean too", async () => {
    const { items } = await calendarHolidays({ country: "KR", year: 2027, lang: "ko" });
    expect(items.find(({ name }) => name === "설날")).toMatchObject({ date: "2027-02-06", days: 3 });
  });

  it("lists feasts that fall on a weekend", async () => {
    const { items } = await calendarHolidays({ country: "IN", year: 2026, types: "public" });
    expect(items.find(({ name }) => name.startsWith("Diwali"))?.date).toBe("2026-11-08");
  });
});
