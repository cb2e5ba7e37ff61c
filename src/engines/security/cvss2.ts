/** The formulas of CVSS 2.0, rounded as decimals: 8.55 becomes 8.6, which binary fractions miss. */

export interface Scores {
  base: number | null;
  temporal: number | null;
  environmental: number | null;
  overall: number | null;
  threat: number | null;
}

const WEIGHTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { L: 0.395, A: 0.646, N: 1 },
  AC: { H: 0.35, M: 0.61, L: 0.71 },
  Au: { M: 0.45, S: 0.56, N: 0.704 },
  C: { N: 0, P: 0.275, C: 0.66 },
  I: { N: 0, P: 0.275, C: 0.66 },
  A: { N: 0, P: 0.275, C: 0.66 },
  E: { U: 0.85, POC: 0.9, F: 0.95 },
  RL: { OF: 0.87, TF: 0.9, W: 0.95 },
  RC: { UC: 0.9, UR: 0.95 },
  CDP: { L: 0.1, LM: 0.3, MH: 0.4, H: 0.5 },
  TD: { N: 0, L: 0.25, M: 0.75 },
  CR: { L: 0.5, H: 1.51 },
  IR: { L: 0.5, H: 1.51 },
  AR: { L: 0.5, H: 1.51 },
};

/** One decimal; the addend is above every error of the few products before it and below the next decimal fraction. */
const round = (value: number) => Math.floor(value * 10 + 0.5 + 1e-9) / 10;

/** Scores of a vector whose base metrics are complete; null for a group that is not defined at all. */
export function scoresOfVersion2(given: ReadonlyMap<string, string>): Scores {
  const weight = (id: string, otherwise = 1) => WEIGHTS[id]?.[given.get(id) ?? ""] ?? otherwise;
  const isDefined = (...ids: string[]) => ids.some((id) => (given.get(id) ?? "ND") !== "ND");
  const impactOf = (requirement: (id: string) => number) =>
    10.41 *
    (1 -
      (1 - weight("C") * requirement("CR")) *
        (1 - weight("I") * requirement("IR")) *
        (1 - weight("A") * requirement("AR")));
  const exploitability = 20 * weight("AV") * weight("AC") * weight("Au");
  const baseOf = (impact: number) =>
    Math.max(0, round((0.6 * impact + 0.4 * exploitability - 1.5) * (impact === 0 ? 0 : 1.176)));
  const temporalOf = (base: number) => round(base * weight("E") * weight("RL") * weight("RC"));

  const base = baseOf(impactOf(() => 1));
  const temporal = isDefined("E", "RL", "RC") ? temporalOf(base) : null;
  const adjusted = temporalOf(
    baseOf(
      Math.min(
        10,
        impactOf((id) => weight(id)),
      ),
    ),
  );
  const environmental = isDefined("CDP", "TD", "CR", "IR", "AR")
    ? round((adjusted + (10 - adjusted) * weight("CDP", 0)) * weight("TD"))
    : null;
  return { base, temporal, environmental, overall: environmental ?? temporal ?? base, threat: null };
}
