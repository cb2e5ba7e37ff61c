import fc from "fast-check";
import { expect, it } from "vitest";
import { isTimeZone, openZone } from "../../src/lib/time-zone.js";
import { isCron, openCron } from "../../src/state/schedules/cron.js";
import { countCron } from "../../src/state/schedules/cron-count.js";

async function timesAfter(from: string, cron: string, zone: string, count: number): Promise<(string | undefined)[]> {
  const next = await openCron(cron, zone);
  const times: (string | undefined)[] = [];
  let at: Date | undefined = new Date(from);
  while (at && times.length < count) {
    at = next(at);
    times.push(at?.toISOString().replace(":00.000Z", ""));
  }
  return times;
}

it.each([
  // The hour that is skipped: once, at its end. The hour that comes twice: once, the first time.
  ["2026-03-28T12:00Z", "30 2 * * *", "Europe/Berlin", ["2026-03-29T01:00", "2026-03-30T00:30"]],
  ["2026-10-24T12:00Z", "30 2 * * *", "Europe/Berlin", ["2026-10-25T00:30", "2026-10-26T01:30"]],
  ["2026-03-07T12:00Z", "30 2 * * *", "America/New_York", ["2026-03-08T07:00", "2026-03-09T06:30"]],
  ["2026-10-31T12:00Z", "30 1 * * *", "America/New_York", ["2026-11-01T05:30", "2026-11-02T06:30"]],
  // Half an hour is skipped there, or comes twice.
  ["2026-10-03T00:00Z", "15 2 * * *", "Australia/Lord_Howe", ["2026-10-03T15:30", "2026-10-04T15:15"]],
  ["2026-04-04T00:00Z", "45 1 * * *", "Australia/Lord_Howe", ["2026-04-04T14:45", "2026-04-05T15:15"]],
  // Steps follow the clock's real minutes.
  [
    ...(["2026-10-24T23:45Z", "*/30 * * * *", "Europe/Berlin"] as const),
    ["2026-10-25T00:00", "2026-10-25T00:30", "2026-10-25T01:00", "2026-10-25T01:30"],
  ],
  ["2026-03-29T00:15Z", "*/30 * * * *", "Europe/Berlin", ["2026-03-29T00:30", "2026-03-29T01:00"]],
  ["2026-01-01T00:00Z", "0 0 29 2 *", "UTC", ["2028-02-29T00:00", "2032-02-29T00:00"]],
  ["2026-04-01T00:00Z", "0 0 31 * *", "UTC", ["2026-05-31T00:00", "2026-07-31T00:00", "2026-08-31T00:00"]],
  ["2026-04-01T00:00Z", "0 0 30 2 *", "UTC", [undefined]],
] as const)("WAL-40 from %s on, %s in %s comes at %j", async (from, cron, zone, times) => {
  expect(await timesAfter(from, cron, zone, times.length)).toEqual(times);
});

it.each([
  ...[
    "* * * * * *",
    "* * * *",
    "@daily",
    "*/0 * * * *",
    "0 0 L * *",
    "0 0 * * 5#2",
    "0 0 ? * *",
    "0  0 * * *",
    " 0 0 * * *",
  ],
  ...[`${"0,".repeat(500)}0 * * * *`, "0 0 * * *\n", "-1 * * * *", "٠ ٠ * * *"],
])("WAL-40 %j is no cron", (text) => expect(isCron(text)).toBe(false));

it.each(["60 * * * *", "0 24 * * *", "0 0 32 * *", "0 0 * 13 *", "0 0 * FOO *", "30-10 * * * *"])(
  "WAL-40 %j is refused, naming the field",
  async (cron) => {
    await expect(openCron(cron, "UTC")).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "cron" }] });
  },
);

it.each(["+02:00", "UTC+2", "Mars/Olympus", "", "Europe/Berlin ", "../etc/localtime"])(
  "WAL-40 %j is no time zone",
  (name) => expect(isTimeZone(name)).toBe(false),
);

it("WAL-40 counts the times between two others as asking for each would, and knows the last of them", async () => {
  const part = (least: number, most: number) => {
    const number = fc.integer({ min: least, max: most });
    const range = fc.tuple(number, number).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
    const step = fc.tuple(
      fc.constantFrom("*", `${least}-${most}`),
      fc.integer({ min: 2, max: Math.min(20, most - least) }),
    );
    return fc.oneof(
      fc.constant("*"),
      number.map(String),
      range,
      step.map(([of, by]) => `${of}/${by}`),
      fc.tuple(number, range).map(([a, b]) => `${a},${b}`),
    );
  };
  const cron = fc
    .tuple(
      part(0, 59),
      part(0, 23),
      part(1, 28),
      part(1, 12),
      fc.oneof(part(0, 6), fc.constantFrom("MON-FRI", "sun,2")),
    )
    .map((fields) => fields.join(" "));
  const minute = fc.integer({ min: 0, max: 60 * 24 * 60 });
  await fc.assert(
    fc.asyncProperty(cron, fc.constantFrom("UTC", "Asia/Kolkata"), minute, async (text, zone, from) => {
      const next = await openCron(text, zone);
      const begin = new Date(Date.UTC(2026, 0, 1) + from * 60_000);
      const times: Date[] = [];
      // No schedule lives longer than 400 days, and nothing beyond is counted.
      const isWithin = (at: Date) => at.getTime() - begin.getTime() < 399 * 24 * 3600_000;
      for (let at = next(begin); at && isWithin(at) && times.length < 40; at = next(at)) times.push(at);
      const last = times.at(-1);
      if (!last) return;
      expect(countCron(text, await openZone(zone), begin, last)).toBe(times.length);
      expect(next.before(last)).toEqual(last);
      expect(next.before(new Date(last.getTime() + 30_000))).toEqual(last);
    }),
    { numRuns: 60 },
  );
});
