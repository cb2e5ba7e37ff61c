/** Quicken Interchange Format: lines of one letter and a value, records ended by ^. It names no currency. */
import { invalid } from "../../errors.js";
import { amountText } from "../../lib/facts/currency.js";
import { writtenAmount } from "./amounts.js";
import { type DateOrder, datesReader } from "./qif-dates.js";
import { type Draft, entryOf, NOBODY, type StatementEntry } from "./statement.js";

type Record_ = [letter: string, value: string][];
type Section = { type: string; records: Record_[] };

/** Lists of accounts of these kinds; categories, classes, memorized payments and prices are none. */
const ACCOUNTS = new Set(["bank", "cash", "ccard", "oth a", "oth l", "invoice", "tax", "bill"]);

export function readQif(text: string, order: DateOrder | undefined, count: () => void, note: (text: string) => void) {
  const sections = sectionsOf(text);
  const isMoney = ({ type }: Section) => ACCOUNTS.has(type);
  const dates = sections
    .filter((section) => isMoney(section) || section.type === "account")
    .flatMap(({ records }) => records.flatMap((record) => valuesOf(record, "D").concat(valuesOf(record, "/"))));
  const dayOf = datesReader(dates, order, note);
  const drafts: Draft[] = [];
  let account: Record_ | undefined;
  for (const section of sections) {
    if (section.type === "account") account = section.records.at(-1);
    else if (isMoney(section)) drafts.push(readSection(section, account, dayOf, count));
    else if (section.type === "invst") note("trades of securities are left out");
  }
  if (drafts.length === 0) throw invalid("", "is QIF, but has no transactions of an account");
  return drafts;
}

function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let record: Record_ = [];
  const close = () => {
    if (record.length > 0) sections.at(-1)?.records.push(record);
    record = [];
  };
  for (const raw of text.split(/\r\n?|\n/)) {
    const line = raw.trim();
    const header = /^!(?:type:)?(.{1,40})$/i.exec(line)?.[1]?.trim().toLowerCase();
    if (header !== undefined) {
      close();
      if (!/^(?:option|clear):/.test(header)) sections.push({ type: header, records: [] });
    } else if (line === "^") close();
    else if (line !== "") record.push([line.charAt(0), line.slice(1).trim()]);
  }
  close();
  return sections;
}

const valuesOf = (record: Record_, letter: string) =>
  record.filter(([given]) => given === letter).map(([, value]) => value);
const valueIn = (record: Record_ | undefined, letter: string): string | null =>
  (record && valuesOf(record, letter)[0]) || null;

type DayOf = (text: string) => string | null;

function readSection({ records }: Section, account: Record_ | undefined, dayOf: DayOf, count: () => void): Draft {
  const entries = records.map((record) => {
    count();
    return readRecord(record, dayOf);
  });
  const days = entries.flatMap(({ bookingDate }) => bookingDate ?? []).sort();
  const balance = valueIn(account, "$");
  const date = valueIn(account, "/");
  return {
    account: { number: valueIn(account, "N") },
    from: days[0] ?? null,
    to: days.at(-1) ?? null,
    closingBalance: balance
      ? { amount: amountOf(balance), currency: null, date: date === null ? null : dayOf(date) }
      : null,
    entries,
  };
}

function amountOf(text: string): string {
  const amount = writtenAmount(text, { grouped: true });
  if (!amount) throw invalid("", `has the amount "${text.slice(0, 40)}", which is not a number`);
  return amountText(amount, null);
}

function readRecord(record: Record_, dayOf: DayOf): StatementEntry {
  const amount = valueIn(record, "T") ?? valueIn(record, "U");
  const date = valueIn(record, "D");
  if (amount === null || date === null)
    throw invalid("", `has a transaction without ${amount === null ? "an amount (T)" : "a day (D)"}`);
  const number = valueIn(record, "N");
  const isWord = number !== null && !/\d/.test(number);
  const bookingDate = dayOf(date);
  return entryOf({
    amount: amountOf(amount),
    bookingDate,
    type: isWord ? number : null,
    customerReference: isWord ? null : number,
    counterparty: { ...NOBODY, name: valueIn(record, "P") },
    purpose: valueIn(record, "M"),
    parts: partsOf(record),
  });
}

/** A payment of several categories: S begins each, E tells its purpose, $ its amount. */
function partsOf(record: Record_): StatementEntry["parts"] {
  const parts: Record_[] = [];
  for (const line of record)
    if (line[0] === "S") parts.push([line]);
    else if (line[0] === "E" || line[0] === "$") parts.at(-1)?.push(line);
  return parts.map((part) => {
    const amount = valueIn(part, "$");
    return {
      amount: amount === null ? null : amountOf(amount),
      ...{ currency: null, endToEndId: null, mandateId: null, counterparty: NOBODY },
      purpose: valueIn(part, "E") ?? valueIn(part, "S"),
    };
  });
}
