import { TimeQueue } from "./time-queue.js";

// More than one use can add, so what has expired is gone soon and no single use pays for it.
const PRUNED_PER_USE = 8;

export interface ExpiringMapOptions<V> {
  /** Epoch milliseconds. */
  now: () => number;
  maxEntries: number;
  /** Told of every entry that leaves, expired or deleted. */
  onRemove?: (key: string, value: V) => void;
}

/** A map whose entries vanish at their time and whose living ones are never evicted: full, it refuses new keys. */
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

  /** In no order; some may have expired. */
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

  /** Throws when the key is new and there is no room. */
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
