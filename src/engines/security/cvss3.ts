/**
 * The formulas of CVSS 3.0 and 3.1 in whole numbers: a score that is exactly 2.3 stays 2.3 when it is rounded up, which binary
 * fractions make 2.4 of.
 */
import type { Scores } from "./cvss2.js";

/** Hundredths. */
const WEIGHTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 85, A: 62, L: 55, P: 20 },
  AC: { L: 77, H: 44 },
  UI: { N: 85, R: 62 },
  C: { H: 56, L: 22, N: 0 },
  I: { H: 56, L: 22, N: 0 },
  A: { H: 56, L: 22, N: 0 },
  E: { U: 91, P: 94, F: 97 },
  RL: { O: 95, T: 96, W: 97 },
  RC: { U: 92, R: 96 },
  CR: { H: 150, L: 50 },
  IR: { H: 150, L: 50 },
  AR: { H: 150, L: 50 },
};

/** Of privileges, whose weight depends on whether the scope changes. */
const PRIVILEGES = { U: { N: 85, L: 62, H: 27 }, C: { N: 85, L: 68, H: 50 } };

const TEMPORAL = ["E", "RL", "RC"];
const ENVIRONMENTAL = ["CR", "IR", "AR", "MAV", "MAC", "MPR", "MUI", "MS", "MC", "MI", "MA"];

/** A fraction of tenths to the power of `scale`. */
interface Exact {
  value: bigint;
  scale: number;
}

const ten = (power: number): bigint => 10n ** BigInt(power);
const exact = (value: number | bigint, scale: number): Exact => ({ value: BigInt(value), scale });
const times = (a: Exact, b: Exact): Exact => ({ value: a.value * b.value, scale: a.scale + b.scale });
const at = ({ value, scale }: Exact, wanted: number): bigint => value * ten(wanted - scale);

function plus(a: Exact, b: Exact, sign = 1n): Exact {
  const scale = Math.max(a.scale, b.scale);
  return { value: at(a, scale) + sign * at(b, scale), scale };
}

const less = (a: Exact, b: Exact): boolean => plus(a, b, -1n).value < 0n;
const least = (a: Exact, b: Exact): Exact => (less(a, b) ? a : b);
const power = (a: Exact, exponent: number): Exact => ({
  value: a.value ** BigInt(exponent),
  scale: a.scale * exponent,
});

const ONE = exact(1, 0);
const TEN = exact(10, 0);

/** Up to one decimal: by 3.1 after five decimals, as its appendix A has it, by 3.0 whatever follows. */
function roundUp({ value, scale }: Exact, isNewer: boolean): Exact {
  let [rest, unit] = [value, ten(scale) / 10n];
  if (scale < 1) [rest, unit] = [value * 10n, ten(scale)];
  if (isNewer && scale > 5) {
    const step = ten(scale - 5);
    rest = ((value + step / 2n) / step) * step;
  }
  return exact((rest + unit - 1n) / unit, 1);
}

/** Scores of a vector whose base metrics are complete. */
export function scoresOfVersion3(version: "3.0" | "3.1", given: ReadonlyMap<string, string>): Scores {
  const isNewer = version === "3.1";
  const chosen = (id: string) => given.get(id) ?? "X";
  const weight = (id: string, value = chosen(id)) => exact(WEIGHTS[id]?.[value] ?? 100, 2);
  /** The modified metric, and that of the base where it is not defined. */
  const modified = (id: string) => (chosen(`M${id}`) === "X" ? chosen(id) : chosen(`M${id}`));
  const up = (score: Exact) => roundUp(score, isNewer);

  const scoreOf = (metric: (id: string) => string, isModified: boolean): Exact => {
    const scope = metric("S") === "C" ? "C" : "U";
    const left = (id: "C" | "I" | "A") => {
      const one = weight(id, metric(id));
      return plus(ONE, isModified ? times(one, weight(`${id}R`)) : one, -1n);
    };
    const lost = plus(ONE, times(times(left("C"), left("I")), left("A")), -1n);
    const impact = impactOf(isModified ? least(lost, exact(915, 3)) : lost, {
      scope,
      isModified: isModified && isNewer,
    });
    if (impact.value <= 0n) return exact(0, 1);
    const privileges = exact(PRIVILEGES[scope][metric("PR") as "N"], 2);
    const reach = ["AV", "AC", "UI"].map((id) => weight(id, metric(id))).reduce(times, privileges);
    const sum = plus(impact, times(exact(822, 2), reach));
    return up(least(scope === "C" ? times(exact(108, 2), sum) : sum, TEN));
  };
  const temporalOf = (score: Exact) => up(TEMPORAL.map((id) => weight(id)).reduce(times, score));

  const base = scoreOf(chosen, false);
  const temporal = temporalOf(base);
  const environmental = temporalOf(scoreOf(modified, true));
  const isDefined = (ids: readonly string[]) => ids.some((id) => chosen(id) !== "X");
  const overall = isDefined(ENVIRONMENTAL) ? environmental : isDefined(TEMPORAL) ? temporal : base;
  return {
    base: numberOf(base),
    temporal: numberOf(temporal),
    environmental: numberOf(environmental),
    overall: numberOf(overall),
    threat: null,
  };
}

function impactOf(lost: Exact, { scope, isModified }: { scope: "U" | "C"; isModified: boolean }): Exact {
  if (scope === "U") return times(exact(642, 2), lost);
  const grows = times(exact(752, 2), plus(lost, exact(29, 3), -1n));
  const [share, exponent] = isModified ? [times(lost, exact(9731, 4)), 13] : [lost, 15];
  return plus(grows, times(exact(325, 2), power(plus(share, exact(2, 2), -1n), exponent)), -1n);
}

/** Scores have one decimal. */
const numberOf = ({ value }: Exact): number => Number(value) / 10;
