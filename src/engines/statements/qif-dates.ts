/** Dates of QIF: numbers in an order that the file does not tell. */
import { invalid } from "../../errors.js";
import { day, fullYear } from "./days.js";

const DATE_ORDERS = ["mdy", "dmy", "ymd"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

const nothing = () => undefined;

/** `1/ 5'99`, `01/05/2024`, `2024-01-05`, `5.1.24`: behind an apostrophe two digits are of this century. */
function readDate(text: string, order: DateOrder): string | undefined {
  const parts = /^(\d{1,4})[/.\-' ](\d{1,2})([/.\-' ])(\d{1,4})$/.exec(text.replace(/\s*([/.\-'])\s*/g, "$1"));
  if (!parts) return undefined;
  const [, a = "", b = "", sign = "", c = ""] = parts;
  const [year, month, date] = order === "ymd" ? [a, b, c] : order === "mdy" ? [c, a, b] : [c, b, a];
  if (month.length > 2 || date.length > 2 || ![1, 2, 4].includes(year.length)) return undefined;
  const short = sign === "'" ? Number(year) + 2000 : fullYear(Number(year));
  return day(year.length === 4 ? Number(year) : short, Number(month), Number(date), nothing);
}

/** Reads dates in the order given, or in the one in which all of them are days. */
export function datesReader(dates: string[], given: DateOrder | undefined, note: (text: string) => void) {
  const fits = (order: DateOrder) => dates.every((date) => readDate(date, order) !== undefined);
  if (given && !fits(given)) {
    const wrong = dates.find((date) => readDate(date, given) === undefined);
    throw invalid("dateOrder", `must be the order of all dates, but "${wrong?.slice(0, 40)}" is not a day as ${given}`);
  }
  const hasDots = dates.some((date) => date.includes("."));
  const orders: DateOrder[] = hasDots ? ["dmy", "mdy", "ymd"] : ["mdy", "dmy", "ymd"];
  // Two digits in front are a year only where nothing else fits.
  const [first, second] = orders.filter(fits);
  const order = given ?? first;
  if (order === undefined) throw invalid("", "has dates that are no days in any one order of day, month and year");
  const isAmbiguous = !given && second !== undefined && second !== "ymd" && dates.some(differs);
  if (isAmbiguous) note(`dates are read as ${order}: say dateOrder if they are not`);
  return (text: string): string | null => readDate(text, order) ?? null;
}

const differs = (date: string) => readDate(date, "mdy") !== readDate(date, "dmy");
