/** JSON Pointer, RFC 6901. */
import { has, isObject } from "./members.js";

/** The names of a pointer; undefined for a text that is none. */
export function readPointer(pointer: string): string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export const pointerOf = (names: readonly (string | number)[]): string =>
  names.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The index that a name of a pointer stands for; undefined for leading zeros and everything else. */
export const indexOf = (name: string): number | undefined =>
  /^(?:0|[1-9]\d{0,15})$/.test(name) ? Number(name) : undefined;

/** The value at a place, in an object that tells a missing one. */
export function valueAt(document: unknown, names: readonly string[]): { value: unknown } | undefined {
  let value = document;
  for (const name of names) {
    if (Array.isArray(value)) {
      const index = indexOf(name);
      if (index === undefined || index >= value.length) return undefined;
      value = value[index];
    } else if (isObject(value) && has(value, name)) value = value[name];
    else return undefined;
  }
  return { value };
}
