import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { countryCode, isoDate, listOf } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { type BusinessCalendar, createBusinessCalendar } from "../../engines/holidays/business-calendar.js";
import { toDay, toIso, WEEKDAYS, yearOf } from "../../engines/holidays/days.js";
import { FIRST_YEAR, HOLIDAYS_SOURCE, LAST_YEAR, reachOf } from "../../engines/holidays/holidays.js";
import { readPlace, regionField, regionOf } from "../../engines/holidays/place.js";
import { HOLIDAY_TYPES } from "../../engines/holidays/types.js";
import { invalid } from "../../errors.js";
import { dateHolidays, pythonHolidays } from "../../providers/packaged/provider.js";

const MAX_SHIFT = 3660;

const day = () =>
  isoDate().refine((date) => Number(date.slice(0, 4)) >= FIRST_YEAR && Number(date.slice(0, 4)) <= LAST_YEAR, {
    message: `must lie in the years ${FIRST_YEAR} to ${LAST_YEAR}`,
  });

export const calendarBusinessDays = /* @__PURE__ */ defineCapability({
  id: "calendar.business-days",
  summary: "Add business days to a date, count them between two dates, or check one, by a country's holidays.",
  keywords: ["working days", "workdays", "next working day", "next business day", "deadline", "due date", "weekend"],
  price: "0.001",
  origins: [dateHolidays, pythonHolidays],
  source: HOLIDAYS_SOURCE,
  input: () =>
    z.strictObject({
      country: countryCode().describe("Country, ISO 3166-1 alpha-2, such as US or DE"),
      start: day().describe("The date to check, or to start from (itself not counted)"),
      addDays: z
        .int()
        .min(-MAX_SHIFT)
        .max(MAX_SHIFT)
        .refine((days) => days !== 0, "must not be 0")
        .optional()
        .describe("Business days to go forward, or back when negative; not together with end"),
      end: day().optional().describe("Count the business days up to this date (itself counted); negative before start"),
      region: regionField(),
      weekend: listOf(WEEKDAYS, 30)
        .refine((days) => days.length < WEEKDAYS.length, "must leave a day to work on")
        .optional()
        .describe(
          `Days off in every week, divided by commas: ${WEEKDAYS.join(", ")}; the country's own when left out, mostly sat,sun`,
        ),
      types: listOf(HOLIDAY_TYPES, 60)
        .prefault("public,bank")
        .describe(`Kinds of holidays that are days off, divided by commas: ${HOLIDAY_TYPES.join(", ")}`),
    }),
  output: one(() =>
    z.object({
      mode: z.enum(["shift", "count", "check"]),
      country: z.string(),
      region: z.string().nullable(),
      start: z.string(),
      end: z.string().nullable(),
      addDays: z.int().nullable(),
      resultDate: z.string().nullable().describe("shift: the date that was reached"),
      businessDays: z.int().nullable().describe("count: business days after start, up to and with end"),
      calendarDays: z.int().describe("Days from start to end or resultDate; 0 in check"),
      isBusinessDay: z.boolean().nullable().describe("check: whether start is one"),
      isWeekend: z.boolean().describe("Whether start falls on the weekend"),
      weekend: z.array(z.enum(WEEKDAYS)),
      types: z.array(z.enum(HOLIDAY_TYPES)),
      skippedHolidays: z
        .array(
          z.object({
            date: z.string(),
            name: z.string(),
            type: z.enum(HOLIDAY_TYPES),
            substitute: z.boolean(),
            estimated: z.boolean().describe("Whether the date is computed until it is announced"),
          }),
        )
        .describe("Days off that would else have been business days, in the order of the walk"),
      makeUpDays: z
        .array(z.string())
        .describe("Days of the weekend that are worked to make up for a bridge, as in China, in the order of the walk"),
    }),
  ),
  example: { country: "US", start: "2026-07-02", addDays: 1 },
  async read({ country, region, ...question }) {
    if (question.addDays !== undefined && question.end !== undefined)
      throw invalid("addDays", "cannot be combined with end: leave out one of them");
    return { ...question, place: await readPlace({ country, region }) };
  },
  async run({ place, weekend, types, ...question }, ctx) {
    const calendar = createBusinessCalendar({ place, weekend, types, signal: ctx.signal });
    const start = toDay(question.start);
    const { last, ...answer } = await ask(calendar, start, question);
    const reach = await reachOf(place, yearOf(Math.min(start, last)), yearOf(Math.max(start, last)));
    const note = [reach.note, estimateNote(calendar.estimates)].filter(Boolean).join(" ");
    return {
      item: {
        ...answer,
        country: place.country,
        region: regionOf(place),
        start: question.start,
        end: question.end ?? null,
        addDays: question.addDays ?? null,
        calendarDays: last - start,
        isWeekend: calendar.isWeekend(start),
        weekend: [...calendar.weekendAt(start)],
        types,
        skippedHolidays: calendar.skipped,
        makeUpDays: calendar.makeUpDays,
      },
      ...(Object.keys(reach).length > 0 || note ? { meta: { ...reach, ...(note ? { note } : {}) } } : {}),
    };
  },
});

/** Dates that a note names. */
const MAX_NAMED = 10;

function estimateNote(estimates: ReadonlySet<string>): string | undefined {
  if (estimates.size === 0) return undefined;
  const dates = [...estimates].sort();
  const named = dates.slice(0, MAX_NAMED).join(", ");
  const rest = dates.length > MAX_NAMED ? ` and ${dates.length - MAX_NAMED} more` : "";
  return `Dates that are computed until they are announced, and may move by a day: ${named}${rest}.`;
}

/** Answers one of the three questions; `last` is the day at the far end. */
async function ask(
  calendar: BusinessCalendar,
  start: number,
  input: { addDays?: number | undefined; end?: string | undefined },
) {
  const unasked = { resultDate: null, businessDays: null, isBusinessDay: null };
  if (input.addDays !== undefined) {
    const last = await calendar.shift(start, input.addDays);
    return { ...unasked, mode: "shift" as const, last, resultDate: toIso(last) };
  }
  if (input.end !== undefined) {
    const last = toDay(input.end);
    return { ...unasked, mode: "count" as const, last, businessDays: await calendar.count(start, last) };
  }
  return { ...unasked, mode: "check" as const, last: start, isBusinessDay: await calendar.isBusinessDay(start) };
}
