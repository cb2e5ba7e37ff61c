import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { calendarIcs } from "../../../src/capabilities/calendar/ics.js";
import { occurrencesOf, openBudget } from "../../../src/engines/time/recurrence.js";
import { parseRule } from "../../../src/engines/time/recurrence-rule.js";
import { howMany } from "../../support/how-many.js";

type Query = Parameters<typeof calendarIcs>[0];
const read = async (input: Query) => {
  const [item] = (await calendarIcs(input, { clock: () => new Date("2026-01-01T00:00:00Z") })).items;
  if (!item) throw new Error("no item");
  return item;
};
const calendar = (...lines: string[]) => ["BEGIN:VCALENDAR", ...lines, "END:VCALENDAR"].join("\r\n");
const event = (...lines: string[]) => ["BEGIN:VEVENT", "UID:1", ...lines, "END:VEVENT"].join("\r\n");
const starts = async (text: string, expand: NonNullable<Query["expand"]> = {}) =>
  (await read({ text, expand })).occurrences.map(({ start }) => start);
const REFUSED = { code: "INVALID_INPUT" };

describe("calendar.ics", () => {
  it("lists a weekly event across a clock change: same local time, other instant", async () => {
    const item = await read(calendarIcs.example);
    expect(item.occurrences.map(({ start, local, end }) => [start, local, end])).toEqual([
      ["2026-03-27T08:00:00Z", "2026-03-27T09:00:00", "2026-03-27T08:15:00Z"],
      ["2026-03-30T07:00:00Z", "2026-03-30T09:00:00", "2026-03-30T07:15:00Z"],
      ["2026-04-03T07:00:00Z", "2026-04-03T09:00:00", "2026-04-03T07:15:00Z"],
    ]);
    expect(item.events[0]).toMatchObject({ summary: "Stand-up", timeZone: "Europe/Berlin", allDay: false });
    expect(item.errors).toEqual([]);
  });

  it("reads folded lines, escapes, people, and names a line that it cannot read", async () => {
    const item = await read({
      text: calendar(
        event(
          "SUMMARY:Long\\, with\\nbreaks and a fo",
          " ld",
          'ORGANIZER;CN="Doe; Jane":mailto:jane@example.com',
          "ATTENDEE;PARTSTAT=ACCEPTED;ROLE=CHAIR:mailto:a@example.com",
          "DTSTART:20260401T120000Z",
          "DURATION:PT1H30M",
          "EXDATE:garbage",
          "no property",
        ),
        "BEGIN:VTODO\nUID:t\nSUMMARY:Buy\nDUE;VALUE=DATE:20260402\nPRIORITY:1\nEND:VTODO",
      ),
    });
    expect(item.events[0]).toMatchObject({
      ...{ summary: "Long, with\nbreaks and a fold", start: "2026-04-01T12:00:00Z", end: "2026-04-01T13:30:00Z" },
      ...{ timeZone: "UTC", organizer: { name: "Doe; Jane", email: "jane@example.com" } },
      attendees: [{ name: null, email: "a@example.com", status: "ACCEPTED", role: "CHAIR" }],
    });
    expect(item.todos).toMatchObject([{ uid: "t", due: "2026-04-02", priority: 1 }]);
    expect(item.errors).toEqual([
      { line: 11, message: "is not a property: a name, a colon and a value" },
      { line: 10, message: "EXDATE cannot be read as a date or time: garbage" },
    ]);
  });

  it("leaves exceptions out, adds dates, replaces and cancels single occurrences", async () => {
    const text = calendar(
      event(
        "DTSTART;TZID=America/New_York:20260301T090000",
        "RRULE:FREQ=DAILY;COUNT=6",
        "EXDATE;TZID=America/New_York:20260302T090000",
        "RDATE:20260320T130000Z",
      ),
      event(
        "RECURRENCE-ID;TZID=America/New_York:20260303T090000",
        "DTSTART;TZID=America/New_York:20260303T110000",
        "SUMMARY:Moved",
      ),
      event("RECURRENCE-ID:20260304T140000Z", "DTSTART:20260304T140000Z", "STATUS:CANCELLED"),
    );
    const { occurrences } = await read({ text, expand: {} });
    expect(occurrences.map(({ start, recurrenceId }) => [start, recurrenceId])).toEqual([
      ["2026-03-01T14:00:00Z", "2026-03-01T14:00:00Z"],
      ["2026-03-03T16:00:00Z", "2026-03-03T14:00:00Z"],
      ["2026-03-05T14:00:00Z", "2026-03-05T14:00:00Z"],
      ["2026-03-06T14:00:00Z", "2026-03-06T14:00:00Z"],
      ["2026-03-20T13:00:00Z", "2026-03-20T13:00:00Z"],
    ]);
  });

  it("has no occurrence at a start that the rule does not give", async () => {
    const text = calendar(event("DTSTART:19970902T090000", "RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3"));
    expect(await starts(text)).toEqual(["1998-02-13T09:00:00", "1998-03-13T09:00:00", "1998-11-13T09:00:00"]);
  });

  it("keeps whole days as dates, and gives the ones that touch the time asked for", async () => {
    const text = calendar(event("DTSTART;VALUE=DATE:20260328", "DTEND;VALUE=DATE:20260330", "RRULE:FREQ=WEEKLY"));
    const { occurrences } = await read({ text, expand: { from: "2026-04-05", to: "2026-04-12" } });
    expect(occurrences.map(({ start, end, local }) => [start, end, local])).toEqual([
      ["2026-04-04", "2026-04-06", "2026-04-04"],
      ["2026-04-11", "2026-04-13", "2026-04-11"],
    ]);
  });

  it("ends a rule at an instant, and moves skipped hours as calendars do", async () => {
    const rule = "RRULE:FREQ=DAILY;UNTIL=20260330T003000Z";
    const text = calendar(event("DTSTART;TZID=Europe/Berlin:20260328T023000", "DURATION:PT1H", rule));
    const { occurrences } = await read({ text, expand: {} });
    expect(occurrences.map(({ start, end }) => [start, end])).toEqual([
      ["2026-03-28T01:30:00Z", "2026-03-28T02:30:00Z"],
      ["2026-03-29T01:30:00Z", "2026-03-29T02:30:00Z"],
      ["2026-03-30T00:30:00Z", "2026-03-30T01:30:00Z"],
    ]);
  });

  it("reads zones by their name, by the end of a path, and by their own rules where the name is unknown", async () => {
    const zone = (id: string) =>
      `BEGIN:VTIMEZONE\nTZID:${id}\nBEGIN:STANDARD\nDTSTART:20001029T030000\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nEND:STANDARD\nBEGIN:DAYLIGHT\nDTSTART:20000326T020000\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nEND:DAYLIGHT\nEND:VTIMEZONE`;
    const daily = (id: string) => event(`DTSTART;TZID=${id}:20260328T120000`, "RRULE:FREQ=DAILY;COUNT=2");
    const expected = ["2026-03-28T11:00:00Z", "2026-03-29T10:00:00Z"];
    expect(await starts(calendar(daily("/mozilla.org/20050126_1/Europe/Berlin")))).toEqual(expected);
    expect(await starts(calendar(zone("Our Office"), daily("Our Office")))).toEqual(expected);
    const unknown = await read({ text: calendar(daily("Nowhere")), expand: {} });
    expect(unknown.errors[0]?.message).toMatch(/^the time zone Nowhere is not known/);
    expect(unknown.occurrences[0]?.start).toBe("2026-03-28T12:00:00");
  });

  it("keeps only the times of private entries unless asked", async () => {
    const text = calendar(
      event(
        "CLASS:PRIVATE",
        "SUMMARY:Doctor",
        "LOCATION:Street 1",
        "ATTENDEE:mailto:a@b.de",
        "DTSTART:20260401T120000Z",
      ),
    );
    expect((await read({ text, expand: {} })).events[0]).toMatchObject({
      summary: null,
      location: null,
      attendees: [],
    });
    expect(JSON.stringify(await read({ text, expand: {} }))).not.toMatch(/Doctor|Street|a@b/);
    expect((await read({ text, includePrivate: true })).events[0]).toMatchObject({ summary: "Doctor" });
  });

  it("writes a calendar that reads as it was given, whatever its texts hold", async () => {
    const given = {
      ...{
        summary: 'Grün; "x", \\ y\nEND:VEVENT',
        description: "ä".repeat(200),
        location: "Haus 1",
        status: "CONFIRMED" as const,
      },
      ...{ start: "2026-03-27T09:00", end: "2026-03-27T10:00", timeZone: "Europe/Berlin" },
      ...{ recurrence: ["FREQ=DAILY;COUNT=4"], exceptions: ["2026-03-28T09:00"] },
      attendees: [{ name: 'A "B"; C', email: "a@example.com", status: "ACCEPTED" as const }],
    };
    const { text, events, errors } = await read({ operation: "write", events: [given] });
    expect(errors).toEqual([]);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      ...given,
      start: "2026-03-27T08:00:00Z",
      end: "2026-03-27T09:00:00Z",
      exceptions: ["2026-03-28T08:00:00Z"],
      attendees: [{ name: 'A "B"; C' }],
    });
    for (const line of (text ?? "").split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(await starts(text ?? "")).toEqual(["2026-03-27T08:00:00Z", "2026-03-29T07:00:00Z", "2026-03-30T07:00:00Z"]);
    // Nothing is random: the same facts make the same text.
    expect((await read({ operation: "write", events: [given] })).text).toBe(text);
  });

  it.each([
    [{}, "text"],
    [{ text: "hello" }, "text"],
    [{ text: calendar(), url: "https://example.com/a.ics" }, "url"],
    [{ text: "x".repeat(1_000_001) }, "text"],
    [{ text: calendar(), expand: { from: "soon" } }, "expand.from"],
    [{ text: calendar(), expand: { from: "2026-02-01", to: "2026-01-01" } }, "expand.to"],
    [{ text: calendar(), expand: { limit: 1001 } }, "expand.limit"],
    [{ operation: "write" as const }, "events"],
    [{ operation: "write" as const, text: "x", events: [{ start: "2026-01-01" }] }, "text"],
    [{ operation: "write" as const, events: [{ start: "2026-02-30" }] }, "events.0.start"],
    [{ operation: "write" as const, events: [{ start: "2026-02-03", end: "2026-02-02" }] }, "events.0.end"],
    [
      { operation: "write" as const, events: [{ start: "2026-02-03", recurrence: ["FREQ=NEVER"] }] },
      "events.0.recurrence.0",
    ],
    [
      { operation: "write" as const, events: [{ start: "2026-02-03", recurrence: ["FREQ=DAILY\r\nX:1"] }] },
      "events.0.recurrence.0",
    ],
    [
      { operation: "write" as const, events: [{ start: "2026-02-03T09:00", timeZone: "Nowhere" }] },
      "events.0.timeZone",
    ],
  ])("refuses %# at %s", async (input, path) => {
    await expect(read(input)).rejects.toMatchObject({
      ...REFUSED,
      issues: expect.arrayContaining([expect.objectContaining({ path })]),
    });
  });

  it("refuses an address of an inner network", async () => {
    await expect(read({ url: "http://169.254.169.254/a.ics" })).rejects.toMatchObject({ code: "URL_NOT_ALLOWED" });
  });
});

describe("hostile calendars", () => {
  const rule = (text: string, start = "19970902T090000") => calendar(event(`DTSTART:${start}`, `RRULE:${text}`));

  it("jumps to a time 93 years after the start, whatever the frequency", async () => {
    for (const freq of ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]) {
      const found = await starts(rule(`FREQ=${freq}`), { from: "2090-09-02T00:00:00Z", to: "2091-10-01", limit: 1 });
      expect(found[0]).toMatch(/^2090-09/);
    }
    expect(
      await starts(rule("FREQ=SECONDLY;INTERVAL=7;BYHOUR=3;BYSECOND=5"), { from: "2090-09-02", limit: 1 }),
    ).toEqual(["2090-09-02T03:01:05"]);
    expect(await starts(rule("FREQ=SECONDLY;COUNT=999999999"), { from: "2020-01-01", limit: 1 })).toEqual([
      "2020-01-01T00:00:00",
    ]);
  });

  it.each([
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=MINUTELY;INTERVAL=1440;BYHOUR=3",
    "FREQ=SECONDLY;INTERVAL=60;BYSECOND=1",
  ])("stops at %s, which never comes, and tells how far it came", async (text) => {
    await expect(read({ text: rule(text), expand: {} })).rejects.toMatchObject({
      code: "RESULT_TOO_LARGE",
      issues: [{ path: "expand", message: expect.stringMatching(/came to \d{4}-\d\d-\d\d/) }],
    });
  });

  it.each([
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4",
    "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=9",
  ])("knows that %s never comes once the calendar repeats", async (text) => {
    expect(await starts(rule(text))).toEqual([]);
  });

  it("bounds all rules of a calendar together", async () => {
    const every = "RRULE:FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU;BYMONTHDAY=2;BYMONTH=12";
    const text = calendar(...Array.from({ length: 3000 }, () => event("DTSTART:19970902T090000", every)));
    await expect(read({ text, expand: {} })).rejects.toMatchObject({ code: "RESULT_TOO_LARGE" });
  });

  it("counts the times of a rule that names every second of every day before a far date", async () => {
    const all = (count: number) => Array.from({ length: count }, (_, at) => at).join(",");
    const text = rule(
      `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${all(24)};BYMINUTE=${all(60)};BYSECOND=${all(60)};COUNT=999999999`,
    );
    await expect(read({ text, expand: { from: "2090-01-01" } })).rejects.toMatchObject({ code: "RESULT_TOO_LARGE" });
    expect(await starts(text, { limit: 2 })).toEqual(["1997-09-02T09:00:00", "1997-09-02T09:00:01"]);
  });

  it("reads at most 5,000 events, and levels without end", async () => {
    const many = calendar(...Array.from({ length: 5001 }, () => "BEGIN:VEVENT\nEND:VEVENT"));
    await expect(read({ text: many })).rejects.toMatchObject({ code: "RESULT_TOO_LARGE" });
    const deep = await read({ text: `BEGIN:VCALENDAR\n${"BEGIN:X\n".repeat(100_000)}` });
    expect(deep.errors).toHaveLength(100);
    expect(
      (await read({ text: `BEGIN:VCALENDAR\n${"X;A=".repeat(200_000)}\n${" a\n".repeat(10_000)}` })).events,
    ).toEqual([]);
  });
});

const timesOf = (rule: string, start: string, most: number): string[] => {
  const times: string[] = [];
  for (const time of occurrencesOf(parseRule(rule), Date.parse(`${start}Z`), openBudget())) {
    times.push(new Date(time).toISOString().slice(0, 19));
    if (times.length === most) break;
  }
  return times;
};

const RRULES: [name: string, start: string, rule: string, dates: string[]][] = JSON.parse(
  readFileSync(new URL("../../suites/time/rrule.json", import.meta.url), "utf8"),
);

test.each(RRULES)("dateutil %s: %s %s", (_, start, rule, dates) => {
  expect(timesOf(rule, start, dates.length + 1)).toEqual(dates);
});

const RANDOM = "../shared/beyond/recurrence-rules.json";
/** By ISO 8601 the first days of 2011 and 2039 lie in week 52 of the year before; there they lie in week 53. */
const WEEK_53_THERE = [
  "FREQ=YEARLY;INTERVAL=3;BYMONTH=1,2;BYWEEKNO=52;BYHOUR=14,22;COUNT=12",
  "FREQ=YEARLY;BYMONTHDAY=13,1;BYWEEKNO=52;COUNT=12",
  "FREQ=YEARLY;INTERVAL=7;BYWEEKNO=53;BYHOUR=2,9;COUNT=12",
];

test.skipIf(!existsSync(RANDOM))("random rules give the dates of dateutil", () => {
  const all: { rule: string; dates: string[] }[] = JSON.parse(readFileSync(RANDOM, "utf8"));
  const rows = all.filter(({ rule }, at) => at % howMany(1, 5) === 0 || WEEK_53_THERE.includes(rule));
  const wrong = rows.filter(({ rule, dates }) => timesOf(rule, "1997-09-02T09:00:00", 12).join() !== dates.join());
  expect(wrong.map(({ rule }) => rule).sort()).toEqual([...WEEK_53_THERE].sort());
});
