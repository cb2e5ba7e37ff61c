/** Shared by operations that create callbacks: checks of URLs, and signing keys. */
import type { Context } from "../../capability/types.js";
import type { WalletOptions } from "../../capability/wallets.js";
import type { UrlOptions } from "../../upstream/outbound/allowed-url.js";
import { assertAllowedUrl, judgeOutbound } from "../../upstream/outbound/outbound.js";
import { databaseOf } from "../wallet/account.js";
import { type Keys, openKeys, SECRET_UNREADABLE } from "./keys.js";

/** Rules for the URL of a callback: payloads are signed, not encrypted. */
export const urlRules = ({ httpCallbacks }: Pick<WalletOptions, "httpCallbacks">): UrlOptions => ({
  field: "callbackUrl",
  ...(httpCallbacks ? {} : { httpsOnly: "unless allowed" as const }),
});

/** Refuses a URL before money moves. A trial, which sends nothing, resolves no names. */
export async function assertCallbackUrl(ctx: Context, url: string): Promise<void> {
  const rules = urlRules(ctx.wallets ?? {});
  if (ctx.wallet?.trial) assertAllowedUrl(ctx, url, rules);
  else await judgeOutbound(ctx, url, rules);
}

/**
 * This host's signing keys. To be loaded before a transaction begins, also in `prepare`, since a batch is one
 * transaction.
 */
export const keysFor = async (ctx: Context): Promise<Keys> =>
  openKeys(await databaseOf(ctx), ctx.wallets ?? {}, (error) => ctx.logger.error({ error }, SECRET_UNREADABLE));

/** The values with which the creator of a callback verifies it. */
export const credentials = (keys: Keys, callback: string, secretVersion = 1) => ({
  secret: keys.secretOf({ callback, secretVersion }),
  publicKey: keys.publicKeys[0],
});
