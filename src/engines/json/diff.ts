/** The differences of two JSON documents, as a JSON Patch and as a list for readers. */
import { getMember, has, isEqual, isObject, type Members, setMember } from "./members.js";
import type { Operation } from "./patch.js";
import { pointerOf } from "./pointer.js";

export interface JsonChange {
  /** JSON Pointer: of what was removed in the document, else in the other. */
  path: string;
  kind: "added" | "removed" | "changed";
  /** Null for what was added. */
  before: unknown;
  /** Null for what was removed. */
  after: unknown;
}

type Path = readonly (string | number)[];

/** Where a value stands: in the document, in the other, and in the document with the operations so far. */
interface Place {
  old: Path;
  new: Path;
  now: Path;
}

export interface Difference {
  patch: Operation[];
  changes: JsonChange[];
}

/** Rows of lists are matched by their member `arrayKey`, if all of them have a different one, else by their values. */
export function differenceOf(document: unknown, other: unknown, arrayKey?: string): Difference {
  const differ = new Differ(arrayKey);
  differ.compare(document, other, { old: [], new: [], now: [] });
  return { patch: differ.patch, changes: differ.changes };
}

/** Lists whose lengths multiply to more are compared place by place. */
const MAX_TABLE = 4_000_000;

class Differ {
  readonly patch: Operation[] = [];
  readonly changes: JsonChange[] = [];
  readonly #arrayKey: string | undefined;

  constructor(arrayKey: string | undefined) {
    this.#arrayKey = arrayKey;
  }

  compare(a: unknown, b: unknown, at: Place): void {
    if (isObject(a) && isObject(b)) this.#compareObjects(a, b, at);
    else if (Array.isArray(a) && Array.isArray(b)) this.#compareLists(a, b, at);
    else if (!isEqual(a, b)) {
      this.patch.push({ op: "replace", path: pointerOf(at.now), value: b });
      this.changes.push({ path: pointerOf(at.new), kind: "changed", before: a, after: b });
    }
  }

  #compareObjects(a: Members, b: Members, at: Place): void {
    for (const name of Object.keys(a)) if (!has(b, name)) this.#remove(a[name], inside(at, name, name, name));
    for (const name of Object.keys(b)) {
      const place = inside(at, name, name, name);
      if (has(a, name)) this.compare(a[name], b[name], place);
      else this.#add(b[name], place);
    }
  }

  #compareLists(a: unknown[], b: unknown[], at: Place): void {
    let now = 0;
    for (const { from, to } of this.#align(a, b)) {
      const place = inside(at, from ?? 0, to ?? 0, now);
      if (from === undefined) this.#add(b[to as number], place);
      else if (to === undefined) this.#remove(a[from], place);
      else this.compare(a[from], b[to], place);
      if (to !== undefined) now++;
    }
  }

  #align(a: unknown[], b: unknown[]): Pair[] {
    const key = this.#arrayKey;
    if (key !== undefined) {
      const [ours, theirs] = [keysOf(a, key), keysOf(b, key)];
      if (ours && theirs) return inOrder(common(ours, theirs), a.length, b.length, false);
    }
    // Texts compare faster than values, and lists of equal values are told apart by them alone.
    return inOrder(common(a.map(textOf), b.map(textOf)), a.length, b.length, true);
  }

  #add(value: unknown, at: Place): void {
    this.patch.push({ op: "add", path: pointerOf(at.now), value });
    this.changes.push({ path: pointerOf(at.new), kind: "added", before: null, after: value });
  }

  #remove(value: unknown, at: Place): void {
    this.patch.push({ op: "remove", path: pointerOf(at.now) });
    this.changes.push({ path: pointerOf(at.old), kind: "removed", before: value, after: null });
  }
}

const inside = (at: Place, old: string | number, next: string | number, now: string | number): Place => ({
  old: [...at.old, old],
  new: [...at.new, next],
  now: [...at.now, now],
});

/** Elements of both lists that belong together, or of one of them. */
interface Pair {
  from?: number;
  to?: number;
}

/** The keys of all rows; undefined unless every row has one of its own. */
function keysOf(rows: unknown[], key: string): string[] | undefined {
  const keys = rows.map((row) => (isObject(row) ? getMember(row, key) : undefined));
  const isKey = (one: unknown) => typeof one === "string" || typeof one === "number";
  const texts = keys.map((one) => JSON.stringify(one));
  return keys.every(isKey) && new Set(texts).size === texts.length ? texts : undefined;
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (isObject(inner) ? sorted(inner) : inner));

function sorted(object: Members): Members {
  const copy: Members = {};
  for (const name of Object.keys(object).sort()) setMember(copy, name, object[name]);
  return copy;
}

/** A longest common subsequence, as pairs of indexes. */
function common(a: readonly string[], b: readonly string[]): [number, number][] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [rows, columns] = [a.length - start - end, b.length - start - end];
  const pairs: [number, number][] = [];
  for (let i = 0; i < start; i++) pairs.push([i, i]);
  // guard: offline: lists that are compared have a table of a largest size | always | json/diff
  if (rows * columns <= MAX_TABLE)
    for (const [i, j] of longest(a.slice(start, start + rows), b.slice(start, start + columns)))
      pairs.push([start + i, start + j]);
  for (let i = end; i > 0; i--) pairs.push([a.length - i, b.length - i]);
  return pairs;
}

function longest(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] as number;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

/** All elements of both lists; between two matches, elements of the same place are changes if `mayChange`. */
function inOrder(matches: [number, number][], fromLength: number, toLength: number, mayChange: boolean): Pair[] {
  const pairs: Pair[] = [];
  let [from, to] = [0, 0];
  for (const [nextFrom, nextTo] of [...matches, [fromLength, toLength] as const]) {
    while (mayChange && from < nextFrom && to < nextTo) pairs.push({ from: from++, to: to++ });
    while (from < nextFrom) pairs.push({ from: from++ });
    while (to < nextTo) pairs.push({ to: to++ });
    if (from < fromLength && to < toLength) pairs.push({ from: from++, to: to++ });
  }
  return pairs;
}

/** The JSON Merge Patch from one document to another; undefined for a difference that none can tell, such as a null. */
export function mergePatchOf(document: unknown, other: unknown): { patch: unknown } | undefined {
  if (!isObject(document) || !isObject(other)) return holdsNull(other) ? undefined : { patch: other };
  const patch: Members = {};
  for (const name of Object.keys(document)) if (!has(other, name)) setMember(patch, name, null);
  for (const [name, value] of Object.entries(other)) {
    const before = getMember(document, name);
    if (has(document, name) && isEqual(before, value)) continue;
    const inner = value === null ? undefined : mergePatchOf(before, value);
    if (!inner) return undefined;
    setMember(patch, name, inner.patch);
  }
  return { patch };
}

/** Whether a new value has a member that a merge would take as "remove". Lists are taken as they are. */
const holdsNull = (value: unknown): boolean =>
  isObject(value) && Object.values(value).some((inner) => inner === null || holdsNull(inner));
