/** Calendars as work of a thread: a rule that gives nothing may look at days for a second. */
import { type Calendar, type CalendarOptions, readCalendar, writeCalendar } from "./ics.js";
import type { NewEvent } from "./ics-write.js";

export type CalendarTask = { maxEvents: number } & (
  | { text: string; options: Omit<CalendarOptions, "maxEvents"> }
  | { events: NewEvent[]; stamp: number; product: string }
);

export function readOrWrite(task: CalendarTask): Calendar & { text: string | null } {
  const { maxEvents } = task;
  if ("text" in task) return { ...readCalendar(task.text, { ...task.options, maxEvents }), text: null };
  const text = writeCalendar(task.events, { stamp: task.stamp, product: task.product });
  const { events, errors } = readCalendar(text, { includePrivate: true, maxEvents, field: "events" });
  return { events, todos: [], occurrences: [], text, errors };
}
