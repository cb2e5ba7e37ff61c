import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { rows } from "../../capability/output.js";
import {
  FIRST_YEAR,
  HOLIDAY_TYPES,
  HOLIDAYS_SOURCE,
  holidaysOf,
  LAST_YEAR,
  languagesOf,
  reachNote,
} from "../../engines/holidays/holidays.js";
import { countryField, readPlace, regionField, regionOf } from "../../engines/holidays/place.js";
import { listField, readList } from "./_lists.js";

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
  source: HOLIDAYS_SOURCE,
  input: () =>
    z.strictObject({
      country: countryField(),
      year: z.int().min(FIRST_YEAR).max(LAST_YEAR).describe("The year"),
      region: regionField(),
      types: listField(HOLIDAY_TYPES, 60)
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
      note: z.string().nullable(),
    }),
  ),
  example: { country: "US", year: 2026, types: "public" },
  async check(input) {
    await readPlace(input);
  },
  async run({ year, types, ...input }) {
    const place = await readPlace(input);
    const language = input.lang?.toLowerCase();
    const wanted = new Set(types === undefined ? HOLIDAY_TYPES : readList(types, HOLIDAY_TYPES));
    const holidays = (await holidaysOf(place, year, language)).filter(({ type }) => wanted.has(type));
    const languages = await languagesOf(place);
    const note = reachNote(year, year);
    return {
      items: holidays.map(({ partDay: _, ...holiday }) => holiday),
      total: holidays.length,
      meta: {
        country: place.country,
        countryName: place.countryName,
        region: regionOf(place),
        year,
        lang: language ?? null,
        languages,
        ...(note ? { note } : {}),
      },
    };
  },
});
