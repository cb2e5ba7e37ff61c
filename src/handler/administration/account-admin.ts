/** The host's side of accounts: loaded by its first use. */
import { CapabilityError } from "../../errors.js";
import type { Host } from "../../host/host.js";
import { lazy } from "../../lib/lazy.js";
import type { HostAccounts } from "../../payment/accounts/admin.js";

export type { HostAccounts } from "../../payment/accounts/admin.js";

export function createAccountAdmin(host: Host): HostAccounts {
  const { accounts } = host.payments;
  const admin = lazy(async () => {
    if (!accounts)
      throw new CapabilityError("PROVIDER_NOT_CONFIGURED", "This host has no accounts: set the option accounts.");
    const [{ createAdmin }, book, keys] = await Promise.all([
      import("../../payment/accounts/admin.js"),
      accounts.book(),
      accounts.keyring(),
    ]);
    return createAdmin({ book, keys, now: host.now, isMounted: (id) => host.byId.has(id) });
  });
  return {
    createKey: async (...given) => (await admin()).createKey(...given),
    listKeys: async (...given) => (await admin()).listKeys(...given),
    revokeKey: async (...given) => (await admin()).revokeKey(...given),
    rotateKey: async (...given) => (await admin()).rotateKey(...given),
    topUp: async (...given) => (await admin()).topUp(...given),
    adjust: async (...given) => (await admin()).adjust(...given),
    refund: async (...given) => (await admin()).refund(...given),
    setLimits: async (...given) => (await admin()).setLimits(...given),
    grant: async (...given) => (await admin()).grant(...given),
    grants: async (...given) => (await admin()).grants(...given),
    balance: async (...given) => (await admin()).balance(...given),
    entries: async (...given) => (await admin()).entries(...given),
  };
}
