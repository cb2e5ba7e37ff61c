/** Environment settings of `serve`, which `doctor` checks. */

import { without } from "../errors.js";
import type { HandlerOptions } from "../host/options.js";
import { isUrl } from "../lib/http/url.js";
import { named } from "../lib/packages/named.js";
import type { Store } from "../stores/store.js";
import { UsageError } from "./usage.js";

export type Env = Record<string, string | undefined>;

const BASE = "eip155:8453";
const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";

/** Accounts that are paid, by network. */
export function treasuryOf({ TREASURY_EVM, TREASURY_SVM, EVM_NETWORK, SVM_NETWORK }: Env): Record<string, string> {
  return {
    ...(TREASURY_EVM ? { [EVM_NETWORK || BASE]: TREASURY_EVM } : {}),
    ...(TREASURY_SVM ? { [SVM_NETWORK || SOLANA]: TREASURY_SVM } : {}),
  };
}

/** Payment options of the service. Throws a UsageError that names a missing setting. */
export function paymentOf(env: Env): HandlerOptions["payment"] {
  const treasury = treasuryOf(env);
  const url = env.FACILITATOR_URL?.replace(/\/+$/, "");
  if (Object.keys(treasury).length === 0)
    throw new UsageError(
      "TREASURY_EVM or TREASURY_SVM is missing: set it to the address that is paid, or use --free to give calls away.",
    );
  if (!url)
    throw new UsageError("FACILITATOR_URL is missing: set it to the service that verifies and settles payments.");
  if (!isUrl(url)) throw new UsageError(`FACILITATOR_URL must be a URL, not "${url}".`);
  // The operator's own node, under the name that capabilities use.
  const rpc = env.RPC_URL_BASE && BASE in treasury ? { rpc: { [BASE]: env.RPC_URL_BASE.split(",")[0] ?? "" } } : {};
  const headers = facilitatorHeaders(env);
  return { treasury, facilitator: { url, ...(headers ? { headers: () => headers } : {}) }, ...rpc };
}

/** Headers that the facilitator wants, such as an API key. Throws a UsageError that does not show them. */
export function facilitatorHeaders({ FACILITATOR_HEADERS }: Env): Record<string, string> | undefined {
  if (!FACILITATOR_HEADERS) return undefined;
  try {
    return Object.fromEntries(new Headers(JSON.parse(FACILITATOR_HEADERS) as Record<string, string>));
  } catch {
    throw new UsageError(`FACILITATOR_HEADERS must be JSON, such as '{"authorization":"Bearer …"}'.`);
  }
}

export interface OpenStore {
  store: Store;
  /** Description of the store, for people. */
  where: string;
  /** The pool of Postgres, in which wallets' state may be kept as well. */
  pool?: NonNullable<Exclude<HandlerOptions["wallets"], boolean | undefined>["db"]>;
  /** Ends the connections, which the store's own close leaves open. */
  end(): Promise<unknown>;
}

/** A shared store, if the environment names one. */
export const storeOf = ({ DATABASE_URL, REDIS_URL }: Env): Promise<OpenStore | undefined> =>
  openStore(DATABASE_URL ? { postgres: DATABASE_URL } : { ...(REDIS_URL ? { redis: REDIS_URL } : {}) });

/** The address of a store's database: of Postgres with its schema, or of Redis with the prefix of keys. */
export interface StoreAddress {
  postgres?: string;
  redis?: string;
  schema?: string;
  prefix?: string;
}

export async function openStore({ postgres, redis: at, schema, prefix }: StoreAddress): Promise<OpenStore | undefined> {
  if (postgres) {
    const { default: pg } = await import("pg").catch(without("pg"));
    const { createPostgresStore } = await import("../stores/postgres/index.js");
    const pool = new pg.Pool({ connectionString: postgres });
    const store = createPostgresStore(pool, schema === undefined ? {} : { schema });
    return { store, where: "Postgres", pool, end: () => pool.end() };
  }
  if (at) {
    const { Redis } = await import("ioredis").catch(without("ioredis")).then(named);
    const { createRedisStore } = await import("../stores/redis/index.js");
    const redis = new Redis(at, { maxRetriesPerRequest: 2 });
    const store = createRedisStore(redis, prefix === undefined ? {} : { prefix });
    return { store, where: "Redis", end: async () => redis.disconnect() };
  }
  return undefined;
}

/** Name and public address of the service. */
export function brandOf({ BRAND_NAME, BRAND_SLUG, BASE_URL }: Env): NonNullable<HandlerOptions["brand"]> {
  return {
    ...(BRAND_NAME ? { name: BRAND_NAME } : {}),
    ...(BRAND_SLUG ? { slug: BRAND_SLUG } : {}),
    ...(BASE_URL ? { baseUrl: BASE_URL } : {}),
  };
}
