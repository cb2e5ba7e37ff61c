/** Sums of an invoice, computed again with exact decimals. */

import { Decimal } from "../../lib/decimal.js";
import { amountText } from "../../lib/facts/currency.js";
import type { Adjustment, Invoice, InvoiceLine, Vat } from "./invoice.js";

/** A number that is not what the others give. */
export interface Check {
  /** Where it stands in the answer, such as `totals.payable` or `vat[0].amount`. */
  field: string;
  stated: string;
  computed: string;
}

const ZERO = Decimal.of(0n);
/** Rounding a line or a rate may differ by this much. */
const CENT = Decimal.of("0.01");

const read = (text: string | null | undefined): Decimal | undefined =>
  text === null || text === undefined ? undefined : Decimal.parse(text);
const or0 = (text: string | null | undefined): Decimal => read(text) ?? ZERO;
const sum = (texts: (string | null)[]): Decimal => texts.reduce((all, text) => all.plus(or0(text)), ZERO);
const amounts = (list: Adjustment[]): Decimal => sum(list.map(({ amount }) => amount));

export function checkInvoice(invoice: Invoice): Check[] {
  const { totals, lines, vat, currency } = invoice;
  const checks: Check[] = [];
  const check = (field: string, stated: string | null, computed: Decimal, tolerance = ZERO) => {
    const value = read(stated);
    if (stated === null || !value || value.minus(computed).abs().compare(tolerance) <= 0) return;
    checks.push({ field, stated, computed: amountText(computed, currency) });
  };
  if (lines.length > 0 && lines.every(({ net }) => net !== null))
    check("totals.lineNet", totals.lineNet, sum(lines.map(({ net }) => net)));
  check("totals.allowances", totals.allowances, amounts(invoice.allowances));
  check("totals.charges", totals.charges, amounts(invoice.charges));
  const hasRates = lines.length > 0 && lines.every(({ vatCategory }) => vatCategory !== null);
  if (totals.lineNet !== null)
    check(
      "totals.taxExclusive",
      totals.taxExclusive,
      or0(totals.lineNet).minus(or0(totals.allowances)).plus(or0(totals.charges)),
    );
  if (vat.length > 0) check("totals.tax", totals.tax, sum(vat.map(({ amount }) => amount)));
  check("totals.taxInclusive", totals.taxInclusive, or0(totals.taxExclusive).plus(or0(totals.tax)));
  check(
    "totals.payable",
    totals.payable,
    or0(totals.taxInclusive).minus(or0(totals.prepaid)).plus(or0(totals.rounding)),
  );
  vat.forEach((one, place) => {
    const amount = or0(one.base).times(or0(one.rate)).dividedBy(Decimal.of("100"), 2);
    check(`vat[${place}].amount`, one.amount, amount, CENT);
    if (hasRates) check(`vat[${place}].base`, one.base, baseOf(invoice, one), CENT);
  });
  lines.forEach((line, place) => {
    const net = netOf(line);
    if (net) check(`lines[${place}].net`, line.net, net.amount, net.tolerance);
  });
  return checks;
}

/** The base of a rate: lines, less allowances, with charges. */
function baseOf({ lines, allowances, charges }: Invoice, { category, rate }: Vat): Decimal {
  const isOf = (one: { vatCategory: string | null; vatRate: string | null }) =>
    one.vatCategory === category && or0(one.vatRate).equals(or0(rate));
  return sum(lines.filter(isOf).map(({ net }) => net))
    .minus(amounts(allowances.filter(isOf)))
    .plus(amounts(charges.filter(isOf)));
}

/** A price that was rounded differs by half of its last digit, as often as there are pieces. */
function netOf({ quantity, price, priceQuantity, allowances, charges }: InvoiceLine) {
  const [count, each, base] = [read(quantity), read(price), read(priceQuantity) ?? Decimal.of(1n)];
  if (!count || !each || base.isZero) return undefined;
  const half = Decimal.of(5n, each.scale + 1);
  return {
    amount: count.times(each).dividedBy(base, 2).minus(amounts(allowances)).plus(amounts(charges)),
    tolerance: count.abs().times(half).dividedBy(base.abs(), 4).plus(CENT),
  };
}
