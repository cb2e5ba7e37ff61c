/** The zones of a calendar: by their IANA name where they have one, else by the rules that the calendar brings. */
import { isTimeZone, type Zone, type Zones } from "../../lib/time-zone.js";
import { type IcsComponent, propertiesOf, propertyOf } from "./ics-lines.js";
import { readIcsTime } from "./ics-time.js";
import { readOffset } from "./local-time.js";
import { type Budget, occurrencesOf, TooManyPeriods } from "./recurrence.js";
import { parseRule, RuleError } from "./recurrence-rule.js";

export interface CalendarZone {
  /** The IANA name, or the calendar's own. */
  name: string;
  zone: Zone;
}

/** Finds a zone by its TZID; undefined if neither the host nor the calendar knows it. */
export type ZoneFinder = (id: string) => CalendarZone | undefined;

/** Onsets of one observance that are computed. */
const MAX_ONSETS = 400;
const LAST_ONSET = Date.UTC(2100, 0);

export function zonesOf(calendars: IcsComponent[], budget: Budget, zones: Zones): ZoneFinder {
  const own = new Map<string, IcsComponent>();
  for (const { components } of calendars)
    for (const component of components) {
      const id = component.name === "VTIMEZONE" ? propertyOf(component, "TZID")?.value : undefined;
      if (id !== undefined) own.set(id, component);
    }
  const found = new Map<string, CalendarZone | undefined>();
  return (id) => {
    if (!found.has(id)) found.set(id, find(id, own.get(id), { budget, zones }));
    return found.get(id);
  };
}

function find(
  id: string,
  component: IcsComponent | undefined,
  { budget, zones }: { budget: Budget; zones: Zones },
): CalendarZone | undefined {
  const location = component && propertyOf(component, "X-LIC-LOCATION")?.value;
  for (const name of [id, location, ...tails(id)])
    if (name !== undefined && isTimeZone(name)) return { name, zone: zones.open(name) };
  const zone = component && ruledZone(component, budget);
  return zone && { name: id, zone };
}

/** `/mozilla.org/20050126_1/Europe/Berlin` ends in a name. */
function tails(id: string): string[] {
  const parts = id.split("/").filter(Boolean).slice(-4);
  return parts.length < 3 && !id.startsWith("/") ? [] : [3, 2].map((count) => parts.slice(-count).join("/"));
}

interface Onset {
  instant: number;
  offset: number;
}

function ruledZone(component: IcsComponent, budget: Budget): Zone | undefined {
  const observances = component.components.slice(0, 100);
  const onsets = observances
    .flatMap((observance) => onsetsOf(observance, budget))
    .sort((a, b) => a.instant - b.instant);
  const [first] = onsets;
  if (!first) return;
  const before = readOffset(propertyOf(observances[0] as IcsComponent, "TZOFFSETFROM")?.value ?? "") ?? first.offset;
  const after = (instant: number): number => {
    let [low, high] = [0, onsets.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((onsets[middle]?.instant ?? 0) <= instant) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const offsetAt = (instant: number) => onsets[after(instant) - 1]?.offset ?? before;
  return {
    offsetAt,
    changeBetween(from, to) {
      for (let at = after(from); (onsets[at]?.instant ?? Number.POSITIVE_INFINITY) <= to; at++)
        if (onsets[at]?.offset !== offsetAt(from)) return onsets[at]?.instant;
      return undefined;
    },
  };
}

function onsetsOf(observance: IcsComponent, budget: Budget): Onset[] {
  const value = (name: string) => propertyOf(observance, name)?.value ?? "";
  const start = readIcsTime(value("DTSTART"));
  const [from, offset] = [readOffset(value("TZOFFSETFROM").slice(0, 5)), readOffset(value("TZOFFSETTO").slice(0, 5))];
  if (!start || from === undefined || offset === undefined) return [];
  const dates = propertiesOf(observance, "RDATE").flatMap((property) =>
    property.value.split(",").flatMap((text) => readIcsTime(text)?.local ?? []),
  );
  const locals = new Set([start.local, ...dates, ...ruleDates(value("RRULE"), start.local, from, budget)]);
  return [...locals].map((local) => ({ instant: local - from, offset }));
}

function ruleDates(rule: string, start: number, offset: number, budget: Budget): number[] {
  const dates: number[] = [];
  if (rule === "") return dates;
  try {
    const span = { until: LAST_ONSET, offsetAt: () => offset };
    for (const date of occurrencesOf(parseRule(rule), start, budget, span)) if (dates.push(date) >= MAX_ONSETS) break;
  } catch (error) {
    if (!(error instanceof RuleError) && !(error instanceof TooManyPeriods)) throw error;
  }
  return dates;
}
