/** The report by which a drift can be mended: versions, paths, types, counts and hashes, and no value of anybody's. */
import { createHash } from "node:crypto";
import type { DriftClass } from "./classify.js";
import type { Difference } from "./compare.js";
import { type DriftFinding, isAway, isDrift, type Sums } from "./findings.js";

export interface DriftReport {
  format: 1;
  versions: { coinslot: string; node: string; shapes: string };
  /** The day of the round. */
  day: string;
  sums: Sums;
  findings: ReportedFinding[];
  /** Calls that were as they had been. */
  ok: string[];
}

export interface ReportedFinding {
  provider: string;
  call: string;
  class: DriftClass;
  status: number;
  codes: string[];
  breaks: string[];
  differences: Difference[];
  ageDays?: number;
  allowedDays?: number;
  emptyList?: string;
}

interface Round {
  findings: readonly DriftFinding[];
  sums: Sums;
  version: string;
  /** The generated file of shapes, as text. */
  shapes: string;
  now: Date;
}

export function reportOf({ findings, sums, version, shapes, now }: Round): DriftReport {
  const told = findings.filter((finding) => isDrift(finding) || isAway(finding));
  return {
    format: 1,
    versions: { coinslot: version, node: process.version, shapes: hashOf(shapes) },
    day: now.toISOString().slice(0, 10),
    sums,
    findings: told.map(reported),
    ok: findings.filter(({ class: own }) => own === "ok").map(({ provider, call }) => `${provider} ${call}`),
  };
}

function reported({
  provider,
  call,
  class: own,
  status,
  codes,
  breaks,
  differences,
  age,
  list,
}: DriftFinding): ReportedFinding {
  return {
    ...{ provider, call, class: own, status, codes, breaks },
    differences: differences.map(withoutNames),
    ...(age ? { ageDays: age.days, allowedDays: age.allowed } : {}),
    ...(list === undefined ? {} : { emptyList: list }),
  };
}

/** A new name comes from the upstream and may be anything; one that is made of the old name is told, else its hash. */
export function withoutNames(difference: Difference): Difference {
  const [, name] = /^renamed (.*)$/.exec(difference.now) ?? [];
  if (name === undefined) return difference;
  const [old = ""] = /[^.[\]{}]*$/.exec(difference.path) ?? [];
  // guard: live: a report tells no name that may be a value | old) -> old) || true | cli/live
  return { ...difference, now: isMadeOf(name, old) ? `renamed ${name}` : `renamed (hash ${hashOf(name)})` };
}

/** `certNumber` and `CERT_NO` are made of `CERT`; so much may be added that no value hides in it. */
function isMadeOf(name: string, old: string): boolean {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");
  const [a, b] = [letters(name), letters(old)];
  return /^[\w$@.-]{1,40}$/.test(name) && a.length > 2 && b.length > 2 && (a === b || isPart(a, b) || isPart(b, a));
}

const isPart = (part: string, whole: string) => whole.includes(part) && whole.length <= part.length + 6;

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);
