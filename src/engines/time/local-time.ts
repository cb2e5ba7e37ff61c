/** Local times of zones: when they are, how they are written, and when the clocks change next. */
import { fixedZone, isTimeZone, type NamedZone, type Zone, type ZoneData, type Zones } from "../../lib/time-zone.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Longer than any clock change, including a zone that crosses the date line. */
const MARGIN = 48 * HOUR;

/** `+02:00`, `-0330` or `+5`, in milliseconds; undefined for other text. */
export function readOffset(text: string): number | undefined {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d{1,2})(?::?([0-5]\d))?$/.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23) return;
  return (sign === "-" ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
}

/** Opens an IANA zone, or a fixed offset such as `+02:00`. */
export function openAnyZone(name: string, zones: Zones): NamedZone {
  const offset = readOffset(name);
  return offset === undefined ? zones.open(name) : fixedZone(offset);
}

export const isZoneOrOffset = (name: string): boolean => isTimeZone(name) || readOffset(name) !== undefined;

/** For the `meta` of an answer: `tzdata 2026f (package)`. */
export const dataText = ({ release, source }: ZoneData): string =>
  `tzdata ${release ?? "of no known release"} (${source})`;

export interface Instants {
  kind: "single" | "gap" | "ambiguous";
  /** In a gap the same distance after it, as most calendars do; of two the earlier. */
  instant: number;
  /** None in a gap, else one or two, in order. */
  instants: number[];
}

/** The instants at which clocks of a zone show a local time, which is written as if it were UTC. */
export function instantsOf(local: number, zone: Zone): Instants {
  const offsets = new Set([zone.offsetAt(local - MARGIN), zone.offsetAt(local + MARGIN)]);
  // A change lies near: the offsets close to the time count, too.
  for (const hours of [-15, -12, 0, 12, 15]) offsets.add(zone.offsetAt(local + hours * HOUR));
  const instants = [...offsets]
    .map((offset) => local - offset)
    .filter((instant) => instant + zone.offsetAt(instant) === local)
    .sort((a, b) => a - b);
  const [first] = instants;
  if (first !== undefined) return { kind: instants.length > 1 ? "ambiguous" : "single", instant: first, instants };
  return { kind: "gap", instant: afterGap(local, zone), instants: [] };
}

/** Reads the time with the offset from before the gap. */
function afterGap(local: number, zone: Zone): number {
  const change = changeAt(local, zone);
  return local - zone.offsetAt(change === undefined ? local - MARGIN : change - 1);
}

/** The clock change that skips a local time. */
function changeAt(local: number, zone: Zone): number | undefined {
  for (let from = local - MARGIN; from < local + MARGIN; from += 6 * HOUR) {
    const change = zone.changeBetween(from, from + 6 * HOUR);
    if (change !== undefined && change + zone.offsetAt(change - 1) <= local && local < change + zone.offsetAt(change))
      return change;
  }
  return undefined;
}

/** The first moment after the gap that skips a local time; undefined if clocks show the time. */
export const endOfGap = (local: number, zone: Zone): number | undefined => changeAt(local, zone);

/** Zones without daylight saving have no change in years to come; tables of the host end before this. */
const LAST_CHANGE = Date.UTC(2040, 0);
const WEEK = 7 * DAY;
/** Places kept the mean time of their sun until the first of them took a standard time. */
const FIRST_CHANGE = Date.UTC(1800, 0);

/** The first change of offset after an instant; undefined if none is planned. */
export function nextChange(instant: number, zone: Zone): number | undefined {
  const until = Math.max(instant + 2 * 366 * DAY, LAST_CHANGE);
  const isLongAgo = instant < FIRST_CHANGE && zone.offsetAt(instant) === zone.offsetAt(FIRST_CHANGE);
  // Whole weeks, so that one zone is asked for the same instants again.
  for (let from = isLongAgo ? FIRST_CHANGE : instant; from < until; from = (Math.floor(from / WEEK) + 1) * WEEK) {
    const change = zone.changeBetween(from, (Math.floor(from / WEEK) + 1) * WEEK);
    if (change !== undefined) return change;
  }
  return undefined;
}

/** `2026-03-29T01:00:00Z`; milliseconds only where there are some. */
export const instantText = (instant: number): string => `${localText(instant)}Z`;

/** A local time, written as if it were UTC: `2026-03-29T03:00:00`. */
export const localText = (local: number): string => new Date(local).toISOString().replace(/(?:\.000)?Z$/, "");

/** `+02:00`; seconds only where there are some. */
export function offsetText(offset: number): string {
  const seconds = Math.abs(offset) / 1000;
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const rest = seconds % 60 === 0 ? "" : `:${two(seconds % 60)}`;
  return `${offset < 0 ? "-" : "+"}${two(seconds / 3600)}:${two((seconds % 3600) / 60)}${rest}`;
}
