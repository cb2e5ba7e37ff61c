/** Where answers are kept: in the cache that a host gives, else in memory. */
import type { Cache, Context } from "../capability/types.js";
import { lazy } from "../lib/lazy.js";

const library = lazy(() => import("lru-cache"));

const MAX_CACHED = 2000;
/** Of the kept answers as they came: a few broad questions must not fill the memory. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

/** An answer as it is kept: what was read, and until when it is as good as new. */
export interface Kept {
  value: unknown;
  /** Of the answer, at least 1. */
  bytes: number;
  /** Epoch milliseconds. */
  storedAt: number;
  freshMs: number;
}

export interface AnswerCache {
  get(key: string): Promise<Kept | undefined>;
  set(key: string, kept: Kept, keepMs: number): Promise<void>;
}

/** The cache of a call; undefined where it turned caching off. A cache that fails is one that knows nothing. */
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

/** Others may keep things in a host's cache, too. */
function isKept(found: unknown): found is Kept {
  if (typeof found !== "object" || found === null) return false;
  const { storedAt, freshMs } = found as Partial<Kept>;
  return "value" in found && Number.isFinite(storedAt) && Number.isFinite(freshMs);
}

/** The least recently used answers leave first. */
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
