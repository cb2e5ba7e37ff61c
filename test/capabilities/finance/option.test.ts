import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { financeOption } from "../../../src/capabilities/finance/option.js";
import { onlyItem } from "../../support/only-item.js";

type Input = Parameters<typeof financeOption>[0];
type Row = [Input["type"], ...numbers: number[]];
const priced = async (input: Input) => onlyItem(await financeOption(input));
/** QuantLib's tables: see test/suites/README.md. */
const suite: Record<"european" | "american" | "baroneAdesiWhaley" | "bjerksundStensland", Row[]> & {
  greeks: [...Row, string][];
} = JSON.parse(readFileSync(new URL("../../suites/finance/options.json", import.meta.url), "utf8"));

function contractOf([
  type,
  strike = 0,
  spot = 0,
  dividendYield = 0,
  rate = 0,
  years = 0,
  volatility = 0,
  value = 0,
]: Row) {
  return { input: { type, strike, spot, dividendYield, rate, years, volatility }, value };
}

test("a European option has its value and Greeks by the closed formula", async () => {
  const found = await priced({ type: "call", spot: 100, strike: 100, rate: 0.05, years: 1, volatility: 0.2 });
  expect(found).toMatchObject({ method: "black-scholes-merton", impliedVolatility: null, reason: null });
  expect(found.value).toBeCloseTo(10.450583572185565, 11);
  expect(found.greeks?.delta).toBeCloseTo(0.6368306511756191, 11);
});

test("QuantLib's European values", async () => {
  for (const row of suite.european) {
    const { input, value } = contractOf(row);
    expect(Math.abs(((await priced(input)).value ?? 0) - value)).toBeLessThan(1e-4);
  }
});

test("QuantLib's European Greeks", async () => {
  for (const [name, ...reversed] of suite.greeks.map((row) => [row.at(-1) as string, ...row.slice(0, -1)] as const)) {
    const { input, value } = contractOf(reversed as Row);
    const { greeks, value: price } = await priced(input);
    const all: Record<string, number> = {
      ...greeks,
      elasticity: ((greeks?.delta ?? 0) * input.spot) / (price ?? 1),
      thetaPerDay: (greeks?.theta ?? 0) / 365,
    };
    expect(Math.abs((all[name] ?? 0) - value), name).toBeLessThan(1e-4);
  }
});

test("American values lie beside those of QuantLib's approximations, as its finite differences do", async () => {
  const rows = [...suite.american, ...suite.baroneAdesiWhaley, ...suite.bjerksundStensland.slice(0, 7)];
  // A third of them; scripts/suites/money.mjs judges all.
  for (const row of rows.filter((_, i) => i % 3 === 0)) {
    const { input, value } = contractOf(row);
    const found = (await priced({ ...input, style: "american" })).value ?? 0;
    expect(Math.abs(found - value), JSON.stringify(row)).toBeLessThan(8e-2);
    // The true values of Ju's table 3 are those of a tree of 10,000 steps.
    expect(found).toBeGreaterThanOrEqual(((await priced(input)).value ?? 0) - 1e-9);
  }
});

test("an American put of Ju's table is right to a thousandth", async () => {
  const put = { type: "put", style: "american", spot: 40, rate: 0.0488 } as const;
  for (const [strike, years, volatility, value] of [
    [35, 0.0833, 0.2, 0.0062],
    [40, 0.3333, 0.2, 1.5798],
    [45, 0.5833, 0.2, 5.267],
    [40, 0.5833, 0.3, 3.1696],
    [45, 0.5833, 0.4, 7.383],
  ] as const)
    expect((await priced({ ...put, strike, years, volatility })).value).toBeCloseTo(value, 3);
});

test("an American call without dividends is worth the European one, Greeks as well", async () => {
  const call = { type: "call", spot: 100, strike: 95, rate: 0.05, years: 0.75, volatility: 0.3 } as const;
  const [european, american] = [await priced(call), await priced({ ...call, style: "american" })];
  expect(american.value).toBeCloseTo(european.value ?? 0, 3);
  for (const name of ["delta", "gamma", "vega", "theta", "rho", "dividendRho"] as const) {
    const [expected = 1, found = 0] = [european.greeks?.[name], american.greeks?.[name]];
    expect(Math.abs(found / expected - 1), name).toBeLessThan(2e-3);
  }
});

test.each(["european", "american"] as const)("a price of a %s option implies its volatility", async (style) => {
  const put = { type: "put", style, spot: 100, strike: 110, rate: 0.03, dividendYield: 0.01, years: 2 } as const;
  const { value } = await priced({ ...put, volatility: 0.37 });
  const found = await priced({ ...put, price: value ?? 0 });
  expect(found.impliedVolatility).toBeCloseTo(0.37, 8);
  expect(found.value).toBeCloseTo(value ?? 0, 8);
});

test.each<[string, Partial<Input>]>([
  ["is below", { price: 4 }],
  ["is not below", { price: 100.5 }],
  ["at every low volatility", { style: "american", strike: 50, type: "call", price: 50, rate: 0, dividendYield: 0.5 }],
])("a price that %s … implies none", async (reason, changed) => {
  const found = await priced({ type: "call", spot: 100, strike: 90, rate: 0.05, years: 1, ...changed } as Input);
  expect(found).toMatchObject({ value: null, impliedVolatility: null, greeks: null });
  expect(found.reason).toContain(reason);
});

test.each(["european", "american"] as const)(
  "a %s option without time or volatility has its inner value",
  async (style) => {
    const put = { type: "put", style, spot: 90, strike: 100, rate: 0, years: 1 } as const;
    for (const changed of [{ years: 0, volatility: 0.2 }, { volatility: 0 }])
      expect((await priced({ ...put, ...changed })).value).toBeCloseTo(10, 9);
  },
);

test("extremes give finite numbers", async () => {
  const styles = ["european", "american"] as const;
  for (const style of styles)
    for (const [years, volatility, rate] of [
      [50, 100, 10],
      [50, 1e-9, -1],
      [1e-9, 5, 0.1],
      [50, 0.2, -0.5],
    ] as const)
      for (const type of ["call", "put"] as const) {
        const { value, greeks } = await priced({ type, style, spot: 1e-9, strike: 1e12, rate, years, volatility });
        for (const number of [value, ...Object.values(greeks ?? {})]) expect(Number.isFinite(number)).toBe(true);
      }
});

describe("refuses", () => {
  const call = { type: "call", spot: 100, strike: 100, rate: 0.05, years: 1, volatility: 0.2 };
  test.each<[string, object]>([
    ["volatility", { ...call, volatility: undefined }],
    ["volatility", { ...call, volatility: -0.1 }],
    ["price", { ...call, price: 5 }],
    ["price", { ...call, volatility: undefined, price: -5 }],
    ["years", { ...call, years: 51 }],
    ["spot", { ...call, spot: 0 }],
    ["strike", { ...call, strike: -1 }],
    ["type", { ...call, type: "straddle" }],
    ["style", { ...call, style: "bermudan" }],
  ])("%s", async (path, input) => {
    await expect(financeOption(input as Input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
  });
});
