import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { financeAmortize } from "../../../src/capabilities/finance/amortize.js";
import { Decimal } from "../../../src/lib/decimal.js";
import { onlyItem } from "../../support/only-item.js";

type Input = Parameters<typeof financeAmortize>[0];
const planOf = async (input: Input) => onlyItem(await financeAmortize(input));
type Plan = Awaited<ReturnType<typeof planOf>>;
/** Of numpy-financial and pyxirr, rounded to the cent: see test/suites/README.md. */
const { payments }: { payments: [annualRate: string, months: number, principal: string, payment: string][] } =
  JSON.parse(readFileSync(new URL("../../suites/finance/returns.json", import.meta.url), "utf8"));

const sum = (plan: Plan, column: "payment" | "interest" | "principal") =>
  plan.schedule.reduce((total, row) => total.plus(Decimal.of(row[column])), Decimal.of("0.00")).toString();

function expectExact(plan: Plan, principal: string) {
  expect(sum(plan, "payment")).toBe(plan.totalPaid);
  expect(sum(plan, "interest")).toBe(plan.totalInterest);
  expect(Decimal.of(sum(plan, "principal")).equals(Decimal.of(principal))).toBe(true);
  expect(plan.schedule.at(-1)?.balance).toBe("0.00");
  expect(plan.months).toBe(plan.schedule.length);
}

test("a loan has equal payments, and sums are exact to the cent", async () => {
  const plan = await planOf({ principal: "10000.00", annualRate: "0.05", months: 12, first: "2026-01-31" });
  expect(plan).toMatchObject({ payment: "856.07", totalInterest: "272.89", totalPaid: "10272.89" });
  expect(plan.schedule[0]).toEqual({
    ...{ n: 1, date: "2026-01-31", payment: "856.07", interest: "41.67", principal: "814.40", balance: "9185.60" },
  });
  expect(plan.schedule.map(({ date }) => date).slice(1, 4)).toEqual(["2026-02-28", "2026-03-31", "2026-04-30"]);
  expect(plan.schedule.at(-1)).toMatchObject({ n: 12, payment: "856.12", balance: "0.00" });
  expectExact(plan, "10000");
});

test.each(payments)("%s over %i months of %s is %s", async (annualRate, months, principal, payment) => {
  const plan = await planOf({ principal, annualRate, months });
  expect(plan.payment).toBe(payment);
  expectExact(plan, principal);
});

test("extra payments shorten the loan, by number or by date", async () => {
  const loan = { principal: "10000", annualRate: "0.05", months: 24, first: "2026-01-15" };
  const [without, byNumber, byDate] = await Promise.all([
    planOf(loan),
    planOf({
      ...loan,
      extra: [
        { n: 3, amount: "2000" },
        { n: 3, amount: "500.50" },
      ],
    }),
    planOf({ ...loan, extra: [{ date: "2026-03-15", amount: "2500.50" }] }),
  ]);
  expect(byDate).toEqual(byNumber);
  expect(byNumber.months).toBeLessThan(without.months);
  expect(byNumber.payment).toBe(without.payment);
  expectExact(byNumber, "10000");
  const atOnce = await planOf({ ...loan, extra: [{ n: 1, amount: "999999" }] });
  expect(atOnce).toMatchObject({ months: 1, totalPaid: "10041.67" });
});

test("a balloon is left until the end", async () => {
  const plan = await planOf({ principal: "20000", annualRate: "0.06", months: 36, balloon: "8000" });
  expect(plan.schedule.at(-2)?.balance.startsWith("8")).toBe(true);
  expect(Number(plan.schedule.at(-1)?.payment)).toBeGreaterThan(8000);
  expectExact(plan, "20000");
  expect(await planOf({ principal: "20000", annualRate: "0.06", months: 3, balloon: "20000" })).toMatchObject({
    payment: "100.00",
    totalPaid: "20300.00",
  });
});

test("halves of a cent are rounded as asked", async () => {
  // 0.06 / 12 of 101.00 is 0.505.
  const interest = async (rounding: "half-up" | "half-even", principal: string) =>
    (await planOf({ principal, annualRate: "0.06", months: 2, rounding })).schedule[0]?.interest;
  await expect(interest("half-up", "101")).resolves.toBe("0.51");
  await expect(interest("half-even", "101")).resolves.toBe("0.50");
  await expect(interest("half-even", "103")).resolves.toBe("0.52");
});

test("sums stay exact for any loan", async () => {
  let seed = 7;
  const below = (count: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % count;
  };
  for (let i = 0; i < 40; i++) {
    const principal = `${below(1_000_000)}.${String(below(100)).padStart(2, "0")}`;
    const annualRate = ["0", "0.001", `0.${below(99_999) + 1}`, "10", `${below(9)}.${below(99)}`][i % 5] ?? "0";
    const months = below(i % 4 === 0 ? 1200 : 60) + 1;
    if (Number(principal) === 0) continue;
    expectExact(await planOf({ principal, annualRate, months, balloon: i % 3 === 0 ? "0" : "0.01" }), principal);
  }
});

describe("refuses", () => {
  const loan = { principal: "1000", annualRate: "0.05", months: 12 };
  test.each<[string, object]>([
    ["principal", { ...loan, principal: "0" }],
    ["principal", { ...loan, principal: "-5" }],
    ["principal", { ...loan, principal: "1000.005" }],
    ["principal", { ...loan, principal: "1e5" }],
    ["principal", { ...loan, principal: "9".repeat(5000) }],
    ["annualRate", { ...loan, annualRate: "-0.01" }],
    ["annualRate", { ...loan, annualRate: "11" }],
    ["annualRate", { ...loan, annualRate: "5 %" }],
    ["months", { ...loan, months: 0 }],
    ["months", { ...loan, months: 1201 }],
    ["first", { ...loan, first: "2026-02-30" }],
    ["first", { ...loan, extra: [{ date: "2026-02-01", amount: "1" }] }],
    ["balloon", { ...loan, balloon: "1000.01" }],
    ["extra.0.n", { ...loan, extra: [{ amount: "1" }] }],
    ["extra.0.n", { ...loan, extra: [{ n: 13, amount: "1" }] }],
    ["extra.0.date", { ...loan, first: "2026-01-01", extra: [{ date: "2026-01-02", amount: "1" }] }],
    ["extra.0.amount", { ...loan, extra: [{ n: 1, amount: "one" }] }],
  ])("%s", async (path, input) => {
    await expect(financeAmortize(input as Input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
  });
});

test("the largest loan ends", async () => {
  const plan = await planOf({ principal: "999999999999999.99", annualRate: "9.999999999999", months: 1200 });
  expectExact(plan, "999999999999999.99");
});
