/** A host that calls back, whose clock is the test's and whose rounds are run by hand. Nothing on it costs anything. */

import type { OutboundOptions } from "../../src/capability/outbound-options.js";
import type { AnyCapability } from "../../src/capability/types.js";
import type { WalletOptions } from "../../src/capability/wallets.js";
import { createHandler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import type { FakeClock } from "./clock.js";

export interface CallbackHostOptions {
  wallets: WalletOptions;
  clock: FakeClock;
  outbound?: OutboundOptions;
}

export function openCallbackHost<const C extends readonly AnyCapability[]>(
  capabilities: C,
  { wallets, clock, outbound = { allowPrivate: true } }: CallbackHostOptions,
) {
  const handle = createHandler({
    capabilities,
    brand: { name: "Acme", slug: "acme" },
    payment: false,
    logger: silent,
    wallets: { httpCallbacks: outbound.allowPrivate === true, ...wallets },
    clock,
    outbound,
  });
  return {
    handle,
    /** A round, however slow the machine is. */
    tick: () => handle.tick({ budgetMs: 60_000 }),
    close: () => handle.close(),
  };
}

/** The item of an answer that has one. */
export const only = <T>({ items: [item] }: { items: T[] }): T => {
  if (item === undefined) throw new Error("The answer has no item.");
  return item;
};
