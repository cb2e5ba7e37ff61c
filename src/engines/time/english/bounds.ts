/** Times with one end: before, after, since and until another, and what is later than one. */

import { clockText, readClock } from "./clock/times.js";
import { date, dayAndTime, time } from "./dates-and-times.js";
import { readEdge } from "./periods/parts-of-a-period.js";
import { type FoundTime, type MatchType, point, range } from "./reading.js";
import { dayRange } from "./spans.js";
import { dayText, longest, type Reference } from "./words/calendar.js";
import { type Scanned, type Scanner, scanned } from "./words/scan.js";

const BEFORE = new Set(["before", "until", "till"]);

const AFTER = new Set(["after", "since"]);
/** They begin what comes, as `since` does. */
const STARTING = new Set(["starting", "beginning"]);

/** `later than` and `greater than` are after. */
const afterThan = (scan: Scanner, at: number): boolean =>
  scan.is(at, "later", "greater", "more") && scan.is(at + 1, "than");

/** `more than 2 weeks ago` lies before that day. */
function thanWord(scan: Scanner, at: number, ref: Reference): string {
  const next = date(scan, at + 2, ref)?.next ?? at;
  const isBack =
    scan.is(at, "more") && Array.from({ length: next - at }, (_, n) => scan.word(at + n)).some((one) => BACK.has(one));
  return isBack ? "before" : "after";
}

const BACK = new Set(["ago", "before", "earlier"]);

/** The word that a bound is told by, and where the bounded begins. */
function boundWord(scan: Scanner, at: number, ref: Reference): Scanned<string> | undefined {
  if (afterThan(scan, at)) return scanned(thanWord(scan, at, ref), at + 2);
  if (STARTING.has(scan.word(at)) && !scan.is(at + 1, "of"))
    return scanned("since", scan.skip(at + 1, "on", "from", "at"));
  const word = scan.word(at);
  return BEFORE.has(word) || AFTER.has(word) ? scanned(word, at + 1) : undefined;
}

/** `before 2018`, `since tomorrow`, `after 2:00`, `until Friday`, `starting on May 5`, `by the end of the month`. */
export function modified(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
  if (scan.is(at, "by")) return edgeBound(scan, scan.skip(at + 1, "the"), "until", ref);
  const bound = boundWord(scan, at, ref);
  if (!bound) return;
  const { value: word, next: start } = bound;
  const inner = scan.skip(start, "the");
  const edged = edgeBound(scan, inner, word, ref);
  if (edged) return edged;
  const found = longest([dayAndTime, date, dayRange, time].flatMap((rule) => rule(scan, inner, ref) ?? []));
  const loose = found ?? bareTime(scan, start);
  if (!loose || loose.value.type === "set") return;
  const isBefore = BEFORE.has(word);
  const readings = loose.value.readings.map(({ timex, value, start, end }) => {
    const whole = word === "after" ? (value ?? end) : (value ?? start);
    return isBefore ? range(timex, null, value ?? start) : range(timex, whole, null);
  });
  const modifier = word === "till" ? "until" : word;
  const type =
    ({ date: "daterange", time: "timerange", datetime: "datetimerange" } as Record<string, MatchType>)[
      loose.value.type
    ] ?? loose.value.type;
  return scanned({ type, readings, modifier }, loose.next);
}

/** `before the end of March`, `since the beginning of 2026`: the edge itself is the bound. */
function edgeBound(scan: Scanner, at: number, word: string, ref: Reference): Scanned<FoundTime> | undefined {
  const found = scan.is(at, "end", "beginning", "start") ? readEdge(scan, at, ref) : undefined;
  if (!found) return;
  const readings = found.value.periods.map(({ timex, start, end }) => {
    const bound = dayText(found.value.edge === "end" ? end : start);
    return BEFORE.has(word) ? range(timex, null, bound) : range(timex, bound, null);
  });
  return scanned({ type: "daterange", readings, modifier: word === "till" ? "until" : word }, found.next);
}

const bareTime = (scan: Scanner, at: number): Scanned<FoundTime> | undefined => {
  const clock = readClock(scan, at);
  return clock?.value.isClear
    ? scanned(
        { type: "time", readings: clock.value.readings.map(({ timex, seconds }) => point(timex, clockText(seconds))) },
        clock.next,
      )
    : undefined;
};

/** `2018 or later`, `3 pm or later`, `1/1/2016 and after`, unless something follows that it is after. */
export function orLater(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
  const found = longest([date, dayRange, time].flatMap((rule) => rule(scan, at, ref) ?? []));
  const isOpen =
    found &&
    scan.is(found.next, "or", "and") &&
    (scan.is(found.next + 1, "later", "greater") ||
      (scan.is(found.next + 1, "after") && !/^[a-z\d]/.test(scan.word(found.next + 2))));
  if (!isOpen) return;
  const readings = found.value.readings.map(({ timex, value, start }) => range(timex, value ?? start, null));
  const type = found.value.type === "time" ? "timerange" : "daterange";
  return scanned({ type, readings, modifier: "since" }, found.next + 2);
}
