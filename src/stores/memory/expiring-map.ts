import { TimeQueue } from "./time-queue.js";

// Removes more than one use can add, so that expired entries disappear soon without a slow use.
const PRUNED_PER_USE = 8;

export interface ExpiringMapOptions<V> {
  /** Epoch milliseconds. */
  now: () => number;
  maxEntries: number;
  /** Called for every entry that is removed, expired or deleted. */
  onRemove?: (key: string, value: V) => void;
}

/** A map whose entries expire. An unexpired entry is never evicted: a full map refuses new keys. */
export class ExpiringMap<V> {
  readonly #entries = new Map<string, { value: V; expiresAt: number }>();
  readonly #expiry = new TimeQueue();
  readonly #options: ExpiringMapOptions<V>;

  constructor(options: ExpiringMapOptions<V>) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Unordered; some may have expired. */
  keys(): Iterable<string> {
    return this.#entries.keys();
  }

  get(key: string): V | undefined {
    this.#prune();
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.expiresAt > this.#options.now()) return entry.value;
    this.delete(key);
    return undefined;
  }

  /** Throws if the key is new and the room is used up. */
  set(key: string, value: V, expiresAt: number): void {
    if (!this.#entries.has(key) && this.size >= this.#options.maxEntries) throw new Error("store is full");
    this.#entries.set(key, { value, expiresAt });
    this.#expiry.set(key, expiresAt);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#expiry.delete(key);
    this.#options.onRemove?.(key, entry.value);
  }

  #prune(): void {
    const now = this.#options.now();
    for (let pruned = 0; pruned < PRUNED_PER_USE; pruned += 1) {
      const first = this.#expiry.first();
      if (!first || first.at > now) return;
      this.delete(first.key);
    }
  }
}
