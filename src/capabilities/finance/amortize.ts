import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { isoDate } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { Decimal } from "../../lib/decimal.js";
import { lazy } from "../../lib/lazy.js";

/** Decimal text; a number of JSON means the digits that it is written with. */
const decimal = (pattern: RegExp, what: string) =>
  z
    .union([z.string(), z.number()], { error: `must be ${what}` })
    .transform(String)
    .refine((value) => pattern.test(value), { error: `must be ${what}` });

const money = () =>
  decimal(/^\d{1,15}(\.\d{1,2})?$/, 'an amount with at most two digits behind the point, "250000.00"');

const inputSchema = () =>
  z.strictObject({
    principal: money().describe('What is lent, as decimal text: "250000.00"'),
    annualRate: decimal(/^(10|\d(\.\d{1,12})?)$/, 'a fraction from 0 to 10, such as "0.065" for 6.5 % a year').describe(
      'Nominal yearly rate as a fraction in decimal text: "0.065" is 6.5 %; a month bears a twelfth of it',
    ),
    months: z.int().min(1).max(1200).describe("Number of monthly payments, 1 to 1,200"),
    first: isoDate().optional().describe("Day of the first payment; without it the rows have no dates"),
    extra: z
      .array(
        z.strictObject({
          n: z.int().min(1).max(1200).optional().describe("Number of the payment that it is paid with"),
          date: isoDate().optional().describe("Or its day, when `first` is given"),
          amount: money().describe("What is paid in addition, as decimal text"),
        }),
      )
      .max(1200)
      .default([])
      .describe("Extra payments: they shorten the loan, the payment stays"),
    balloon: money().default("0").describe("What is left at the end and paid with the last payment"),
    rounding: z
      .enum(["half-up", "half-even"])
      .default("half-up")
      .describe("How the payment and each interest are rounded to the cent"),
  });

type Input = z.output<ReturnType<typeof inputSchema>>;

const amount = () => z.string();

export const financeAmortize = /* @__PURE__ */ defineCapability({
  id: "finance.amortize",
  summary:
    "Amortization schedule of a loan or mortgage in exact decimals: payment, interest, principal and balance of each month.",
  keywords: [
    "loan calculator",
    "mortgage payment",
    "monthly payment",
    "repayment plan",
    "annuity",
    "installments",
    "extra payments",
    "early repayment",
    "balloon payment",
    "interest paid",
    "amortisation",
  ],
  price: "0.001",
  method: "POST",
  offline: true,
  source: { provider: "built-in", url: "https://en.wikipedia.org/wiki/Amortization_schedule", license: "MIT" },
  input: inputSchema,
  output: one(() =>
    z.object({
      payment: amount().describe("Each month, rounded to the cent; the last one takes what rounding left"),
      totalInterest: amount(),
      totalPaid: amount().describe("Exactly the principal and the interest"),
      months: z.int().describe("Payments until the balance is zero"),
      schedule: z.array(
        z.object({
          n: z.int(),
          date: z.string().nullable(),
          payment: amount().describe("With extra payment and balloon"),
          interest: amount(),
          principal: amount(),
          balance: amount().describe("Afterwards"),
        }),
      ),
    }),
  ),
  example: { principal: "250000.00", annualRate: "0.065", months: 360, first: "2026-01-31" },
  read(input) {
    const [principal, annualRate, balloon] = [input.principal, input.annualRate, input.balloon].map((text) =>
      Decimal.of(text),
    ) as [Decimal, Decimal, Decimal];
    if (principal.isZero) throw invalid("principal", "must be more than 0");
    if (balloon.compare(principal) > 0) throw invalid("balloon", "must be at most the principal");
    for (const [i, { n, date }] of input.extra.entries()) {
      if ((n === undefined) === (date === undefined))
        throw invalid(`extra.${i}.n`, "is needed, or a date instead of it: which payment is the extra one paid with?");
      if (date !== undefined && input.first === undefined)
        throw invalid("first", "is needed when an extra payment has a date");
    }
    return { ...input, principal, annualRate, balloon };
  },
  async run({ extra, ...loan }) {
    const { planOf, monthlyFrom } = await engine();
    const dateOf = loan.first === undefined ? undefined : monthlyFrom(loan.first);
    const plan = planOf({ ...loan, extra: byNumber(extra, loan.months, dateOf) });
    return { item: { ...plan, months: plan.schedule.length }, meta: method() };
  },
});

/** Extra payments by the number of the payment that they go with; those of one number are added up. */
function byNumber(extra: Input["extra"], months: number, dateOf: ((n: number) => string) | undefined) {
  const numbers = new Map<string, number>();
  if (dateOf && extra.length > 0) for (let n = 1; n <= months; n++) numbers.set(dateOf(n), n);
  const sums = new Map<number, Decimal>();
  for (const [i, { n: given, date, amount }] of extra.entries()) {
    const n = given ?? numbers.get(date ?? "");
    if (n === undefined || n > months)
      throw invalid(`extra.${i}.${given === undefined ? "date" : "n"}`, "is not a payment of this loan");
    sums.set(n, (sums.get(n) ?? Decimal.of("0")).plus(Decimal.of(amount)));
  }
  return sums;
}

const engine = /* @__PURE__ */ lazy(() => import("../../engines/finance/amortize.js"));
