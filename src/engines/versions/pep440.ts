/** Versions of Python packages, as PEP 440 has them. */
import { readSpecifiers, specifierText } from "./pep440-specifiers.js";
import { compareVersions, isPrerelease, type PythonVersion, readVersion, versionText } from "./python-version.js";
import { numberOf, type Parsed, type Scheme, type Step } from "./scheme.js";

const need = (text: string): PythonVersion => readVersion(text) as PythonVersion;

export const pep440Scheme = (includePrerelease: boolean | undefined): Scheme => ({
  parse: (text) => {
    const version = readVersion(text);
    return version && parsed(version);
  },
  compare: (a, b) => compareVersions(need(a), need(b)),
  within(version, range) {
    const specifiers = readSpecifiers(range);
    if (!specifiers) return undefined;
    const satisfies =
      specifiers.every((specifier) => specifier.holds(need(version), version)) &&
      (includePrerelease !== false || !isPrerelease(need(version)));
    return { satisfies, order: satisfies ? 0 : null };
  },
  range: (range) => readSpecifiers(range)?.map(specifierText).sort().join(",") ?? null,
  increment: (version, step) => next(need(version), step),
});

function parsed(version: PythonVersion): Parsed {
  const { epoch, release, pre, post, dev, local } = version;
  const plain = (value: bigint | string) => (typeof value === "string" ? value : numberOf(value));
  return {
    normalized: versionText(version),
    public: versionText({ ...version, local: null }),
    epoch: numberOf(epoch),
    release: release.map(plain),
    prerelease: pre ? pre.map(plain) : [],
    post: post === null ? null : numberOf(post),
    dev: dev === null ? null : numberOf(dev),
    local: local?.join(".") ?? null,
    isPrerelease: isPrerelease(version),
    isPostrelease: post !== null,
  };
}

const PLACES: Partial<Record<Step["release"], number>> = { major: 0, minor: 1, patch: 2 };

function next(version: PythonVersion, { release }: Step): string | undefined {
  const { epoch, pre, post, dev } = version;
  const plain = { epoch, release: version.release, pre: null, post: null, dev: null, local: null };
  const place = PLACES[release];
  if (place !== undefined) return versionText({ ...plain, release: bumped(version, place) });
  if (release === "release") return versionText(plain);
  if (release === "post") return versionText({ ...plain, pre, post: (post ?? -1n) + 1n });
  if (release === "dev") return versionText({ ...plain, pre, post, dev: (dev ?? -1n) + 1n });
  if (release === "prerelease" && pre)
    return versionText({ ...plain, pre: [pre[0], dev === null ? pre[1] + 1n : pre[1]] });
  return undefined;
}

/** A pre-release of the very version that would follow becomes that version. */
function bumped(version: PythonVersion, place: number): bigint[] {
  const length = Math.max(3, version.release.length);
  const all = Array.from({ length }, (_, at) => version.release[at] ?? 0n);
  const isFirst = all.slice(place + 1).every((part) => part === 0n);
  const step = isPrerelease(version) && version.post === null && isFirst ? 0n : 1n;
  return all.map((part, at) => (at < place ? part : at === place ? part + step : 0n));
}
