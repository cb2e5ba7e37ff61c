import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { countryCode, listOf } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import {
  FIRST_YEAR,
  HOLIDAYS_SOURCE,
  holidaysOf,
  LAST_YEAR,
  languagesOf,
  reachOf,
} from "../../engines/holidays/holidays.js";
import { readPlace, regionField, regionOf } from "../../engines/holidays/place.js";
import { HOLIDAY_TYPES } from "../../engines/holidays/types.js";
import { dateHolidays, pythonHolidays } from "../../providers/packaged/provider.js";

export const calendarHolidays = /* @__PURE__ */ defineCapability({
  id: "calendar.holidays",
  summary: "List a year's public, bank, school, optional and observed holidays of a country or region.",
  keywords: [
    "public holidays",
    "bank holidays",
    "national holiday",
    "days off",
    "germany",
    "usa",
    "christmas",
    "easter",
  ],
  price: "0.001",
  origins: [dateHolidays, pythonHolidays],
  source: HOLIDAYS_SOURCE,
  input: () =>
    z.strictObject({
      country: countryCode().describe("Country, ISO 3166-1 alpha-2, such as US or DE"),
      year: z.int().min(FIRST_YEAR).max(LAST_YEAR).describe("The year"),
      region: regionField(),
      types: listOf(HOLIDAY_TYPES, 60)
        .optional()
        .describe(`Kinds to list, divided by commas: ${HOLIDAY_TYPES.join(", ")}; all when left out`),
      lang: z
        .string()
        .max(5)
        .regex(/^[A-Za-z]{2,3}(-[A-Za-z]{2})?$/, "must be a language code such as en")
        .optional()
        .describe("Language of the names, ISO 639-1; where there are none in it, the country's own"),
    }),
  output: rows(() =>
    z.object({
      date: z.string().describe("YYYY-MM-DD, the first day"),
      name: z.string(),
      type: z.enum(HOLIDAY_TYPES),
      substitute: z.boolean().describe("A day off in place of a holiday on a weekend"),
      rule: z.string().describe("The rule that the date follows, in the library's notation"),
      days: z.int().describe("How many days it lasts"),
      partDay: z.boolean().describe("Begins at noon or lasts an afternoon: business days take it for a working day"),
      estimated: z
        .boolean()
        .describe("Computed from a moon calendar where the day is announced: it may be off by one or two"),
      note: z.string().nullable(),
    }),
  ),
  example: { country: "US", year: 2026, types: "public" },
  async read({ country, region, lang, types = [...HOLIDAY_TYPES], year }) {
    return { place: await readPlace({ country, region }), year, types, language: lang?.toLowerCase() };
  },
  async run({ place, year, types, language }) {
    const holidays = (await holidaysOf(place, year, language)).filter(({ type }) => types.includes(type));
    return {
      items: holidays,
      total: holidays.length,
      meta: {
        country: place.country,
        countryName: place.countryName,
        region: regionOf(place),
        year,
        lang: language ?? null,
        languages: await languagesOf(place),
        ...(await reachOf(place, year, year)),
      },
    };
  },
});
