/** Semantic versions and npm's ranges of them, as npm reads them. */
import { without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { named } from "../../lib/packages/named.js";
import type { Scheme, Within } from "./scheme.js";

export const SEMVER = { engine: "semver", version: "7.8.6" };

const library = /* @__PURE__ */ lazy(() => import("semver").catch(without("semver")).then(named));

export interface SemverOptions {
  loose: boolean;
  includePrerelease: boolean;
}

export async function semverScheme(options: SemverOptions): Promise<Scheme> {
  const semver = await library();
  const within = (version: string, range: string): Within | undefined => {
    if (semver.validRange(range, options) === null) return undefined;
    const satisfies = semver.satisfies(version, range, options);
    if (satisfies) return { satisfies, order: 0 };
    return {
      satisfies,
      order: semver.gtr(version, range, options) ? 1 : semver.ltr(version, range, options) ? -1 : null,
    };
  };
  return {
    parse(text) {
      const found = semver.parse(text, options);
      if (!found) return null;
      const { version: normalized, major, minor, patch, prerelease, build } = found;
      const isPrerelease = prerelease.length > 0;
      return { normalized, release: [major, minor, patch], major, minor, patch, prerelease, build, isPrerelease };
    },
    compare: (a, b) => semver.compare(a, b, options),
    within,
    range: (range) => semver.validRange(range, options),
    increment(version, { release, identifier, base }) {
      if (release === "post" || release === "dev") return undefined;
      return semver.inc(version, release, options, identifier, base === "none" ? false : base);
    },
  };
}
