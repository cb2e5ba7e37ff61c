import type { StoredRecord } from "../store.js";
import { ExpiringMap } from "./expiring-map.js";
import { SortedKeys } from "./sorted-keys.js";

interface Held extends StoredRecord {
  key: string;
  /** Shortens the value if room runs out. */
  compact?: ((value: string) => string) | undefined;
}

export interface BoundedRecordsOptions {
  /** Epoch milliseconds. */
  now: () => number;
  maxEntries: number;
  /** At two bytes a character. */
  maxBytes: number;
  /** Called for every removed record. */
  onRemove: (key: string) => void;
}

/**
 * The records of one kind within their room. An unexpired record is never evicted. If room runs out, records with
 * `compact` are shortened, the oldest first, before a new one is refused.
 */
export class BoundedRecords {
  readonly #records: ExpiringMap<Held>;
  /** Records that can be shortened, by the time of their writing. */
  readonly #shrinkable = new Set<Held>();
  readonly #maxBytes: number;
  /** Created on the first range query, because most kinds are read only by key. */
  #sorted: SortedKeys | undefined;
  #bytes = 0;

  constructor({ now, maxEntries, maxBytes, onRemove }: BoundedRecordsOptions) {
    this.#maxBytes = maxBytes;
    this.#records = new ExpiringMap({
      now,
      maxEntries,
      onRemove: (key, held) => {
        this.#leave(held);
        this.#sorted?.delete(key);
        onRemove(key);
      },
    });
  }

  get(key: string): StoredRecord | undefined {
    const held = this.#records.get(key);
    return held && { value: held.value, version: held.version };
  }

  /** The first `count` keys from `start` on; some may have expired. */
  keysFrom(start: string, count: number): string[] {
    this.#sorted ??= new SortedKeys(this.#records.keys());
    return this.#sorted.from(start, count);
  }

  /** Throws if the key is new and the room is used up. */
  set(key: string, { value, version, compact }: Omit<Held, "key">, expiresAt: number): void {
    const current = this.#records.get(key);
    const next: Held = { key, value, version, compact };
    // guard: replies go before new sales are refused | gone | full-store
    this.#makeRoom(sizeOf(next) - (current ? sizeOf(current) : 0));
    // An existing record may grow, so that the holder of a claim can always store its outcome.
    if (!current && this.#bytes >= this.#maxBytes) throw new Error("store is full");
    this.#records.set(key, next, expiresAt);
    if (current) this.#leave(current);
    this.#bytes += sizeOf(next);
    if (compact !== undefined) this.#shrinkable.add(next);
    if (!current) this.#sorted?.add(key);
  }

  delete(key: string): void {
    this.#records.delete(key);
  }

  #leave(held: Held): void {
    this.#shrinkable.delete(held);
    this.#bytes -= sizeOf(held);
  }

  #makeRoom(bytes: number): void {
    for (const held of this.#shrinkable) {
      if (this.#bytes + bytes <= this.#maxBytes) return;
      this.#leave(held);
      held.value = held.compact?.(held.value) ?? held.value;
      this.#bytes += sizeOf(held);
    }
  }
}

const sizeOf = ({ key, value }: Held): number => 2 * (key.length + value.length);
