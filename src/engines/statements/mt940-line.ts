/** The line :61: of MT940 and MT942, read from left to right without ever going back. */
import { Decimal } from "../../lib/decimal.js";
import { day, fullYear } from "./days.js";

export interface StatementLine {
  /** Signed. */
  amount: Decimal;
  valueDate: string | null;
  bookingDate: string | null;
  reversal: boolean;
  isExpected: boolean;
  type: string | null;
  customerReference: string | null;
  bankReference: string | null;
  details: string | null;
}

const REFERENCE = 16;

/** Undefined for text that is not such a line. */
export function readLine(value: string, note: (text: string) => void): StatementLine | undefined {
  const reader = new LineReader(value, note);
  const dates = reader.dates();
  const mark = dates && reader.mark();
  const amount = mark && reader.amount();
  if (!dates || !mark || !amount) return undefined;
  const type = reader.type();
  const { references, details } = reader.rest();
  const isDebit = mark === "D" || mark === "RC" || mark === "ED";
  return {
    ...dates,
    amount: isDebit ? amount.negated() : amount,
    reversal: mark.startsWith("R"),
    isExpected: mark.startsWith("E"),
    type,
    ...referencesOf(references, details),
  };
}

/** A bank's reference stands behind two slashes. Old lines of 34 characters have a name behind the first sixteen. */
function referencesOf(text: string, details: string) {
  const slashes = text.indexOf("//");
  const own = slashes < 0 ? text : text.slice(0, slashes);
  const bank = slashes < 0 ? "" : text.slice(slashes + 2);
  const isPadded = own.length > REFERENCE && own[REFERENCE - 1] === " ";
  const customer = isPadded ? own.slice(0, REFERENCE) : own;
  const more = isPadded ? own.slice(REFERENCE) : "";
  const orNull = (part: string) => part.trim() || null;
  return {
    customerReference: orNull(customer),
    bankReference: orNull(bank),
    details: orNull(`${more.trim()}\n${details}`),
  };
}

class LineReader {
  #at = 0;

  constructor(
    private readonly text: string,
    private readonly note: (text: string) => void,
  ) {}

  dates() {
    const value = this.#digits(6);
    if (value === undefined) return undefined;
    const [year, month, date] = [
      fullYear(Number(value.slice(0, 2))),
      Number(value.slice(2, 4)),
      Number(value.slice(4)),
    ];
    const valueDate = this.#day(year, month, date);
    const entry = this.#digits(4);
    // Some banks keep the place of a missing day with blanks.
    if (entry === undefined) this.#skip(" ");
    const bookingDate = entry ? this.#near(Number(entry.slice(0, 2)), Number(entry.slice(2)), year, month) : valueDate;
    return { valueDate, bookingDate };
  }

  /** The entry's day has no year: it is at most half a year from the value's. */
  #near(month: number, date: number, year: number, valueMonth: number): string | null {
    const distance = month - valueMonth;
    return this.#day(year + (distance > 6 ? -1 : distance < -6 ? 1 : 0), month, date);
  }

  #day(year: number, month: number, date: number): string | null {
    const found = day(year, month, date, this.note);
    if (found === undefined) this.note(`${year}-${month}-${date} is not a day`);
    return found ?? null;
  }

  mark(): string | undefined {
    const two = this.text.slice(this.#at, this.#at + 2);
    const mark = /^[RE][CD]$/.test(two) ? two : /^[CD]/.test(two) ? two.slice(0, 1) : undefined;
    this.#at += mark?.length ?? 0;
    return mark;
  }

  amount(): Decimal | undefined {
    // The letter of the currency that may stand here says nothing that the balances do not.
    if (/[A-Z]/.test(this.#peek())) this.#at++;
    this.#skip(" \r\n");
    const start = this.#at;
    while (/[\d,.]/.test(this.#peek())) this.#at++;
    return swiftAmount(this.text.slice(start, this.#at));
  }

  /** One letter and three characters. */
  type(): string | null {
    const code = this.text.slice(this.#at, this.#at + 4);
    if (!/^[A-Z][A-Z0-9 ]{3}$/.test(code)) return null;
    this.#at += 4;
    return code;
  }

  rest() {
    const [references = "", ...details] = this.text.slice(this.#at).split("\n");
    return { references, details: details.join("\n") };
  }

  #peek(): string {
    return this.text[this.#at] ?? "";
  }

  #digits(count: number): string | undefined {
    const digits = this.text.slice(this.#at, this.#at + count);
    if (digits.length < count || /\D/.test(digits)) return undefined;
    this.#at += count;
    return digits;
  }

  #skip(characters: string): void {
    while (this.#peek() !== "" && characters.includes(this.#peek())) this.#at++;
  }
}

/** `1200,00`, `1200,` and `0000473,17`; undefined for anything else. */
export const swiftAmount = (text: string): Decimal | undefined =>
  /^\d{1,18}(?:[,.]\d{0,6})?$/.test(text) ? Decimal.parse(text.replace(",", ".")) : undefined;
