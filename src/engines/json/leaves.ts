/**
 * Documents as libraries may walk them: a number that JavaScript cannot hold is a symbol there, which has no members, is true, and
 * equals itself alone; and objects have no prototype, whose members would be found.
 */
import type { Members } from "./members.js";
import { ExactNumber, keyOf } from "./numbers.js";

export class Leaves {
  readonly #symbols = new Map<string, symbol>();
  readonly #numbers = new Map<symbol, ExactNumber>();

  /** The same symbol for equal numbers. */
  symbolOf(number: ExactNumber): symbol {
    const key = keyOf(number);
    const known = this.#symbols.get(key);
    if (known) return known;
    const symbol = Symbol(number.text.slice(0, 40));
    this.#symbols.set(key, symbol);
    this.#numbers.set(symbol, number);
    return symbol;
  }

  /** The number of a number or its symbol; undefined for all else. */
  numberOf(value: unknown): number | ExactNumber | undefined {
    return typeof value === "symbol" ? this.#numbers.get(value) : typeof value === "number" ? value : undefined;
  }

  /** As a library takes it. */
  hidden(value: unknown): unknown {
    if (value instanceof ExactNumber) return this.symbolOf(value);
    if (Array.isArray(value)) return value.map((one) => this.hidden(one));
    if (typeof value !== "object" || value === null) return value;
    const members: Members = Object.create(null);
    for (const [name, one] of Object.entries(value)) members[name] = this.hidden(one);
    return members;
  }

  /** The value that a library found, with its numbers. */
  shown(value: unknown): unknown {
    if (typeof value === "symbol") return this.#numbers.get(value) ?? null;
    if (this.#numbers.size === 0) return value;
    if (Array.isArray(value)) return value.map((one) => this.shown(one));
    if (typeof value !== "object" || value === null) return value;
    const members: Members = Object.create(null);
    for (const [name, one] of Object.entries(value)) members[name] = this.shown(one);
    return members;
  }
}

/** By Unicode scalar values, as the standards order texts; JavaScript's own order is that of UTF-16 units. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (left !== right) return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1;
  }
  return a.length - b.length;
}

/** Units of surrogates stand for values above all others. */
const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** Unicode scalar values of a text; half a pair counts as one. */
export function charactersIn(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800;
    if (isPair) count--;
  }
  return count;
}
