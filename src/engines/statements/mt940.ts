/** MT940 and MT942: messages of tagged fields, with or without the blocks of SWIFT around them. */
import { invalid } from "../../errors.js";
import { amountText } from "../../lib/facts/currency.js";
import { day, fullYear } from "./days.js";
import { readDetails, readNonSwift } from "./mt940-details.js";
import { readLine, type StatementLine, swiftAmount } from "./mt940-line.js";
import {
  type Account,
  accountOf,
  type Balance,
  type Draft,
  entryOf,
  isIban,
  joined,
  NOBODY,
  type StatementEntry,
  type Totals,
} from "./statement.js";

export interface Field {
  tag: string;
  value: string;
  /** Line of the document, from 1. */
  line: number;
}

/** Longest field: those of the standard have less than 400 characters. */
const MAX_FIELD = 1_000;
const TAG = /^:(\d\d[A-Z]?|NS):/;
/** The end of a message. What stands behind it up to the next field is an envelope of the bank. */
const END = /^-(?:\}|XXX|\s*$)/;

/** Fields of each message: one begins with :20:. */
export function messagesOf(text: string): Field[][] {
  const messages: Field[][] = [];
  let open: Field | undefined;
  // A tag whose colon was wrapped to the line before.
  const lines = text
    .replace(/\r\n?/g, "\n")
    .replace(/^:\n(?=\d\d[A-Z]?:)/gm, ":")
    .split("\n");
  lines.forEach((raw, index) => {
    const line = raw
      .replace(/^\{1:.*\{4:/, "")
      .replaceAll("\u0003", "")
      .trimEnd();
    const tag = TAG.exec(line)?.[1];
    if (tag) {
      open = { tag, value: line.slice(tag.length + 2), line: index + 1 };
      if (tag === "20" || messages.length === 0) messages.push([]);
      messages.at(-1)?.push(open);
    } else if (END.test(line)) open = undefined;
    else if (open) open.value += `\n${line}`;
    // guard: offline: a field of MT940 has a largest length | gone | statement
    if (open && open.value.length > MAX_FIELD) throw tooLong(open);
  });
  for (const field of messages.flat()) field.value = field.value.trimEnd();
  return messages.filter((fields) => fields.some(({ tag }) => /^(?:20|25|28|6[0-5])/.test(tag)));
}

const tooLong = ({ tag, line }: Field) =>
  invalid("", `line ${line}: the field :${tag}: has more than ${MAX_FIELD} characters`);

/** Whether a message tells of a day that is not over: it has no opening balance. */
export const isInterim = (fields: Field[]): boolean =>
  fields.some(({ tag }) => /^(?:34F?|90[CD]|13D?)$/.test(tag)) && !fields.some(({ tag }) => /^60/.test(tag));

export function readMessage(fields: Field[], count: () => void, note: (text: string) => void): Draft {
  const last = (pattern: RegExp) => fields.findLast(({ tag }) => pattern.test(tag));
  const balance = (pattern: RegExp) => balanceOf(last(pattern), note);
  const openingBalance = balance(/^60[FM]?$/);
  const closingBalance = balance(/^62[FM]?$/);
  const account = accountIn(last(/^25P?$/)?.value ?? "");
  const floor = /^[A-Z]{3}/.exec(last(/^34F?$/)?.value ?? "")?.[0];
  const currency = openingBalance?.currency ?? closingBalance?.currency ?? account.currency ?? floor ?? null;
  const made = last(/^13D?$/)?.value;
  return {
    account: { ...account, currency },
    number: last(/^28C?$/)?.value.trim() || null,
    from: openingBalance?.date ?? null,
    to: closingBalance?.date ?? (made ? (dayOf(made, note) ?? null) : null),
    openingBalance: openingBalance && { ...openingBalance, currency: openingBalance.currency ?? currency },
    closingBalance: closingBalance && { ...closingBalance, currency: closingBalance.currency ?? currency },
    availableBalance: balance(/^64$/),
    entries: entriesOf(fields, currency, count, note),
    totals: totalsOf(fields),
  };
}

function entriesOf(
  fields: Field[],
  currency: string | null,
  count: () => void,
  note: (text: string) => void,
): StatementEntry[] {
  const entries: StatementEntry[] = [];
  let line: StatementLine | undefined;
  let details: string[] = [];
  let nonSwift = "";
  const close = () => {
    if (line) entries.push(entryFrom(line, details.join("\n"), nonSwift, currency));
    [line, details, nonSwift] = [undefined, [], ""];
  };
  for (const { tag, value, line: at } of fields) {
    if (tag === "86" && line) details.push(value);
    else if (tag === "NS" && line) nonSwift = value;
    else close();
    if (tag !== "61") continue;
    count();
    line = readLine(value, (text) => note(`line ${at}: ${text}`));
    if (!line) throw invalid("", `line ${at}: the field :61: is not a day, C or D, and an amount`);
  }
  close();
  return entries;
}

function entryFrom(line: StatementLine, details: string, nonSwift: string, currency: string | null): StatementEntry {
  const read = details === "" && nonSwift !== "" ? readNonSwift(nonSwift) : readDetails(details);
  const { customerReference } = line;
  // NONREF says that there is none, KREF+ that it stands in the details.
  const isReference = customerReference && !["NONREF", "KREF+"].includes(customerReference);
  // Some banks write the other account where the reference stands, and its owner below.
  const account = accountOf(isIban(customerReference ?? "") ? customerReference : null);
  const { counterparty } = read;
  return entryOf({
    amount: amountText(line.amount, currency),
    currency,
    bookingDate: line.bookingDate,
    valueDate: line.valueDate,
    type: line.type,
    status: line.isExpected ? "pending" : "booked",
    reversal: line.reversal,
    bankReference: line.bankReference,
    customerReference: isReference ? customerReference : (read.customerReference ?? customerReference),
    endToEndId: read.endToEndId,
    mandateId: read.mandateId,
    counterparty: account.iban
      ? { ...NOBODY, ...counterparty, iban: counterparty.iban ?? account.iban, name: counterparty.name ?? line.details }
      : counterparty,
    purpose: read.purpose ?? joined([details]) ?? line.details,
  });
}

/** `C160229EUR1200,00`: the letters of the currency are missing with some banks. */
function balanceOf(field: Field | undefined, note: (text: string) => void): Balance | null {
  if (!field) return null;
  const [, mark, digits = "", currency, amount = ""] =
    /^([CD])(\d{6})([A-Z]{3})?([\d,.]{1,20})$/.exec(field.value.replace(/\s/g, "")) ?? [];
  const read = swiftAmount(amount);
  if (!mark || !read)
    throw invalid("", `line ${field.line}: the field :${field.tag}: is not C or D, a day, a currency and an amount`);
  return {
    amount: amountText(mark === "D" ? read.negated() : read, currency ?? null),
    currency: currency ?? null,
    date: dayOf(digits, (text) => note(`line ${field.line}: ${text}`)) ?? null,
  };
}

function dayOf(text: string, note: (text: string) => void): string | undefined {
  const [, year, month, date] = /^(\d\d)(\d\d)(\d\d)/.exec(text) ?? [];
  return year ? day(fullYear(Number(year)), Number(month), Number(date), note) : undefined;
}

/** An IBAN; `bank/number`; or a number with the currency behind it. */
function accountIn(value: string): Partial<Account> {
  const [first = "", second, third] = value.split("\n")[0]?.trim().split("/") ?? [];
  const bank = second === undefined ? null : first.trim() || null;
  const written = (second ?? first).trim();
  const [, number = written, behind] = /^(.*\d)\s*([A-Z]{3})$/.exec(written) ?? [];
  const currency = third && /^[A-Z]{3}$/.test(third.trim()) ? third.trim() : (behind ?? null);
  return { ...accountOf(isIban(written) ? written : number), bank, currency };
}

/** :90D: and :90C: of MT942: numbers and sums of the entries. */
function totalsOf(fields: Field[]): Totals | undefined {
  const sum = (name: string) => {
    const value = fields.findLast(({ tag }) => tag === name)?.value;
    return value === undefined ? undefined : swiftAmount(value.replace(/^\d*[A-Z]{3}/, "").trim());
  };
  const [credits, debits] = [sum("90C"), sum("90D")?.negated()];
  return credits || debits ? { credits, debits } : undefined;
}
