/** The rails of a host, built from its options. */
import type { Logger } from "../../lib/logger.js";
import type { PaymentOptions } from "../options/options.js";
import { receiverOf } from "../options/treasury.js";
import type { ChainStatus, Rail, RailFamily, RailSources, SignIn } from "../rails/rail.js";
import { createRpc } from "../rails/rpc.js";
import type { PaymentToSettle } from "../x402/facilitator.js";
import { familyOf } from "./accounts.js";
import { paymentOptions } from "./option-checks.js";

/** The rails of the treasury, one for each network, in the host's order. */
export type Rails = ReadonlyMap<string, Rail>;

/**
 * Builds the rails, once at start. Throws for a network or address that could never be paid.
 *
 * @example
 * ```ts
 * const rails = createRails({ treasury: { "eip155:8453": "0x…" }, facilitator: { url: "https://facilitator.example" } });
 * ```
 */
export function createRails(
  options: PaymentOptions,
  fetch?: typeof globalThis.fetch,
  sources: RailSources = {},
): Rails {
  paymentOptions("payment", options);
  // The body of a 402 offers `exact` alone, so it cannot be left out.
  if (options.schemes?.includes("exact") === false) throw new TypeError('payment.schemes must include "exact".');
  const rails = new Map<string, Rail>();
  for (const [network, paid] of Object.entries(options.treasury)) {
    const payTo = receiverOf(paid);
    const family = familyOf(network);
    if (!family || payTo === undefined) continue;
    const { url, isOwn } = nodeOf(options, network, family);
    const rail = family.create({ network, payTo, rpc: url ? createRpc(url, fetch) : undefined }, options, sources);
    rails.set(network, isOwn ? withOwnNode(rail) : withPublicNode(rail));
    if (options.refunds?.[network] && !isOwn) warnOfUnseen(network, sources.logger);
  }
  if (rails.size === 0) throw new TypeError("payment.treasury must name at least one network and address.");
  return rails;
}

/** The node that shows a network's chain: the host's own, a public one, or none. */
function nodeOf({ rpc }: PaymentOptions, network: string, family: RailFamily): { url?: string; isOwn: boolean } {
  if (rpc === false) return { isOwn: false };
  const own = rpc?.[network];
  if (own !== undefined) return { url: own, isOwn: true };
  const url = family.publicNode(network);
  return url ? { url, isOwn: false } : { isOwn: false };
}

/** Sign-in of wallets on each network of the treasury. */
export function createSignIns(
  { treasury, rpc }: PaymentOptions,
  fetch?: typeof globalThis.fetch,
): ReadonlyMap<string, SignIn> {
  const entries = Object.keys(treasury).flatMap((network): [string, SignIn][] => {
    const url = rpc ? rpc[network] : undefined;
    const signIn = familyOf(network)?.signIn?.(url ? createRpc(url, fetch) : undefined);
    return signIn ? [[network, signIn]] : [];
  });
  return new Map(entries);
}

/**
 * While a node that the host named does not answer, an unclear settlement stays undecided. A public node is optional:
 * without its answer, a facilitator is believed that reports on a repetition that the payment was settled before.
 */
function withPublicNode(rail: Rail): Rail {
  async function lookup(payment: PaymentToSettle, told?: string): Promise<ChainStatus> {
    const seen = await rail.lookup(payment, told);
    return seen.kind === "unreadable" ? { ...seen, kind: "unknown" } : seen;
  }
  return { ...rail, lookup: lookup, ...(rail.upto ? { upto: withPublicNode(rail.upto) } : {}) };
}

/** A refund waits until a node shows the settlement, and a public node may fail when it is needed. */
function warnOfUnseen(network: string, logger: Logger | undefined): void {
  logger?.warn(
    { network },
    `payment.refunds["${network}"]: payment.rpc["${network}"] names no node, so refunds rely on the facilitator's ` +
      "statement that the payment was settled, unless a public node contradicts it. Name a node of your own there.",
  );
}

const withOwnNode = (rail: Rail): Rail => ({
  ...rail,
  ownNode: true,
  ...(rail.upto ? { upto: withOwnNode(rail.upto) } : {}),
});

/**
 * Warns of networks on which the facilitator settles nothing, and of an unsellable catalogue if that holds for all of
 * them.
 */
export function warnOfUnsold(rails: Rails, logger: Logger): void {
  const unsold = [...rails].filter(([, rail]) => !rail.requirements(0n, 0)).map(([network]) => network);
  if (unsold.length === 0) return;
  const what = unsold.length === rails.size ? "so nothing can be sold at all" : "so nothing is offered there";
  logger.warn(
    { networks: unsold },
    `payment.treasury: the facilitator settles no payments on ${unsold.join(", ")}, ${what}`,
  );
}

/** The rail of a payment or an offer. */
export function railFor(rails: Rails, { scheme, network }: { scheme: string; network: string }): Rail | undefined {
  const rail = rails.get(network);
  return scheme === "upto" ? rail?.upto : rail;
}

/** Whether offers depend on the facilitator's answer, because they name its account or what it sponsors. */
export function needsSupported(
  options: Pick<PaymentOptions, "treasury" | "feePayers" | "schemes" | "assets">,
): boolean {
  return Object.keys(options.treasury).some((network) => familyOf(network)?.needsSupported(network, options));
}
