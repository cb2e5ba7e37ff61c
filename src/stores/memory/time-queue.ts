import { compareKeys } from "../checks.js";

interface Entry {
  key: string;
  at: number;
}

/**
 * Keys by time, earliest first and by key within the same moment: a binary heap with an index of the keys' positions.
 */
export class TimeQueue {
  readonly #heap: Entry[] = [];
  readonly #slots = new Map<string, number>();

  first(): Entry | undefined {
    return this.#heap[0];
  }

  /** Adds a key, or moves it to another time. */
  set(key: string, at: number): void {
    const slot = this.#slots.get(key) ?? this.#heap.length;
    this.#place({ key, at }, slot);
    this.#settle(slot);
  }

  delete(key: string): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    this.#slots.delete(key);
    const last = this.#heap.pop();
    if (!last || last.key === key) return;
    this.#place(last, slot);
    this.#settle(slot);
  }

  #place(entry: Entry, slot: number): void {
    this.#heap[slot] = entry;
    this.#slots.set(entry.key, slot);
  }

  /** Moves the entry of a slot up or down until its parent is earlier and its children are not. */
  #settle(start: number): void {
    let slot = start;
    for (let next = this.#betterSlot(slot); next !== slot; next = this.#betterSlot(slot)) {
      const [here, there] = [this.#heap[slot], this.#heap[next]];
      if (!here || !there) return;
      this.#place(there, slot);
      this.#place(here, next);
      slot = next;
    }
  }

  #betterSlot(slot: number): number {
    const parent = (slot - 1) >> 1;
    if (slot > 0 && this.#isBefore(slot, parent)) return parent;
    const [left, right] = [2 * slot + 1, 2 * slot + 2];
    const child = this.#isBefore(right, left) ? right : left;
    return this.#isBefore(child, slot) ? child : slot;
  }

  #isBefore(slot: number, other: number): boolean {
    const [a, b] = [this.#heap[slot], this.#heap[other]];
    if (!a || !b) return false;
    return a.at < b.at || (a.at === b.at && compareKeys(a.key, b.key) < 0);
  }
}
