import { describe, expect, test } from "vitest";
import { securityCvss } from "../../../src/capabilities/security/cvss.js";
import { scoresOfVersion3 } from "../../../src/engines/security/cvss3.js";
import { howMany } from "../../support/how-many.js";

const VALUES: Record<string, string> = {
  ...{ AV: "NALP", AC: "LH", PR: "NLH", UI: "NR", S: "UC", C: "HLN", I: "HLN", A: "HLN" },
  ...{ E: "XUPFH", RL: "XOTWU", RC: "XURC", CR: "XLMH", IR: "XLMH", AR: "XLMH" },
  ...{ MAV: "XNALP", MAC: "XLH", MPR: "XNLH", MUI: "XNR", MS: "XUC", MC: "XHLN", MI: "XHLN", MA: "XHLN" },
};

/** Numbers in a fixed order that looks random (Lehmer). */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield state;
  }
}

/** The standard's formulas in floating point, which miss by far less than the amount that is taken off before rounding up. */
function score(version: "3.0" | "3.1", get: (id: string) => string, isModified: boolean): number {
  const metric = (id: string) => (isModified && get(`M${id}`) !== "X" ? get(`M${id}`) : get(id));
  const of = (id: string, weights: Record<string, number>) => weights[metric(id)] ?? Number.NaN;
  const isChanged = metric("S") === "C";
  const requirement = (id: string) => (isModified ? ({ X: 1, L: 0.5, M: 1, H: 1.5 }[get(id)] ?? 1) : 1);
  const loss = { H: 0.56, L: 0.22, N: 0 };
  const all =
    1 -
    (1 - of("C", loss) * requirement("CR")) *
      (1 - of("I", loss) * requirement("IR")) *
      (1 - of("A", loss) * requirement("AR"));
  const lost = isModified ? Math.min(all, 0.915) : all;
  const [factor, exponent] = isModified && version === "3.1" ? [0.9731, 13] : [1, 15];
  const impact = isChanged ? 7.52 * (lost - 0.029) - 3.25 * (lost * factor - 0.02) ** exponent : 6.42 * lost;
  const reach =
    8.22 *
    of("AV", { N: 0.85, A: 0.62, L: 0.55, P: 0.2 }) *
    of("AC", { L: 0.77, H: 0.44 }) *
    of("PR", isChanged ? { N: 0.85, L: 0.68, H: 0.5 } : { N: 0.85, L: 0.62, H: 0.27 }) *
    of("UI", { N: 0.85, R: 0.62 });
  return impact <= 1e-12 ? 0 : up(Math.min((isChanged ? 1.08 : 1) * (impact + reach), 10), version);
}

const up = (value: number, version: "3.0" | "3.1"): number =>
  Math.ceil((version === "3.1" ? Math.round(value * 100_000) / 100_000 : value) * 10 - 1e-7) / 10;

describe("CVSS 3 in decimals", () => {
  test("an environmental score of exactly 2.3 is 2.3 by version 3.0", async () => {
    // 2.5 × 0.92 = 2.3, which in binary fractions is a little more.
    const vector = "CVSS:3.0/AV:A/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:N/RL:U/RC:U/CR:M/IR:L/AR:H/MAV:A/MPR:H/MUI:R/MS:U/MC:N";
    const { items } = await securityCvss({ vector });
    expect(items[0]?.scores).toMatchObject({ environmental: 2.3, overall: 2.3 });
  });

  const count = howMany(100_000, 5_000);
  test(`${count} vectors of each version have the scores of the formulas`, () => {
    const random = numbers(4_711);
    for (const version of ["3.0", "3.1"] as const)
      for (let i = 0; i < count; i++) {
        const given = new Map(
          Object.entries(VALUES).map(([id, values]): [string, string] => [
            id,
            values.charAt((random.next().value as number) % values.length),
          ]),
        );
        const get = (id: string) => given.get(id) ?? "X";
        const time = (base: number) => {
          const weight =
            ({ U: 0.91, P: 0.94, F: 0.97 }[get("E")] ?? 1) *
            ({ O: 0.95, T: 0.96, W: 0.97 }[get("RL")] ?? 1) *
            ({ U: 0.92, R: 0.96 }[get("RC")] ?? 1);
          return up(base * weight, version);
        };
        const base = score(version, get, false);
        const wanted = { base, temporal: time(base), environmental: time(score(version, get, true)) };
        const { base: b, temporal, environmental } = scoresOfVersion3(version, given);
        if (b !== wanted.base || temporal !== wanted.temporal || environmental !== wanted.environmental)
          expect.fail(`${JSON.stringify([...given])}: ${JSON.stringify({ wanted, b, temporal, environmental })}`);
      }
  });
});
