/** Dates, times and durations as iCalendar writes them. */
import { utcDay } from "./iso-8601.js";

const DAY = 86_400_000;

export interface IcsTime {
  /** Written as if it were UTC. */
  local: number;
  isUtc: boolean;
  isDate: boolean;
}

/** `20260329`, `20260329T023000` or `20260329T003000Z`, also with dashes and colons; undefined for other text. */
export function readIcsTime(text: string): IcsTime | undefined {
  const parts =
    /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d))?(?:\.\d{1,9})?(Z)?)?$/i.exec(text.trim()) ?? undefined;
  if (!parts) return;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const at = utcDay(year, month, day);
  const date = new Date(at);
  if (year === 0 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return;
  if (hour > 24 || minute > 59 || second > 60 || (hour === 24 && minute + second > 0)) return;
  const inDay = ((hour * 60 + minute) * 60 + Math.min(second, 59)) * 1000;
  return { local: at + inDay, isUtc: parts[7] !== undefined, isDate: parts[4] === undefined };
}

/** `P1DT2H30M`, `-PT15M`, `P2W`: whole days apart from hours, because days follow the clocks. In milliseconds. */
export function readIcsDuration(text: string): { days: number; time: number } | undefined {
  const [whole, sign, weeks, days, hours, minutes, seconds] =
    /^([+-])?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/i.exec(text.trim()) ??
    [];
  if (whole === undefined || !/\d/.test(whole)) return;
  const factor = sign === "-" ? -1 : 1;
  const number = (part: string | undefined) => Number(part ?? 0);
  return {
    days: factor * (number(weeks) * 7 + number(days)),
    time: factor * ((number(hours) * 60 + number(minutes)) * 60 + number(seconds)) * 1000,
  };
}

/** `2026-03-29` for a date, `2026-03-29T02:30:00` for a local time. */
export const dateText = (local: number): string => new Date(Math.floor(local / DAY) * DAY).toISOString().slice(0, 10);
