/** The host's options for the state of wallets, checked once. */
import type { WalletOptions, WatchOptions } from "../capability/wallets.js";
import { checkSchema } from "../lib/migrations.js";

interface Given {
  wallets?: WalletOptions | true | undefined;
  instances?: number | undefined;
}

export const DEFAULT_SCHEMA = "coinslot_wallets";
export const DEFAULT_MAX_BYTES = 50 * 1024 * 1024;

/** Undefined if the host has none. Throws a TypeError that names the option and the correction. */
export function readWallets({ wallets, instances = 1 }: Given, env = process.env): WalletOptions | undefined {
  if (wallets === undefined) return undefined;
  const options = wallets === true ? {} : wallets;
  checkWallets(options);
  const alone = "the embedded database is one process's alone; give a Postgres, wallets: { db: new pg.Pool() }";
  if (!options.db && instances > 1) throw new TypeError(`wallets: with ${instances} instances ${alone}.`);
  if (!options.db && env.AWS_LAMBDA_FUNCTION_NAME) throw new TypeError(`wallets: on Lambda ${alone}.`);
  return options;
}

const KEY = /^[A-Za-z0-9+/]{43}=$/;

/** Throws a TypeError that names an invalid option. */
export function checkWallets({ db, schema, limits, secret, watch, encryption }: WalletOptions): void {
  if (db !== undefined && (typeof db?.query !== "function" || typeof db.connect !== "function"))
    throw new TypeError("wallets.db must be a Pool of pg, or have its query and connect.");
  if (schema !== undefined) checkSchema(schema);
  const secrets = secret === undefined ? undefined : [secret].flat();
  if (secrets && !(secrets.length > 0 && secrets.every((one) => typeof one === "string" && one.length >= 32)))
    throw new TypeError(
      "wallets.secret must be at least 32 characters, or a list of such secrets, the current one first.",
    );
  const keys = encryption === undefined ? undefined : [encryption].flat();
  if (keys && !(keys.length > 0 && keys.every((key) => typeof key === "string" && KEY.test(key))))
    throw new TypeError(
      "wallets.encryption must be 32 random bytes in base64, as `openssl rand -base64 32` gives them, or a list of such keys, the current one first.",
    );
  const bytes = limits?.bytes;
  if (bytes !== undefined && !(Number.isSafeInteger(bytes) && bytes > 0))
    throw new TypeError("wallets.limits.bytes must be a whole number above 0.");
  checkWatch(watch);
}

function checkWatch({ allow, pollRate = "0", minSeconds = 300 }: WatchOptions = {}): void {
  if (allow !== undefined && typeof allow !== "function")
    throw new TypeError("wallets.watch.allow must be a function of a capability.");
  if (typeof pollRate !== "string" || !/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/.test(pollRate))
    throw new TypeError('wallets.watch.pollRate must be a decimal from 0 to 1 as text, such as "0.1".');
  if (!(Number.isInteger(minSeconds) && minSeconds >= 300 && minSeconds <= 86_400))
    throw new TypeError("wallets.watch.minSeconds must be a whole number from 300 to 86,400.");
}
