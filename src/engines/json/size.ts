/** How large values are when they are written out. */

/**
 * Values and characters, also of names. Each object is looked at once: a value that holds another many times, as queries
 * make them, may be too large to be written although it is small.
 */
export class Sizes {
  readonly #known = new WeakMap<object, number>();

  of(value: unknown): number {
    if (typeof value === "string") return 1 + value.length;
    if (typeof value !== "object" || value === null) return 1;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    let size = 1;
    if (Array.isArray(value)) for (const one of value) size += this.of(one);
    else for (const [name, one] of Object.entries(value)) size += name.length + this.of(one);
    this.#known.set(value, size);
    return size;
  }
}

/** Members of a value itself, or its characters. */
export function lengthOf(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}
