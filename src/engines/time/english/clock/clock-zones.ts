/** Zones behind times of day, and what they say of the hours. */
import { type Scanned, type Scanner, scanned } from "../words/scan.js";
import type { Clock } from "../words/words.js";
import { readZone } from "./zones.js";

/** Letters that make a bare number a time. */
const CLEAR_ZONE = /^(?:[ECMP][SD]T|UTC|GMT|CES?T)/i;

/** Goes over a zone behind a time, and notes it for the match. A written offset or UTC counts 24 hours. */
export function withZone(scan: Scanner, at: number, clock: Scanned<Clock> | undefined): Scanned<Clock> | undefined {
  if (!clock) return;
  const isIso = scan.is(at - 1, "t") && scan.isTight(at) && scan.isTight(at - 1);
  const zone = readZone(scan, clock.next, isIso);
  if (zone) scan.zones.set(clock.next, zone.value);
  const text = zone?.value.text ?? "";
  const { readings, isClear } = clock.value;
  const is24 = (isIso || UNIVERSAL.test(text)) && isPadded(scan, scan.skip(at, "at", "@"), readings[0]?.timex ?? "");
  const value = { readings: is24 ? readings.slice(0, 1) : readings, isClear: isClear || CLEAR_ZONE.test(text) };
  return scanned(value, zone?.next ?? clock.next);
}

const UNIVERSAL = /^\(?(?:Z|(?:UTC|GMT)?[+\-−\d:]+|UTC|GMT)$/i;

/** `08:00`: hours of two digits, with minutes. */
const isPadded = (scan: Scanner, at: number, timex: string): boolean => scan.word(at).length === 2 && timex.length > 3;

/** Whether two times are told in different zones: no length lies between them then. */
export function zonesDiffer(scan: Scanner, from: number, next: number): boolean {
  const texts = [...scan.zones].flatMap(([at, { offset, timeZone, text }]) =>
    at >= from && at < next ? [offset ?? timeZone ?? text] : [],
  );
  return new Set(texts).size > 1;
}
