/** JSON Patch, RFC 6902. */
import { copy, has, isEqual, isObject, setMember } from "./members.js";
import { indexOf, readPointer, valueAt } from "./pointer.js";

export interface Operation {
  op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  path: string;
  from?: string;
  value?: unknown;
}

/** A reason for which a patch does not apply, with the number of its operation. */
export class PatchError extends Error {
  constructor(
    readonly index: number,
    message: string,
    /** Whether the patch is well formed, and the document does not fit. */
    readonly isMisfit: boolean,
  ) {
    super(`operation ${index}: ${message}`);
  }
}

/** Largest number of values that copies may add: each could double the document. */
const MAX_COPIED = 1_000_000;

/** The document after a patch; the given one stays as it is. Throws a PatchError, and then nothing was applied. */
export function applyPatch(document: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw new PatchError(0, "a JSON Patch is a list of operations", false);
  const root: Root = { value: copy(document), copied: 0 };
  for (const [index, given] of patch.entries()) applyOne(root, readOperation(given, index), index);
  return root.value;
}

interface Root {
  value: unknown;
  copied: number;
}

interface Step {
  op: Operation["op"];
  path: string[];
  from: string[];
  value: unknown;
}

const NEEDS_VALUE = ["add", "replace", "test"];
const NEEDS_FROM = ["move", "copy"];
const OPERATIONS = [...NEEDS_VALUE, ...NEEDS_FROM, "remove"];

function readOperation(given: unknown, index: number): Step {
  const wrong = (message: string) => new PatchError(index, message, false);
  if (!isObject(given)) throw wrong("must be an object with op and path");
  const { op } = given;
  if (typeof op !== "string" || !OPERATIONS.includes(op)) throw wrong(`op must be one of ${OPERATIONS.join(", ")}`);
  const pointer = (name: "path" | "from"): string[] => {
    const text = has(given, name) ? given[name] : undefined;
    const names = typeof text === "string" ? readPointer(text) : undefined;
    if (!names) throw wrong(`${name} must be a JSON Pointer, such as /a/0`);
    return names;
  };
  if (NEEDS_VALUE.includes(op) && !has(given, "value")) throw wrong(`${op} needs a value`);
  return {
    op: op as Step["op"],
    path: pointer("path"),
    from: NEEDS_FROM.includes(op) ? pointer("from") : [],
    value: given.value,
  };
}

function applyOne(root: Root, { op, path, from, value }: Step, index: number): void {
  const misfit = (message: string) => new PatchError(index, message, true);
  const read = (names: readonly string[]): unknown => {
    const found = valueAt(root.value, names);
    if (!found) throw misfit(`there is nothing at "/${names.join("/")}"`);
    return found.value;
  };
  const copied = (one: unknown): unknown => {
    root.copied += sizeOf(one);
    // guard: offline: copies of a patch add so many values | gone | json/diff
    if (root.copied > MAX_COPIED) throw misfit(`copies add more than ${MAX_COPIED} values`);
    return copy(one);
  };
  switch (op) {
    case "test":
      if (!isEqual(read(path), value)) throw misfit(`the value at "/${path.join("/")}" is another`);
      break;
    case "add":
      add(root, path, copied(value), misfit);
      break;
    case "remove":
      read(path);
      remove(root, path);
      break;
    case "replace":
      read(path);
      put(root, path, copied(value));
      break;
    case "copy":
      add(root, path, copied(read(from)), misfit);
      break;
    case "move": {
      const moved = read(from);
      if (from.length < path.length && from.every((name, i) => name === path[i]))
        throw misfit("a value cannot be moved into itself");
      remove(root, from);
      add(root, path, moved, misfit);
    }
  }
}

function sizeOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  let size = 1;
  for (const inner of Object.values(value)) size += sizeOf(inner);
  return size;
}

/** The list or object that holds a place, and the name there. */
function holderOf(root: Root, path: readonly string[]): [holder: unknown, name: string] {
  return [valueAt(root.value, path.slice(0, -1))?.value, path.at(-1) ?? ""];
}

function add(root: Root, path: readonly string[], value: unknown, misfit: (message: string) => Error): void {
  if (path.length === 0) {
    root.value = value;
    return;
  }
  const [holder, name] = holderOf(root, path);
  if (Array.isArray(holder)) {
    const index = name === "-" ? holder.length : indexOf(name);
    if (index === undefined || index > holder.length)
      throw misfit(`"${name}" is not a place in a list of ${holder.length}`);
    holder.splice(index, 0, value);
  } else if (isObject(holder)) setMember(holder, name, value);
  else throw misfit(`no object or list is at "/${path.slice(0, -1).join("/")}"`);
}

/** Of a place that exists. */
function remove(root: Root, path: readonly string[]): void {
  if (path.length === 0) {
    root.value = null;
    return;
  }
  const [holder, name] = holderOf(root, path);
  if (Array.isArray(holder)) holder.splice(Number(name), 1);
  else if (isObject(holder)) delete holder[name];
}

/** At a place that exists. */
function put(root: Root, path: readonly string[], value: unknown): void {
  const [holder, name] = holderOf(root, path);
  if (path.length === 0) root.value = value;
  else if (Array.isArray(holder)) holder[Number(name)] = value;
  else if (isObject(holder)) setMember(holder, name, value);
}
