import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { rows } from "../../capability/output.js";
import { dayOfYear, type IsoTime, isoWeekOf, readIso } from "../../engines/time/iso-8601.js";
import {
  dataText,
  instantsOf,
  instantText,
  isZoneOrOffset,
  localText,
  nextChange,
  offsetText,
  openAnyZone,
  readOffset,
} from "../../engines/time/local-time.js";
import { invalid } from "../../errors.js";
import { openZones, type Zones } from "../../lib/time-zone.js";
import { zones } from "./_zones.js";

const MAX_ZONES = 10;
/** Zone data of hosts is right for years of this many digits. */
const [EARLIEST, LATEST] = [Date.UTC(1000, 0), Date.UTC(10_000, 0) - 48 * 3_600_000];

export const timeConvert = /* @__PURE__ */ defineCapability({
  id: "time.convert",
  summary:
    "Convert a time between time zones: offset, abbreviation, gap or doubled hour of daylight saving, ISO week, next clock change.",
  keywords: [
    "timezone converter",
    "time zone",
    "utc offset",
    "daylight saving",
    "dst",
    "what time is it in",
    "local time",
    "week number",
    "iso week",
    "day of year",
    "clock change",
    "world clock",
    "meeting time",
  ],
  price: "0.001",
  offline: true,
  source: {
    provider: "built-in (IANA time zone database)",
    url: "https://www.iana.org/time-zones",
    license: "Public domain (IANA time zone database)",
  },
  input: () =>
    z.strictObject({
      time: text(4, 100).describe(
        "ISO 8601: 2026-03-29T02:30 with from, or with an offset, 2026-03-29T00:30:00Z; week dates (2026-W13-7) and ordinal dates (2026-088) too",
      ),
      from: text(1, 64)
        .optional()
        .describe(
          "Zone of the time if it has no offset: an IANA name such as Europe/Berlin, or an offset such as +02:00",
        ),
      to: zones(MAX_ZONES)
        .optional()
        .describe("Zones to convert to, divided by commas: one row each. Left out: the zone of the time, or UTC"),
    }),
  output: rows(() =>
    z.object({
      timeZone: z.string().describe("The zone of this row"),
      kind: z
        .enum(["single", "gap", "ambiguous"])
        .describe("Whether clocks of the time's own zone show it once, never (skipped), or twice"),
      instant: z
        .string()
        .describe("In UTC. Of two instants the earlier; of a skipped time the one as long after the gap"),
      instants: z.array(z.string()).describe("All instants at which clocks show the time: none in a gap"),
      local: z.string().describe("Local time of this row's zone at the instant"),
      offset: z.string().describe("From UTC, such as +02:00"),
      abbreviation: z.string().describe("Such as CEST; +03 where the zone has no letters"),
      isoWeek: z.int().describe("1 to 53"),
      isoWeekYear: z.int().describe("The year that the week belongs to"),
      dayOfYear: z.int(),
      weekday: z.int().describe("1 Monday to 7 Sunday"),
      nextChange: z
        .object({ instant: z.string(), offset: z.string().describe("From then on") })
        .nullable()
        .describe("The next change of the zone's clocks; null if none is planned"),
      tzdata: z
        .string()
        .nullable()
        .describe("Release of the zone data that was used, such as 2026f; null where the host's platform names none"),
      tzdataSource: z
        .enum(["package", "host"])
        .describe("Whose zone data it is: that of this package or, where newer and before 1970, that of the host"),
    }),
  ),
  example: { time: "2026-03-29T02:30", from: "Europe/Berlin", to: "UTC,America/New_York" },
  read({ time, from, to }) {
    const given = readIso(time);
    if (!given)
      throw invalid(
        "time",
        "must be a date and time of ISO 8601 that exists, such as 2026-03-29T02:30 or 2026-03-29T02:30Z",
      );
    if (given.local < EARLIEST || given.local > LATEST) throw invalid("time", "must lie in the years 1000 to 9999");
    if (from !== undefined && !isZoneOrOffset(from))
      throw invalid("from", "must be an IANA time zone such as Europe/Berlin, or an offset such as +02:00");
    const zone = zoneOf(given, from);
    return { ...given, zone, to: to ?? [zone] };
  },
  async run({ local, offset, zone, to }) {
    const known = await openZones();
    const found =
      offset === undefined
        ? instantsOf(local, openAnyZone(zone, known))
        : { kind: "single" as const, instant: local - offset, instants: [local - offset] };
    const shared = { kind: found.kind, instant: instantText(found.instant), instants: found.instants.map(instantText) };
    const items = to.map((name) => ({ timeZone: name, ...shared, ...showIn(name, found.instant, known) }));
    return { items, total: items.length, meta: method({ data: dataText(known.dataAt(found.instant)) }) };
  },
});

/** The zone in which a time is written: its own offset counts before a zone beside it. */
function zoneOf({ offset, zone }: IsoTime, from: string | undefined): string {
  if (zone !== undefined && !isZoneOrOffset(zone))
    throw invalid("time", `names the zone "${zone}", which is not known`);
  const named = zone ?? from;
  if (named !== undefined) return named;
  if (offset === undefined)
    throw invalid("from", "is required, because the time has no offset: name its zone, such as Europe/Berlin");
  return offset === 0 ? "UTC" : offsetText(offset);
}

function showIn(name: string, instant: number, known: Zones) {
  const zone = openAnyZone(name, known);
  const { release, source } = known.dataAt(instant);
  const offset = zone.offsetAt(instant);
  const local = instant + offset;
  const change = readOffset(name) === undefined ? nextChange(instant, zone) : undefined;
  const { year, week } = isoWeekOf(local);
  return {
    ...{ local: localText(local), offset: offsetText(offset), abbreviation: zone.lettersAt(instant) },
    ...{ isoWeek: week, isoWeekYear: year, dayOfYear: dayOfYear(local), weekday: new Date(local).getUTCDay() || 7 },
    nextChange:
      change === undefined ? null : { instant: instantText(change), offset: offsetText(zone.offsetAt(change)) },
    tzdata: release,
    tzdataSource: source,
  };
}
