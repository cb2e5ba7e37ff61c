/** Events and tasks of a calendar as rows. */
import {
  type IcsComponent,
  type IcsProblem,
  type IcsProperty,
  propertiesOf,
  propertyOf,
  unescapedText,
} from "./ics-lines.js";
import { dateText, readIcsDuration, readIcsTime } from "./ics-time.js";
import type { CalendarZone, ZoneFinder } from "./ics-zones.js";
import { instantsOf, instantText, localText } from "./local-time.js";

const DAY = 86_400_000;

/** A time of a calendar. */
export interface Moment {
  /** Written as if it were UTC. */
  local: number;
  kind: "date" | "floating" | "utc" | "zoned";
  zone: CalendarZone | undefined;
}

export interface Person {
  name: string | null;
  email: string | null;
}

export interface CalendarEvent {
  uid: string;
  summary: string | null;
  description: string | null;
  start: string;
  end: string;
  allDay: boolean;
  timeZone: string | null;
  location: string | null;
  status: string | null;
  class: string | null;
  url: string | null;
  categories: string[];
  recurrenceId: string | null;
  recurrence: string[];
  exceptions: string[];
  organizer: Person | null;
  attendees: (Person & { status: string | null; role: string | null })[];
}

export interface CalendarTodo {
  uid: string;
  summary: string | null;
  start: string | null;
  due: string | null;
  completed: string | null;
  status: string | null;
  priority: number | null;
  percent: number | null;
  recurrence: string[];
}

/** An event beside its parts that recurrences are computed of. */
export interface ReadEvent {
  row: CalendarEvent;
  start: Moment;
  /** Whole days, which follow the clocks, and elapsed time. */
  duration: { days: number; time: number };
  rules: IcsProperty[];
  excludedRules: IcsProperty[];
  added: Moment[];
  excluded: Moment[];
  replaces: Moment | undefined;
}

export interface ReadOptions {
  zones: ZoneFinder;
  includePrivate: boolean;
  problems: IcsProblem[];
}

/** The instant of a time; dates and floating times count as UTC. */
export const instantOf = ({ local, zone }: Moment): number => (zone ? instantsOf(local, zone.zone).instant : local);

/** A date, an instant in UTC, or a local time without a zone. */
export function momentText(moment: Moment): string {
  if (moment.kind === "date") return dateText(moment.local);
  return moment.kind === "floating" ? localText(moment.local) : instantText(instantOf(moment));
}

/** Undefined, with a problem, for text that cannot be read. */
function readMoment({ value, params, line, name }: IcsProperty, options: ReadOptions): Moment | undefined {
  const time = readIcsTime(value);
  if (!time) {
    options.problems.push({ line, message: `${name} cannot be read as a date or time: ${value.slice(0, 50)}` });
    return;
  }
  if (time.isDate) return { local: time.local, kind: "date", zone: undefined };
  if (time.isUtc) return { local: time.local, kind: "utc", zone: undefined };
  const id = params.TZID;
  const zone = id === undefined ? undefined : options.zones(id);
  if (id !== undefined && !zone)
    options.problems.push({
      line,
      message: `the time zone ${id.slice(0, 100)} is not known: its times are read without a zone`,
    });
  return { local: time.local, kind: zone ? "zoned" : "floating", zone };
}

const readMoments = (property: IcsProperty, options: ReadOptions): Moment[] =>
  property.value.split(",").flatMap((value) => {
    // Of a period only the start counts.
    const moment = readMoment({ ...property, value: value.split("/")[0] ?? "" }, options);
    return moment ? [moment] : [];
  });

export function readEvent(component: IcsComponent, options: ReadOptions): ReadEvent | undefined {
  const given = propertyOf(component, "DTSTART");
  const start = given && readMoment(given, options);
  if (!start) {
    if (!given) options.problems.push({ line: component.line, message: "the event has no DTSTART" });
    return;
  }
  const replaced = propertyOf(component, "RECURRENCE-ID");
  const replaces = replaced && readMoment(replaced, options);
  const all = (name: string) => propertiesOf(component, name).flatMap((property) => readMoments(property, options));
  const [excluded, duration] = [all("EXDATE"), durationOf(component, start, options)];
  const row = {
    ...words(component, options),
    ...times(start, duration),
    ...repeats(component, excluded),
    recurrenceId: replaces ? momentText(replaces) : null,
  };
  return {
    ...{ row, start, duration, excluded, replaces, added: all("RDATE") },
    rules: propertiesOf(component, "RRULE"),
    excludedRules: propertiesOf(component, "EXRULE"),
  };
}

function durationOf(component: IcsComponent, start: Moment, options: ReadOptions): { days: number; time: number } {
  const end = propertyOf(component, "DTEND");
  const until = end && readMoment(end, options);
  if (until) {
    const length = Math.max(0, instantOf(until) - instantOf(start));
    return start.kind === "date" ? { days: Math.max(1, Math.round(length / DAY)), time: 0 } : { days: 0, time: length };
  }
  const text = propertyOf(component, "DURATION");
  const duration = text && readIcsDuration(text.value);
  if (text && !duration) options.problems.push({ line: text.line, message: "DURATION cannot be read" });
  if (duration && duration.days * DAY + duration.time >= 0) return duration;
  return { days: start.kind === "date" ? 1 : 0, time: 0 };
}

/** The end of something that begins at a time: days follow the clocks, hours elapse. */
function endOf(start: Moment, { days, time }: { days: number; time: number }): Moment {
  const day: Moment = { ...start, local: start.local + days * DAY };
  if (time === 0) return day;
  const instant = instantOf(day) + time;
  return { ...day, local: instant + (day.zone?.zone.offsetAt(instant) ?? 0) };
}

const times = (start: Moment, duration: { days: number; time: number }) => ({
  ...{ start: momentText(start), end: endText(start, duration), allDay: start.kind === "date" },
  timeZone: start.kind === "utc" ? "UTC" : (start.zone?.name ?? null),
});

/** The instant is exact where the end's local time comes twice. */
export function endText(start: Moment, duration: { days: number; time: number }): string {
  if (start.kind === "date" || start.kind === "floating") return momentText(endOf(start, duration));
  return instantText(instantOf(endOf(start, { ...duration, time: 0 })) + duration.time);
}

const repeats = (component: IcsComponent, excluded: Moment[]) => ({
  recurrence: propertiesOf(component, "RRULE").map(({ value }) => value),
  exceptions: excluded.map(momentText),
});

/** Entries that are private keep their times only. */
function words(component: IcsComponent, { includePrivate }: ReadOptions) {
  const kind = propertyOf(component, "CLASS")?.value.trim().toUpperCase() ?? null;
  // guard: private entries of a calendar keep their times only | !includePrivate -> false | ics
  const isHidden = !includePrivate && (kind === "PRIVATE" || kind === "CONFIDENTIAL");
  const text = (name: string) => (isHidden ? null : (plain(component, name) ?? null));
  const people = (name: string) => (isHidden ? [] : propertiesOf(component, name));
  const [organizer] = people("ORGANIZER");
  return {
    ...{ uid: plain(component, "UID") ?? "", summary: text("SUMMARY"), description: text("DESCRIPTION") },
    ...{ location: text("LOCATION"), status: plain(component, "STATUS")?.toUpperCase() ?? null, class: kind },
    url: text("URL"),
    categories: people("CATEGORIES").flatMap(({ value }) =>
      value.split(/(?<!\\),/).map((name) => unescapedText(name).trim()),
    ),
    organizer: organizer ? person(organizer) : null,
    attendees: people("ATTENDEE").map((property) => ({
      ...person(property),
      ...{ status: property.params.PARTSTAT?.toUpperCase() ?? null, role: property.params.ROLE?.toUpperCase() ?? null },
    })),
  };
}

const plain = (component: IcsComponent, name: string): string | undefined => {
  const property = propertyOf(component, name);
  return property && unescapedText(property.value).trim();
};

function person({ params, value }: IcsProperty): Person {
  const address = value.trim().replace(/^mailto:/i, "");
  return { name: params.CN ?? null, email: address.includes("@") ? address : (params.EMAIL ?? null) };
}

export function readTodo(component: IcsComponent, options: ReadOptions): CalendarTodo {
  const time = (name: string) => {
    const property = propertyOf(component, name);
    const moment = property && readMoment(property, options);
    return moment ? momentText(moment) : null;
  };
  const number = (name: string) => {
    const value = plain(component, name);
    return value !== undefined && /^\d{1,3}$/.test(value) ? Number(value) : null;
  };
  const { uid, summary, status } = words(component, options);
  return {
    ...{ uid, summary, status, start: time("DTSTART"), due: time("DUE"), completed: time("COMPLETED") },
    ...{ priority: number("PRIORITY"), percent: number("PERCENT-COMPLETE") },
    recurrence: propertiesOf(component, "RRULE").map(({ value }) => value),
  };
}
