/** Things that outlive a call: worker threads, a browser, a database. */
import { CapabilityError } from "../errors.js";

export interface Resources {
  /**
   * The resource of this name, opened on first use and then shared; `close` ends it with its owner. A failed opening is
   * forgotten, so that the next call tries again. A resource must not keep the process alive by itself.
   *
   * @example
   * ```ts
   * const pool = await ctx.resources.use("countdown.gif", openPool, (pool) => pool.close());
   * ```
   */
  use<T>(key: string, open: () => Promise<T> | T, close: (opened: T) => Promise<void> | void): Promise<T>;
}

/** A set of resources, with the right to end them. */
export interface OwnedResources extends Resources {
  /** Closes all of them, the last opened first, and opens no more. Rejects with the first error. */
  close(): Promise<void>;
}

interface Opened {
  /** Of the type that the key's only opener returns. */
  value: Promise<unknown>;
  close(): Promise<void>;
}

export function createResources(): OwnedResources {
  const opened = new Map<string, Opened>();
  let closed = false;

  function begin<T>(key: string, open: () => Promise<T> | T, close: (opened: T) => Promise<void> | void): Opened {
    // Deferred, so that an exception during opening becomes a rejection.
    const value = Promise.resolve().then(open);
    const entry = { value, close: async () => value.then(close, () => {}) };
    opened.set(key, entry);
    value.catch(() => opened.get(key) === entry && opened.delete(key));
    return entry;
  }

  return {
    async use<T>(key: string, open: () => Promise<T> | T, close: (opened: T) => Promise<void> | void) {
      if (closed) throw new CapabilityError("OVERLOADED", "The service is being shut down.");
      return (opened.get(key) ?? begin(key, open, close)).value as Promise<T>;
    },
    async close() {
      closed = true;
      const last = [...opened.values()].reverse();
      opened.clear();
      const ends = await Promise.allSettled(last.map((entry) => entry.close()));
      const failed = ends.find((end) => end.status === "rejected");
      if (failed) throw failed.reason;
    },
  };
}
