import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { isoDate } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { type BusinessCalendar, createBusinessCalendar } from "../../engines/holidays/business-calendar.js";
import { FIRST_YEAR, HOLIDAY_TYPES, HOLIDAYS_SOURCE, LAST_YEAR, reachNote } from "../../engines/holidays/holidays.js";
import { countryField, readPlace, regionField, regionOf } from "../../engines/holidays/place.js";
import { invalid } from "../../errors.js";
import { toDay, toIso, WEEKDAYS, yearOf } from "../../lib/days.js";
import { listField, readList } from "./_lists.js";

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
  source: HOLIDAYS_SOURCE,
  input: () =>
    z.strictObject({
      country: countryField(),
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
      weekend: listField(WEEKDAYS, 30)
        .refine((list) => (readList(list, WEEKDAYS)?.length ?? 0) < WEEKDAYS.length, "must leave a day to work on")
        .default("sat,sun")
        .describe(
          `Days off in every week, divided by commas: ${WEEKDAYS.join(", ")}. Make-up working days, as in China, are not known`,
        ),
      types: listField(HOLIDAY_TYPES, 60)
        .default("public,bank")
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
        .array(z.object({ date: z.string(), name: z.string(), type: z.enum(HOLIDAY_TYPES), substitute: z.boolean() }))
        .describe("Days off that would else have been business days, in the order of the walk"),
    }),
  ),
  example: { country: "US", start: "2026-07-02", addDays: 1 },
  async check(input) {
    if (input.addDays !== undefined && input.end !== undefined)
      throw invalid("addDays", "cannot be combined with end: leave out one of them");
    await readPlace(input);
  },
  async run(input, ctx) {
    const place = await readPlace(input);
    const weekend = readList(input.weekend, WEEKDAYS) ?? [];
    const types = readList(input.types, HOLIDAY_TYPES) ?? [];
    const calendar = createBusinessCalendar({ place, weekend, types, signal: ctx.signal });
    const start = toDay(input.start);
    const { last, ...answer } = await ask(calendar, start, input);
    const note = reachNote(yearOf(Math.min(start, last)), yearOf(Math.max(start, last)));
    return {
      item: {
        ...answer,
        country: place.country,
        region: regionOf(place),
        start: input.start,
        end: input.end ?? null,
        addDays: input.addDays ?? null,
        calendarDays: last - start,
        isWeekend: calendar.isWeekend(start),
        weekend,
        types,
        skippedHolidays: calendar.skipped,
      },
      ...(note ? { meta: { note } } : {}),
    };
  },
});

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
