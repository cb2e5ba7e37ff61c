/** Describes a tree by the paths of its fields: types, presence and rows, and no value but the words of enumerations. */
import { isObject, type Tree } from "./tree.js";

/**
 * One letter each: null is `z`; texts are `f` (a number as text), `d` (begins with a day) or `s`; lists are `a`, objects
 * `o`, numbers `n`, and true and false `b`.
 */
export type TypeLetter = "s" | "f" | "d" | "n" | "b" | "o" | "a" | "z";

export interface FieldCount {
  /** Objects that could have it. */
  of: number;
  /** Objects that have it. */
  present: number;
  types: Partial<Record<TypeLetter, number>>;
  /** Of a list: the fewest and all rows. */
  least?: number;
  rows?: number;
  /** Texts by how often they occur; undefined once they are too many for an enumeration. */
  words?: Map<string, number> | undefined;
  /** Newest point in time, in epoch milliseconds. */
  newest?: number;
}

export type Fields = Map<string, FieldCount>;

/** Path of the answer itself. */
export const ROOT = "";

const MAX_PATHS = 2_000;
const MAX_ROWS = 300;
const MAX_WORDS = 12;

/** Counts of all fields of a tree. `flat`: a list of one is written as its only member, as XML does. */
export function fieldsOf(tree: Tree, { flat = false, now = Number.POSITIVE_INFINITY } = {}): Fields {
  const fields: Fields = new Map();
  const walk = { fields, flat, latest: now + DAY };
  note(walk, ROOT, tree);
  visit(walk, ROOT, tree);
  for (const [path, field] of fields) field.of = Math.max(field.present, holdersOf(fields, path));
  return fields;
}

const DAY = 86_400_000;

interface Walk {
  fields: Fields;
  flat: boolean;
  latest: number;
}

/** How many objects there are at the path above. */
function holdersOf(fields: Fields, path: string): number {
  const above = fields.get(parentOf(path));
  if (!above || path === ROOT) return 1;
  return /\[\]$|\{\}$|\[\d+\]$/.test(path) ? 0 : (above.types.o ?? 0);
}

/** `data[].name` is below `data[]`, which is below `data`. */
export function parentOf(path: string): string {
  const [part = ""] = /(?:\.?[^.[\]{}]+|\[\d*\]|\{\})$/.exec(path) ?? [];
  return path.slice(0, path.length - part.length);
}

export const nameOf = (path: string): string => path.slice(parentOf(path).length).replace(/^\./, "");

function visit(walk: Walk, path: string, value: Tree): void {
  if (walk.fields.size > MAX_PATHS) return;
  for (const [, here, inner] of childrenOf(path, value, walk.flat)) {
    // A member of a flat list stands at the place of the list.
    if (here !== path) note(walk, here, inner);
    visit(walk, here, inner);
  }
}

type Child = [at: string | number, path: string, value: Tree];

/** The parts of a value with their places in it, and the paths by which a shape knows them. */
export function childrenOf(path: string, value: Tree, flat = false): Child[] {
  if (Array.isArray(value)) {
    const byPlace = !flat && isTuple(path, value);
    const pathAt = (at: number) => (flat ? path : byPlace ? `${path}[${at}]` : `${path}[]`);
    return value.slice(0, MAX_ROWS).map((row, at): Child => [at, pathAt(at), row]);
  }
  if (!isObject(value)) return [];
  const names = Object.keys(value);
  if (keysAreData(value, names))
    return names.slice(0, MAX_ROWS).map((name): Child => [name, `${path}{}`, value[name] ?? null]);
  return names
    .filter(isName)
    .map((name): Child => [name, path === ROOT ? name : `${path}.${name}`, value[name] ?? null]);
}

/** A short list of different things, or a row of cells: their places tell them apart. */
function isTuple(path: string, rows: Tree[]): boolean {
  if (rows.length < 2 || rows.length > 24) return false;
  if (rows.every((row) => typeof row !== "object" || row === null)) return path.endsWith("[]");
  return rows.length <= 4 && new Set(rows.map((row) => letterOf(row))).size > 1;
}

/** Names of fields as upstreams write them; anything else is data. */
export const isName = (name: string): boolean =>
  /^[\p{L}_$@:#][\p{L}\p{N}_$@:#/() '+-]{0,60}$/u.test(name) && !/\d{3}|^0x/i.test(name);

/** Whether an object is a table by ids, days or symbols, so that its keys are values. */
function keysAreData(value: { [name: string]: Tree }, names: string[]): boolean {
  if (names.length === 0) return false;
  if (names.every((name) => !isName(name))) return true;
  if (names.every((name) => isCurrency(name) && isAmount(value[name] ?? null))) return true;
  if (names.length < 40) return false;
  return new Set(names.map((name) => letterOf(value[name] ?? null))).size <= 2;
}

/** As in ISO 4217: which ones there are depends on what was asked for. */
const isCurrency = (name: string): boolean => /^[A-Z]{3}$/.test(name);
const isAmount = (value: Tree): boolean => ["n", "f"].includes(letterOf(value));

function note({ fields, latest }: Walk, path: string, value: Tree): void {
  const field: FieldCount = fields.get(path) ?? { of: 0, present: 0, types: {}, words: new Map() };
  fields.set(path, field);
  const letter = letterOf(value);
  field.present++;
  field.types[letter] = (field.types[letter] ?? 0) + 1;
  if (Array.isArray(value)) {
    field.least = Math.min(field.least ?? value.length, value.length);
    field.rows = (field.rows ?? 0) + value.length;
  }
  if (typeof value === "string") noteWord(field, value);
  const time = timeOf(path, value);
  if (time !== undefined && time <= latest) field.newest = Math.max(field.newest ?? 0, time);
}

function noteWord(field: FieldCount, value: string): void {
  if (!field.words) return;
  field.words.set(value, (field.words.get(value) ?? 0) + 1);
  if (field.words.size > MAX_WORDS) field.words = undefined;
}

export function letterOf(value: Tree): TypeLetter {
  if (value === null) return "z";
  if (Array.isArray(value)) return "a";
  if (typeof value !== "string") return { object: "o", number: "n", boolean: "b" }[typeof value as "object"] as "o";
  if (dayOf(value) !== undefined) return "d";
  return /^\s*-?\d[\d,]*(?:\.\d+)?\s*$/.test(value) ? "f" : "s";
}

/** Epoch milliseconds of a text that begins with a day. */
function dayOf(text: string): number | undefined {
  const [, year, month, day, time = ""] = /^\s*(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d:\d\d)|$)?/.exec(text) ?? [];
  if (!year || Number(month) > 12 || Number(day) > 31 || !/^(?:19|20|21)/.test(year)) return undefined;
  const at = Date.parse(`${year}-${month}-${day}T${time || "00:00"}Z`);
  return Number.isNaN(at) ? undefined : at;
}

/** Numbers are times by their name and size, or as the first cell of a row. */
const TIME_NAME = /time|date|stamp|_at$|At$|updated|\bts\b|period|\[0\]$/i;

export function timeOf(path: string, value: Tree): number | undefined {
  if (typeof value === "string" && letterOf(value) === "d") return dayOf(value);
  const number = typeof value === "number" || /^\d{10}(?:\d{3})?$/.test(String(value)) ? Number(value) : Number.NaN;
  if (Number.isNaN(number) || !TIME_NAME.test(nameOf(path))) return undefined;
  if (number > 9e8 && number < 5e9) return number * 1000;
  return number > 9e11 && number < 5e12 ? number : undefined;
}
