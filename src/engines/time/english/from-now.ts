/** Lengths of time, and moments that lie so far from now. */

import { clockText } from "./clock/times.js";
import { readLength } from "./days/relative-days.js";
import { type FoundTime, moment, point, range } from "./reading.js";
import { DAY, dayText, type Reference } from "./words/calendar.js";
import { lengthTimex } from "./words/lengths.js";
import { type Scanned, type Scanner, scanned } from "./words/scan.js";
import { LAST, NEXT, NOW, SECONDS, type TimeUnit } from "./words/words.js";

const PRESENT = [
  "right now",
  "at the moment",
  "at present",
  "at the present time",
  "at this time",
  "at the minute",
  "at this moment",
];

export function now(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
  const words = PRESENT.flatMap((one) => scan.after(at, one) ?? []);
  const next = words.length > 0 ? Math.max(...words) : NOW.has(scan.word(at)) ? at + 1 : undefined;
  return next === undefined
    ? undefined
    : scanned({ type: "datetime", readings: [point("PRESENT_REF", moment(ref.day, ref.time / 1000))] }, next);
}

const isClockUnit = (unit: TimeUnit): boolean => unit === "H" || unit === "N" || unit === "S";

/** `in 5 minutes`, `half an hour from now`, `30 min later`, `2 hours ago`, `next hour`. */
export function shiftedTime(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
  const start = scan.skip(at, "in");
  const length = readLength(scan, start, (unit) => isClockUnit(unit) || unit === "D");
  if (!length?.value.amounts.some(([, unit]) => isClockUnit(unit))) return nextUnits(scan, at, ref);
  const seconds = secondsOf(length.value.amounts);
  const after =
    scan.after(length.next, "from now") ?? (scan.is(length.next, "later", "hence") ? length.next + 1 : undefined);
  const ago = scan.is(length.next, "ago", "earlier") ? length.next + 1 : undefined;
  const next = ago ?? after ?? (start > at ? length.next : undefined);
  if (next === undefined) return;
  const text = fromNow(ref, ago === undefined ? seconds : -seconds);
  return scanned({ type: "datetime", readings: [point(text.replace(" ", "T"), text)] }, next);
}

/** A moment some seconds from the reference. */
function fromNow(ref: Reference, seconds: number): string {
  const at = ref.day + ref.time + Math.round(seconds) * 1000;
  return `${dayText(at)} ${clockText(Math.floor(at / 1000) - Math.floor(at / DAY) * 86_400)}`;
}

function nextUnits(scan: Scanner, at: number, ref: Reference): Scanned<FoundTime> | undefined {
  const within = scan.is(at, "within") ? readLength(scan, at + 1, isClockUnit) : undefined;
  if (within) {
    const [from, to] = [fromNow(ref, 0), fromNow(ref, secondsOf(within.value.amounts))];
    const timex = `(${from.replace(" ", "T")},${to.replace(" ", "T")},${lengthTimex(within.value.amounts)})`;
    return scanned({ type: "datetimerange", readings: [range(timex, from, to)] }, within.next);
  }
  const counted = signedAmount(scan, scan.skip(at, "the"));
  const unit = counted && scan.unit(counted.next);
  if (!counted || !unit || !isClockUnit(unit.value)) return;
  const { plus, ...amount } = counted;
  const seconds = amount.value * SECONDS[unit.value];
  const [from, to] = plus > 0 ? [fromNow(ref, 0), fromNow(ref, seconds)] : [fromNow(ref, -seconds), fromNow(ref, 0)];
  const timex = `(${from.replace(" ", "T")},${to.replace(" ", "T")},${lengthTimex([[amount.value, unit.value]])})`;
  return scanned({ type: "datetimerange", readings: [range(timex, from, to)] }, unit.next);
}

/** `next 5`, or `5 coming`; without an amount one is meant. */
function signedAmount(scan: Scanner, at: number): (Scanned<number> & { plus: number }) | undefined {
  const signOf = (word: string) => (NEXT.has(word) ? 1 : LAST.has(word) ? -1 : 0);
  const plus = signOf(scan.word(at));
  if (plus !== 0) return { ...(scan.amount(at + 1) ?? scanned(1, at + 1)), plus };
  const amount = scan.amount(at);
  const late = amount ? signOf(scan.word(amount.next)) : 0;
  // `page 13 last minute` has no 13 minutes.
  const isOther = amount !== undefined && amount.value > 1 && !scan.word(amount.next + 1).endsWith("s");
  return amount && late !== 0 && !isOther ? { value: amount.value, next: amount.next + 1, plus: late } : undefined;
}

const secondsOf = (amounts: [number, TimeUnit][]): number =>
  amounts.reduce((sum, [amount, unit]) => sum + amount * SECONDS[unit], 0);

/** `3 hours`, `2 hours 30 minutes`, `all day`. Months count 30 days, years 365. */
export function duration(scan: Scanner, at: number): Scanned<FoundTime> | undefined {
  const isAll =
    scan.is(at, "all", "whole", "entire", "full") || (scan.is(at, "the") && scan.is(at + 1, "whole", "entire", "full"));
  const unit = isAll ? scan.unit(scan.is(at, "the") ? at + 2 : at + 1) : undefined;
  const length = unit
    ? scanned({ amounts: [[1, unit.value]] as [number, TimeUnit][] }, unit.next)
    : readLength(scan, at, (one) => one !== "WE");
  if (!length || (scan.is(at, "a") && scan.is(at + 1, "second"))) return;
  const { amounts } = length.value;
  return scanned(
    { type: "duration", readings: [point(lengthTimex(amounts), String(secondsOf(amounts)))] },
    length.next,
  );
}
