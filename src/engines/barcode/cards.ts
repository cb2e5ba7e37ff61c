/** vCard 3.0 (RFC 2426) and iCalendar (RFC 5545): the two formats made of folded content lines. */

export interface Contact {
  name: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
  phone?: string | undefined;
  email?: string | undefined;
  org?: string | undefined;
  title?: string | undefined;
  url?: string | undefined;
  note?: string | undefined;
}

/** A contact that phones can save. */
export function contactCard(contact: Contact): string {
  const { full, family, given } = namesOf(contact);
  return contentLines([
    ["BEGIN", "VCARD"],
    ["VERSION", "3.0"],
    ["N", `${escapeText(family)};${escapeText(given)};;;`],
    ["FN", escapeText(full)],
    ["ORG", escapeText(contact.org)],
    ["TITLE", escapeText(contact.title)],
    ["TEL;TYPE=CELL", escapeText(contact.phone)],
    ["EMAIL;TYPE=INTERNET", contact.email],
    ["URL", contact.url],
    ["NOTE", escapeText(contact.note)],
    ["END", "VCARD"],
  ]);
}

export interface Event {
  title: string;
  /** With a zone, as in RFC 3339. */
  start: string;
  end: string;
  location?: string | undefined;
  description?: string | undefined;
}

/**
 * An event that phones can add. UID and DTSTAMP, which RFC 5545 requires, are left out: they would make every code of
 * the same event different and take room, and readers do not need them. `brand` names the product that made it.
 */
export function calendarEvent(event: Event, brand: string): string {
  return contentLines([
    ["BEGIN", "VCALENDAR"],
    ["VERSION", "2.0"],
    ["PRODID", `-//${escapeText(brand.replace(/\s+|\/{2,}/g, " ").trim())}//barcode//EN`],
    ["BEGIN", "VEVENT"],
    ["SUMMARY", escapeText(event.title)],
    ["DTSTART", utcTime(event.start)],
    ["DTEND", utcTime(event.end)],
    ["LOCATION", escapeText(event.location)],
    ["DESCRIPTION", escapeText(event.description)],
    ["END", "VEVENT"],
    ["END", "VCALENDAR"],
  ]);
}

/** `name` is the family name beside a `firstName`, unless it contains that name or `lastName` is given as well. */
function namesOf({ name, firstName = "", lastName = "" }: Contact): { full: string; family: string; given: string } {
  if (lastName) return { full: name, family: lastName, given: firstName };
  if (!firstName) return { full: name, family: name, given: "" };
  if (name.startsWith(`${firstName} `))
    return { full: name, family: name.slice(firstName.length + 1), given: firstName };
  return { full: `${firstName} ${name}`, family: name, given: firstName };
}

function escapeText(value = ""): string {
  return value.replace(/[\\;,]/g, "\\$&").replace(/\r\n?|\n/g, "\\n");
}

/** 2026-03-01T10:00:00+01:00 as 20260301T090000Z. */
function utcTime(dateTime: string): string {
  return `${new Date(dateTime).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
}

/** Lines with a value, each folded and ended by CRLF. */
function contentLines(lines: [name: string, value: string | undefined][]): string {
  return lines.map(([name, value]) => (value ? `${fold(`${name}:${value}`)}\r\n` : "")).join("");
}

/** Lines have at most 75 octets; a continuation begins with a space. Characters are not split. */
function fold(line: string): string {
  let folded = "";
  let octets = 0;
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (octets + length > 75) {
      folded += "\r\n ";
      octets = 1;
    }
    folded += character;
    octets += length;
  }
  return folded;
}
