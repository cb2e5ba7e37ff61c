/** The plan of a loan in equal monthly payments, exact to the cent. */
import { Decimal, type Rounding } from "../../lib/decimal.js";
import { calendarDay, type Day } from "./day-count.js";

export interface Loan {
  principal: Decimal;
  /** A fraction: 0.06 is 6 % a year. */
  annualRate: Decimal;
  months: number;
  /** Day of the first payment, YYYY-MM-DD. */
  first?: string | undefined;
  /** Extra payments, by the number of the payment beside which they are made. */
  extra: ReadonlyMap<number, Decimal>;
  /** The balloon: left to the end, and paid with the last payment. */
  balloon: Decimal;
  rounding: Rounding;
}

export interface Plan {
  payment: string;
  totalInterest: string;
  totalPaid: string;
  schedule: PlanRow[];
}

export interface PlanRow {
  n: number;
  date: string | null;
  payment: string;
  interest: string;
  principal: string;
  balance: string;
}

const CENTS = 2;
const ZERO = Decimal.of(0n, CENTS);
const TWELVE = Decimal.of(12n);

export function planOf(loan: Loan): Plan {
  const payment = regularPayment(loan);
  const dates = loan.first === undefined ? undefined : monthlyFrom(loan.first);
  const schedule: PlanRow[] = [];
  let balance = loan.principal;
  let [totalInterest, totalPaid] = [ZERO, ZERO];
  for (let n = 1; n <= loan.months && !balance.isZero; n++) {
    const interest = balance.times(loan.annualRate).dividedBy(TWELVE, CENTS, loan.rounding);
    const owed = balance.plus(interest);
    const wanted = payment.plus(loan.extra.get(n) ?? ZERO);
    // The last payment takes what rounding left, and a loan that is paid off early ends.
    const paid = n === loan.months || wanted.compare(owed) > 0 ? owed : wanted;
    const row = { payment: paid, interest, principal: paid.minus(interest), balance: owed.minus(paid) };
    schedule.push({ n, date: dates?.(n) ?? null, ...texts(row) });
    balance = row.balance;
    totalInterest = totalInterest.plus(interest);
    totalPaid = totalPaid.plus(paid);
  }
  return { payment: text(payment), totalInterest: text(totalInterest), totalPaid: text(totalPaid), schedule };
}

/**
 * The payment that leaves the balloon after all months: (P - B·v) · i / (1 - v), where v = (1 + i)^-months and i is a
 * twelfth of the yearly rate. All are fractions of integers, so it is rounded once.
 */
function regularPayment({ principal, annualRate, months, balloon, rounding }: Loan): Decimal {
  if (annualRate.isZero) return principal.minus(balloon).dividedBy(Decimal.of(BigInt(months)), CENTS, rounding);
  const whole = 12n * 10n ** BigInt(annualRate.scale);
  const grown = Decimal.of((whole + annualRate.units) ** BigInt(months));
  const still = Decimal.of(whole ** BigInt(months));
  const dividend = principal.times(grown).minus(balloon.times(still)).times(Decimal.of(annualRate.units));
  return dividend.dividedBy(grown.minus(still).times(Decimal.of(whole)), CENTS, rounding);
}

/** The day of each payment: that of the first one, or the last of a shorter month. */
export function monthlyFrom(first: string): (n: number) => string {
  const { year, month, day } = calendarDay(first);
  return (n) => {
    const months = month - 1 + n - 1;
    const at: Day = { year: year + Math.floor(months / 12), month: (months % 12) + 1, day };
    const last = new Date(Date.UTC(2000 + (at.year % 400), at.month, 0)).getUTCDate();
    const parts = [String(at.year).padStart(4, "0"), pad(at.month), pad(Math.min(day, last))];
    return parts.join("-");
  };
}

const pad = (value: number): string => String(value).padStart(2, "0");
const text = (amount: Decimal): string => amount.round(CENTS).toString();

const texts = (row: Record<"payment" | "interest" | "principal" | "balance", Decimal>) => ({
  payment: text(row.payment),
  interest: text(row.interest),
  principal: text(row.principal),
  balance: text(row.balance),
});
