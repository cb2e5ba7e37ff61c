/** Places in an answer of an upstream: one path for all rows of a list, and a letter for the type of a value. */

export type Tree = null | boolean | number | string | Tree[] | { [name: string]: Tree };

export const isObject = (value: unknown): value is { [name: string]: Tree } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * One letter each: null is `z`; texts are `f` (a number as text), `d` (begins with a day) or `s`; lists are `a`, objects
 * `o`, numbers `n`, and true and false `b`.
 */
export type TypeLetter = "s" | "f" | "d" | "n" | "b" | "o" | "a" | "z";

/** Path of the answer itself. */
export const ROOT = "";

/** Rows of a list that are looked at. */
const MAX_ROWS = 300;

/** `data[].name` is below `data[]`, which is below `data`. */
export function parentOf(path: string): string {
  const [part = ""] = /(?:\.?[^.[\]{}]+|\[\d*\]|\{\})$/.exec(path) ?? [];
  return path.slice(0, path.length - part.length);
}

export const nameOf = (path: string): string => path.slice(parentOf(path).length).replace(/^\./, "");

export type Child = [at: string | number, path: string, value: Tree];

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

export function letterOf(value: Tree): TypeLetter {
  if (value === null) return "z";
  if (Array.isArray(value)) return "a";
  if (typeof value !== "string") return { object: "o", number: "n", boolean: "b" }[typeof value as "object"] as "o";
  if (dayOf(value) !== undefined) return "d";
  return /^\s*-?\d[\d,]*(?:\.\d+)?\s*$/.test(value) ? "f" : "s";
}

/** Epoch milliseconds of a text that begins with a day. */
export function dayOf(text: string): number | undefined {
  const [, year, month, day, time = ""] = /^\s*(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d:\d\d)|$)?/.exec(text) ?? [];
  if (!year || Number(month) > 12 || Number(day) > 31 || !/^(?:19|20|21)/.test(year)) return undefined;
  const at = Date.parse(`${year}-${month}-${day}T${time || "00:00"}Z`);
  return Number.isNaN(at) ? undefined : at;
}
