/** The host's options for the state of wallets, checked once. */
import type { WalletOptions } from "../../capability/wallets.js";
import { onWorkers } from "../../lib/packages/platform.js";

interface Given {
  wallets?: WalletOptions | boolean | undefined;
  instances?: number | undefined;
}

export const DEFAULT_MAX_BYTES = 50 * 1024 * 1024;

/** Undefined if the host has none. Throws a TypeError that names the option and the correction. */
export function readWallets({ wallets, instances = 1 }: Given, env = process.env): WalletOptions | undefined {
  if (!wallets) return undefined;
  const options = wallets === true ? {} : wallets;
  // guard: Workers: the state of wallets is refused | onWorkers() -> onWorkers() && !wallets | on-workers
  if (onWorkers())
    throw new TypeError(
      "wallets: the state of wallets needs connections that outlive a request, which Cloudflare Workers end with it: a pool would hang at the second request, and there are no files. Leave wallets out there, and sell those endpoints from a process with wallets: { db: new pg.Pool() }.",
    );
  const alone = "the embedded database serves one process only; use a Postgres, wallets: { db: new pg.Pool() }";
  if (!options.db && instances > 1) throw new TypeError(`wallets: with ${instances} instances ${alone}.`);
  if (!options.db && env.AWS_LAMBDA_FUNCTION_NAME) throw new TypeError(`wallets: on Lambda ${alone}.`);
  return options;
}
