/** Compares an answer with the shape that its call had: what changed that a result depends on. */
import { nameOf, parentOf, ROOT, type Tree } from "../upstream/inventory/paths.js";
import { type FieldCount, type Fields, fieldsOf } from "./fields.js";
import { type CallShape, type FieldShape, TYPE_NAMES } from "./shape.js";
import type { Decoded } from "./tree.js";

export interface Difference {
  path: string;
  /** The types that it had. */
  was: string;
  now: string;
  /** In how many of the places that could have it. */
  count: number;
  of: number;
}

/** A field that was there this rarely says nothing by its absence. */
const RARELY = 0.005;
/** From this share of rows on, another type is a change and no odd row. */
const MANY = 0.2;

/** Differences that matter, those closest to the top first. */
export function compare(tree: Tree, shape: CallShape): Difference[] {
  const now = fieldsOf(tree, { flat: shape.format === "xml" });
  const read = [...shape.fields].filter(([, field]) => field.read);
  const changed = read.flatMap(([path, field]) => differenceAt(path, field, { now, shape }) ?? []);
  const tops = changed.filter(({ path }) => !changed.some((other) => other.path !== path && isBelow(path, other.path)));
  return tops.sort((a, b) => a.path.split(/[.[]/).length - b.path.split(/[.[]/).length || a.path.localeCompare(b.path));
}

const isBelow = (path: string, other: string) => other === ROOT || new RegExp(`^${escaped(other)}[.[{]`).test(path);
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

interface Compared {
  now: Fields;
  shape: CallShape;
}

function differenceAt(path: string, was: FieldShape, { now, shape }: Compared): Difference | undefined {
  const field = now.get(path);
  if (field) return otherType(path, was, field) ?? otherWords(path, was, field);
  const holders = now.get(parentOf(path))?.types.o ?? 0;
  if (holders === 0 || was.of === 0 || /[\]}]$/.test(path)) return undefined;
  const share = was.present / was.of;
  const unlikely = share === 1 ? was.of > 1 || holders > 1 : (1 - was.present / (was.of + 1)) ** holders < RARELY;
  const to = newNameBeside(path, { now, shape }, holders);
  if (!unlikely && !(to && share >= 0.5)) return undefined;
  return { path, was: typeNames(was), now: to ? `renamed ${to}` : "missing", count: holders, of: holders };
}

/** A name that was unknown, and that as many objects have as lack another: probably its new one. */
function newNameBeside(path: string, { now, shape }: Compared, holders: number): string | undefined {
  const above = parentOf(path);
  const fresh = [...now].filter(
    ([one, { present }]) =>
      parentOf(one) === above && present >= holders / 2 && !shape.fields.has(one) && /[^\]}]$/.test(one),
  );
  const own = nameOf(path).toLowerCase();
  const alike = fresh.find(
    ([one]) => nameOf(one).toLowerCase().includes(own) || own.includes(nameOf(one).toLowerCase()),
  );
  const [found] = alike ?? (fresh.length <= 3 ? fresh[0] : undefined) ?? [];
  return found === undefined ? undefined : nameOf(found);
}

function otherType(path: string, was: FieldShape, field: FieldCount): Difference | undefined {
  const known = new Set([...was.types].map((letter) => TYPE_NAMES[letter]));
  const counts = new Map<string, number>();
  for (const [letter, count] of Object.entries(field.types)) {
    const name = TYPE_NAMES[letter as "s"];
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const nulls = counts.get("null") ?? 0;
  const others = [...counts].filter(([name]) => name !== "null" && !known.has(name));
  const values = field.present - nulls;
  for (const [name, count] of others)
    if (known.size > 1 - Number(!known.has("null")) && count / values >= MANY)
      return { path, was: typeNames(was), now: name, count, of: field.present };
  if (nulls > 0 && isLost(was, field, nulls))
    return { path, was: typeNames(was), now: "null", count: nulls, of: field.present };
  return nulls === 0 || known.has("null") ? noNumber(path, was, field) : undefined;
}

/** Whether nulls say that the values are gone: they never were, or were too rare for so many of them. */
function isLost(was: FieldShape, field: FieldCount, nulls: number): boolean {
  const all = nulls === field.present;
  if (!was.types.has("z")) return all || (was.present >= 20 && nulls / field.present > 0.5);
  if (!all || was.nulls === undefined) return false;
  return ((was.nulls + 1) / (was.present + 2)) ** nulls < RARELY;
}

/** Texts that always were numbers, and of which none is one now. */
function noNumber(path: string, was: FieldShape, field: FieldCount): Difference | undefined {
  const only = (types: Iterable<string>, letter: string) => [...types].every((one) => one === letter);
  if (was.present < 5 || !(only(was.types, "f") || only(was.types, "d"))) return undefined;
  if (!only(Object.keys(field.types), "s")) return undefined;
  const kind = was.types.has("f") ? "number as text" : "date as text";
  return { path, was: kind, now: "other text", count: field.present, of: field.present };
}

/** An enumeration of which no word is left. */
function otherWords(path: string, was: FieldShape, field: FieldCount): Difference | undefined {
  if (!was.words || field.present < 3 || (field.types.s ?? 0) < field.present) return undefined;
  const left = was.words.some((word) => field.words?.has(word) ?? true);
  return left
    ? undefined
    : { path, was: was.words.join("|"), now: "other words", count: field.present, of: field.present };
}

const typeNames = ({ types }: FieldShape): string =>
  [...new Set([...types].map((letter) => TYPE_NAMES[letter]))]
    .filter((name, _, all) => name !== "null" || all.length === 1)
    .join("|");

/** A list that had rows whenever it was asked, and has none; undefined for none. */
export function emptyList({ tree }: Decoded, shape: CallShape): string | undefined {
  if (tree === undefined) return undefined;
  const now = fieldsOf(tree, { flat: shape.format === "xml" });
  const lists = [...shape.fields].filter(
    ([path, { least = 0 }]) => least > 0 && !path.includes("[") && !path.includes("{"),
  );
  const [empty] = lists.find(([path]) => now.get(path)?.rows === 0) ?? [];
  return empty === ROOT ? "$" : empty;
}

/** Epoch milliseconds of the newest point in time in an answer that is not in the future. */
export function newestIn(tree: Tree, now: number): number | undefined {
  const times = [...fieldsOf(tree, { now }).values()].flatMap(({ newest }) => newest ?? []);
  return times.length > 0 ? Math.max(...times) : undefined;
}
