/**
 * Rules that compare sums, judged again with exact decimals: XPath's are computed in binary here, where 336.9 + 0.01 is not
 * 336.91. A finding of such a rule counts only if the exact sums differ as well.
 */
import { Decimal } from "../../lib/decimal.js";
import type { Adjustment, Invoice } from "./invoice.js";

const ZERO = Decimal.of(0n);
const read = (text: string | null): Decimal | undefined => (text === null ? undefined : Decimal.parse(text));
const or0 = (text: string | null): Decimal => read(text) ?? ZERO;
const sum = (texts: (string | null)[]): Decimal => texts.reduce((all, text) => all.plus(or0(text)), ZERO);
const amounts = (list: Adjustment[]): Decimal => sum(list.map(({ amount }) => amount));

type Holds = (invoice: Invoice) => boolean;

const equal = (stated: string | null, computed: Decimal): boolean => read(stated)?.equals(computed) ?? false;

/**
 * Sums of the document, by the numbers of their rules. BR-CO-15 rounds, and counts the totals of tax: a finding of it
 * stands.
 */
const SUMS: Record<string, Holds> = {
  "BR-CO-10": ({ totals, lines }) => equal(totals.lineNet, sum(lines.map(({ net }) => net))),
  "BR-CO-11": ({ totals, allowances }) => equal(totals.allowances, amounts(allowances)),
  "BR-CO-12": ({ totals, charges }) => equal(totals.charges, amounts(charges)),
  "BR-CO-13": ({ totals: { taxExclusive, lineNet, allowances, charges } }) =>
    equal(taxExclusive, or0(lineNet).minus(or0(allowances)).plus(or0(charges))),
  "BR-CO-14": ({ totals, vat }) => equal(totals.tax, sum(vat.map(({ amount }) => amount))),
  "BR-CO-16": ({ totals }) =>
    equal(totals.payable, or0(totals.taxInclusive).minus(or0(totals.prepaid)).plus(or0(totals.rounding))),
};

/** Letters of the rules BR-xx-08 and the categories that they are of. */
const CATEGORIES: Record<string, string> = {
  ...{ AE: "AE", E: "E", G: "G", IC: "K", IG: "L", AF: "L", IP: "M", AG: "M", O: "O", S: "S", Z: "Z" },
};

/** Base of each rate of a category: its lines, less allowances, with charges. */
function basesHold({ vat, lines, allowances, charges }: Invoice, category: string): boolean {
  const rows = vat.filter((row) => row.category === category);
  return rows.every(({ base, rate }) => {
    const isOf = (one: { vatCategory: string | null; vatRate: string | null }) =>
      one.vatCategory === category && or0(one.vatRate).equals(or0(rate));
    const net = sum(lines.filter(isOf).map((line) => line.net));
    return equal(base, net.minus(amounts(allowances.filter(isOf))).plus(amounts(charges.filter(isOf))));
  });
}

/** Whether exact sums keep a rule that was found broken. False for a rule of another kind. */
export function holdsExactly(rule: string, invoice: Invoice): boolean {
  const own = SUMS[rule];
  if (own) return own(invoice);
  const category = CATEGORIES[/^BR-([A-Z]{1,2})-08$/.exec(rule)?.[1] ?? ""];
  return category !== undefined && basesHold(invoice, category);
}
