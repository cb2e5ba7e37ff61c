// What does an offer of credit really cost? The plan to the cent, the yearly rate with its fee, and the price of a hedge.
import { pathToFileURL } from "node:url";
import { financeAmortize, financeIrr, financeOption } from "coinslot/capabilities/finance";

const only = ({ items: [item] }) => item;

/** Amounts are decimal text; `rate` is that of the year, with all that is paid, as a share. */
export async function costOf({ principal, annualRate, months, first, paidOut, fee }) {
  const { payment, totalInterest, schedule } = only(await financeAmortize({ principal, annualRate, months, first }));
  const received = { date: paidOut, amount: Number(principal) - Number(fee) };
  const flows = [received, ...schedule.map((one) => ({ date: one.date, amount: -Number(one.payment) }))];
  const { xirr, roots } = only(await financeIrr({ flows, basis: "act/365f" }));
  return { payment, totalInterest, last: schedule.at(-1), rate: xirr, isOnly: roots.length === 1 };
}

/** The worth of the right to sell at `strike`, and how much it moves with the price. */
export async function protection({ spot, strike, years, rate, volatility }) {
  const put = { type: "put", style: "european", spot, strike, years, rate, volatility };
  const { value, greeks } = only(await financeOption(put));
  return { value: value.toFixed(2), delta: greeks.delta.toFixed(3) };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const offer = { principal: "12000.00", annualRate: "0.06", months: 12, first: "2026-02-01", paidOut: "2026-01-01" };
  console.log(await costOf({ ...offer, fee: "240.00" }));
  console.log(await protection({ spot: 100, strike: 95, years: 1, rate: 0.03, volatility: 0.2 }));
}
