/** Fields of calendars: events as they are read, and as callers write them. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { text } from "../../capability/fields.js";
import type { NewEvent } from "../../engines/time/ics-write.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { isTimeZone, openZones } from "../../lib/time-zone.js";

const engine = /* @__PURE__ */ lazy(async () => ({
  ...(await import("../../engines/time/iso-8601.js")),
  ...(await import("../../engines/time/recurrence-rule.js")),
  ...(await import("../../engines/time/local-time.js")),
}));

const nullableText = () => z.string().nullable();
const person = () => z.object({ name: nullableText(), email: nullableText() });

export const eventSchema = () =>
  z.object({
    uid: z.string(),
    summary: nullableText(),
    description: nullableText(),
    start: z.string().describe("An instant in UTC, a date for whole days, or a local time without a zone"),
    end: z.string().describe("Like start; of whole days the day after the last"),
    allDay: z.boolean(),
    timeZone: nullableText().describe("IANA name, or the calendar's own; null for times without a zone"),
    location: nullableText(),
    status: nullableText(),
    class: nullableText().describe("PRIVATE and CONFIDENTIAL entries have no texts unless asked for"),
    url: nullableText(),
    categories: z.array(z.string()),
    recurrenceId: nullableText().describe("The occurrence of a recurring event that this one replaces"),
    recurrence: z.array(z.string()).describe("Rules of RFC 5545"),
    exceptions: z.array(z.string()).describe("Occurrences that are left out"),
    organizer: person().nullable(),
    attendees: z.array(person().extend({ status: nullableText(), role: nullableText() })),
  });

export const todoSchema = () =>
  z.object({
    uid: z.string(),
    summary: nullableText(),
    start: nullableText(),
    due: nullableText(),
    completed: nullableText(),
    status: nullableText(),
    priority: z.int().nullable(),
    percent: z.int().nullable(),
    recurrence: z.array(z.string()),
  });

export const occurrenceSchema = () =>
  z.object({
    uid: z.string(),
    summary: nullableText(),
    start: z.string().describe("Like that of its event"),
    end: z.string(),
    local: z.string().describe("What clocks of the event's zone show at its start"),
    recurrenceId: nullableText().describe("Names the occurrence of a recurring event; null for a single event"),
  });

export const newEventSchema = () =>
  z.strictObject({
    uid: text(1, 200).optional().describe("Made of the event's facts when left out"),
    summary: text(0, 1000).optional().describe("Title"),
    description: text(0, 10_000).optional().describe("Longer text"),
    location: text(0, 1000).optional().describe("Place"),
    url: text(1, 2048).optional().describe("Address of a page about it"),
    status: z.enum(["TENTATIVE", "CONFIRMED", "CANCELLED"]).optional().describe("Whether it takes place"),
    start: text(4, 40).describe("ISO 8601: a date for whole days, a local time of timeZone, or a time with an offset"),
    end: text(4, 40).optional().describe("Like start; of whole days the day after the last"),
    allDay: z.boolean().optional().describe("Whole days; start is a date then"),
    timeZone: text(1, 64).optional().describe("IANA zone of local times, such as Europe/Berlin"),
    recurrence: z.array(text(5, 500)).max(10).default([]).describe("Rules such as FREQ=WEEKLY;BYDAY=MO"),
    exceptions: z.array(text(4, 40)).max(500).default([]).describe("Occurrences to leave out, written like start"),
    organizer: z
      .strictObject({ name: text(1, 200).optional().describe("Name"), email: text(3, 320).describe("E-mail address") })
      .optional()
      .describe("Who invites"),
    attendees: z
      .array(
        z.strictObject({
          name: text(1, 200).optional().describe("Name"),
          email: text(3, 320).describe("E-mail address"),
          status: z.enum(["NEEDS-ACTION", "ACCEPTED", "DECLINED", "TENTATIVE"]).optional().describe("Their answer"),
          role: z
            .enum(["CHAIR", "REQ-PARTICIPANT", "OPT-PARTICIPANT", "NON-PARTICIPANT"])
            .optional()
            .describe("Their part"),
        }),
      )
      .max(200)
      .default([])
      .describe("Who is invited"),
  });

type GivenEvent = z.output<ReturnType<typeof newEventSchema>>;

/** Throws INVALID_INPUT with the path of the field. */
export const readNewEvents = (events: GivenEvent[]): Promise<NewEvent[]> =>
  Promise.all(events.map((event, at) => readNewEvent(event, `events.${at}`)));

async function readNewEvent(event: GivenEvent, path: string): Promise<NewEvent> {
  const { readIso, parseRule, openAnyZone } = await engine();
  const { timeZone } = event;
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw invalid(`${path}.timeZone`, "must be an IANA time zone, such as Europe/Berlin");
  const isDate = (value: string) => !/[T ]/i.test(value.trim());
  const allDay = event.allDay ?? isDate(event.start);
  const zone = timeZone === undefined ? undefined : openAnyZone(timeZone, await openZones());
  const hasOffset = readIso(event.start)?.offset !== undefined;
  const kind = allDay ? "date" : zone ? "zoned" : hasOffset ? "utc" : "floating";
  const time = (value: string, name: string): number => {
    const read = readIso(value);
    if (!read) throw invalid(`${path}.${name}`, "must be a date or time of ISO 8601, such as 2026-03-29T09:00");
    if (kind === "utc" && read.offset === undefined)
      throw invalid(`${path}.${name}`, "must have an offset, as start has");
    if (kind === "floating" && read.offset !== undefined)
      throw invalid(`${path}.${name}`, "must have no offset, as start has none");
    if (kind === "date") return Math.floor(read.local / 86_400_000) * 86_400_000;
    const instant = read.local - (read.offset ?? 0);
    return zone && read.offset !== undefined ? instant + zone.offsetAt(instant) : instant;
  };
  const start = time(event.start, "start");
  const end = event.end === undefined ? undefined : time(event.end, "end");
  if (end !== undefined && end < start) throw invalid(`${path}.end`, "must not be before start");
  const recurrence = event.recurrence.map((rule, at) => ruleText(rule, `${path}.recurrence.${at}`, parseRule));
  const exceptions = event.exceptions.map((value, at) => time(value, `exceptions.${at}`));
  const uid = event.uid ?? `${createHash("sha256").update(JSON.stringify(event)).digest("hex").slice(0, 32)}@coinslot`;
  return { ...event, uid, start, end, kind, recurrence, exceptions };
}

function ruleText(rule: string, path: string, parse: (text: string) => unknown): string {
  const text = rule.trim().replace(/^RRULE:/i, "");
  try {
    parse(text);
  } catch (error) {
    throw invalid(path, error instanceof Error ? error.message : "cannot be read");
  }
  if (!/^[A-Za-z0-9=;,+-]+$/.test(text)) throw invalid(path, "must be a rule such as FREQ=WEEKLY;BYDAY=MO");
  return text.toUpperCase();
}
