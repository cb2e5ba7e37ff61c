/** Objects of callers, where `__proto__` is a name like any other. */
import { compareNumbers, ExactNumber } from "./numbers.js";

export type Members = Record<string, unknown>;

export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

export const has = (object: object, name: string): boolean => Object.hasOwn(object, name);

/** Sets a member. An assignment to `__proto__` would change the prototype. */
export function setMember(object: Members, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

export function getMember(object: Members, name: string): unknown {
  return has(object, name) ? object[name] : undefined;
}

/** Equality of JSON: members in any order, numbers by value. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a instanceof ExactNumber || b instanceof ExactNumber)
    return isNumber(a) && isNumber(b) && compareNumbers(a, b) === 0;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, i) => isEqual(one, b[i]));
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => has(b, name) && isEqual((a as Members)[name], (b as Members)[name]))
  );
}

const isNumber = (value: unknown): value is number | ExactNumber =>
  typeof value === "number" || value instanceof ExactNumber;

/** A copy of its own of every object and list. */
export function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isObject(value)) return value;
  const copied: Members = {};
  for (const [name, inner] of Object.entries(value)) setMember(copied, name, copy(inner));
  return copied;
}
