/** Writes iCalendar text (RFC 5545): lines of at most 75 bytes, with the rules of the zones that it names. */
import type { Zone, Zones } from "../../lib/time-zone.js";
import { nextChange, openAnyZone } from "./local-time.js";

const DAY = 86_400_000;

export interface NewEvent {
  uid: string;
  summary?: string | undefined;
  description?: string | undefined;
  location?: string | undefined;
  url?: string | undefined;
  status?: string | undefined;
  /** Local times, written as if they were UTC. */
  start: number;
  end: number | undefined;
  kind: "date" | "floating" | "utc" | "zoned";
  timeZone?: string | undefined;
  recurrence: string[];
  exceptions: number[];
  organizer?: { name?: string | undefined; email: string } | undefined;
  attendees: { name?: string | undefined; email: string; status?: string | undefined; role?: string | undefined }[];
}

export function writeCalendar(
  events: NewEvent[],
  { stamp, product, zones }: { stamp: number; product: string; zones: Zones },
): string {
  const used = new Map<string, number>();
  for (const { timeZone, kind, start } of events)
    if (timeZone !== undefined && kind === "zoned") used.set(timeZone, Math.min(start, used.get(timeZone) ?? start));
  const lines = [
    ...["BEGIN:VCALENDAR", "VERSION:2.0", `PRODID:-//${escapeText(product)}//EN`, "CALSCALE:GREGORIAN"],
    ...[...used].flatMap(([name, from]) => zoneLines(name, openAnyZone(name, zones), from)),
    ...events.flatMap((event) => eventLines(event, stamp)),
    "END:VCALENDAR",
  ];
  return `${lines.map(folded).join("\r\n")}\r\n`;
}

function eventLines(event: NewEvent, stamp: number): string[] {
  const text = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`${name}:${escapeText(value)}`];
  const time = (name: string, at: number) => `${name}${paramsOf(event)}:${stampText(at, event.kind)}`;
  return [
    ...[
      "BEGIN:VEVENT",
      `UID:${escapeText(event.uid)}`,
      `DTSTAMP:${stampText(stamp, "utc")}`,
      time("DTSTART", event.start),
    ],
    ...(event.end === undefined ? [] : [time("DTEND", event.end)]),
    ...event.recurrence.map((rule) => `RRULE:${rule}`),
    ...event.exceptions.map((at) => time("EXDATE", at)),
    ...[
      ...text("SUMMARY", event.summary),
      ...text("DESCRIPTION", event.description),
      ...text("LOCATION", event.location),
    ],
    ...text("STATUS", event.status),
    ...(event.url === undefined ? [] : [`URL:${oneLine(event.url)}`]),
    ...(event.organizer ? [`ORGANIZER${named(event.organizer.name)}:mailto:${oneLine(event.organizer.email)}`] : []),
    ...event.attendees.map(
      ({ name, email, status, role }) =>
        `ATTENDEE${named(name)}${status ? `;PARTSTAT=${status}` : ""}${role ? `;ROLE=${role}` : ""}:mailto:${oneLine(email)}`,
    ),
    "END:VEVENT",
  ];
}

const paramsOf = ({ kind, timeZone }: NewEvent): string =>
  kind === "date" ? ";VALUE=DATE" : kind === "zoned" ? `;TZID=${timeZone}` : "";

function stampText(at: number, kind: NewEvent["kind"]): string {
  const text = new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, "");
  return kind === "date" ? text.slice(0, 8) : kind === "utc" ? `${text}Z` : text;
}

const oneLine = (text: string): string => text.replace(/\p{Cc}/gu, "");
const named = (name: string | undefined): string =>
  name === undefined ? "" : `;CN="${oneLine(name).replaceAll("^", "^^").replaceAll('"', "^'")}"`;
const escapeText = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[\\;,]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replace(/\p{Cc}/gu, "");

/** The clock changes from a year before the first event to six years after it. */
function zoneLines(name: string, zone: Zone, from: number): string[] {
  const first = from - 366 * DAY;
  const lines = ["BEGIN:VTIMEZONE", `TZID:${name}`];
  let change: number | undefined = first;
  for (let count = 0; change !== undefined && change < from + 6 * 366 * DAY && count < 20; count++) {
    const [before, after] = [zone.offsetAt(change - 1), zone.offsetAt(change)];
    const kind = count > 0 && after > before ? "DAYLIGHT" : "STANDARD";
    lines.push(`BEGIN:${kind}`, `DTSTART:${stampText(change + before, "floating")}`);
    lines.push(`TZOFFSETFROM:${shortOffset(before)}`, `TZOFFSETTO:${shortOffset(after)}`, `END:${kind}`);
    change = nextChange(change, zone);
  }
  return [...lines, "END:VTIMEZONE"];
}

function shortOffset(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(minutes / 60)}${two(minutes % 60)}`;
}

/** Lines of at most 75 bytes, which break between characters. */
function folded(line: string): string {
  let [out, size] = ["", 0];
  for (const letter of line) {
    const bytes = Buffer.byteLength(letter);
    if (size + bytes > 75) {
      out += "\r\n ";
      size = 1;
    }
    out += letter;
    size += bytes;
  }
  return out;
}
