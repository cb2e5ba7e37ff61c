/** What the terms of an upstream say to whoever sells its answers on. */

/**
 * - `allowed`: answers may be sold; the line of `attribution`, where there is one, goes with them.
 * - `share-alike`: they may, and a data set made of them is to be offered under the same licence.
 * - `limited`: they may under conditions, which `note` tells.
 * - `forbidden`: they may not without an agreement with the provider, or a plan that a host has to buy.
 * - `unknown`: no published words are known that say either.
 */
export type Resale = "allowed" | "share-alike" | "limited" | "forbidden" | "unknown";

/** A host decides by these what it sells: nothing is switched off by them. */
export interface Terms {
  resale: Resale;
  /** The line that a licence wants shown beside the data, which results carry as `source.attribution`; null where none does. */
  attribution: string | null;
  /** What is forbidden or demanded, in one or two sentences that name the provider. */
  note: string;
  /** Where they are published: https. */
  url: string;
  /** The day, YYYY-MM-DD, on which these lines were compared with their published words; null where nobody has. */
  checkedAt: string | null;
}

/** Whose terms hold for an answer: a provider, or a data set that comes in a package. */
export interface Origin {
  name: string;
  terms: Terms;
}

/** The strictest first. What is not known is stricter than a licence that asks for its like. */
const STRICTNESS: readonly Resale[] = ["forbidden", "limited", "unknown", "share-alike", "allowed"];

/** The terms of an answer that any of these may have a part in: the strictest, with everybody's lines. */
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

/** Works of the federal government of the United States. */
export const usGovernmentWork = (url: string, attribution: string | null = null): Terms => ({
  resale: "allowed",
  attribution,
  note: "A work of the United States government, which has no copyright in it (17 U.S.C. 105).",
  url,
  checkedAt: null,
});
