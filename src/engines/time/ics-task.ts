/** Calendars as work of a thread: a rule that gives nothing may look at days for a second. */

import { openZones } from "../../lib/time-zone.js";
import { type Calendar, type CalendarOptions, readCalendar, writeCalendar } from "./ics.js";
import type { NewEvent } from "./ics-write.js";

export type CalendarTask = { maxEvents: number } & (
  | { text: string; options: Omit<CalendarOptions, "maxEvents" | "zones"> }
  | { events: NewEvent[]; stamp: number; product: string }
);

export async function readOrWrite(task: CalendarTask): Promise<Calendar & { text: string | null }> {
  const { maxEvents } = task;
  const zones = await openZones();
  if ("text" in task) return { ...readCalendar(task.text, { ...task.options, maxEvents, zones }), text: null };
  const text = writeCalendar(task.events, { stamp: task.stamp, product: task.product, zones });
  const { events, errors } = readCalendar(text, { includePrivate: true, maxEvents, zones, field: "events" });
  return { events, todos: [], occurrences: [], text, errors };
}
