/** Operations on versions, the same for all schemes. */
import { invalid } from "../../errors.js";
import { mavenScheme } from "./maven.js";
import { pep440Scheme } from "./pep440.js";
import type { Parsed, Release, Scheme } from "./scheme.js";
import { semverScheme } from "./semver.js";

export interface VersionQuestion {
  operation: "satisfies" | "compare" | "increment" | "parse" | "sort";
  scheme: "semver" | "pep440" | "maven";
  version?: string | undefined;
  other?: string | undefined;
  range?: string | undefined;
  release?: Release | undefined;
  identifier?: string | undefined;
  base?: "0" | "1" | "none" | undefined;
  versions?: string[] | undefined;
  loose: boolean;
  includePrerelease?: boolean | undefined;
}

export interface VersionAnswer {
  valid: boolean;
  reason: string | null;
  satisfies: boolean | null;
  order: -1 | 0 | 1 | null;
  result: string | null;
  parsed: Parsed | null;
  sorted: string[] | null;
  rejected: string[];
}

export async function openScheme({ scheme, loose, includePrerelease }: VersionQuestion): Promise<Scheme> {
  if (scheme === "semver") return semverScheme({ loose, includePrerelease: includePrerelease ?? false });
  return scheme === "pep440" ? pep440Scheme(includePrerelease) : mavenScheme;
}

export function work(scheme: Scheme, question: VersionQuestion): VersionAnswer {
  const { version, other, range, operation, scheme: name } = question;
  const parsed = version === undefined ? null : scheme.parse(version);
  const answer = { ...NOTHING, parsed };
  const isSatisfying = operation === "satisfies";
  const refused = (reason: string): VersionAnswer => ({ ...answer, reason, satisfies: isSatisfying ? false : null });
  if (version !== undefined && !parsed) return refused(`"${short(version)}" is not a version of ${name}.`);
  if (operation === "compare" && !scheme.parse(other ?? ""))
    return refused(`"${short(other ?? "")}" is not a version of ${name}.`);
  if (range !== undefined && scheme.range(range) === null)
    return refused(`"${short(range)}" is not a range of ${name}.`);
  return { ...answer, valid: true, ...OPERATIONS[operation](scheme, question) };
}

const NOTHING: VersionAnswer = {
  ...{ valid: false, reason: null, satisfies: null, order: null, result: null },
  ...{ parsed: null, sorted: null, rejected: [] },
};

const short = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
const sign = (value: number): -1 | 0 | 1 => (value < 0 ? -1 : value > 0 ? 1 : 0);

const OPERATIONS: Record<
  VersionQuestion["operation"],
  (scheme: Scheme, question: VersionQuestion) => Partial<VersionAnswer>
> = {
  compare: (scheme, { version = "", other = "" }) => ({ order: sign(scheme.compare(version, other)) }),
  parse: (scheme, { range }) => ({ result: range === undefined ? null : scheme.range(range) }),
  sort: (scheme, { versions = [] }) => sortAll(scheme, versions),
  increment(scheme, { version = "", release = "patch", identifier, base, scheme: name }) {
    const result = scheme.increment(version, { release, identifier, base });
    if (result === undefined) throw invalid("release", `${release} does not lead on from this version in ${name}`);
    return { result, reason: result === null ? "No version follows by this step." : null };
  },
  satisfies(scheme, { version, range = "", versions }) {
    const own = version === undefined ? undefined : scheme.within(version, range);
    if (!versions) return { ...own };
    const { sorted = [], ...rest } = sortAll(scheme, versions);
    const matching = (sorted ?? []).filter((one) => scheme.within(one, range)?.satisfies);
    const result = matching.at(-1) ?? null;
    return { ...rest, satisfies: result !== null, ...own, sorted: matching, result };
  },
};

function sortAll(scheme: Scheme, versions: string[]): Partial<VersionAnswer> {
  const known = versions.filter((version) => scheme.parse(version));
  const rejected = versions.filter((version) => !scheme.parse(version));
  return {
    valid: rejected.length === 0,
    reason: rejected.length === 0 ? null : `${rejected.length} of ${versions.length} are no versions.`,
    sorted: known.sort((a, b) => scheme.compare(a, b)),
    rejected,
  };
}
