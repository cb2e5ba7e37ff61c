/** A way of numbering versions: what reads, compares and counts on. */
export interface Scheme {
  /** The facts of a version; null if it is none. */
  parse(version: string): Parsed | null;
  /** Below, at or above 0, as `a` comes before, with or after `b`. Both are versions. */
  compare(a: string, b: string): number;
  /** How a version stands to a range; undefined if the text is not a range. */
  within(version: string, range: string): Within | undefined;
  /** The range in the scheme's own words; null if it is none. */
  range(range: string): string | null;
  /** The next version; null if there is none, undefined if the scheme has no such step. */
  increment(version: string, step: Step): string | null | undefined;
}

export interface Parsed {
  normalized: string;
  release: (number | string)[];
  prerelease: (number | string)[];
  isPrerelease: boolean;
  [part: string]: unknown;
}

export interface Within {
  satisfies: boolean;
  /** 1 above everything in the range, -1 below, 0 inside, null between its parts or where nobody says. */
  order: -1 | 0 | 1 | null;
}

export interface Step {
  release: Release;
  identifier?: string | undefined;
  base?: "0" | "1" | "none" | undefined;
}

export const RELEASES = [
  ...(["major", "minor", "patch", "premajor", "preminor", "prepatch", "prerelease", "release"] as const),
  ...(["post", "dev"] as const),
] as const;

export type Release = (typeof RELEASES)[number];

/** Whole numbers as numbers while doubles hold them, else as they are written. */
export const numberOf = (digits: string | bigint): number | string => {
  const value = BigInt(digits);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();
};
