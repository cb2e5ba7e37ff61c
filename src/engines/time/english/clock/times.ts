/** Times of day in English: clock times, words for them, and parts of the day. */

import { type Scanned, type Scanner, scanned } from "../words/scan.js";
import { type Clock, DAY_PARTS, type DayPart } from "../words/words.js";
import { withZone } from "./clock-zones.js";

interface Parts {
  hour: number;
  minute?: number | undefined;
  second?: number | undefined;
}

const two = (value: number) => String(value).padStart(2, "0");

function timexOf({ hour, minute, second }: Parts): string {
  return `T${two(hour)}${minute === undefined ? "" : `:${two(minute)}`}${second === undefined ? "" : `:${withPart(second)}`}`;
}

export const clockText = (seconds: number): string =>
  `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${withPart(seconds % 60)}`;

/** Seconds with their thousandths, where there are some. */
const withPart = (seconds: number): string =>
  Number.isInteger(seconds) ? two(seconds) : seconds.toFixed(3).padStart(6, "0").replace(/0+$/, "");

const reading = (parts: Parts) => ({
  timex: timexOf(parts),
  seconds: parts.hour * 3600 + (parts.minute ?? 0) * 60 + (parts.second ?? 0),
});

/** Both halves of the day, unless the hour says which. */
function open(parts: Parts, isClear: boolean): Clock {
  const { hour } = parts;
  if (hour === 0 || hour > 12) return { readings: [reading({ ...parts, hour: hour % 24 })], isClear };
  const other = hour === 12 ? 0 : hour + 12;
  return { readings: [reading(parts), reading({ ...parts, hour: other })], isClear };
}

function half(parts: Parts, isAfternoon: boolean): Clock {
  const hour = parts.hour > 12 ? parts.hour % 24 : (parts.hour % 12) + (isAfternoon ? 12 : 0);
  return { readings: [reading({ ...parts, hour })], isClear: true };
}

/** A clock time with what follows or precedes it: `8:00am`, `7 in the evening`, `in the morning at 7`. */
export const readClock = (scan: Scanner, at: number): Scanned<Clock> | undefined =>
  scan.once("clock", at, () =>
    withZone(scan, at, partThenTime(scan, at) ?? timeThenPart(scan, scan.skip(at, "at", "@"), at)),
  );

function timeThenPart(scan: Scanner, start: number, at: number): Scanned<Clock> | undefined {
  const time = plainTime(scan, start);
  if (!time) return;
  const part = partAfter(scan, time.next);
  const clock = part ? chosen(time.value, part.value) : time.value;
  const isLed = start > at;
  return scanned(isLed ? { ...clock, isClear: true } : clock, part?.next ?? time.next);
}

function partThenTime(scan: Scanner, at: number): Scanned<Clock> | undefined {
  const part = partAfter(scan, at) ?? barePart(scan, scan.skip(at, "this"));
  if (!part) return;
  const start = scan.skip(scan.skip(part.next, ","), "at", "around", "by", "about");
  const time = plainTime(scan, start);
  return time && (time.value.isClear || start > part.next)
    ? scanned(chosen(time.value, part.value), time.next)
    : undefined;
}

/** Picks the reading that lies in a part of the day; at night small hours come after midnight. */
export function chosen({ readings }: Clock, part: DayPart): Clock {
  if (readings.length < 2) return { readings, isClear: true };
  const isNight = part.timex === "TNI";
  const isLate = (seconds: number) =>
    isNight ? seconds >= 18 * 3600 || seconds < 6 * 3600 : part.timex === "TMO" ? seconds < 43_200 : seconds >= 43_200;
  const kept = readings.filter(({ seconds }) => isLate(seconds));
  return { readings: kept.length > 0 ? kept.slice(0, 1) : readings, isClear: true };
}

/** `in the evening`, `at night`, `this morning`. */
export function partAfter(scan: Scanner, at: number): Scanned<DayPart> | undefined {
  const isIn = scan.is(at, "in", "at", "during", "of");
  const part = isIn ? barePart(scan, scan.skip(at + 1, "the")) : undefined;
  return part && (scan.is(at, "at") ? part.value.timex === "TNI" : true) ? part : undefined;
}

export function barePart(scan: Scanner, at: number): Scanned<DayPart> | undefined {
  const part = DAY_PARTS.get(scan.word(at));
  return part && scanned(part, at + 1);
}

/** A time without a part of the day. */
function plainTime(scan: Scanner, at: number): Scanned<Clock> | undefined {
  return namedTime(scan, at) ?? pastOrTo(scan, at) ?? numbers(scan, at);
}

function namedTime(scan: Scanner, at: number): Scanned<Clock> | undefined {
  const start = scan.is(at + 1, "noon", "midnight") && scan.is(at, "12", "twelve") ? at + 1 : at;
  const noon = ["noon", "noonish", "midday", "noontime"];
  if (scan.is(start, ...noon)) return scanned(half({ hour: 12 }, true), start + 1);
  if (scan.is(start, "midnight")) return scanned(half({ hour: 12 }, false), start + 1);
  const mid = scan.after(start, "mid night") ?? scan.after(start, "mid - night");
  return mid === undefined ? undefined : scanned(half({ hour: 12 }, false), mid);
}

/** `half past seven`, `20 min past eight`, `quarter to five`. */
function pastOrTo(scan: Scanner, at: number): Scanned<Clock> | undefined {
  const start = scan.skip(at, "a");
  const minutes = partOfHour(scan, start) ?? scan.amount(at);
  if (!minutes || !(minutes.value < 60)) return;
  const sign = scan.skip(minutes.next, "min", "mins", "minute", "minutes");
  const isTo = scan.is(sign, "to", "till", "before", "of");
  if (!isTo && !scan.is(sign, "past", "after")) return;
  // `five to seven` is a range of hours.
  if (isTo && sign === minutes.next && !scan.is(start, "half", "quarter")) return;
  const named = namedTime(scan, sign + 1);
  if (named) return fromNamed(named, isTo ? -minutes.value : minutes.value);
  const hour = hourOfClock(scan, sign + 1);
  if (!hour) return;
  const inHours = isTo ? ((hour.value + 10) % 12) + 1 : hour.value;
  const parts = { hour: inHours, minute: isTo ? 60 - minutes.value : minutes.value };
  const next = oclock(scan, hour.next);
  return meridiem(scan, next, parts) ?? scanned(open(parts, true), next);
}

function hourOfClock(scan: Scanner, at: number): Scanned<number> | undefined {
  const hour = scan.small(at) ?? scan.digits(at, 1, 2);
  return hour && hour.value >= 1 && hour.value <= 12 ? hour : undefined;
}

function partOfHour(scan: Scanner, at: number): Scanned<number> | undefined {
  if (scan.is(at, "half")) return scanned(30, at + 1);
  return scan.is(at, "quarter") ? scanned(15, at + 1) : undefined;
}

/** `half past noon`, `quarter to midnight`. */
function fromNamed({ value, next }: Scanned<Clock>, plus: number): Scanned<Clock> {
  const minute = Math.floor((value.readings[0]?.seconds ?? 0) / 60 + plus + 1_440) % 1_440;
  return scanned({ readings: [reading({ hour: Math.floor(minute / 60), minute: minute % 60 })], isClear: true }, next);
}

const oclock = (scan: Scanner, at: number): number => scan.skip(at, "o'clock", "oclock");

function numbers(scan: Scanner, at: number): Scanned<Clock> | undefined {
  const parts = colonTime(scan, at) ?? packedTime(scan, at) ?? wordTime(scan, at);
  if (!parts || parts.value.hour > 24 || (parts.value.minute ?? 0) > 59 || (parts.value.second ?? 0) >= 60) return;
  const marked = parts.value.hour <= 23 ? meridiem(scan, parts.next, parts.value) : undefined;
  if (marked) return marked;
  if (parts.value.isDotted) return scanned(open(parts.value, false), parts.next);
  const clocked = oclock(scan, parts.next);
  const isIsh = scan.is(parts.next, "ish") && scan.isTight(parts.next);
  const isClear = parts.value.minute !== undefined || clocked > parts.next || isIsh;
  if (isIsh) return scanned({ readings: [reading({ hour: parts.value.hour % 24 })], isClear: true }, parts.next + 1);
  return scanned(open(parts.value, isClear), clocked);
}

type Read = Scanned<Parts & { isDotted?: boolean }>;

function colonTime(scan: Scanner, at: number): Read | undefined {
  const hour = scan.digits(at, 1, 2);
  const isDotted = scan.is(at + 1, ".");
  if (!hour || !(scan.is(at + 1, ":") || isDotted) || !scan.isTight(at + 2)) return;
  const minute = scan.digits(at + 2, 2, 2);
  if (!minute) return;
  const second = scan.is(minute.next, ":") ? scan.digits(minute.next + 1, 2, 2) : undefined;
  const isPart = second && scan.is(second.next, ".", ",") && scan.isTight(second.next) && scan.isTight(second.next + 1);
  const part = isPart ? scan.digits(second.next + 1, 1, 9) : undefined;
  const fraction = part && second ? Number(`0.${scan.word(second.next + 1)}`) : 0;
  return scanned(
    {
      ...{ hour: hour.value, minute: minute.value, ...(isDotted ? { isDotted } : {}) },
      second: second && Math.round((second.value + fraction) * 1000) / 1000,
    },
    part?.next ?? second?.next ?? minute.next,
  );
}

/** `1140 a.m.` */
function packedTime(scan: Scanner, at: number): Read | undefined {
  const digits = scan.digits(at, 3, 4);
  if (!digits || !meridiem(scan, digits.next, { hour: 1 })) return;
  return scanned({ hour: Math.floor(digits.value / 100), minute: digits.value % 100 }, digits.next);
}

/** `7`, `seven`, `seven thirty`, `five-thirty`, `11ish` (one word). */
function wordTime(scan: Scanner, at: number): Read | undefined {
  const digits = scan.digits(at, 1, 2);
  if (digits) return scanned({ hour: digits.value }, digits.next);
  const hour = scan.small(at);
  if (!hour || hour.value < 1 || hour.value > 12) return;
  const minute = scan.small(scan.skip(hour.next, "-"));
  const isTime = minute && minute.value >= 10 && minute.value < 60;
  return isTime
    ? scanned({ hour: hour.value, minute: minute.value }, minute.next)
    : scanned({ hour: hour.value }, hour.next);
}

/** `am`, `p.m.`, `p . m .`, `a` and `p` close to the number. */
function meridiem(scan: Scanner, at: number, parts: Parts): Scanned<Clock> | undefined {
  if (scan.is(at, "ampm")) return scanned(open(parts, true), at + 1);
  const isDot = scan.is(at, ".") && scan.isTight(at) && scan.is(at + 1, "am", "pm", "a", "p");
  const start = isDot ? at + 1 : at;
  const word = scan.word(start);
  if (word === "am" || word === "pm") return scanned(half(parts, word === "pm"), start + 1);
  if (word !== "a" && word !== "p") return;
  const spelled = scan.skip(start + 1, ".");
  if (scan.is(spelled, "m")) return scanned(half(parts, word === "p"), scan.skip(spelled + 1, "."));
  return scan.isTight(start) ? scanned(half(parts, word === "p"), start + 1) : undefined;
}
