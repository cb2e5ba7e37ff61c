/** Dates and times of ISO 8601 and RFC 9557: calendar, week and ordinal dates, extended and basic. */
import { readOffset } from "./local-time.js";

const DAY = 86_400_000;

export interface IsoTime {
  /** The local time, written as if it were UTC, in milliseconds. */
  local: number;
  /** In milliseconds; undefined if none was written. */
  offset: number | undefined;
  /** A zone in brackets, as RFC 9557 has it. */
  zone: string | undefined;
}

const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?|(\d\d)(\d\d)|-?W(\d\d)(?:-?([1-7]))?|-?(\d{3}))$/;
const TIME = /^(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?$/;

/** Undefined for text in another form, and for a date or time that does not exist. */
export function readIso(text: string): IsoTime | undefined {
  const [, whole = "", zone] = /^([^[\]]+?)(?:\[!?([^[\]]+)\])?$/.exec(text.trim()) ?? [];
  const [, date = "", time, offsetPart] = /^([\dW-]+?)(?:[Tt ]([\d:.,]+)\s?([Zz]|[+-][\d:]+)?)?$/.exec(whole) ?? [];
  const day = readDate(date);
  const inDay = time === undefined ? 0 : readTime(time);
  if (day === undefined || inDay === undefined) return;
  const offset = offsetPart === undefined ? undefined : /^z$/i.test(offsetPart) ? 0 : readOffset(offsetPart);
  if (offsetPart !== undefined && offset === undefined) return;
  return { local: day + inDay, offset, zone };
}

function readDate(text: string): number | undefined {
  const [, year, month, day, basicMonth, basicDay, week, weekday, ordinal] = DATE.exec(text) ?? [];
  if (year === undefined || year === "0000") return;
  if (week !== undefined) return dayOfWeekDate(Number(year), Number(week), Number(weekday ?? 1));
  if (ordinal !== undefined) return within(Number(year), 0, Number(ordinal));
  return real(Number(year), Number(month ?? basicMonth ?? 1), Number(day ?? basicDay ?? 1));
}

/** Midnight of a day, in milliseconds. Months and days beyond their range carry on. */
export function utcDay(year: number, month: number, day: number): number {
  const date = new Date(0);
  return date.setUTCFullYear(year, month - 1, day);
}

function real(year: number, month: number, day: number): number | undefined {
  const at = utcDay(year, month, day);
  const date = new Date(at);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? at : undefined;
}

function within(year: number, month: number, ordinal: number): number | undefined {
  const at = utcDay(year, month + 1, ordinal);
  return ordinal > 0 && new Date(at).getUTCFullYear() === year ? at : undefined;
}

function dayOfWeekDate(year: number, week: number, weekday: number): number | undefined {
  const fourth = utcDay(year, 1, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY;
  const at = monday + ((week - 1) * 7 + weekday - 1) * DAY;
  return week > 0 && isoWeekOf(at).week === week ? at : undefined;
}

function readTime(text: string): number | undefined {
  const [, hours, minutes = "0", seconds = "0", fraction = ""] = TIME.exec(text) ?? [];
  if (hours === undefined) return;
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  if (minute > 59 || second > 59) return;
  const inDay = ((hour * 60 + minute) * 60 + second) * 1000 + Math.floor(Number(`0.${fraction || "0"}`) * 1000);
  // 24:00 is the end of the day.
  return hour < 24 || inDay === DAY ? inDay : undefined;
}

/** The week of a local time by ISO 8601: weeks begin on Monday, and the first has the year's first Thursday. */
export function isoWeekOf(local: number): { year: number; week: number } {
  const day = Math.floor(local / DAY) * DAY;
  const thursday = day + (3 - ((new Date(day).getUTCDay() + 6) % 7)) * DAY;
  const year = new Date(thursday).getUTCFullYear();
  return { year, week: Math.floor((thursday - utcDay(year, 1, 1)) / (7 * DAY)) + 1 };
}

/** 1 to 366. */
export const dayOfYear = (local: number): number =>
  Math.floor((local - utcDay(new Date(local).getUTCFullYear(), 1, 1)) / DAY) + 1;
