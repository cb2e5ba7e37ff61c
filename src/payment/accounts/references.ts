/** A top-up's reference names a payment of the host's payment provider, which belongs to one account. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { CapabilityError } from "../../errors.js";
import { once } from "../../lib/lazy.js";
import type { Store } from "../../stores/store.js";
import type { OwnAccounts } from "../own-accounts.js";
import { FOREVER_MS } from "./pages.js";

const claim = once(() => z.object({ account: z.string(), host: z.string().optional() }));

/** Other hosts on the store may have payments of the same name. */
const keysOf = (reference: string, own: OwnAccounts): string[] => {
  const key = `account-payment:${createHash("sha256").update(reference).digest("hex")}`;
  return [key, ...own.names.map((name) => `${key}:${name}`)];
};

/** Claims a payment for an account, before it is booked there. Rejects with INVALID_INPUT if it is another account's. */
export async function claimPayment(
  { store, own }: { store: Store; own: OwnAccounts },
  reference: string,
  account: string,
): Promise<{ undo(): Promise<unknown> }> {
  const value = JSON.stringify({ account, host: own.on(undefined) });
  for (const key of keysOf(reference, own)) {
    const version = await store.put(key, value, { ifVersion: 0, ttlMs: FOREVER_MS });
    if (version !== undefined) return { undo: () => store.remove(key, version) };
    const found = await store.get(key);
    const there = found && claim().parse(JSON.parse(found.value));
    if (!there) throw new CapabilityError("OVERLOADED", "The same payment is being booked; tell it again shortly.");
    if (!own.hasId(there.host)) continue;
    if (there.account === account) return { undo: async () => undefined };
    throw new CapabilityError(
      "INVALID_INPUT",
      `The reference "${reference}" names a payment to the account "${there.account}"; nothing was booked to "${account}".`,
    );
  }
  throw new CapabilityError("INVALID_INPUT", `The reference "${reference}" is another service's on the same store.`);
}
