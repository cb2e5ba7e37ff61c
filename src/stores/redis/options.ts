/** Options of `createRedisStore`, and their checks. */
import { shape } from "../../lib/options/check.js";
import { text } from "../../lib/options/kinds.js";

export interface RedisStoreOptions {
  /** Prefix of every key. The braces keep all keys in one slot of a cluster. Default `{coinslot}:`. */
  prefix?: string;
}

export const redisOptions = shape<RedisStoreOptions>({
  prefix: text("what every key starts with, such as {coinslot}:"),
});
