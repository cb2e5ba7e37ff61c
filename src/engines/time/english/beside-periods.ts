/** Periods beside a day or another period: `the week after October 27, 2023`, `the week of May 2`, `the year after next`. */
import { beside } from "./days/beside-days.js";
import { readDay } from "./days/day.js";
import { namedPeriod } from "./periods/named-periods.js";
import { unitAt } from "./periods/periods.js";
import { DAY, isoWeekday, type Reference, type SpokenDays } from "./words/calendar.js";
import { type Scanned, type Scanner, scanned } from "./words/scan.js";
import type { TimeUnit } from "./words/words.js";

const CALENDAR = new Set<TimeUnit>(["W", "WE", "M", "Q", "Y"]);

export function besidePeriod(scan: Scanner, at: number, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const unit = scan.unit(at);
  if (!unit || !CALENDAR.has(unit.value)) return;
  return around(scan, unit, ref) ?? besideUnit(scan, unit, ref);
}

/** `week of October 27`, `weekend of Halloween`. */
function around(scan: Scanner, unit: Scanned<TimeUnit>, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const day = scan.is(unit.next, "of") && /^WE?$/.test(unit.value) ? readDay(scan, unit.next + 1, ref) : undefined;
  if (!day || day.value.days.length === 0) return;
  const isOpen = day.value.timex.startsWith("X");
  const weeks = day.value.days.flatMap((one) => unitAt(unit.value, 0, one) ?? []);
  return scanned(
    isOpen && unit.value === "W" ? weeks.map((one) => ({ ...one, timex: day.value.timex })) : weeks,
    day.next,
  );
}

function besideUnit(scan: Scanner, unit: Scanned<TimeUnit>, ref: Reference): Scanned<SpokenDays[]> | undefined {
  const side = beside(scan, unit.next);
  if (!side) return;
  const sign = side.value;
  if (scan.is(side.next, sign > 0 ? "next" : "last") && !/^[a-z\d]/.test(scan.word(side.next + 1))) {
    const far = unitAt(unit.value, 2 * sign, ref.day);
    return far && scanned([far], side.next + 1);
  }
  const day = readDay(scan, side.next, ref);
  const period = day ? undefined : namedPeriod(scan, side.next, ref);
  const edges = day ? day.value.days : (period?.value.map(({ start, end }) => (sign > 0 ? end - DAY : start)) ?? []);
  const next = day?.next ?? period?.next;
  if (next === undefined || edges.length === 0) return;
  const found = edges.flatMap(
    (edge) => unitAt(unit.value, weekendIsNear(unit.value, sign, edge) ? 0 : sign, edge) ?? [],
  );
  return scanned(found, next);
}

/** From Monday to Friday the weekend after a day is in its own week. */
const weekendIsNear = (unit: TimeUnit, sign: number, day: number): boolean =>
  unit === "WE" && sign > 0 && isoWeekday(day) < 6;
