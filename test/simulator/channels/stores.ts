/** The store that worlds of one thread live on, one after the other: in memory, or a server's, emptied in between. */
import { createPostgresStore, migrate } from "../../../src/stores/postgres/index.js";
import { createRedisStore } from "../../../src/stores/redis/index.js";
import type { Store } from "../../../src/stores/store.js";

export interface Place {
  kind: "redis" | "postgres";
  url: string;
  /** Of the thread: its own keys, or its own tables. */
  name: string;
}

/** Undefined is a world's own, in memory. */
export async function openStores(place: Place | undefined): Promise<{ empty(): Promise<Store | undefined> }> {
  if (!place) return { empty: async () => undefined };
  if (place.kind === "redis") {
    const { Redis } = await import("ioredis");
    const client = new Redis(place.url);
    // Each world's store listens for errors of its own.
    client.setMaxListeners(0);
    let worlds = 0;
    return {
      async empty() {
        const prefix = (of: number) => `{${place.name}-${of}}:`;
        const old = await client.keys(`${prefix(worlds)}*`);
        if (old.length > 0) await client.del(old);
        return createRedisStore(client, { prefix: prefix(++worlds) });
      },
    };
  }
  const { default: pg } = await import("pg");
  // A connection that is closed for having nothing to do would be closed by the world's clock.
  const pool = new pg.Pool({ connectionString: place.url, max: 4, idleTimeoutMillis: 0 });
  await migrate(pool, { schema: place.name });
  const store = createPostgresStore(pool, { schema: place.name });
  return {
    async empty() {
      await pool.query(`truncate ${place.name}.records, ${place.name}.counters`);
      return store;
    },
  };
}
