/** Days beside another day: `the day after October 27, 2023`, `the second Friday before Christmas`. */
import {
  DAY,
  type Day,
  type DayReader,
  dayText,
  exact,
  inWeek,
  isoWeekday,
  type Reference,
} from "../words/calendar.js";
import { type Scanned, type Scanner, scanned } from "../words/scan.js";
import { WEEKDAY_WORDS } from "../words/words.js";

/** 1 Monday to 7 Sunday, or any day, or any from Monday to Friday. */
type Kind = number | "day" | "business";

const fits = (day: number, kind: Kind): boolean =>
  kind === "day" || (kind === "business" ? isoWeekday(day) < 6 : isoWeekday(day) === kind);

/** Days to look at: the 31st weekday lies within so many. */
const FURTHEST = 31 * 7;

function kindAt(scan: Scanner, at: number): Scanned<Kind> | undefined {
  const weekday = WEEKDAY_WORDS.get(scan.word(at));
  if (weekday !== undefined) return scanned(weekday, at + 1);
  if (scan.is(at, "day")) return scanned("day", at + 1);
  if (scan.is(at, "weekday")) return scanned("business", at + 1);
  return scan.is(at, "business", "working") && scan.is(at + 1, "day") ? scanned("business", at + 2) : undefined;
}

/** The position after `after` or `before`, with the direction. */
export function beside(scan: Scanner, at: number): Scanned<1 | -1> | undefined {
  if (scan.is(at, "after", "following")) return scanned(1, at + 1);
  if (scan.is(at, "before", "preceding")) return scanned(-1, at + 1);
  const prior = scan.after(at, "prior to");
  return prior === undefined ? undefined : scanned(-1, prior);
}

export function besideDay(scan: Scanner, at: number, ref: Reference, read: DayReader): Scanned<Day> | undefined {
  const start = scan.skip(at, "the");
  const ordinal = scan.ordinal(start);
  const isNearest = scan.is(start, "last", "next", "very", "nearest");
  const kind = kindAt(scan, ordinal?.next ?? (isNearest ? start + 1 : start));
  const side = kind && beside(scan, kind.next);
  if (!kind || !side) return;
  const twice = afterNext(scan, kind, side, ref);
  if (twice) return twice;
  const anchor = read(scan, side.next, ref);
  if (!anchor || anchor.value.days.length === 0) return;
  const number = ordinal?.value ?? 1;
  const days = anchor.value.days.flatMap((day) => nth(day, kind.value, side.value * number) ?? []);
  if (days.length === 0) return;
  return scanned(named(anchor.value, days, ref), anchor.next);
}

/** `the Friday after next`, `the Monday before last`. */
function afterNext(
  scan: Scanner,
  kind: Scanned<Kind>,
  side: Scanned<1 | -1>,
  ref: Reference,
): Scanned<Day> | undefined {
  const isTwice = scan.is(side.next, side.value > 0 ? "next" : "last") && !/^[a-z\d]/.test(scan.word(side.next + 1));
  return isTwice && typeof kind.value === "number"
    ? scanned(exact(inWeek(ref.day, kind.value, 2 * side.value)), side.next + 1)
    : undefined;
}

function nth(from: number, kind: Kind, number: number): number | undefined {
  let left = Math.abs(number);
  for (let step = 1; step <= FURTHEST; step++) {
    const day = from + Math.sign(number) * step * DAY;
    if (fits(day, kind)) left -= 1;
    if (left === 0) return day;
  }
  return;
}

/** A day without its year stays one, unless it is another day in each year: the next one is meant then. */
function named({ timex }: Day, days: number[], ref: Reference): Day {
  const [only, ...more] = days;
  if (only === undefined || more.length === 0) return exact(only ?? ref.day);
  const weekdays = new Set(days.map(isoWeekday));
  if (timex.startsWith("XXXX-WXX") && weekdays.size === 1) return { timex: `XXXX-WXX-${isoWeekday(only)}`, days };
  const dates = new Set(days.map((day) => dayText(day).slice(5)));
  if (dates.size === 1) return { timex: `XXXX-${[...dates].join("")}`, days };
  return exact(days.find((day) => day >= ref.day) ?? only);
}
