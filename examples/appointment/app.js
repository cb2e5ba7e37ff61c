// "Friday at 10" of a mail becomes a free slot: read as a time, moved to UTC, and held against a calendar and a nightly job.
import { pathToFileURL } from "node:url";
import { calendarIcs } from "coinslot/capabilities/calendar";
import { devCron } from "coinslot/capabilities/dev";
import { timeConvert, timeParse } from "coinslot/capabilities/time";

const only = ({ items: [item] }) => item;

/** When it is meant, in UTC, and what is in the way within an hour of it. */
export async function slotOf(text, { sent, timeZone, calendar, job }) {
  const { matches } = only(await timeParse({ text, reference: sent }));
  const meant = matches.find(({ type }) => type === "datetime");
  const { instant, kind } = only(await timeConvert({ time: meant.value.replace(" ", "T"), from: timeZone, to: "UTC" }));
  const expand = {
    from: instant.slice(0, 10),
    to: new Date(Date.parse(instant) + 86_400_000).toISOString().slice(0, 10),
  };
  const { occurrences } = only(await calendarIcs({ text: calendar, expand }));
  const { next, description } = only(await devCron({ expression: job, timeZone, from: instant, count: 1 }));
  const end = Date.parse(instant) + 3_600_000;
  const busy = occurrences.filter((one) => Date.parse(one.start) < end && Date.parse(one.end) > Date.parse(instant));
  const inTheWay = busy.map(({ summary }) => summary);
  if (next.some((one) => Date.parse(one.instant) < end)) inTheWay.push(`job: ${description}`);
  return { instant, kind, inTheWay };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const calendar = [
    ...["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:1", "SUMMARY:Stand-up"],
    ...["DTSTART;TZID=Europe/Berlin:20260327T101500", "DTEND;TZID=Europe/Berlin:20260327T103000"],
    ...["RRULE:FREQ=WEEKLY;BYDAY=MO,FR", "END:VEVENT", "END:VCALENDAR", ""],
  ].join("\r\n");
  // The clock changes on 29 March: what was 09:00 in UTC is 08:00 from then on.
  const known = { sent: "2026-03-26T09:00:00", timeZone: "Europe/Berlin", calendar, job: "30 10 * * 1" };
  for (const text of ["Can we meet tomorrow at 10 am?", "Can we meet on March 30th at 10 am?"])
    console.log(await slotOf(text, known));
}
