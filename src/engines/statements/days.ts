/** Days as statements write them. */

const pad = (value: number, digits = 2) => String(value).padStart(digits, "0");
const lastDay = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/**
 * The day in ISO form; undefined if there is none such. Banks that count 30 days a month write 30 February: the month's
 * last day is meant, and `note` hears of it.
 */
export function day(year: number, month: number, date: number, note: (text: string) => void): string | undefined {
  if (month < 1 || month > 12 || date < 1 || year < 1) return undefined;
  const last = lastDay(year, month);
  if (date <= last) return `${pad(year, 4)}-${pad(month)}-${pad(date)}`;
  if (month !== 2 || date > 30) return undefined;
  note(`${pad(date)} February ${year} is read as the last day of that month`);
  return `${pad(year, 4)}-02-${last}`;
}

/** The year of two digits: 1980 to 2079, as SWIFT reads it. */
export const fullYear = (twoDigits: number): number => twoDigits + (twoDigits < 80 ? 2000 : 1900);

/** The day of an ISO date, or of a date with a time, as it is written there. */
export function isoDay(text: string | null | undefined): string | null {
  const [, year, month, date] = /^\s*(\d{4})-(\d\d)-(\d\d)/.exec(text ?? "") ?? [];
  return year ? (day(Number(year), Number(month), Number(date), () => undefined) ?? null) : null;
}
