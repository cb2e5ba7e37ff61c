/**
 * Finds a key that an upstream has renamed: an expected one that no object at its place has, beside one that is not in
 * the inventory and could hold the same values. Without such a stranger a missing key is a fact that the record lacks.
 */
import type { CallInventory, KnownObject } from "./inventory.js";
import { childrenOf, isName, isObject, letterOf, ROOT, type Tree, type TypeLetter } from "./paths.js";

export interface RenamedKey {
  /** Place of the objects: `items[].address`. */
  path: string;
  missing: string;
  /** Names that stand there and are in no inventory. */
  unknown: string[];
}

/** Objects that are looked at: a list of records is known by its first ones. */
const MAX_OBJECTS = 5_000;

export function findRenamed(tree: unknown, { objects }: CallInventory): RenamedKey | undefined {
  for (const [path, found] of objectsIn(tree, objects)) {
    const known = objects.get(path);
    const renamed = known && renamedIn(found, known);
    if (renamed) return { path, ...renamed };
  }
  return undefined;
}

type Objects = { [name: string]: Tree }[];

/** Objects by their place, where the inventory knows the place. */
export function objectsIn(tree: unknown, places: CallInventory["objects"]): Map<string, Objects> {
  const found = new Map<string, Objects>();
  let count = 0;
  const visit = (path: string, value: Tree) => {
    if (count >= MAX_OBJECTS) return;
    if (isObject(value)) {
      count++;
      if (places.has(path)) found.set(path, [...(found.get(path) ?? []), value]);
    }
    for (const [, here, inner] of childrenOf(path, value)) if (typeof inner === "object") visit(here, inner);
  };
  visit(ROOT, tree as Tree);
  return found;
}

function renamedIn(found: Objects, { read, known }: KnownObject): Omit<RenamedKey, "path"> | undefined {
  const strangers = strangersIn(found, known);
  if (strangers.size === 0) return undefined;
  for (const [missing, { types, rare }] of read) {
    if (found.some((one) => Object.hasOwn(one, missing))) continue;
    // Many strangers show that the inventory is poor here: then, as for a rare key, only a name like the old one counts.
    const anyName = !rare && strangers.size <= FEW;
    const unknown = [...strangers]
      .filter(([, stranger]) => couldHold(stranger.types, types))
      .filter(([name, { count }]) => isAlike(name, missing) || (anyName && count * 2 >= found.length))
      .map(([name]) => name);
    if (unknown.length > 0) return { missing, unknown };
  }
  return undefined;
}

const FEW = 3;

/** Whether one name is part of the other, however they are written: `last_price` and `lastPriceUsd`. */
function isAlike(one: string, other: string): boolean {
  const [short = "", long = ""] = [one, other].map(plain).sort((a, b) => a.length - b.length);
  return short.length > 2 && long.includes(short);
}

const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

interface Stranger {
  count: number;
  types: Set<TypeLetter>;
}

function strangersIn(found: Objects, known: ReadonlySet<string>): Map<string, Stranger> {
  const strangers = new Map<string, Stranger>();
  for (const one of found)
    for (const [name, value] of Object.entries(one)) {
      // A key that is data is in no inventory.
      if (known.has(name) || !isName(name)) continue;
      const stranger = strangers.get(name) ?? { count: 0, types: new Set<TypeLetter>() };
      stranger.count++;
      stranger.types.add(letterOf(value));
      strangers.set(name, stranger);
    }
  return strangers;
}

/** Whether values of these types could be the ones that the key had: a new name has the old values. */
const couldHold = (types: ReadonlySet<TypeLetter>, had: ReadonlySet<TypeLetter>): boolean =>
  [...types].some((type) => [...had].some((letter) => KINDS[type] === KINDS[letter] || type === "z" || letter === "z"));

/** Texts are one kind: one may look like a number or a day by chance. */
const KINDS: Readonly<Record<TypeLetter, string>> = { s: "s", f: "s", d: "s", n: "n", b: "b", o: "o", a: "a", z: "z" };
