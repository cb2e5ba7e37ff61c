/** An invoice as its buyer and the host see it. Prices have their tax in them; documents are in cents. */
import { Decimal } from "../../../lib/decimal.js";
import { fromMicros } from "../../../lib/money.js";
import type { AccountInvoice } from "../../options/invoices.js";
import type { StoredInvoice } from "../record/invoice-record.js";

const MICROS_DIGITS = 6;
const HUNDRED = Decimal.of("100");
const cents = (amount: Decimal) => amount.round(2).withAtLeast(2).toString();

type Sums = Pick<AccountInvoice, "netUsd" | "taxUsd" | "totalUsd">;

export function invoiceSums({ amount, tax }: Pick<StoredInvoice, "amount" | "tax">): Sums {
  const total = Decimal.of(amount, MICROS_DIGITS).round(2);
  const net = total.times(HUNDRED).dividedBy(HUNDRED.plus(Decimal.of(tax.percent)), 2);
  return { netUsd: cents(net), taxUsd: cents(total.minus(net)), totalUsd: cents(total) };
}

export const titleOf = ({ title }: StoredInvoice): string => title ?? "Prepaid balance";

export function shownInvoice(stored: StoredInvoice): Omit<AccountInvoice, "account" | "buyer"> {
  const { number, kind, issuedAt, payment, of, amount, tax } = stored;
  return {
    ...{ number, kind, issuedAt: new Date(issuedAt).toISOString() },
    ...(payment === undefined ? {} : { payment }),
    ...(of === undefined ? {} : { of }),
    ...{ title: titleOf(stored), usd: fromMicros(amount), ...invoiceSums(stored), taxPercent: tax.percent },
  };
}
