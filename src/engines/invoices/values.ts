/** Values as both syntaxes write them, in one form: so the same invoice gives the same answer in both. */

import { Decimal } from "../../lib/decimal.js";
import { amountText } from "../../lib/facts/currency.js";
import type { XmlElement } from "../../lib/xml/parse.js";
import { attribute, elementText, local, textAt } from "../../lib/xml/paths.js";
import type { Address, Attachment, InvoicePeriod, Party } from "./invoice.js";

/** A reader of one element: absent elements give null all the way down. */
export type Find = (path: string) => string | null;

export const finder =
  (element: XmlElement | undefined): Find =>
  (path) =>
    element ? textAt(element, path) : null;

const decimal = (text: string | null): Decimal | undefined =>
  text === null ? undefined : Decimal.parse(text.replace(/\s/g, ""));

/** With at least the digits of the currency. Text that is not a number stays as it is. */
export function money(text: string | null, currency: string | null): string | null {
  const read = decimal(text);
  return read ? amountText(read, currency) : text;
}

/** A price may have more digits than its currency, but the zeros behind them say nothing. */
export function price(text: string | null, currency: string | null): string | null {
  const read = decimal(text);
  return read ? amountText(read.normalized(), currency) : text;
}

/** A sum that may be left out where it is zero. */
export const sumOrZero = (text: string | null, currency: string | null): string | null => money(text ?? "0", currency);

/** Quantities and percentages: without zeros at the end. */
export const plainNumber = (text: string | null): string | null => decimal(text)?.normalized().toString() ?? text;

/** `2026-02-27`, also with a zone behind it, and `20260227`. */
export function isoDate(text: string | null): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(text ?? "") ?? [];
  return year ? `${year}-${month}-${day}` : text;
}

export const period = (from: string | null, to: string | null): InvoicePeriod | null =>
  from === null && to === null ? null : { from: isoDate(from), to: isoDate(to) };

/** Undefined members and empty groups are one null. */
export function orNull<T extends object>(value: T): T | null {
  const isEmpty = Object.values(value).every((one) => one === null || (Array.isArray(one) && one.length === 0));
  return isEmpty ? null : value;
}

export const present = (texts: (string | null)[]): string[] => texts.filter((text) => text !== null);

export const address = (of: Omit<Address, "lines"> & { lines: (string | null)[] }): Address | null =>
  orNull({ ...of, lines: present(of.lines) });

export const party = (of: Party): Party | null => orNull(of);

/** How many bytes base64 has, without decoding it. */
export function attachment(element: XmlElement, name: string | null): Attachment {
  const digits = elementText(element).replace(/[\s=]/g, "");
  return {
    name: attribute(element, "filename") ?? name,
    mimeType: attribute(element, "mimeCode"),
    bytes: Math.floor((digits.length * 3) / 4),
  };
}

/** Codes of the notes stand in the text in UBL, and beside it in CII. */
export const noted = (subject: string | null, text: string | null): string[] =>
  text === null ? [] : [subject === null ? text : `#${subject}#${text}`];

export const rootName = (root: XmlElement): string => local(root.name);
