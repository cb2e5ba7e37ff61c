/** Work that is not in proportion to its input leaves the loop free (ATK-7, ATK-15). */
// Before what starts threads: without it the work has no thread's file, and is done here.
import "../support/source-threads.js";
import { Worker } from "node:worker_threads";
import { describe, expect, test, vi } from "vitest";
import { calendarIcs } from "../../src/capabilities/calendar/ics.js";
import { dataConvert } from "../../src/capabilities/data/convert.js";
import { devCron } from "../../src/capabilities/dev/cron.js";
import { devLicense } from "../../src/capabilities/dev/license.js";
import { financeIrr } from "../../src/capabilities/finance/irr.js";
import { financeOption } from "../../src/capabilities/finance/option.js";
import { geoDistance } from "../../src/capabilities/geo/distance.js";
import { textRedact } from "../../src/capabilities/text/redact.js";
import { timeParse } from "../../src/capabilities/time/parse.js";
import { urlRobots } from "../../src/capabilities/url/robots.js";
import { readComponents } from "../../src/engines/time/ics-lines.js";
import { runTask } from "../../src/engines/worker-tasks/tasks.js";

const list = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));

/** Yearly on a day that no year has. */
const never = "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30";
const calendarOf = (events: number, rules: string) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${list(events, (i) => `BEGIN:VEVENT\r\nUID:${i}\r\nDTSTART:20260101T000000\r\n${rules}\r\nEND:VEVENT\r\n`).join("")}END:VCALENDAR\r\n`;

const american = { type: "put", style: "american", spot: 100, strike: 105, rate: 0.04, years: 5 } as const;
const circle = list(10_000, (i): [number, number] => [50 * Math.cos(i / 1591.5), 50 * Math.sin(i / 1591.5)]);

const CASES: [name: string, call: () => Promise<unknown>][] = [
  [
    "500 rules of a day that no year has",
    () => calendarIcs({ text: calendarOf(500, never), expand: { from: "2026-01-01", to: "9000-01-01", limit: 1000 } }),
  ],
  ["an American option's implied volatility", () => financeOption({ ...american, price: 9 })],
  [
    "ten thousand flows that change their sign",
    () => financeIrr({ flows: list(10_000, (i) => (i % 2 ? 1 : -1.0001)) }),
  ],
  ["a polygon of ten thousand corners", () => geoDistance({ polygon: circle, point: [1, 1] })],
  ["seventy thousand addresses to redact", () => textRedact({ text: "a@b.co ".repeat(71_000) })],
  [
    "XML with 150,000 attributes",
    () => dataConvert({ text: `<a ${list(150_000, (i) => `a${i}=""`).join(" ")}/>`, from: "xml", to: "json" }),
  ],
  [
    "rules of many stars",
    () =>
      urlRobots({
        url: `https://example.com/${"a".repeat(2000)}`,
        userAgent: "bot",
        robots: `User-agent: *\n${"Disallow: /*a*a*a*a*a*a*b$\n".repeat(17_000)}`,
      }),
  ],
  ["words that may begin dates", () => timeParse({ text: "1 2 3 4 5 6 7 8 9 ".repeat(27) })],
];

/** How many tasks threads were given meanwhile. */
async function tasksOf(call: () => Promise<unknown>): Promise<number> {
  const given = vi.spyOn(Worker.prototype, "postMessage");
  await call().catch(() => undefined);
  const { length } = given.mock.calls;
  given.mockRestore();
  return length;
}

describe("ATK-15 what takes long runs in a thread", () => {
  test.each(CASES)("%s", async (_, call) => {
    expect(await tasksOf(call)).toBeGreaterThan(0);
  });

  test("expressions that never run, and many allowed licences, need none", async () => {
    const expression = Array<string>(200).fill("MIT").join(" OR ");
    const allowed = Array<string>(150).fill("GPL-2.0-or-later").join(",");
    expect(await tasksOf(() => devCron({ expression: "0 0 30 2 *", count: 100 }))).toBe(0);
    expect(await tasksOf(() => devCron({ expression: "0 0 29 2 MON#5", count: 100 }))).toBe(0);
    expect(await tasksOf(() => devLicense({ expression, allowed }))).toBe(0);
  });

  test("small inputs give what a thread gives", async () => {
    const text = calendarOf(2, "RDATE:20260102T000000");
    const expand = { from: "2026-01-01", to: "2026-02-01", limit: 10 };
    const here = (await calendarIcs({ text, expand })).items[0];
    const padded = text.replace("END:VCALENDAR", `X-A:${"a".repeat(5_000)}\r\nEND:VCALENDAR`);
    expect((await calendarIcs({ text: padded, expand })).items[0]).toEqual(here);
    expect(here?.occurrences).toHaveLength(4);
  });
});

describe("ATK-15 budgets of steps hold where there is no thread", () => {
  test("rules that exclude rules are counted together", async () => {
    const rules = [
      ...list(3_000, (i) => `RRULE:FREQ=SECONDLY;INTERVAL=${i + 1}`),
      ...list(3_000, (i) => `EXRULE:FREQ=SECONDLY;INTERVAL=${i + 1}`),
    ].join("\r\n");
    const options = { includePrivate: true, expansion: { from: undefined, to: undefined, limit: 1000 }, field: "text" };
    const task = { text: calendarOf(1, rules), options, maxEvents: 5000 };
    const outcome = await runTask({ name: "calendar.ics", input: task, maxLength: 2 ** 24 });
    expect(outcome).toMatchObject({ refused: { code: "RESULT_TOO_LARGE" } });
  });

  test("components that never end are no stack to search", () => {
    const text = `BEGIN:VCALENDAR\n${"BEGIN:A\n".repeat(60_000)}${"END:B\n".repeat(60_000)}END:VCALENDAR\n`;
    const { components, problems } = readComponents(text);
    expect(components).toHaveLength(1);
    expect(problems[0]?.message).toBe("A lies deeper than 20 levels");
  });
});
