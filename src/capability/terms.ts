/** The terms of upstreams for reselling their answers. */

/**
 * - `allowed`: answers may be sold, together with the line of `attribution`, if there is one.
 * - `share-alike`: answers may be sold, and a data set made of them must be offered under the same licence.
 * - `limited`: answers may be sold under the conditions in `note`.
 * - `forbidden`: selling needs an agreement with the provider, or a plan that the host has to buy.
 * - `unknown`: no published terms are known.
 */
export type Resale = "allowed" | "share-alike" | "limited" | "forbidden" | "unknown";

/** Terms on which a host decides which capabilities it sells. They switch nothing off by themselves. */
export interface Terms {
  resale: Resale;
  /**
   * The line that the licence requires beside the data, shown in results as `source.attribution`; null if none is
   * required.
   */
  attribution: string | null;
  /** Prohibitions and duties, in one or two sentences that name the provider. */
  note: string;
  /** Address of the published terms, https. */
  url: string;
  /** The day, YYYY-MM-DD, on which these entries were compared with the published terms; null if they never were. */
  checkedAt: string | null;
}

/** Owner of the terms of an answer: a provider, or a data set that comes in a package. */
export interface Origin {
  name: string;
  terms: Terms;
  /** True for a data set that comes in a package: no upstream is asked. */
  packaged?: true;
}

/** The strictest first. Unknown terms are stricter than a share-alike licence. */
const STRICTNESS: readonly Resale[] = ["forbidden", "limited", "unknown", "share-alike", "allowed"];

/** Terms of an answer that may contain data of all these origins: the strictest, with the attribution lines of each. */
export function termsOf(origins: readonly Origin[]): Terms | undefined {
  const all = [...new Set(origins.map(({ terms }) => terms))].sort(
    (a, b) => STRICTNESS.indexOf(a.resale) - STRICTNESS.indexOf(b.resale),
  );
  const [strictest, ...others] = all;
  if (!strictest || others.length === 0) return strictest;
  const lines = unique(all.flatMap(({ attribution }) => attribution ?? []));
  const days = all.map(({ checkedAt }) => checkedAt);
  return {
    ...strictest,
    attribution: lines.length > 0 ? lines.join("; ") : null,
    note: unique(all.map(({ note }) => note)).join(" "),
    checkedAt: days.includes(null) ? null : (days.sort()[0] ?? null),
  };
}

const unique = (lines: string[]): string[] => [...new Set(lines)];

/** Terms of works of the federal government of the United States. */
export const usGovernmentWork = (url: string, attribution: string | null = null): Terms => ({
  resale: "allowed",
  attribution,
  note: "A work of the United States government, which has no copyright in it (17 U.S.C. 105).",
  url,
  checkedAt: null,
});
