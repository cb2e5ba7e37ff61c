/** Caches answers: in the host's cache, otherwise in memory. */
import type { Cache, Context } from "../capability/types.js";
import { lazy } from "../lib/lazy.js";

const library = lazy(() => import("lru-cache"));

const MAX_CACHED = 2000;
/** Total size of cached answers as received, so that a few large ones cannot fill the memory. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

/** Result of a request. */
export interface Fetched {
  value: unknown;
  /** Size of the answer, at least 1. */
  bytes: number;
  /** Records that its lists do without; unset for none. */
  leftOut?: number;
}

/** A cached answer: its value, and the time until which it is fresh. */
export interface Kept extends Fetched {
  /** Epoch milliseconds. */
  storedAt: number;
  freshMs: number;
}

export interface AnswerCache {
  get(key: string): Promise<Kept | undefined>;
  set(key: string, kept: Kept, keepMs: number): Promise<void>;
}

/** The cache of a call; undefined if caching is off. A failing cache counts as empty. */
export async function cacheOf(ctx: Context, memory: () => Promise<Cache>): Promise<AnswerCache | undefined> {
  if (ctx.cache === false) return undefined;
  const cache = ctx.cache ?? (await memory());
  const failed = (error: unknown) => ctx.logger.warn({ error }, "cache: failed, the upstream is asked instead");
  return {
    async get(key) {
      try {
        const found = await cache.get(key);
        return isKept(found) ? found : undefined;
      } catch (error) {
        failed(error);
        return undefined;
      }
    },
    async set(key, kept, keepMs) {
      try {
        await cache.set(key, kept, keepMs);
      } catch (error) {
        failed(error);
      }
    },
  };
}

/** A host's cache may contain other entries. */
function isKept(found: unknown): found is Kept {
  if (typeof found !== "object" || found === null) return false;
  const { storedAt, freshMs } = found as Partial<Kept>;
  return "value" in found && Number.isFinite(storedAt) && Number.isFinite(freshMs);
}

/** The least recently used answers are dropped first. */
export async function memoryCache(): Promise<Cache> {
  const { LRUCache } = await library();
  const kept = new LRUCache<string, Kept>({
    max: MAX_CACHED,
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });
  return {
    get: (key) => kept.get(key),
    set: (key, value, ttlMs) => void kept.set(key, value as Kept, { ttl: ttlMs }),
  };
}
