import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { financeIrr } from "../../../src/capabilities/finance/irr.js";
import { zerosOf } from "../../../src/engines/finance/roots.js";
import { onlyItem } from "../../support/only-item.js";

type Input = Parameters<typeof financeIrr>[0];
const judged = async (input: Input) => onlyItem(await financeIrr(input));
const dated = (flows: [date: string, amount: number][]) => flows.map(([date, amount]) => ({ date, amount }));
/** See test/suites/README.md. */
const suite: {
  xirr: { name: string; flows: [string, number][]; xirr: number | null; other?: number; xnpv?: number }[];
  days: [convention: string, xirr: number][];
  irr: [number[], number][];
  numpyIrr: [number[], number | null][];
  mirr: [number[], number, number, number | null][];
  npv: [number[], number, number][];
} = JSON.parse(readFileSync(new URL("../../suites/finance/returns.json", import.meta.url), "utf8"));

/** Flows for which pyxirr finds no rate, though at this one they are worth nothing. */
const FOUND_BY_US: Record<string, number> = { case_30_20: -0.8973538214882216, case_30_45: -0.840789040421337 };

test("flows at equal periods have a rate, a present value and a payback time", async () => {
  const found = await judged({ flows: [-150000, 15000, 25000, 35000, 45000, 60000], rate: 0.05 });
  expect(found).toMatchObject({ xirr: null, xnpv: null, reason: null, rootsComplete: true, mirr: null });
  expect(found.irr).toBeCloseTo(0.0524328884, 9);
  expect(found.roots).toEqual([found.irr]);
  expect(found.npv).toBeCloseTo(1228.94855, 4);
  expect(found.payback).toBeCloseTo(4.5, 9);
});

test.each([1, 1e-9, 1e-18, 1e-300])(
  "amounts of %d have the rates of the same amounts in another unit",
  async (unit) => {
    const roots = async (...flows: number[]) =>
      (await judged({ flows: flows.map((amount) => amount * unit) })).roots.map((root) => Math.round(root * 1e6) / 1e6);
    expect(await roots(-1, 1)).toEqual([0]);
    expect(await roots(-100, 230, -132)).toEqual([0.1, 0.2]);
  },
);

test("all roots are told, and the rate is the one that a spreadsheet finds", async () => {
  const found = await judged({ flows: [-1000, 6000, -11000, 6000] });
  expect(found.roots).toHaveLength(3);
  expect(found.roots.map((root) => Math.round(root * 1e9) / 1e9)).toEqual([0, 1, 2]);
  expect(found.irr).toBeCloseTo(0, 9); // the flows add up to zero
  expect((await judged({ flows: [-1678.87, 771.96, 1814.05, 3520.3, 3552.95, 3584.99, 4789.91, -1] })).irr).toBeCloseTo(
    1.00427,
    5,
  );
  // An axis that is touched and not crossed.
  expect((await judged({ flows: [1, -2.2, 1.21] })).roots).toEqual([expect.closeTo(0.1, 6)]);
});

describe("what has no rate says why", () => {
  test.each<[string, Input["flows"]]>([
    ["do not change sign", [1, 2, 3]],
    ["do not change sign", [-5]],
    ["are zero", [0, 0]],
    ["at no rate", [1, -1, 1]],
    [
      "fall on one day",
      dated([
        ["2026-01-01", -1],
        ["2026-01-01", 3],
        ["2026-01-01", -1],
      ]).concat([]),
    ],
  ])("%s", async (reason, flows) => {
    const found = await judged({ flows });
    expect(found).toMatchObject({ irr: null, xirr: null, roots: [] });
    expect(found.reason).toContain(reason === "fall on one day" ? "change sign" : reason);
  });
});

describe("pyxirr's", () => {
  const close = (value: number | null, expected: number) =>
    expect(Math.abs((value ?? Number.NaN) - expected)).toBeLessThan(1e-9 * Math.max(1, Math.abs(expected)));

  test.each(suite.xirr)("flows $name", async ({ name, flows, xirr, other, xnpv }) => {
    const found = await judged({ flows: dated(flows), rate: 0.1 });
    expect(found.rootsComplete).toBe(true);
    if (name in FOUND_BY_US) expect(found.roots).toEqual([expect.closeTo(FOUND_BY_US[name] ?? 0, 9)]);
    else if (xirr === null) expect(found).toMatchObject({ xirr: null, roots: [], reason: expect.any(String) });
    else if (other === undefined) close(found.xirr, xirr);
    else for (const root of [xirr, other]) close(found.roots.find((one) => Math.abs(one - root) < 1e-6) ?? null, root);
    if (xnpv !== undefined) close(found.xnpv, xnpv);
  });

  test("periodic flows", async () => {
    for (const [flows, irr] of suite.irr) expect((await judged({ flows })).irr).toBeCloseTo(irr, 9);
  });

  test("conventions of days", async () => {
    const flows = dated([
      ["2007-01-12", -10000],
      ["2008-02-14", 2500],
      ["2008-03-03", 2000],
      ["2008-06-14", 3000],
      ["2008-12-01", 4000],
    ]);
    for (const [basis, name] of [
      ["30/360", "30/360 ISDA"],
      ["act/365f", "act/365F"],
      ["act/act", "act/act ISDA"],
    ] as const)
      close((await judged({ flows, basis })).xirr, suite.days.find(([convention]) => convention === name)?.[1] ?? 0);
  });
});

describe("numpy-financial's", () => {
  test("rates of return", async () => {
    for (const [flows, irr] of suite.numpyIrr) {
      const found = (await judged({ flows })).irr;
      if (irr === null) expect(found).toBeNull();
      else expect(Math.abs((found ?? Number.NaN) - irr)).toBeLessThan(Math.abs(irr) * 1e-2);
    }
  });

  test("modified rates and present values", async () => {
    for (const [flows, financeRate, reinvestRate, mirr] of suite.mirr) {
      const found = (await judged({ flows, financeRate, reinvestRate })).mirr;
      if (mirr === null) expect(found).toBeNull();
      else expect(found).toBeCloseTo(mirr, 4);
    }
    for (const [flows, rate, npv] of suite.npv) {
      const found = (await judged({ flows, rate })).npv ?? 0;
      expect(Math.abs(found - npv)).toBeLessThan(Math.abs(npv) * 1e-2);
    }
  });
});

describe("refuses", () => {
  test.each<[string, object]>([
    ["flows", { flows: [] }],
    ["flows", { flows: Array(10_001).fill(1) }],
    ["flows.1", { flows: [-1, { date: "2026-01-01", amount: 2 }] }],
    ["flows.1", { flows: [{ date: "2026-01-01", amount: -2 }, 1] }],
    ["flows.0", { flows: [{ date: "2026-02-30", amount: -2 }] }],
    ["flows.0", { flows: ["x"] }],
    ["rate", { flows: [-1, 2], rate: -1 }],
    ["basis", { flows: [-1, 2], basis: "act/360" }],
  ])("%s", async (path, input) => {
    const issues = [{ path: expect.stringMatching(new RegExp(`^${path}(\\.|$)`)) }];
    await expect(financeIrr(input as Input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues });
  });
});

test("a zero that many flows share is one root", async () => {
  // (1 - v)^20: within 10 % of zero no sum of numbers tells it from nothing.
  const flows = Array.from({ length: 21 }, (_, k) => {
    let binomial = 1;
    for (let i = 1; i <= k; i++) binomial = (binomial * (21 - i)) / i;
    return (k % 2 === 0 ? 1 : -1) * Math.round(binomial);
  });
  const found = await judged({ flows });
  expect(found.roots).toEqual([expect.closeTo(0, 2)]);
});

test("a search that costs too much ends, and says that it proved nothing", () => {
  const flows = Array.from({ length: 100 }, (_, i) => ({ time: i, amount: Math.cos(i * 0.7) }));
  expect(zerosOf(flows).complete).toBe(true);
  expect(zerosOf(flows, 1000).complete).toBe(false);
});

test("10,000 flows that change sign each time end, with what was found", async () => {
  const flows = Array.from({ length: 10_000 }, (_, i) => (i % 2 === 0 ? -1 : 1 + (i % 7) / 1e6));
  const found = await judged({ flows });
  expect(found.roots.length).toBeGreaterThan(0);
  const mixed = Array.from({ length: 10_000 }, (_, i) => Math.cos(i * 0.7) * 1.0005 ** i);
  expect((await judged({ flows: mixed })).roots).toEqual(expect.any(Array));
});
