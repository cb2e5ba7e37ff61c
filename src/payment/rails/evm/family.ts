/** EVM networks: USDC by EIP-3009, and up to an amount through Permit2. */
import { isInstalled, toInstall } from "../../../lib/packages/installed.js";
import { readChannelOptions } from "../../options/channels.js";
import type { AssetOptions, PaymentOptions } from "../../options/options.js";
import type { Account, Rail, RailFamily, RailSources } from "../rail.js";
import type { Rate } from "../rates.js";
import { flawOfAddress } from "./address.js";
import { isEvmAddress } from "./chain/signature.js";
import { evmChannelRail } from "./channel.js";
import { chargeOptionsOf } from "./charge-terms.js";
import { evmRail } from "./exact.js";
import { EVM_NETWORKS } from "./networks.js";
import { evmSignIn } from "./sign-in.js";
import type { Token } from "./transfer.js";
import { uptoRail } from "./upto.js";

const DOLLAR_DECIMALS = 6;

export const evm: RailFamily = {
  matches: (network) => /^eip155:\d{1,15}$/.test(network),
  isAddress: isEvmAddress,
  flawOf: flawOfAddress,
  // The case of an address is only a checksum.
  plain: (address) => address.toLowerCase(),
  publicNode: (network) => EVM_NETWORKS.get(network)?.rpcUrl,
  facilitatorAccounts: { upto: "facilitatorAddress" },
  // It names accounts for the one, and for Permit2 whether it brings the gas of a wallet's first allowance.
  needsSupported: (network, { schemes = [], assets }) =>
    schemes.includes("upto") || schemes.includes("batch-settlement") || assets?.[network]?.transferMethod === "permit2",
  // The token's contract accepts an authorization once, whoever submits it.
  needsSharedStore: false,
  signIn: evmSignIn,
  create: createRail,
};

function createRail({ network, payTo, rpc }: Account, options: PaymentOptions, sources: RailSources): Rail {
  const { supported, rates } = sources;
  const known = EVM_NETWORKS.get(network);
  const set = options.assets?.[network];
  const { address, name, version } = set ?? { address: known?.asset, ...known?.domain };
  const transferMethod = set?.transferMethod ?? "eip3009";
  if (!address) throw new TypeError(`payment.assets["${network}"] is needed: no USDC is known on that network.`);
  if (transferMethod === "eip3009" && !(name && version))
    throw new TypeError(
      `payment.assets["${network}"] needs the token's EIP-712 name and version too, or transferMethod: "permit2".`,
    );
  const account = { network, asset: { address, name, version }, payTo, rpc };
  const rated = ratedAsset(network, { ...options.assets?.[network], address }, options, rates);
  const refunds = options.refunds?.[network];
  if (refunds && !("signTypedData" in refunds))
    throw new TypeError(`payment.refunds["${network}"] must be a wallet that signs typed data, as viem's accounts do.`);
  const rail = {
    ...evmRail({ ...account, ...rated, transferMethod, refunds, charge: chargeOptionsOf(account, options, sources) }),
    ...channelOf({ ...account, transferMethod }, options, supported),
  };
  if (!options.schemes?.includes("upto") || !supported) return rail;
  const facilitator = () => (supported.lists("upto", network) ? supported.account("upto", network) : undefined);
  const acceptsFacilitator = (listed: string) => supported.accepts("upto", network, listed);
  return { ...rail, upto: uptoRail({ ...account, facilitator, acceptsFacilitator }) };
}

/** The rate and decimals of a token that is not a dollar. Throws a TypeError for what cannot be priced by a rate. */
function ratedAsset(
  network: string,
  { address, decimals, rate: ask }: AssetOptions,
  { schemes = [] }: PaymentOptions,
  rates: RailSources["rates"],
): { rate?: Rate; decimals?: number } {
  const option = `payment.assets["${network}"]`;
  if (!ask && decimals !== undefined && decimals !== DOLLAR_DECIMALS)
    throw new TypeError(`${option}.rate is needed for a token of ${decimals} decimals, such as () => "1".`);
  if (!ask) return {};
  const other = schemes.find((scheme) => scheme !== "exact");
  if (other)
    throw new TypeError(
      `${option}.rate: a token that is priced by a rate is sold for by "exact" alone, not by "${other}".`,
    );
  if (!rates) throw new TypeError(`${option}.rate needs createHandler, which asks for it.`);
  const units = decimals ?? DOLLAR_DECIMALS;
  return { rate: rates.of({ network, address, decimals: units, ask }), decimals: units };
}

/** The network's channels, if the host has them. Throws a TypeError that names the option. */
function channelOf(
  { network, asset, transferMethod, payTo, rpc }: Account & { asset: Token; transferMethod: "eip3009" | "permit2" },
  { schemes, channels }: PaymentOptions,
  supported: RailSources["supported"],
): Pick<Rail, "channel"> {
  if (!schemes?.includes("batch-settlement") || !channels) return {};
  const { minDeposit, keys } = readChannelOptions(channels);
  if (!rpc)
    throw new TypeError(
      `payment.rpc["${network}"] is needed for batch-settlement: without a node no withdrawal from a channel is seen.`,
    );
  // guard: channels: none without the package that reads their chain | never | without-viem
  if (!isInstalled("viem"))
    throw new TypeError(`payment.schemes: "batch-settlement" needs the package viem: ${toInstall("viem")}`);
  const listed = () => supported?.lists("batch-settlement", network) ?? false;
  return {
    channel: evmChannelRail({ network, asset, transferMethod, payTo, keys, minDeposit, rpc, listed }),
  };
}
