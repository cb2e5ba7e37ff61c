/** Which accounts are a host's own: hosts of several treasuries may share a store, and none handles another's money. */
import type { PaymentOptions } from "./options.js";
import { accountId, familyOf } from "./rails/accounts.js";

export interface OwnAccounts {
  /** Whether money that is made out to an account is, or once was, this host's. */
  has(paid: { network: string; payTo: string }): boolean;
  /** The same of an account's id; what an older release wrote names none, and is anybody's. */
  hasId(account: string | undefined): boolean;
  /** The account that is paid to on a network now, or, where none is named, the first of all. */
  on(network: string | undefined): string | undefined;
}

/** Throws a TypeError that names the option for what is no address. */
export function ownAccounts(payment: Partial<PaymentOptions> | false | undefined): OwnAccounts {
  const { treasury = {}, formerTreasuries = {} } = payment || {};
  const present = new Map(Object.entries(treasury).map(([network, payTo]) => [network, accountId(network, payTo)]));
  const ids = new Set(present.values());
  for (const [network, former] of Object.entries(formerTreasuries))
    for (const payTo of former) {
      if (!familyOf(network)?.isAddress(payTo))
        throw new TypeError(`payment.formerTreasuries["${network}"]: "${payTo}" is not an address of that network.`);
      ids.add(accountId(network, payTo));
    }
  return {
    has: ({ network, payTo }) => ids.has(accountId(network, payTo)),
    hasId: (account) => account === undefined || ids.has(account),
    on: (network) => (network === undefined ? present.values().next().value : present.get(network)),
  };
}
