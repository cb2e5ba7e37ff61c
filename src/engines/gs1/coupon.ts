/** North American coupon codes: AI 8110, and AI 8112 for positive offers. A digit tells the length of what follows it. */
import { dateTest } from "./date-tests.js";
import type { ComponentFinding } from "./finding.js";

/** Reads a code from left to right; the first thing that is wrong ends the reading. */
class CouponReader {
  at = 0;

  constructor(readonly text: string) {}

  fail(code: string, at = this.at): never {
    throw new CouponFault({ code: `COUPON_${code}`, at });
  }

  /** A digit of `allowed`. */
  digit(name: string, allowed: string, wrong = name): number {
    const digit = this.text[this.at];
    if (digit === undefined) this.fail(`MISSING_${name}`, 0);
    if (!allowed.includes(digit)) this.fail(`INVALID_${wrong}`);
    this.at++;
    return Number(digit);
  }

  take(count: number, code: string): string {
    const taken = this.text.slice(this.at, this.at + count);
    if (taken.length < count) this.fail(code, taken === "" ? 0 : this.at);
    this.at += count;
    return taken;
  }

  /** A digit that tells how much follows, then that; `more` is added to it. */
  sized(name: string, allowed: string, more = 0): void {
    const digit = this.digit(`${name}_VLI`, allowed, `${name}_LENGTH`);
    const isNone = digit === 9 && more === 6 && allowed.includes("9") && name.includes("PURCHASE");
    if (!isNone) this.take(digit + more, `TRUNCATED_${name}`);
  }

  /** Passes the digit that opens an optional field. */
  opens(digit: string): boolean {
    if (this.text[this.at] !== digit) return false;
    this.at++;
    return true;
  }

  date(name: "EXPIRATION" | "START", year: number): string {
    const from = this.at;
    const date = this.take(6, `TOO_SHORT_FOR_${name}_DATE`);
    const spelled = name === "EXPIRATION" ? "EXIPIRATION" : name;
    if (isDate(date, year)) this.fail(`INVALID_${spelled}_DATE`, from);
    return date;
  }

  end(): void {
    if (this.at < this.text.length) this.fail("EXCESS_DATA");
  }
}

const isDate = dateTest({ dayZero: false });

class CouponFault extends Error {
  constructor(readonly finding: ComponentFinding) {
    super(finding.code);
  }
}

function judged(text: string, read: (reader: CouponReader) => void): ComponentFinding | undefined {
  const at = text.search(/[^0-9]/);
  if (at >= 0) return { code: "NON_DIGIT_CHARACTER", at };
  try {
    read(new CouponReader(text));
    return undefined;
  } catch (error) {
    if (error instanceof CouponFault) return error.finding;
    throw error;
  }
}

const ALL = "0123456789";
const GCP = "0123456";

function purchase(reader: CouponReader, nth: "1ST" | "2ND" | "3RD"): void {
  reader.sized(`${nth}_PURCHASE_REQUIREMENT`, "12345");
  reader.digit(`${nth}_PURCHASE_REQUIREMENT_CODE`, "012349");
  reader.take(3, `TRUNCATED_${nth}_PURCHASE_FAMILY_CODE`);
  if (nth !== "1ST") reader.sized(`${nth}_PURCHASE_GCP`, `${GCP}9`, 6);
}

function dates(reader: CouponReader, year: number): void {
  const until = reader.opens("3") ? reader.date("EXPIRATION", year) : undefined;
  if (!reader.opens("4")) return;
  const from = reader.date("START", year);
  if (until !== undefined && from > until) reader.fail("EXPIRATION_BEFORE_START", reader.at - 14);
}

function miscellaneous(reader: CouponReader): void {
  reader.digit("SAVE_VALUE_CODE", "01256");
  reader.digit("SAVE_VALUE_APPLIES_TO_ITEM", "012");
  reader.digit("STORE_COUPON_FLAG", ALL);
  reader.digit("DONT_MULTIPLY_FLAG", "01");
}

export const coupon = (text: string, year: number): ComponentFinding | undefined =>
  judged(text, (reader) => {
    reader.sized("GCP", GCP, 6);
    reader.take(6, "TRUNCATED_OFFER_CODE");
    reader.sized("SAVE_VALUE", "12345");
    purchase(reader, "1ST");
    if (reader.opens("1")) {
      reader.digit("ADDITIONAL_PURCHASE_RULES_CODE", "0123");
      purchase(reader, "2ND");
    }
    if (reader.opens("2")) purchase(reader, "3RD");
    dates(reader, year);
    if (reader.opens("5")) reader.sized("SERIAL_NUMBER", ALL, 6);
    if (reader.opens("6")) reader.sized("RETAILER_GCP_OR_GLN", "1234567", 6);
    if (reader.opens("9")) miscellaneous(reader);
    reader.end();
  });

export const couponOffer = (text: string): ComponentFinding | undefined =>
  judged(text, (reader) => {
    reader.digit("FORMAT_CODE", "01");
    reader.sized("FUNDER", GCP, 6);
    reader.take(6, "TRUNCATED_OFFER_CODE");
    reader.sized("SERIAL_NUMBER", ALL, 6);
    reader.end();
  });
