/** Specifiers of Python versions, such as `>=1.2,!=1.3.*`. */
import {
  compareReleases,
  compareVersions,
  isPrerelease,
  type PythonVersion,
  readVersion,
  versionText,
} from "./python-version.js";

export interface Specifier {
  operator: string;
  version: string;
  /** Whether a version, read and as it is written, meets it. */
  holds(version: PythonVersion, written: string): boolean;
}

export const specifierText = ({ operator, version }: Specifier): string => operator + version;

const OPERATOR = /^(===|~=|==|!=|<=|>=|<|>)\s*(\S+)$/;
const MAX_SPECIFIERS = 100;

/** The specifiers of a range, all of which must hold; undefined if one is none. An empty range takes everything. */
export function readSpecifiers(range: string): Specifier[] | undefined {
  const parts = range
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length > MAX_SPECIFIERS) return undefined;
  const specifiers = parts.map(readSpecifier);
  return specifiers.every((specifier) => specifier !== undefined) ? specifiers : undefined;
}

function readSpecifier(text: string): Specifier | undefined {
  const [, operator = "", written = ""] = OPERATOR.exec(text) ?? [];
  if (operator === "") return undefined;
  if (operator === "===")
    return { operator, version: written, holds: (_, name) => name.trim().toLowerCase() === written.toLowerCase() };
  const isPrefix = written.endsWith(".*");
  const wanted = readVersion(isPrefix ? written.slice(0, -2) : written);
  if (!wanted || !isAllowed(operator, isPrefix, wanted)) return undefined;
  const test = isPrefix ? prefixTest(wanted) : TESTS[operator];
  if (!test) return undefined;
  const isNegated = operator === "!=";
  const version = versionText(wanted) + (isPrefix ? ".*" : "");
  return { operator, version, holds: (given) => test(given, wanted) !== isNegated };
}

function isAllowed(operator: string, isPrefix: boolean, { release, pre, post, dev, local }: PythonVersion): boolean {
  const isEquality = operator === "==" || operator === "!=";
  if (isPrefix) return isEquality && [pre, post, dev, local].every((part) => part === null);
  if (local !== null) return isEquality;
  return operator !== "~=" || release.length > 1;
}

type Test = (given: PythonVersion, wanted: PythonVersion) => boolean;

const withoutLocal = (version: PythonVersion): PythonVersion => ({ ...version, local: null });
const publicOrder: Test extends (...args: infer A) => boolean ? (...args: A) => number : never = (given, wanted) =>
  compareVersions(withoutLocal(given), wanted);

const equals: Test = (given, wanted) =>
  wanted.local === null ? publicOrder(given, wanted) === 0 : compareVersions(given, wanted) === 0;

const TESTS: Readonly<Record<string, Test>> = {
  "==": equals,
  "!=": equals,
  "<=": (given, wanted) => publicOrder(given, wanted) <= 0,
  ">=": (given, wanted) => publicOrder(given, wanted) >= 0,
  // Below 1.0 there are no pre-releases of 1.0 itself.
  "<": (given, wanted) =>
    compareVersions(given, wanted) < 0 && !(!isPrerelease(wanted) && isPrerelease(given) && isOf(given, wanted)),
  // Above 1.0 there are no post-releases of 1.0 itself.
  ">": (given, wanted) =>
    publicOrder(given, wanted) > 0 &&
    !(
      wanted.post === null &&
      wanted.dev === null &&
      given.post !== null &&
      isOf(given, wanted) &&
      samePre(given, wanted)
    ),
  "~=": (given, wanted) =>
    publicOrder(given, wanted) >= 0 &&
    prefixTest({ ...wanted, release: wanted.release.slice(0, -1), pre: null, post: null, dev: null })(given, wanted),
};

/** Whether a pre-release, or a post-release, belongs to the wanted version. */
const isOf: Test = (given, wanted) =>
  given.epoch === wanted.epoch &&
  compareReleases(given.release, wanted.release) === 0 &&
  (wanted.post === null || given.post === wanted.post);

const samePre: Test = (a, b) => a.pre?.join() === b.pre?.join();

/** Whether a release begins with another one, as with `==1.2.*`. */
const prefixTest =
  (prefix: PythonVersion): Test =>
  (given) =>
    given.epoch === prefix.epoch && prefix.release.every((part, at) => part === (given.release[at] ?? 0n));
