import { compareKeys } from "../checks.js";

/** Short enough to move cheaply, long enough that a million keys need few. */
const MAX_CHUNK = 512;

/** Sorted keys in chunks: adding or deleting one moves at most a chunk, and a range is read from its start. */
export class SortedKeys {
  readonly #chunks: string[][];

  constructor(keys: Iterable<string> = []) {
    const sorted = [...keys].sort(compareKeys);
    this.#chunks = [sorted.slice(0, MAX_CHUNK)];
    for (let at = MAX_CHUNK; at < sorted.length; at += MAX_CHUNK) this.#chunks.push(sorted.slice(at, at + MAX_CHUNK));
  }

  add(key: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at] ?? [];
    const slot = firstAtOrAfter(chunk.length, (i) => chunk[i], key);
    if (chunk[slot] === key) return;
    chunk.splice(slot, 0, key);
    if (chunk.length > MAX_CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(MAX_CHUNK / 2));
  }

  delete(key: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at] ?? [];
    const slot = firstAtOrAfter(chunk.length, (i) => chunk[i], key);
    if (chunk[slot] !== key) return;
    chunk.splice(slot, 1);
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(at, 1);
  }

  /** The first `count` keys from `start` on. */
  from(start: string, count: number): string[] {
    const found: string[] = [];
    const first = this.#chunkOf(start);
    for (let at = first; at < this.#chunks.length && found.length < count; at += 1) {
      const chunk = this.#chunks[at] ?? [];
      const slot = at === first ? firstAtOrAfter(chunk.length, (i) => chunk[i], start) : 0;
      found.push(...chunk.slice(slot, slot + count - found.length));
    }
    return found;
  }

  /** The chunk that contains a key, or would: the first one that does not end before it. */
  #chunkOf(key: string): number {
    const at = firstAtOrAfter(this.#chunks.length, (i) => this.#chunks[i]?.at(-1), key);
    return Math.min(at, this.#chunks.length - 1);
  }
}

/** Binary search: the first of `count` sorted keys that is not before `key`. */
function firstAtOrAfter(count: number, keyAt: (index: number) => string | undefined, key: string): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareKeys(keyAt(middle) ?? "", key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
