/** Connections of a Postgres store: a pool's, or one for each statement where no connection outlives a request. */
import { has } from "../../lib/options/kinds.js";
import { onWorkers } from "../../lib/packages/platform.js";

/** The host's `pg` Pool, or an object with the same `query`. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  on?(event: "error", listener: (error: Error) => void): unknown;
  /** Of a pool: its connections, those that are idle, and the requests that wait for one. */
  readonly totalCount?: number;
  readonly idleCount?: number;
  readonly waitingCount?: number;
}

/** A client of `pg` that is not connected yet. */
export interface PostgresClient extends PostgresPool {
  connect(): Promise<unknown>;
  end(): Promise<unknown>;
}

/** A pool; or, where no connection outlives a request, a function that makes a client for each statement. */
export type PostgresSource = PostgresPool | (() => PostgresClient);

/** Throws a TypeError for anything else, and on Cloudflare Workers for a pool, which would hang at the second request. */
export function poolOf(name: string, source: PostgresSource): PostgresPool {
  if (typeof source === "function") return { query: (text, values) => askOnce(source(), text, values) };
  if (!has(source, ["query"]))
    throw new TypeError(
      `${name}: the first argument must be a Pool of pg, such as new pg.Pool({ connectionString: process.env.DATABASE_URL }).`,
    );
  // guard: Workers: a pool for payments is refused | has(source, ["query", "connect"]) -> !source | on-workers
  if (onWorkers() && has(source, ["query", "connect"]))
    throw new TypeError(
      `${name}: on Cloudflare Workers a connection belongs to the request that opened it, so with a pool the next request waits for ever. Give a function that makes a client, such as () => new pg.Client({ connectionString: env.HYPERDRIVE.connectionString }), or use coinslot/stores/durable-object.`,
    );
  return source;
}

/** Undefined for what does not tell of its connections. */
export function connectionsOf({ totalCount, idleCount = 0, waitingCount = 0 }: PostgresPool) {
  return totalCount === undefined
    ? undefined
    : { idle: idleCount, used: totalCount - idleCount, waiting: waitingCount };
}

async function askOnce(client: PostgresClient, text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
  // Told to whoever asks; without a listener a broken connection would end the process.
  client.on?.("error", () => {});
  try {
    await client.connect();
    return await client.query(text, values);
  } finally {
    await client.end();
  }
}
