/** Versions of Python packages: reading, writing and their order. */

export interface PythonVersion {
  epoch: bigint;
  release: bigint[];
  pre: [letter: "a" | "b" | "rc", number: bigint] | null;
  post: bigint | null;
  dev: bigint | null;
  local: (string | bigint)[] | null;
}

const MAX_LENGTH = 256;

/** The pattern of the PEP's appendix; every repetition ends at a mark of its own, so it is linear. */
const VERSION =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\d+)?)?(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d+)?)?(?:[-_.]?(dev)[-_.]?(\d+)?)?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/;

const LETTERS: Readonly<Record<string, "a" | "b" | "rc">> = {
  ...{ alpha: "a", a: "a", beta: "b", b: "b", c: "rc", rc: "rc", pre: "rc", preview: "rc" },
};

export function readVersion(text: string): PythonVersion | null {
  const found = text.length <= MAX_LENGTH ? VERSION.exec(text.trim().toLowerCase()) : null;
  if (!found) return null;
  const [, epoch, release = "", letter, number, bare, post, postNumber, dev, devNumber, local] = found;
  return {
    epoch: BigInt(epoch ?? 0),
    release: release.split(".").map(BigInt),
    pre: letter ? [LETTERS[letter] ?? "rc", BigInt(number ?? 0)] : null,
    post: bare !== undefined ? BigInt(bare) : post ? BigInt(postNumber ?? 0) : null,
    dev: dev ? BigInt(devNumber ?? 0) : null,
    local: local?.split(/[-_.]/).map((part) => (/^\d+$/.test(part) ? BigInt(part) : part)) ?? null,
  };
}

export function versionText({ epoch, release, pre, post, dev, local }: PythonVersion): string {
  return [
    epoch > 0n ? `${epoch}!` : "",
    release.join("."),
    pre ? pre.join("") : "",
    post === null ? "" : `.post${post}`,
    dev === null ? "" : `.dev${dev}`,
    local ? `+${local.join(".")}` : "",
  ].join("");
}

export const isPrerelease = ({ pre, dev }: PythonVersion): boolean => pre !== null || dev !== null;

type Key = bigint | string;
const LETTER_ORDER = { a: 0n, b: 1n, rc: 2n };
const LEAST = -1n;
const MOST = 3n;

/** Each part that may be missing as numbers that sort where the PEP places its absence. */
function suffixKey({ pre, post, dev }: PythonVersion): bigint[] {
  const absent = post === null && dev !== null ? LEAST : MOST;
  return [
    ...(pre ? [LETTER_ORDER[pre[0]], pre[1]] : [absent, 0n]),
    post ?? LEAST,
    ...(dev === null ? [1n, 0n] : [0n, dev]),
  ];
}

export function compareVersions(a: PythonVersion, b: PythonVersion): number {
  return (
    compareLists([a.epoch], [b.epoch]) ||
    compareReleases(a.release, b.release) ||
    compareLists(suffixKey(a), suffixKey(b)) ||
    compareLists(a.local ?? [], b.local ?? []) ||
    Number(a.local !== null) - Number(b.local !== null)
  );
}

/** 1.0 and 1.0.0 are the same. */
export function compareReleases(a: readonly bigint[], b: readonly bigint[]): number {
  const length = Math.max(a.length, b.length);
  const padded = (release: readonly bigint[]) => Array.from({ length }, (_, at) => release[at] ?? 0n);
  return compareLists(padded(a), padded(b));
}

/** A beginning comes first, and words come before numbers. */
function compareLists(a: readonly Key[], b: readonly Key[]): number {
  for (const [at, left] of a.entries()) {
    const right = b[at];
    if (right === undefined) return 1;
    if (left === right) continue;
    if (typeof left !== typeof right) return typeof left === "string" ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
