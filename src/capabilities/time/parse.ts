import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { readIso } from "../../engines/time/iso-8601.js";
import { isZoneOrOffset, openAnyZone } from "../../engines/time/local-time.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { openZones } from "../../lib/time-zone.js";

const DAY = 86_400_000;
const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));
/** Longer texts are read in a thread. */
const SMALL = 60;

const TYPES = ["date", "time", "datetime", "daterange", "timerange", "datetimerange", "duration", "set"] as const;

const readingSchema = () =>
  z.object({
    timex: z.string(),
    value: z.string().nullable(),
    start: z.string().nullable(),
    end: z.string().nullable(),
  });

export const timeParse = /* @__PURE__ */ defineCapability({
  id: "time.parse",
  method: "POST",
  summary:
    "Find dates, times, ranges, durations and repetitions in English text, and resolve them against a reference time.",
  keywords: [
    "natural language date",
    "date parser",
    "tomorrow at 5pm",
    "next friday",
    "relative date",
    "extract dates from text",
    "timex",
    "when is",
    "duration",
    "due date in words",
    "reminder",
  ],
  price: "0.001",
  offline: true,
  source: {
    provider: "built-in",
    url: "https://github.com/microsoft/Recognizers-Text",
    license: "Own code; vocabulary of results as in Recognizers-Text (MIT)",
  },
  input: () =>
    z.strictObject({
      text: text(1, 500).describe(
        "English text with dates and times. Not understood: seasons, fiscal and school years, meals, names of cities as zones, several days of one set; see unread",
      ),
      reference: text(4, 40)
        .optional()
        .describe("The time that tomorrow and next week count from, ISO 8601. Left out: now"),
      timeZone: text(1, 64)
        .optional()
        .describe("IANA zone in which an instant of the reference, or now, is read. Left out: as written, or UTC"),
      language: z.enum(["en"]).default("en").describe("Language of the text"),
      order: z
        .enum(["mdy", "dmy"])
        .default("mdy")
        .describe("How 5/6/2026 is read, unless only the other way makes a date"),
    }),
  output: one(() =>
    z.object({
      reference: z.string().describe("Local time that the text was read at"),
      matches: z.array(
        z.object({
          text: z.string().describe("As it stands in the text"),
          index: z.int().describe("Where it begins, in UTF-16 units"),
          type: z.enum(TYPES),
          value: z
            .string()
            .nullable()
            .describe(
              "A date, a time, both, or seconds of a duration; null for ranges, sets and days that do not exist",
            ),
          start: z.string().nullable().describe("Of a range"),
          end: z.string().nullable().describe("Of a range, which ends before it"),
          timex: z
            .string()
            .describe(
              "TIMEX3: what was said, with X for what was not; of a set that skips weeks with its period, such as XXXX-WXX-2/P2W",
            ),
          zone: z
            .object({
              text: z.string().describe("As it stands in the text, such as EST"),
              offset: z.string().nullable().describe("From UTC; null for letters that stand for several"),
              timeZone: z
                .string()
                .nullable()
                .describe("IANA name, of letters and words that tell a region, such as ET"),
            })
            .nullable()
            .describe("The zone that its times are told in, also behind the times of timex; null if it names none"),
          unread: z
            .array(z.string())
            .describe(
              "Words beside it that belong to it and were not understood: no reading takes them into account. Empty if all was read",
            ),
          modifier: z.string().nullable().describe("before, after, since or until"),
          ambiguous: z.boolean().describe("Whether there are several readings"),
          readings: z
            .array(readingSchema())
            .describe("All of them, earlier days first; value, start and end are of the next one"),
        }),
      ),
    }),
  ),
  example: {
    text: "Lunch tomorrow at 12:30 pm, then two weeks off from next Monday",
    reference: "2026-03-27T09:00:00",
  },
  read({ reference, timeZone, ...rest }) {
    if (rest.text.trim() === "") throw invalid("text", "must not be blank");
    if (timeZone !== undefined && !isZoneOrOffset(timeZone))
      throw invalid("timeZone", "must be an IANA time zone, such as Europe/Berlin");
    const given = reference === undefined ? undefined : readIso(reference);
    if (reference !== undefined && (!given || given.local < Date.UTC(1000, 0) || given.local > Date.UTC(9900, 0)))
      throw invalid(
        "reference",
        "must be a date or time of ISO 8601 in the years 1000 to 9900, such as 2026-03-27T09:00:00",
      );
    return { ...rest, timeZone, given };
  },
  async run({ text: words, timeZone, given, order }, ctx) {
    const { runInWorker } = await workers();
    const local = await (given === undefined ? localOf(ctx.clock().getTime(), timeZone) : readLocal(given, timeZone));
    const now = Math.floor(local / 1000) * 1000;
    const day = Math.floor(now / DAY) * DAY;
    const task = { text: words, reference: { day, time: now - day, order } };
    const found = await runInWorker(ctx, "time.parse", task, { field: "text", isSmall: words.length <= SMALL });
    const matches = found.map(({ readings, preferred, ...match }) => ({
      ...match,
      ...(readings[preferred] ?? { timex: "", value: null, start: null, end: null }),
      ambiguous: readings.length > 1,
      readings,
    }));
    return { item: { reference: new Date(now).toISOString().slice(0, 19), matches }, meta: method() };
  },
});

const localOf = async (instant: number, timeZone = "UTC"): Promise<number> =>
  instant + openAnyZone(timeZone, await openZones()).offsetAt(instant);

const readLocal = (
  { local, offset }: { local: number; offset: number | undefined },
  timeZone: string | undefined,
): number | Promise<number> =>
  offset === undefined || timeZone === undefined ? local : localOf(local - offset, timeZone);
