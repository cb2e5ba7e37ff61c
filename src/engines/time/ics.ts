/** Reads a calendar: its events and tasks, and the occurrences within a time. */
import { CapabilityError, invalid } from "../../errors.js";
import type { Zones } from "../../lib/time-zone.js";
import { type CalendarEvent, type CalendarTodo, type ReadEvent, readEvent, readTodo } from "./ics-events.js";
import { expandEvents, type Occurrence } from "./ics-expand.js";
import { type IcsComponent, type IcsProblem, readComponents } from "./ics-lines.js";
import { dateText } from "./ics-time.js";
import { zonesOf } from "./ics-zones.js";
import { readIso } from "./iso-8601.js";
import { MAX_PERIODS, openBudget, TooManyPeriods } from "./recurrence.js";

export { writeCalendar } from "./ics-write.js";

const MAX_ERRORS = 100;

export interface CalendarOptions {
  includePrivate: boolean;
  expansion?: { from: number | undefined; to: number | undefined; limit: number } | undefined;
  maxEvents: number;
  zones: Zones;
  /** The field of the input that the text came from. */
  field: string;
}

export interface Calendar {
  events: CalendarEvent[];
  todos: CalendarTodo[];
  occurrences: Occurrence[];
  errors: IcsProblem[];
}

/** Throws INVALID_INPUT for other text, RESULT_TOO_LARGE for too many events or periods. */
export function readCalendar(text: string, given: CalendarOptions): Calendar {
  const { expansion, maxEvents, includePrivate, field, zones } = given;
  const { components, problems } = readComponents(text);
  const calendars = components.filter(({ name }) => name === "VCALENDAR");
  if (calendars.length === 0) throw invalid(field, "is not a calendar: it has no BEGIN:VCALENDAR");
  const entries = calendars.flatMap((calendar) => calendar.components);
  const ofKind = (kind: string): IcsComponent[] => entries.filter(({ name }) => name === kind);
  const [events, todos] = [ofKind("VEVENT"), ofKind("VTODO")];
  // guard: a calendar has a largest number of events | gone | ics
  if (events.length + todos.length > maxEvents)
    throw tooLarge(field, `has ${events.length + todos.length} events and tasks, and at most ${maxEvents} are read`);
  const budget = openBudget();
  const options = { zones: zonesOf(calendars, budget, zones), includePrivate, problems };
  const read = events.flatMap((component) => readEvent(component, options) ?? []);
  const occurrences = expansion ? expanded(read, { ...expansion, budget, problems }) : [];
  return {
    events: read.map(({ row }) => row),
    todos: todos.map((component) => readTodo(component, options)),
    occurrences,
    errors: problems.slice(0, MAX_ERRORS),
  };
}

function expanded(events: ReadEvent[], expansion: Parameters<typeof expandEvents>[1]): Occurrence[] {
  try {
    return expandEvents(events, expansion);
  } catch (error) {
    if (!(error instanceof TooManyPeriods)) throw error;
    const reached = dateText(error.reached);
    throw tooLarge(
      "expand",
      `a rule went through ${MAX_PERIODS} periods, or all rules through too many days, and came to ${reached}: set expand.to before that day, or expand.from near it`,
    );
  }
}

/** A date or time of ISO 8601 as an instant; without an offset it counts as UTC. */
export function readBound(text: string | undefined, path: string): number | undefined {
  if (text === undefined) return;
  const time = readIso(text);
  if (!time) throw invalid(path, "must be a date or time of ISO 8601, such as 2026-03-29 or 2026-03-29T00:00:00Z");
  return time.local - (time.offset ?? 0);
}

const tooLarge = (path: string, message: string) =>
  new CapabilityError("RESULT_TOO_LARGE", `${path}: ${message}`, { issues: [{ path, message }] });
