/**
 * The accounts of this host. Hosts with different treasuries may share a store, and each handles only its own money.
 */

import { accountId } from "../networks/accounts.js";
import { type EdgePaymentOptions, isEdge } from "../options/edge.js";
import type { PaymentOptions } from "../options/options.js";
import { receiverOf, type Split, splitOf } from "../options/treasury.js";

export interface OwnAccounts {
  /** Whether an account is, or was, this host's. */
  has(paid: { network: string; payTo: string }): boolean;
  /** The same for an account's id; records of older releases have none, and any host may handle them. */
  hasId(account: string | undefined): boolean;
  /** The current account on a network, or the first of all if none is given. */
  on(network: string | undefined): string | undefined;
  /** Whether an account was this host's, and is not any more. */
  isFormer(account: string): boolean;
  /** Who shares what an account is paid, from now on; undefined if nobody else does. */
  splitOf(account: string | undefined): Split | undefined;
  /**
   * Names of this host in the store's keys: the first is the one to write under, and does not depend on the order of the
   * treasuries; under the others it may have written when it had other treasuries.
   */
  readonly names: readonly string[];
}

export function ownAccounts(payment: Partial<PaymentOptions> | EdgePaymentOptions | false | undefined): OwnAccounts {
  const { treasury = {}, formerTreasuries = {} } = isEdge(payment) ? {} : payment || {};
  const present = new Map(
    Object.entries(treasury).map(([network, paid]) => [network, accountId(network, receiverOf(paid) ?? "")]),
  );
  // No account of the host is known where an edge is paid; its own sales are those at its address.
  if (isEdge(payment)) present.set("edge", `edge:cloudflare:${payment.edge.cloudflare?.origin ?? ""}`);
  const splits = new Map(
    Object.entries(treasury).flatMap(([network, paid]) => {
      const split = splitOf(paid);
      return split ? [[accountId(network, receiverOf(paid) ?? ""), split] as const] : [];
    }),
  );
  const ids = new Set(present.values());
  for (const [network, former] of Object.entries(formerTreasuries))
    for (const payTo of former) ids.add(accountId(network, payTo));
  return {
    // guard: switches: hold in whatever order the treasuries are named |
    //   [...[...present.values()].sort(), ...ids] -> [...present.values()].slice(0, 1) | switches
    names: [...new Set([...[...present.values()].sort(), ...ids])],
    has: ({ network, payTo }) => ids.has(accountId(network, payTo)),
    hasId: (account) => account === undefined || ids.has(account),
    isFormer: (account) => ids.has(account) && ![...present.values()].includes(account),
    splitOf: (account) => (account === undefined ? undefined : splits.get(account)),
    on: (network) => (network === undefined ? present.values().next().value : present.get(network)),
  };
}
