/** Reads numbers, units and years from tokens. A position goes in; a value and the next position come out. */

import { CARDINALS, ORDINALS, type SpokenZone, type TimeUnit, UNITS, type WordToken } from "./words.js";

export interface Scanned<T> {
  value: T;
  next: number;
}

export const scanned = <T>(value: T, next: number): Scanned<T> => ({ value, next });

const VULGAR: ReadonlyMap<string, number> = new Map([
  ...[["½", 1 / 2] as const, ["¼", 1 / 4] as const, ["¾", 3 / 4] as const],
  ...[["⅓", 1 / 3] as const, ["⅔", 2 / 3] as const, ["⅛", 1 / 8] as const],
]);
const PARTS: ReadonlyMap<string, number> = new Map([
  ...[["half", 1 / 2] as const, ["halves", 1 / 2] as const, ["third", 1 / 3] as const, ["thirds", 1 / 3] as const],
  ...[["quarter", 1 / 4] as const, ["quarters", 1 / 4] as const],
]);

export class Scanner {
  /** Zones behind times of day, by the place of their first word. */
  readonly zones = new Map<number, SpokenZone>();
  /** Rules ask for the same day or time again and again. */
  private readonly known = new Map<string, Scanned<unknown> | undefined>();

  constructor(
    readonly text: string,
    readonly tokens: WordToken[],
  ) {}

  /** Reads something at a position once. */
  once<T>(rule: string, at: number, read: () => Scanned<T> | undefined): Scanned<T> | undefined {
    const key = `${rule} ${at}`;
    if (!this.known.has(key)) this.known.set(key, read());
    return this.known.get(key) as Scanned<T> | undefined;
  }

  word(at: number): string {
    return this.tokens[at]?.word ?? "";
  }

  is(at: number, ...words: string[]): boolean {
    return words.includes(this.word(at));
  }

  /** Whether a token follows the one before without a blank. */
  isTight(at: number): boolean {
    return at > 0 && this.tokens[at]?.start === this.tokens[at - 1]?.end;
  }

  /** The position after these words, if they stand here. */
  after(at: number, words: string): number | undefined {
    const wanted = words.split(" ");
    return wanted.every((word, place) => this.word(at + place) === word) ? at + wanted.length : undefined;
  }

  /** Goes over words that may stand here. */
  skip(at: number, ...words: string[]): number {
    return this.is(at, ...words) ? at + 1 : at;
  }

  digits(at: number, min: number, max: number): Scanned<number> | undefined {
    const word = this.word(at);
    return /^\d+$/.test(word) && word.length >= min && word.length <= max ? scanned(Number(word), at + 1) : undefined;
  }

  /** `twenty`, `twenty five`, `twenty-five`, up to 99. */
  small(at: number): Scanned<number> | undefined {
    const tens = CARDINALS.get(this.word(at));
    if (tens === undefined) return;
    if (tens < 20) return scanned(tens, at + 1);
    const ones = this.skip(at + 1, "-", "and");
    const value = CARDINALS.get(this.word(ones)) ?? 0;
    return value > 0 && value < 10 ? scanned(tens + value, ones + 1) : scanned(tens, at + 1);
  }

  /** Amounts of something: digits with a fraction, words, and words for a few. */
  amount(at: number): Scanned<number> | undefined {
    const early = this.fraction(at) ?? this.few(at);
    if (early) return early;
    const whole = this.grouped(at) ?? this.digits(at, 1, 6);
    // `1½`, `1 ½`, `1 1/2`, `1-1/2`.
    const dashed = whole && this.is(whole.next, "-") ? this.fraction(whole.next + 1) : undefined;
    const joined = (whole && this.fraction(whole.next)) ?? dashed;
    if (whole && joined) return scanned(whole.value + joined.value, joined.next);
    if (whole && this.is(whole.next, ".") && this.isTight(whole.next) && this.isTight(whole.next + 1)) {
      const fraction = this.digits(whole.next + 1, 1, 6);
      if (fraction) return scanned(Number(`${whole.value}.${this.word(whole.next + 1)}`), fraction.next);
    }
    return this.withFraction(whole ?? this.hundreds(at));
  }

  /** `1,500`. */
  private grouped(at: number): Scanned<number> | undefined {
    const [first, rest] = [this.digits(at, 1, 3), this.digits(at + 2, 3, 3)];
    const isGroup = this.is(at + 1, ",") && this.isTight(at + 1) && this.isTight(at + 2);
    return first && rest && isGroup ? scanned(first.value * 1000 + rest.value, rest.next) : undefined;
  }

  /** `½`, and before a unit `1/2`, `three quarters of a`: elsewhere `1/2` is a day. */
  private fraction(at: number): Scanned<number> | undefined {
    const sign = VULGAR.get(this.word(at));
    if (sign !== undefined) return this.beforeUnit(scanned(sign, at + 1)) ?? scanned(sign, at + 1);
    const [above, below] = [this.digits(at, 1, 2), this.digits(at + 2, 1, 2)];
    if (above && below && this.is(at + 1, "/") && this.isTight(at + 1) && this.isTight(at + 2))
      return below.value > above.value && below.value <= 60
        ? this.beforeUnit(scanned(above.value / below.value, below.next))
        : undefined;
    const count = CARDINALS.get(this.word(at)) ?? (this.is(at, "a") ? 1 : undefined);
    const start = count === undefined ? at : this.skip(at + 1, "-");
    const part = PARTS.get(this.word(start));
    // `a third month` is the third one.
    if (part === undefined || (count === undefined && this.is(start, "third", "thirds", "quarters"))) return;
    return this.beforeUnit(scanned((count ?? 1) * part, start + 1), this.is(start, "third"));
  }

  private beforeUnit({ value, next }: Scanned<number>, isOfOnly = false): Scanned<number> | undefined {
    const inner = this.is(next, "of") && this.is(next + 1, "a", "an", "the") ? next + 2 : undefined;
    if (inner === undefined && isOfOnly) return;
    const start = inner ?? this.skip(next, "-");
    return UNITS.has(this.word(start)) && !(inner === undefined && this.is(start, "quarter", "quarters"))
      ? scanned(value, start)
      : undefined;
  }

  /** `one and a half`, `two and a quarter`, `2 and 1/2`, `one and three quarters`. */
  private withFraction(whole: Scanned<number> | undefined): Scanned<number> | undefined {
    if (!whole || !this.is(whole.next, "and")) return whole;
    const part = this.fraction(whole.next + 1);
    if (part) return scanned(whole.value + part.value, part.next);
    const start = this.skip(whole.next + 1, "a");
    const fraction = this.is(start, "half") ? 0.5 : this.is(start, "quarter") && start > whole.next + 1 ? 0.25 : 0;
    return fraction > 0 ? scanned(whole.value + fraction, start + 1) : whole;
  }

  private few(at: number): Scanned<number> | undefined {
    const first = this.skip(at, "a");
    if (this.is(first, "few", "several", "some")) return scanned(3, first + 1);
    if (this.is(first, "couple")) return scanned(2, this.skip(first + 1, "of"));
    if (this.is(at, "half") && this.is(at + 1, "a", "an")) return scanned(0.5, at + 2);
    return this.is(at, "a", "an") ? scanned(1, at + 1) : undefined;
  }

  private hundreds(at: number): Scanned<number> | undefined {
    const first = this.small(at);
    if (!first || !this.is(first.next, "hundred")) return first;
    const rest = this.small(this.skip(first.next + 1, "and"));
    return scanned(first.value * 100 + (rest?.value ?? 0), rest?.next ?? first.next + 1);
  }

  unit(at: number): Scanned<TimeUnit> | undefined {
    const unit = UNITS.get(this.word(at));
    if (unit) return scanned(unit, at + 1);
    if (this.is(at, "night", "nights") && this.isAmountBefore(at)) return scanned("D", at + 1);
    return this.is(at, "business", "working") && this.is(at + 1, "day", "days") ? scanned("B", at + 2) : undefined;
  }

  /** Nights of a stay are counted as its days. */
  private isAmountBefore(at: number): boolean {
    return /^\d{1,3}$/.test(this.word(at - 1)) || CARDINALS.has(this.word(at - 1));
  }

  /** `21st`, `twenty first`, `third`; plain digits do not count. */
  ordinal(at: number): Scanned<number> | undefined {
    const number = this.digits(at, 1, 2);
    if (number && this.is(number.next, "st", "nd", "rd", "th") && this.isTight(number.next))
      return scanned(number.value, number.next + 1);
    const plain = ORDINALS.get(this.word(at));
    if (plain !== undefined) return scanned(plain, at + 1);
    if (this.is(at, "thirtieth")) return scanned(30, at + 1);
    const tens = CARDINALS.get(this.word(at));
    const ones = ORDINALS.get(this.word(this.skip(at + 1, "-"))) ?? 10;
    return (tens === 20 || tens === 30) && ones < 10 ? scanned(tens + ones, this.skip(at + 1, "-") + 1) : undefined;
  }

  /** A day of the month, 1 to 31, with or without its ending, in digits or words. */
  dayOfMonth(at: number): Scanned<number> | undefined {
    const found = this.ordinal(at) ?? this.digits(at, 1, 2) ?? this.small(at);
    return found && found.value >= 1 && found.value <= 31 ? found : undefined;
  }

  /** Four digits from 1500 to 2199, or words such as `nineteen eighty six`. */
  year(at: number): Scanned<number> | undefined {
    const digits = this.digits(at, 4, 4);
    if (digits) return digits.value >= 1500 && digits.value < 2200 ? digits : undefined;
    return this.yearInWords(at);
  }

  private yearInWords(at: number): Scanned<number> | undefined {
    const first = this.small(at);
    if (!first) return;
    if (this.is(first.next, "thousand") && first.value <= 2) {
      const rest = this.small(this.skip(first.next + 1, "and"));
      return scanned(first.value * 1000 + (rest?.value ?? 0), rest?.next ?? first.next + 1);
    }
    if (first.value < 15 || first.value > 21) return;
    const isHundred = this.is(first.next, "hundred");
    const rest = this.small(isHundred ? this.skip(first.next + 1, "and") : first.next);
    if (rest && (isHundred || rest.value >= 10)) return scanned(first.value * 100 + rest.value, rest.next);
    return isHundred ? scanned(first.value * 100, first.next + 1) : undefined;
  }

  /** A year of a date: also two digits, from 1940 to 2039. */
  yearOfDate(at: number): Scanned<number> | undefined {
    const year = this.year(at);
    if (year) return year;
    const start = this.skip(at, "'");
    const short = this.digits(start, 2, 2);
    return short && !this.is(short.next, ":", "st", "nd", "rd", "th", "am", "pm", "a", "p")
      ? scanned(short.value + (short.value < 40 ? 2000 : 1900), short.next)
      : undefined;
  }
}
