/** The host's side of accounts: loaded by its first use. */
import type { Host } from "../../host/host.js";
import { lazy } from "../../lib/lazy.js";
import type { HostAccounts } from "../../payment/accounts/admin.js";

export type { HostAccounts } from "../../payment/accounts/admin.js";

export function createAccountAdmin(host: Host, by: string): HostAccounts {
  const admin = lazy(async () => (await import("./account-acts.js")).createAccountActs(host, by));
  return {
    createKey: async (...given) => (await admin()).createKey(...given),
    listKeys: async (...given) => (await admin()).listKeys(...given),
    revokeKey: async (...given) => (await admin()).revokeKey(...given),
    rotateKey: async (...given) => (await admin()).rotateKey(...given),
    topUp: async (...given) => (await admin()).topUp(...given),
    adjust: async (...given) => (await admin()).adjust(...given),
    refund: async (...given) => (await admin()).refund(...given),
    setLimits: async (...given) => (await admin()).setLimits(...given),
    close: async (...given) => (await admin()).close(...given),
    freeze: async (...given) => (await admin()).freeze(...given),
    unfreeze: async (...given) => (await admin()).unfreeze(...given),
    list: async (...given) => (await admin()).list(...given),
    grant: async (...given) => (await admin()).grant(...given),
    grants: async (...given) => (await admin()).grants(...given),
    balance: async (...given) => (await admin()).balance(...given),
    invoices: async (...given) => (await admin()).invoices(...given),
    entries: async (...given) => (await admin()).entries(...given),
  };
}
