/** The rails of a host, built from its options. */

import type { Logger } from "../../lib/logger.js";
import type { PaymentOptions } from "../options.js";
import type { PaymentToSettle } from "../x402/facilitator.js";
import { knownNetwork } from "../x402/networks.js";
import type { Supported } from "../x402/supported.js";
import { evmRail } from "./evm/exact.js";
import { uptoRail } from "./evm/upto.js";
import type { Rail, Sighting } from "./rail.js";
import { createRpc, type Rpc } from "./rpc.js";
import { solanaRail } from "./solana/exact.js";
import { assertSolanaSigner } from "./solana/refund.js";
import { isSolanaAddress, warnOfMissingAccount } from "./solana/token.js";

/** What a host accepts: one rail per network of its treasury, in the host's order. */
export type Rails = ReadonlyMap<string, Rail>;

export interface RailSources {
  /** What the facilitator supports; without it only fee payers that the host names are known. */
  supported?: Omit<Supported, "stop"> | undefined;
  logger?: Logger;
}

/** Builds the rails once, when the host starts. Throws for a network or address that could never be paid. */
export function createRails(options: PaymentOptions, fetch = globalThis.fetch, sources: RailSources = {}): Rails {
  assertSchemes(options.schemes);
  const rails = new Map<string, Rail>();
  for (const [network, payTo] of Object.entries(options.treasury)) {
    const rpcUrl = options.rpc === false ? undefined : (options.rpc?.[network] ?? knownNetwork(network)?.rpcUrl);
    const account = { network, payTo, rpc: rpcUrl ? createRpc(rpcUrl, fetch) : undefined };
    const isHostsNode = options.rpc !== false && options.rpc?.[network] !== undefined;
    if (/^eip155:\d{1,15}$/.test(network)) {
      const rail = createEvmRail(account, options, sources);
      rails.set(network, isHostsNode ? rail : withPublicNode(rail));
    } else if (/^solana:[1-9A-HJ-NP-Za-km-z]{32}$/.test(network))
      rails.set(network, createSolanaRail(account, options, sources));
    else throw new TypeError(`payment.treasury: "${network}" is not a CAIP-2 network such as eip155:8453.`);
  }
  if (rails.size === 0) throw new TypeError("payment.treasury must name at least one network and address.");
  return rails;
}

/**
 * While a node that the host named is silent, an unclear settlement stays undecided. A public node is only a help: with
 * it silent, the facilitator's word counts, or a payer whose answer was lost could wait for as long as it is down.
 */
function withPublicNode(rail: Rail): Rail {
  async function find(payment: PaymentToSettle): Promise<Sighting> {
    const seen = await rail.find(payment);
    return seen.kind === "unreadable" ? { kind: "unknown" } : seen;
  }
  return { ...rail, find, ...(rail.upto ? { upto: withPublicNode(rail.upto) } : {}) };
}

/** An entry of the treasury. */
interface Account {
  network: string;
  payTo: string;
  rpc: Rpc | undefined;
}

/** The rail of a payment or an offer. */
export function railFor(rails: Rails, { scheme, network }: { scheme: string; network: string }): Rail | undefined {
  const rail = rails.get(network);
  return scheme === "upto" ? rail?.upto : rail;
}

function createEvmRail({ network, payTo, rpc }: Account, options: PaymentOptions, { supported }: RailSources): Rail {
  const known = knownNetwork(network);
  const { address, name, version } = options.assets?.[network] ?? { address: known?.asset, ...known?.domain };
  if (!address) throw unknownAsset(network);
  if (!name || !version)
    throw new TypeError(`payment.assets["${network}"] needs the token's EIP-712 name and version too.`);
  const account = { network, asset: { address, name, version }, payTo, rpc };
  const refunds = options.refunds?.[network];
  if (refunds && !("signTypedData" in refunds))
    throw new TypeError(`payment.refunds["${network}"] must be a wallet that signs typed data, as viem's accounts do.`);
  const rail = evmRail({ ...account, refunds });
  if (!options.schemes?.includes("upto") || !supported) return rail;
  const facilitator = () => (supported.lists("upto", network) ? supported.facilitatorAddress(network) : undefined);
  const acceptsFacilitator = (listed: string) => supported.acceptsFacilitator(network, listed);
  return { ...rail, upto: uptoRail({ ...account, facilitator, acceptsFacilitator }) };
}

function createSolanaRail({ network, payTo, rpc }: Account, options: PaymentOptions, sources: RailSources): Rail {
  const asset = options.assets?.[network]?.address ?? knownNetwork(network)?.asset;
  if (!asset) throw unknownAsset(network);
  const refunds = options.refunds?.[network];
  if (refunds) assertSolanaSigner(refunds, `payment.refunds["${network}"]`);
  if (refunds && !rpc)
    throw new TypeError(`payment.refunds["${network}"] needs payment.rpc["${network}"], to find what was returned.`);
  const { supported, logger } = sources;
  const named = options.feePayers?.[network];
  if (named !== undefined && !isSolanaAddress(named))
    throw new TypeError(`payment.feePayers["${network}"] must be a Solana address: 32 bytes in base58.`);
  const rail = solanaRail({
    network,
    asset,
    payTo,
    rpc,
    refunds,
    feePayer: () => named ?? supported?.feePayer(network),
    acceptsFeePayer: (address) => supported?.acceptsFeePayer(network, address) ?? false,
  });
  if (!rpc || !logger) return rail;
  void warnOfMissingAccount({ owner: payTo, mint: asset, option: "payment.treasury" }, rpc, logger);
  if (refunds) {
    const owner = refunds.publicKey.toBase58();
    void warnOfMissingAccount({ owner, mint: asset, option: "payment.refunds" }, rpc, logger);
  }
  return rail;
}

/** The body of a 402 offers `exact` alone, so it cannot be left out. */
function assertSchemes(schemes: readonly string[] = ["exact"]): void {
  const unknown = schemes.find((scheme) => scheme !== "exact" && scheme !== "upto");
  if (unknown !== undefined) throw new TypeError(`payment.schemes: "${unknown}" is neither exact nor upto.`);
  if (!schemes.includes("exact")) throw new TypeError('payment.schemes must include "exact".');
}

const unknownAsset = (network: string) =>
  new TypeError(`payment.assets["${network}"] is needed: no USDC is known on that network.`);
