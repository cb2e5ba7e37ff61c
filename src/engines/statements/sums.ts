/** Whether a statement adds up: its entries beside its balances, and beside the sums that it states of them. */
import { Decimal } from "../../lib/decimal.js";
import { amountText } from "../../lib/facts/currency.js";
import type { Statement, StatementCheck, StatementEntry, Totals } from "./statement.js";

type Unchecked = Omit<Statement, "check">;

const sumOf = (entries: readonly StatementEntry[]): Decimal =>
  entries.reduce((all, { amount }) => all.plus(Decimal.of(amount)), Decimal.of(0n));
const isBooked = ({ status }: StatementEntry) => status === "booked";
const isDebit = ({ amount }: StatementEntry) => amount.startsWith("-");
const isCredit = (entry: StatementEntry) => !isDebit(entry);

/** Currencies of what would be added up. */
function currenciesOf({ openingBalance, closingBalance, entries }: Unchecked): string[] {
  const all = [openingBalance, closingBalance, ...entries.filter(isBooked)];
  return [...new Set(all.flatMap((one) => one?.currency ?? []))];
}

export function checkOf(statement: Unchecked, totals: Totals | undefined): StatementCheck {
  const { openingBalance, closingBalance, account } = statement;
  const nothing = { computed: null, difference: null };
  // guard: offline: amounts of different currencies are not added up | gone | statement
  if (currenciesOf(statement).length > 1) return nothing;
  const booked = statement.entries.filter(isBooked);
  const sum = sumOf(booked);
  const told = (computed: Decimal, stated: Decimal, currency: string | null): StatementCheck => ({
    computed: amountText(computed, currency),
    difference: amountText(stated.minus(computed), currency),
  });
  if (openingBalance && closingBalance) {
    const stated = Decimal.of(closingBalance.amount);
    return told(Decimal.of(openingBalance.amount).plus(sum), stated, closingBalance.currency);
  }
  if (!totals || !Object.values(totals).some(Boolean)) return nothing;
  const { credits = sumOf(booked.filter(isCredit)), debits = sumOf(booked.filter(isDebit)) } = totals;
  return told(sum, totals.net ?? credits.plus(debits), account.currency);
}

/** In words what does not add up, or was not added up. */
export function doubtsOf(statement: Statement, totals: Totals | undefined): string[] {
  const { difference } = statement.check;
  const currencies = currenciesOf(statement);
  const isOff = difference !== null && /[1-9]/.test(difference);
  return [
    ...(isOff ? [`does not add up: it states ${difference} more than its entries give`] : []),
    ...(currencies.length > 1
      ? [`is not added up: its amounts are in ${currencies.join(", ")}`]
      : wrongTotals(statement, totals)),
  ];
}

/** Some banks count what is not booked yet, too. */
function wrongTotals({ entries, account: { currency } }: Statement, { net, credits, debits }: Totals = {}): string[] {
  const sides = [
    ["entries", net, entries],
    ["credits", credits, entries.filter(isCredit)],
    ["debits", debits, entries.filter(isDebit)],
  ] as const;
  return sides.flatMap(([name, stated, rows]) => {
    const booked = sumOf(rows.filter(isBooked));
    if (!stated || [booked, sumOf(rows)].some((sum) => stated.compare(sum) === 0)) return [];
    return [
      `states ${amountText(stated, currency)} as the sum of its ${name}, which is ${amountText(booked, currency)}`,
    ];
  });
}
