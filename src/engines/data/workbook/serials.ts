/** Days that spreadsheets count, and their times: ECMA-376, part 1, section 18.17.4. */
import { workbookDay } from "./days.js";

const DAY = 86_400_000;

/** How a cell shows its number: as a day, as a time, or as a length that may go beyond a day. */
export type Shown = "date" | "time" | "length";

export interface Moment {
  /** A day, a time, both, or a length in hours; undefined if no spreadsheet shows such a number as a date. */
  text: string | undefined;
  note?: "no day" | "day without date";
}

/** Of year 10000: no spreadsheet shows days from there on. */
const END = 2_958_466;

/**
 * The day or time of a number, to the nearest millisecond. The calendar of 1900 has a 29 February of that year, which never
 * was: all days from 1 March on are one more than they were.
 */
export function momentOf(serial: number, shown: Shown, is1904: boolean): Moment {
  const total = Math.round(serial * DAY);
  if (shown === "length") return { text: lengthText(total) };
  const last = is1904 ? END - 1_462 : END;
  if (!(serial >= 0 && serial < last)) return { text: undefined };
  // A time that rounds to a day's end would be the next day's first.
  if (serial < 1 && (shown === "time" || !is1904))
    return { text: timeText(Math.min(total, DAY - 1)), ...(shown === "date" ? { note: "day without date" } : {}) };
  const day = Math.floor(total / DAY);
  if (day >= last) return { text: undefined };
  const date = workbookDay(day, is1904);
  const time = total - day * DAY;
  const text = time === 0 ? date : `${date}T${timeText(time)}Z`;
  return day === 60 && !is1904 ? { text, note: "no day" } : { text };
}

/** 13:45:00, and 13:45:00.250 where there is a part of a second. */
function timeText(ms: number): string {
  const text = new Date(ms).toISOString().slice(11, 23);
  return text.endsWith(".000") ? text.slice(0, 8) : text;
}

/** 36:00:00 for a day and a half. */
function lengthText(ms: number): string {
  const size = Math.abs(ms);
  const hours = String(Math.floor(size / 3_600_000)).padStart(2, "0");
  return `${ms < 0 ? "-" : ""}${hours}${timeText(size % 3_600_000).slice(2)}`;
}
