import { DAY_MS } from "../lib/time.js";
import type { PutOptions } from "./store.js";

// A Postgres index entry ends at 2,704 bytes; one limit for every store keeps them interchangeable.
const MAX_KEY_BYTES = 2048;
const MAX_TTL_MS = 100 * 365 * DAY_MS;
const LONE_SURROGATE = /\p{Surrogate}/u;
const HIGH = /[\ud800-\uffff]/;

/** The order of keys in every store: by UTF-8 bytes, as in Redis and Postgres (collation "C"). */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  // Below the surrogates, UTF-16 units have the same order as bytes and compare natively.
  if (!HIGH.test(a) && !HIGH.test(b)) return a < b ? -1 : 1;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const [unit, other] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (unit !== other) return rankOf(unit) - rankOf(other);
  }
  return a.length - b.length;
}

/** UTF-16 sorts surrogates, which encode the highest code points, before the last single units. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** The first key after all that start with `prefix`; undefined if there is none. */
export function endOfPrefix(prefix: string): string | undefined {
  const points = [...prefix].map((character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // Surrogates are not characters, so they are skipped.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
}

/**
 * Checks that hold for every store: a key has at most 2 KB, no NUL (which Postgres cannot store), and well-formed
 * Unicode.
 */
export function checkKey(key: string): void {
  if (key.length > MAX_KEY_BYTES / 3 && Buffer.byteLength(key) > MAX_KEY_BYTES)
    throw new RangeError(`A store key has at most ${MAX_KEY_BYTES} bytes.`);
  if (key.includes("\0")) throw new TypeError("A store key has no NUL character.");
  // In UTF-8 all lone surrogates become the same character, so two keys would become one.
  if (LONE_SURROGATE.test(key)) throw new TypeError("A store key is well-formed Unicode.");
}

export function checkPut(key: string, value: string, options: PutOptions): void {
  checkKey(key);
  if (LONE_SURROGATE.test(value)) throw new TypeError("A stored value is well-formed Unicode.");
  checkTtl(options.ttlMs);
  if (options.dueAt !== undefined) checkInteger("dueAt", options.dueAt);
}

export function checkIncrement(key: string, by: number, options: { ttlMs: number; max?: number }): void {
  checkKey(key);
  checkInteger("by", by);
  checkTtl(options.ttlMs);
  if (options.max !== undefined) checkInteger("max", options.max);
}

function checkTtl(ttlMs: number): void {
  if (Number.isInteger(ttlMs) && ttlMs > 0 && ttlMs <= MAX_TTL_MS) return;
  throw new RangeError(`ttlMs is a whole number from 1 to ${MAX_TTL_MS}, not ${ttlMs}.`);
}

function checkInteger(name: string, value: number): void {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${name} is a whole number, not ${value}.`);
}
