import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { CapabilityError, invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { documentInput, MAX_DOCUMENT_BODY_BYTES } from "../../upstream/input/document-input.js";
import { eventSchema, newEventSchema, occurrenceSchema, readNewEvents, todoSchema } from "./_ics.js";

const MAX_TEXT = 1_000_000;
const MAX_EVENTS = 5000;
/** Longer calendars are read in a thread. */
const SMALL = 4_000;

const document = documentInput({ text: true, accept: "text/calendar", what: "calendar (.ics)" });
const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));
const engine = /* @__PURE__ */ lazy(() => import("../../engines/time/ics.js"));

export const calendarIcs = /* @__PURE__ */ defineCapability({
  id: "calendar.ics",
  method: "POST",
  summary:
    "Read an iCalendar file (.ics) into events and tasks, list the occurrences of recurring events across clock changes, or write one.",
  keywords: [
    "ical",
    "icalendar",
    "ics file",
    "rrule dates",
    "rrule",
    "recurring events",
    "recurrence rule",
    "expand events",
    "calendar feed",
    "ical feed to json",
    "parse calendar",
    "vevent",
    "google calendar",
    "outlook",
    "create event",
    "invite",
  ],
  price: "0.001",
  offline: true,
  source: {
    provider: "built-in (RFC 5545)",
    url: "https://www.rfc-editor.org/rfc/rfc5545",
    license: "Public domain (IANA time zone database)",
  },
  maxBodyBytes: MAX_DOCUMENT_BODY_BYTES,
  input: () =>
    z.strictObject({
      operation: z.enum(["read", "write"]).default("read").describe("Read a calendar, or write one of events"),
      ...document.fields(),
      expand: z
        .strictObject({
          from: text(4, 40).optional().describe("Occurrences that end after this date or time (ISO 8601)"),
          to: text(4, 40).optional().describe("Occurrences that begin before this date or time (ISO 8601)"),
          limit: z
            .int()
            .min(1)
            .max(1000)
            .default(100)
            .describe("How many occurrences to list, the first of all events"),
        })
        .optional()
        .describe("Lists the occurrences of all events in order. Left out: events only"),
      includePrivate: z
        .boolean()
        .default(false)
        .describe("Private and confidential entries with their texts; otherwise they keep their times only"),
      events: z.array(newEventSchema()).min(1).max(500).optional().describe("The events to write"),
    }),
  output: one(() =>
    z.object({
      events: z.array(eventSchema()),
      todos: z.array(todoSchema()),
      occurrences: z.array(occurrenceSchema()).describe("Empty unless expand is given"),
      text: z.string().nullable().describe("The calendar that was written"),
      errors: z
        .array(z.object({ line: z.int(), message: z.string() }))
        .describe("What could not be read, by its line; the rest is read nevertheless"),
    }),
  ),
  example: {
    text: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Stand-up\r\nDTSTART;TZID=Europe/Berlin:20260327T090000\r\nDTEND;TZID=Europe/Berlin:20260327T091500\r\nRRULE:FREQ=WEEKLY;BYDAY=MO,FR\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
    expand: { from: "2026-03-27", to: "2026-04-05", limit: 10 },
  },
  async check(input, ctx) {
    if (input.operation === "read") {
      if (input.events) throw invalid("events", "are for operation write");
      await document.check(input, ctx);
      if (input.text !== undefined && Buffer.byteLength(input.text) > MAX_TEXT)
        throw invalid("text", "must be at most 1 MB: send a part of the calendar");
      if (input.text !== undefined && !/BEGIN:VCALENDAR/i.test(input.text))
        throw invalid("text", "is not a calendar: it has no BEGIN:VCALENDAR");
      return;
    }
    if (!input.events) throw invalid("events", "is required to write a calendar");
    for (const name of ["text", "file", "url", "expand"] as const)
      if (input[name] !== undefined) throw invalid(name, "is for operation read");
  },
  async read(input) {
    const { readBound } = await engine();
    const { from, to, limit = 100 } = input.expand ?? {};
    const bounds = { from: readBound(from, "expand.from"), to: readBound(to, "expand.to") };
    if (bounds.from !== undefined && bounds.to !== undefined && bounds.from >= bounds.to)
      throw invalid("expand.to", "must be later than expand.from");
    const fresh = input.events ? await readNewEvents(input.events) : undefined;
    return { ...input, fresh, expansion: input.expand ? { ...bounds, limit } : undefined };
  },
  async run({ fresh, expansion, includePrivate, ...input }, ctx) {
    const { runInWorker } = await workers();
    const meta = method({ data: `tzdata ${globalThis.process?.versions?.tz ?? "of the host"}` });
    if (fresh) {
      const task = { events: fresh, stamp: ctx.clock().getTime(), product: ctx.brand, maxEvents: MAX_EVENTS };
      return { item: await runInWorker(ctx, "calendar.ics", task, { field: "events" }), meta };
    }
    const loaded = await document.load(input, ctx);
    if (loaded.bytes.length > MAX_TEXT) throw tooLarge(loaded.field, "is larger than 1 MB");
    const { field } = loaded;
    const text = loaded.text();
    // Rules, also those of zones, may look at days for a second.
    const isSmall = text.length <= SMALL && !/RRULE|EXRULE|VTIMEZONE/i.test(text);
    const task = { text, options: { includePrivate, expansion, field }, maxEvents: MAX_EVENTS };
    return { item: await runInWorker(ctx, "calendar.ics", task, { field, isSmall }), meta };
  },
});

const tooLarge = (path: string, message: string) =>
  new CapabilityError("RESULT_TOO_LARGE", `${path}: ${message}`, { issues: [{ path, message }] });
