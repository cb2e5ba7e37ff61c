/** Whose account a call of an owner's endpoint is about, and the books that it looks into. */
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import type { Host } from "../../host/host.js";
import { ACCOUNT_WALLET, type AccountCaller } from "../../payment/options/accounts.js";

export interface OwnContext {
  /** Whether callers may send keys. */
  keys: boolean;
  /** Whether wallets may sign in. */
  signIns: boolean;
  /** Whether invoices are issued of what is bought. */
  invoices: boolean;
  /** The host, once it is put together. */
  host(): Host;
}

/** The account of a call, and the key that opened it. Throws SIGN_IN_REQUIRED for a call of nobody. */
export function ownerIn({ wallet }: Context): AccountCaller {
  if (!wallet) throw new CapabilityError("SIGN_IN_REQUIRED", "Name the account whose owner asks.");
  const { id, key } = wallet;
  const account = id.startsWith(ACCOUNT_WALLET) ? id.slice(ACCOUNT_WALLET.length) : id;
  return { id: account, ...(key === undefined ? {} : { key }) };
}

export async function opened({ host }: OwnContext) {
  const { payments, byId, now } = host();
  const { accounts } = payments;
  if (!accounts) throw new CapabilityError("PROVIDER_NOT_CONFIGURED", "This host has no accounts.");
  const [book, keyring, billing] = await Promise.all([accounts.book(), accounts.keyring(), accounts.billing()]);
  return { book, keyring, billing, now, isMounted: (id: string) => byId.has(id) };
}
