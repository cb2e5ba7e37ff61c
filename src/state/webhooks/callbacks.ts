/** What an operation that calls back needs: its URL judged, and what the calls are signed with. */
import type { Context } from "../../capability/types.js";
import type { WalletOptions } from "../../capability/wallets.js";
import type { UrlOptions } from "../../upstream/allowed-url.js";
import { assertAllowedUrl, judgeOutbound } from "../../upstream/outbound.js";
import { databaseOf } from "../account.js";
import { type Keys, openKeys } from "./keys.js";

/** What a callback's URL must be like: payloads are signed, not encrypted. */
export const urlRules = ({ httpCallbacks }: Pick<WalletOptions, "httpCallbacks">): UrlOptions => ({
  field: "callbackUrl",
  ...(httpCallbacks ? {} : { httpsOnly: "unless allowed" as const }),
});

/** Refuses a URL before money moves. A trial, from which nothing leaves, does not look names up. */
export async function assertCallbackUrl(ctx: Context, url: string): Promise<void> {
  const rules = urlRules(ctx.wallets ?? {});
  if (ctx.wallet?.trial) assertAllowedUrl(ctx, url, rules);
  else await judgeOutbound(ctx, url, rules);
}

/** What this host signs with. To be asked for before a transaction begins, also in `prepare`, since a batch is one. */
export const keysFor = async (ctx: Context): Promise<Keys> =>
  openKeys(await databaseOf(ctx), ctx.wallets ?? {}, (error) => ctx.logger.error({ error }, "callbacks: their secret"));

/** What whoever made a callback verifies it with. */
export const credentials = (keys: Keys, callback: string, secretVersion = 1) => ({
  secret: keys.secretOf({ callback, secretVersion }),
  publicKey: keys.publicKeys[0],
});
