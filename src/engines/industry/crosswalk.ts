/** Converts a code between classifications over as few published tables as possible. */
import type { Concordance, Link } from "./concordance.js";

export interface Table<Version extends string> {
  left: Version;
  right: Version;
  concordance: Concordance;
}

export interface Reached {
  code: string;
  /** True if every path to it contains a partial link. */
  partial: boolean;
  note: string | null;
}

/** The versions between two, inclusive; undefined if no tables connect them. */
export function pathBetween<V extends string>(tables: readonly Table<V>[], from: V, to: V): V[] | undefined {
  const paths: V[][] = [[from]];
  const seen = new Set([from]);
  for (const path of paths) {
    const last = path.at(-1);
    if (last === to) return path;
    for (const table of tables) {
      const next = otherSide(table, last);
      if (next === undefined || seen.has(next)) continue;
      seen.add(next);
      paths.push([...path, next]);
    }
  }
  return undefined;
}

/** The version to which a table converts another one; undefined if it does not have that. */
function otherSide<V extends string>({ left, right }: Table<V>, version: V | undefined): V | undefined {
  if (left === version) return right;
  return right === version ? left : undefined;
}

/** Targets in the path's last version of codes in its first. */
export function follow<V extends string>(
  tables: readonly Table<V>[],
  path: readonly V[],
  codes: readonly string[],
): Reached[] {
  let reached: Reached[] = codes.map((code) => ({ code, partial: false, note: null }));
  for (const [step, version] of path.slice(1).entries()) {
    const previous = path[step];
    const table = tables.find(({ left, right }) =>
      left === previous ? right === version : right === previous && left === version,
    );
    const links = table?.left === previous ? table?.concordance.forward : table?.concordance.backward;
    reached = merge(reached.flatMap((from) => (links?.get(from.code) ?? []).map((link) => extend(from, link))));
  }
  return reached;
}

const extend = (from: Reached, link: Link): Reached => ({
  code: link.code,
  partial: from.partial || link.partial,
  note: link.note,
});

/** If one of several paths to a code is complete, the link is complete. */
function merge(reached: readonly Reached[]): Reached[] {
  const best = new Map<string, Reached>();
  for (const way of reached) {
    const known = best.get(way.code);
    if (!known || (known.partial && !way.partial)) best.set(way.code, way);
  }
  return [...best.values()];
}
