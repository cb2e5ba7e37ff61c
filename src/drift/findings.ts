/** Brings the verdicts of a round together: one finding for each call of each provider, and the sums. */
import type { Checked } from "./check.js";
import { type DriftVerdict, TO_MEND, worse } from "./classify.js";
import type { Difference } from "./compare.js";
import type { CallShape } from "./shape.js";

export interface DriftFinding extends DriftVerdict {
  /** Capabilities that read this call. */
  breaks: string[];
  /** Codes of the errors that callers would get. */
  codes: string[];
}

export interface Sums {
  ok: number;
  drift: number;
  withoutKey: number;
  away: number;
}

/** One for each call, the worst of what its answers were. */
export function findingsOf(checked: readonly Checked[], shapes: readonly CallShape[]): DriftFinding[] {
  const found = new Map<string, DriftFinding>();
  for (const { id, verdicts, code } of checked)
    for (const verdict of verdicts) {
      const key = `${verdict.provider} ${verdict.call}`;
      const known = found.get(key) ?? { ...verdict, breaks: readersOf(verdict, shapes), codes: [] };
      const worst = worse(known.class, verdict.class) === known.class ? known : verdict;
      const codes = code && verdict.class !== "ok" ? [code] : [];
      found.set(key, {
        ...known,
        ...worst,
        breaks: [...new Set([...known.breaks, id])].sort(),
        codes: [...new Set([...known.codes, ...codes])],
      });
    }
  return [...found.values()].sort((a, b) => a.provider.localeCompare(b.provider) || a.call.localeCompare(b.call));
}

const readersOf = ({ provider, call }: DriftVerdict, shapes: readonly CallShape[]): readonly string[] =>
  shapes.find((shape) => shape.provider === provider && shape.call === call)?.readers ?? [];

export const isDrift = ({ class: own }: Pick<DriftFinding, "class">): boolean => TO_MEND.has(own);
export const isAway = ({ class: own }: Pick<DriftFinding, "class">): boolean => own !== "ok" && !TO_MEND.has(own);

export const sumsOf = (findings: readonly DriftFinding[], withoutKey: number): Sums => ({
  ok: findings.filter(({ class: own }) => own === "ok").length,
  drift: findings.filter(isDrift).length,
  withoutKey,
  away: findings.filter(isAway).length,
});

/** 1: something to mend, which beats 3: something could not be asked; 0: neither. */
export const exitCodeOf = ({ drift, away }: Sums): 0 | 1 | 3 => (drift > 0 ? 1 : away > 0 ? 3 : 0);

/** The change in a few words: `data[].CERT number -> string (3 of 3)`. */
export function detailOf({ class: own, differences, age, list, status, codes }: DriftFinding, now: Date): string {
  const [first] = differences;
  if (first) return `${textOf(first)}${differences.length > 1 ? ` and ${differences.length - 1} more` : ""}`;
  if (age) return `newest ${dayOf(now.getTime() - age.days * DAY_MS)}, allowed ${age.allowed} days`;
  if (own === "empty") return list === undefined ? "nothing was found" : `${list} has no rows`;
  if (own === "parser") return codes.join(", ") || "our reader failed";
  return status > 0 ? `status ${status}` : "no answer";
}

const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

const textOf = ({ path, was, now, count, of }: Difference): string =>
  `${path || "$"} ${was} -> ${now} (${count} of ${of})`;
