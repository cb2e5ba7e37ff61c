/** Statements of accounts in one vocabulary, whatever the format. Amounts are decimal text, days are YYYY-MM-DD. */
import { CapabilityError } from "../../errors.js";
import type { Decimal } from "../../lib/decimal.js";

export interface Balance {
  /** Negative for an account that is overdrawn. */
  amount: string;
  currency: string | null;
  date: string | null;
}

export interface Counterparty {
  name: string | null;
  iban: string | null;
  bic: string | null;
  /** Of an account without an IBAN. */
  number: string | null;
}

/** One payment of an entry that books several. */
export interface EntryPart {
  amount: string | null;
  currency: string | null;
  endToEndId: string | null;
  mandateId: string | null;
  counterparty: Counterparty;
  purpose: string | null;
}

export interface StatementEntry {
  /** Positive for money that came in. */
  amount: string;
  currency: string | null;
  bookingDate: string | null;
  valueDate: string | null;
  /** The kind of transaction in the words of the format, such as NTRF, PMNT-RCDT-ESCT or CHECK. */
  type: string | null;
  status: "booked" | "pending" | "information";
  reversal: boolean;
  bankReference: string | null;
  customerReference: string | null;
  endToEndId: string | null;
  mandateId: string | null;
  counterparty: Counterparty;
  purpose: string | null;
  parts: EntryPart[];
}

export interface Account {
  iban: string | null;
  number: string | null;
  /** BIC or national number of the bank, else its name. */
  bank: string | null;
  currency: string | null;
  owner: string | null;
}

/** Sums that a statement states of its entries; debits are negative. */
export interface Totals {
  net?: Decimal | undefined;
  credits?: Decimal | undefined;
  debits?: Decimal | undefined;
}

export interface Statement {
  account: Account;
  number: string | null;
  from: string | null;
  to: string | null;
  openingBalance: Balance | null;
  closingBalance: Balance | null;
  availableBalance: Balance | null;
  entries: StatementEntry[];
  check: StatementCheck;
}

export interface StatementCheck {
  /** Opening balance and booked entries added up; without balances the sum of the entries. Null if nothing is stated. */
  computed: string | null;
  /** The statement's own sum, less the computed one: "0.00" where it adds up. */
  difference: string | null;
}

/** All that a reader finds of a statement; what it leaves out is null. */
export type Draft = Partial<Omit<Statement, "check" | "account">> & {
  account?: Partial<Account>;
  totals?: Totals | undefined;
};

const MAX_ENTRIES = 20_000;

export const NOBODY: Counterparty = { name: null, iban: null, bic: null, number: null };

const BARE_ENTRY: Omit<StatementEntry, "amount" | "parts"> = {
  ...{ currency: null, bookingDate: null, valueDate: null, type: null, status: "booked", reversal: false },
  ...{ bankReference: null, customerReference: null, endToEndId: null, mandateId: null },
  ...{ counterparty: NOBODY, purpose: null },
};

export const entryOf = (entry: Partial<StatementEntry> & Pick<StatementEntry, "amount">): StatementEntry => ({
  ...BARE_ENTRY,
  parts: [],
  ...entry,
});

/** Counts entries of a document, and refuses one too many. */
export function entryCounter(): () => void {
  let count = 0;
  return () => {
    // guard: offline: a statement has a largest number of entries | always | statement
    if (++count <= MAX_ENTRIES) return;
    throw tooMany(MAX_ENTRIES, "entries: send its statements one by one");
  };
}

export function tooMany(most: number, what: string): CapabilityError {
  const message = `has more than ${most} ${what}`;
  return new CapabilityError("RESULT_TOO_LARGE", message, { issues: [{ path: "", message }] });
}

/** Joined by one blank; null if nothing is left. */
export function joined(parts: readonly (string | null | undefined)[], between = " "): string | null {
  const text = parts
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(between);
  return text === "" ? null : text;
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const BIC = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;

/** Whether a text has the form of an IBAN: banks mask digits in what they show, so its check digits do not count. */
export const isIban = (text: string): boolean => IBAN.test(text);
export const isBic = (text: string): boolean => BIC.test(text);

/** The account of a text, as an IBAN or a number. */
export function accountOf(text: string | null | undefined): Pick<Counterparty, "iban" | "number"> {
  const compact = text?.replace(/\s/g, "") ?? "";
  if (compact === "") return { iban: null, number: null };
  return isIban(compact) ? { iban: compact, number: null } : { iban: null, number: text?.trim() ?? null };
}
