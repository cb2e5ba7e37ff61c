/** Days counted from others: tomorrow, in two weeks, the 21st. */
import { utcDay } from "../../iso-8601.js";
import { addUnits, DAY, type Day, type DayReader, exact, inWeek, type Reference, two } from "../words/calendar.js";
import { type Scanned, type Scanner, scanned } from "../words/scan.js";
import { LAST, NEXT, THIS, type TimeUnit, WEEKDAY_WORDS } from "../words/words.js";

const NAMED_DAYS: [words: string, days: number][] = [
  ["the day after tomorrow", 2],
  ["day after tomorrow", 2],
  ["the day before yesterday", -2],
  ["day before yesterday", -2],
  ["today", 0],
  ["tomorrow", 1],
  ["tmrw", 1],
  ["tmr", 1],
  ["yesterday", -1],
  ["the day after", 1],
  ["the following day", 1],
  ["following day", 1],
  ["the next day", 1],
  ["next day", 1],
  ["the day before", -1],
  ["the previous day", -1],
  ["previous day", -1],
  ["last day", -1],
  ["this day", 0],
  ["current day", 0],
  ["the day", 0],
  ["otd", 0],
];

export function relativeDay(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  for (const [words, days] of NAMED_DAYS) {
    const next = scan.after(at, words);
    if (next !== undefined) return scanned(exact(ref.day + days * DAY), next);
  }
  return;
}

interface Anchoring {
  /** Whether `in` stands before the length. */
  isIn: boolean;
  read: DayReader;
}

const DATE_UNITS = new Set<TimeUnit>(["Y", "M", "W", "D", "B", "F", "Q", "C"]);

interface Length {
  amounts: [number, TimeUnit][];
}

/** `two weeks`, `2 years 1 month 21 days`. */
export function readLength(
  scan: Scanner,
  at: number,
  isUnit: (unit: TimeUnit) => boolean,
): Scanned<Length> | undefined {
  const amounts: [number, TimeUnit][] = [];
  let next = at;
  for (let from = at; amounts.length < 6; ) {
    const amount =
      scan.amount(from) ?? (amounts.length === 0 && scan.is(from, "fortnight") ? scanned(1, from) : undefined);
    const unit = amount && scan.unit(amount.next);
    if (!amount || !unit || !isUnit(unit.value)) break;
    const half = scan.after(unit.next, "and a half") ?? scan.after(unit.next, "and half");
    amounts.push([amount.value + (half === undefined ? 0 : 0.5), unit.value]);
    next = half ?? unit.next;
    from = scan.skip(scan.skip(next, ","), "and");
  }
  return amounts.length > 0 ? scanned({ amounts }, next) : undefined;
}

const add = (day: number, { amounts }: Length, sign: number): number =>
  amounts.reduce((at, [amount, unit]) => addUnits(at, sign * amount, unit), day);

/** `in two weeks`, `3 days ago`, `2 weeks from January 15`, `two days after tomorrow`. */
export function shifted(scan: Scanner, at: number, ref: Reference, read: DayReader): Scanned<Day> | undefined {
  const start = scan.skip(at, "in", "within");
  const length = readLength(scan, start, (unit) => DATE_UNITS.has(unit));
  if (!length) return;
  const found = anchored(scan, length, { isIn: start > at, read }, ref);
  if (!found) return start > at ? scanned(exact(add(ref.day, length.value, 1)), length.next) : undefined;
  // `two months from today on Tuesday`
  const on = scan.skip(found.next, "on");
  const weekday = on > found.next ? WEEKDAY_WORDS.get(scan.word(on)) : undefined;
  const [day] = found.value.days;
  return weekday !== undefined && day !== undefined
    ? scanned(exact(inWeek(found.value.days.at(-1) ?? day, weekday)), on + 1)
    : found;
}

function anchored(
  scan: Scanner,
  length: Scanned<Length>,
  { isIn, read }: Anchoring,
  ref: Reference,
): Scanned<Day> | undefined {
  const { next, value } = length;
  if (scan.is(next, "ago", "earlier")) return scanned(exact(add(ref.day, value, -1)), next + 1);
  if (scan.is(next, "later", "hence", "afterwards")) return scanned(exact(add(ref.day, value, 1)), next + 1);
  const now = scan.after(next, "from now");
  if (now !== undefined) return scanned(exact(add(ref.day, value, 1)), now);
  const sign = scan.is(next, "from", "after", "since") ? 1 : scan.is(next, "before") ? -1 : 0;
  if (sign === 0) return isIn ? onWeekday(scan, next, add(ref.day, value, 1)) : undefined;
  const anchor = anchorDay(scan, next + 1, ref, read);
  const day = anchor?.value.days.at(-1);
  return anchor && day !== undefined ? scanned(exact(add(day, value, sign)), anchor.next) : undefined;
}

/** `in 3 days on Friday`. */
function onWeekday(scan: Scanner, at: number, day: number): Scanned<Day> | undefined {
  const weekday = scan.is(at, "on") ? WEEKDAY_WORDS.get(scan.word(at + 1)) : undefined;
  return weekday === undefined ? undefined : scanned(exact(inWeek(day, weekday)), at + 2);
}

function anchorDay(scan: Scanner, at: number, ref: Reference, read: DayReader): Scanned<Day> | undefined {
  const year = scan.year(scan.skip(scan.skip(at, "the"), "year"));
  const day = read(scan, at, ref);
  if (year && !(day && day.next > year.next)) return scanned(exact(utcDay(year.value, 1, 1)), year.next);
  return day;
}

/** `the 21st this month`, `the 15th day of next month`, `the 21st`. */
export function dayOfMonthAlone(scan: Scanner, at: number, ref: Reference): Scanned<Day> | undefined {
  const day = scan.ordinal(at);
  if (!day || day.value > 31) return;
  const isLed = scan.is(at - 1, "the", "on");
  const start = scan.skip(scan.skip(scan.skip(day.next, "day"), "of", "in"), "the");
  const months = NEXT.has(scan.word(start))
    ? 1
    : LAST.has(scan.word(start))
      ? -1
      : THIS.has(scan.word(start))
        ? 0
        : undefined;
  const date = new Date(ref.day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  const dayIn = (plus: number) => {
    const found = utcDay(year, month + plus, day.value);
    return new Date(found).getUTCDate() === day.value ? found : undefined;
  };
  if (months !== undefined && scan.is(start + 1, "month")) {
    const found = dayIn(months);
    return found === undefined ? undefined : scanned(exact(found), start + 2);
  }
  if (!isLed || !/^\d/.test(scan.word(at))) return;
  const all = [-2, -1, 0, 1, 2, 3].map(dayIn).filter((found) => found !== undefined);
  const days = [all.filter((found) => found < ref.day).at(-1), all.find((found) => found >= ref.day)].filter(
    (found) => found !== undefined,
  );
  return scanned({ timex: `XXXX-XX-${two(day.value)}`, days }, day.next);
}
