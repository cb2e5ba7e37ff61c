import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { isoDateTime, text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { CronError, type CronExpression, parseCron } from "../../engines/time/cron-expression.js";
import { CRONSTRUE_VERSION, describeCron, LANGUAGES, readLanguage } from "../../engines/time/cron-words.js";
import { dataText, isZoneOrOffset, openAnyZone } from "../../engines/time/local-time.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { openZones } from "../../lib/time-zone.js";

/** Loaded by the first run, so that catalogues start without it. */
const cronRuns = /* @__PURE__ */ lazy(() => import("../../engines/time/cron-runs.js"));

const runSchema = () =>
  z.object({
    instant: z.string().describe("In UTC"),
    local: z.string().describe("What clocks of the zone show"),
    offset: z.string().describe("From UTC, such as +02:00"),
    note: z.string().nullable().describe("How a clock change moved or doubled it"),
  });

export const devCron = /* @__PURE__ */ defineCapability({
  id: "dev.cron",
  summary:
    "Explain a cron expression in words and list its next and previous runs in a time zone, across daylight saving changes.",
  keywords: [
    "crontab",
    "cron schedule",
    "next run",
    "explain cron",
    "when does this cron run",
    "quartz",
    "cron parser",
    "cron to english",
    "daylight saving",
    "job schedule",
    "validate cron",
  ],
  price: "0.001",
  offline: true,
  source: { provider: "built-in (cronstrue)", url: "https://github.com/bradymholt/cRonstrue", license: "MIT" },
  packages: ["cronstrue"],
  input: () =>
    z.strictObject({
      expression: text(1, 200).describe(
        "Five to seven fields ([second] minute hour day month weekday [year]) with names, L, W, #, ?, steps and ranges, or @daily and the like",
      ),
      timeZone: text(1, 64)
        .optional()
        .describe("IANA zone, such as Europe/Berlin. Left out: the zone of TZ= before the expression, or UTC"),
      from: isoDateTime().optional().describe("Runs after this time are listed. Left out: now"),
      count: z.int().min(1).max(100).default(5).describe("How many runs to list"),
      gap: z
        .enum(["next", "skip"])
        .default("next")
        .describe("Of a fixed hour that clocks skip: run at the first moment after the gap, or leave it out"),
      language: text(2, 12)
        .default("en")
        .describe(`Language of the description: ${LANGUAGES.join(", ")}`),
    }),
  output: one(() =>
    z.object({
      expression: z.string(),
      timeZone: z.string(),
      description: z.string().nullable().describe("In words; null for what has none in this language"),
      fields: z.object({
        second: z.string(),
        minute: z.string(),
        hour: z.string(),
        dayOfMonth: z.string(),
        month: z.string(),
        dayOfWeek: z.string(),
        year: z.string(),
      }),
      next: z.array(runSchema()).describe("Fewer than asked for if the expression ends; empty if it never runs"),
      previous: runSchema().nullable().describe("The last run before"),
      warnings: z.array(z.string()).describe("What often surprises, in words"),
    }),
  ),
  example: { expression: "30 2 * * *", timeZone: "Europe/Berlin", from: "2026-03-28T00:00:00Z", count: 3 },
  read({ expression, timeZone, language, ...rest }) {
    const cron = parsed(expression);
    const zone = timeZone ?? cron.timeZone ?? "UTC";
    if (!isZoneOrOffset(zone))
      throw invalid(
        timeZone === undefined ? "expression" : "timeZone",
        "must name an IANA time zone, such as Europe/Berlin",
      );
    const known = readLanguage(language);
    if (known === undefined) throw invalid("language", `must be one of ${LANGUAGES.join(", ")}`);
    return { ...rest, expression: expression.trim(), cron, timeZone: zone, language: known };
  },
  async run({ expression, cron, timeZone, language, from, count, gap }, ctx) {
    const start = from === undefined ? ctx.clock().getTime() : Date.parse(from);
    const zones = await openZones();
    const zone = openAnyZone(timeZone, zones);
    const { openRuns } = await cronRuns();
    const runs = openRuns(cron, zone, gap);
    const next = runs.after(start, count);
    const last = next.at(-1);
    const isEither = !cron.anyDay && !cron.anyWeekday;
    const description = await describeCron(expression.replace(/^(?:CRON_)?TZ=\S+\s+/, ""), { language, isEither });
    const skipped = last ? runs.skipped(start, Date.parse(last.instant)) : [];
    return {
      item: {
        ...{ expression, timeZone, description, fields: cron.text, next },
        previous: runs.before(start) ?? null,
        warnings: warningsOf(cron, { neverRuns: last === undefined, skipped, timeZone, gap }),
      },
      meta: method({ engine: "cronstrue", version: CRONSTRUE_VERSION, data: dataText(zones.dataAt(start)) }),
    };
  },
});

function parsed(expression: string): CronExpression {
  try {
    return parseCron(expression);
  } catch (error) {
    if (error instanceof CronError) throw invalid("expression", error.message);
    throw error;
  }
}

interface Found {
  neverRuns: boolean;
  skipped: string[];
  timeZone: string;
  gap: "next" | "skip";
}

function warningsOf(cron: CronExpression, { neverRuns, skipped, timeZone, gap }: Found): string[] {
  const { dayOfMonth, dayOfWeek } = cron.text;
  const fate = gap === "next" ? "takes place at the first moment after the gap" : "is left out";
  return [
    ...(!cron.anyDay && !cron.anyWeekday
      ? [
          `Day of month (${dayOfMonth}) and day of week (${dayOfWeek}) are both named: it runs on days that match either of them.`,
        ]
      : []),
    ...(neverRuns ? ["It never runs after this time: no such day exists, or its years are over."] : []),
    ...cron.longSteps.map((step) => `The step of ${step} is longer than its field: only the first value remains.`),
    ...skipped.map((local) => `${local} does not exist in ${timeZone}, where clocks skip it (gap): this run ${fate}.`),
  ];
}
