/** The host's side of accounts, with an entry in the audit log for each change. */
import { CapabilityError } from "../../errors.js";
import { hasGroupOf } from "../../host/groups.js";
import type { Host } from "../../host/host.js";
import { createAdmin, type HostAccounts } from "../../payment/accounts/admin.js";
import { assertAccount } from "../../payment/accounts/admin-checks.js";
import { notedBy } from "./noted.js";

export async function createAccountActs(host: Host, by: string): Promise<HostAccounts> {
  const { accounts } = host.payments;
  if (!accounts)
    throw new CapabilityError("PROVIDER_NOT_CONFIGURED", "This host has no accounts: set the option accounts.");
  const [book, keys, billing] = await Promise.all([accounts.book(), accounts.keyring(), accounts.billing()]);
  const admin = createAdmin({
    book,
    billing,
    keys,
    now: host.now,
    isMounted: (id) => host.byId.has(id),
    hasGroup: hasGroupOf(host),
  });
  const noted = notedBy(host, by);
  const changed = async (what: string, of: string, work: () => Promise<{ before: object; after: object }>) => {
    await noted({ what: `accounts.${what}`, of }, work, (facts) => facts);
  };
  /** A key itself is noted nowhere. */
  const made = ({ id, prefix }: { id: string; prefix: string }) => ({ after: { id, prefix } });
  const booked = ({ id, usd }: { id: string; usd: string }) => ({ after: { entry: id, usd } });

  return {
    ...admin,
    createKey: (account, asked) =>
      noted(
        { what: "accounts.createKey", of: account, ...withAsked(asked) },
        () => admin.createKey(account, asked),
        made,
      ),
    revokeKey: (id) => noted({ what: "accounts.revokeKey", of: id }, () => admin.revokeKey(id)),
    rotateKey: (id, asked) =>
      noted({ what: "accounts.rotateKey", of: id, ...withAsked(asked) }, () => admin.rotateKey(id, asked), made),
    topUp: (account, usd, facts) =>
      noted(
        { what: "accounts.topUp", of: account, asked: { usd, ...facts } },
        () => admin.topUp(account, usd, facts),
        booked,
      ),
    adjust: (account, usd, facts) =>
      noted(
        { what: "accounts.adjust", of: account, asked: { usd, ...facts } },
        () => admin.adjust(account, usd, facts),
        booked,
      ),
    refund: (requestId, asked) =>
      noted(
        { what: "accounts.refund", of: requestId, ...withAsked(asked) },
        () => admin.refund(requestId, asked),
        booked,
      ),
    grant: (account, given) =>
      noted(
        { what: "accounts.grant", of: account, ...withAsked(given) },
        () => admin.grant(account, given),
        ({ id }) => ({ after: { grant: id } }),
      ),
    setLimits: (account, limits) => changed("setLimits", account, () => admin.setLimits(account, limits)),
    close: (account, { refund } = {}) =>
      noted(
        { what: "accounts.close", of: account, ...(refund === undefined ? {} : { asked: { refund } }) },
        () => accounts.close(assertAccount(account), { refund }),
        (facts) => ({ after: facts }),
      ),
    freeze: (account, options) => changed("freeze", account, () => admin.freeze(account, options)),
    unfreeze: (account) => changed("unfreeze", account, () => admin.unfreeze(account)),
  };
}

const withAsked = (asked: object | undefined) => (asked === undefined ? {} : { asked });
