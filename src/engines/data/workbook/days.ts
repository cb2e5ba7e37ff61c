/** The dates of the two calendars of spreadsheets. */

const DAY = 86_400_000;
const FIRST_OF_1900 = Date.UTC(1899, 11, 31);
const FIRST_OF_1904 = Date.UTC(1904, 0, 1);

/** The date of a whole number of days: 1 is 1 January 1900, and 0 is 1 January 1904 in the other calendar. */
export function workbookDay(day: number, is1904: boolean): string {
  if (is1904) return isoDay(FIRST_OF_1904 + day * DAY);
  if (day === 60) return "1900-02-29";
  return isoDay(FIRST_OF_1900 + (day > 60 ? day - 1 : day) * DAY);
}

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
