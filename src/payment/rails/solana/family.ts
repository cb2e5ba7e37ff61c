/** Solana: a token transfer that the payer signed; the facilitator pays its fee. */
import { isInstalled, toInstall } from "../../../lib/packages/installed.js";
import type { PaymentOptions } from "../../options/options.js";
import type { Account, Rail, RailFamily, RailSources } from "../rail.js";
import { solanaRail } from "./exact.js";
import { SOLANA_NETWORKS } from "./networks.js";
import { solanaSignIn } from "./sign-in.js";
import { assertSolanaSigner } from "./signer.js";
import { isSolanaAddress, warnOfMissingAccount } from "./token.js";

/** 32 bytes of zero. */
const SYSTEM_PROGRAM = "1".repeat(32);

export const solana: RailFamily = {
  matches: (network) => /^solana:[1-9A-HJ-NP-Za-km-z]{32}$/.test(network),
  isAddress: isSolanaAddress,
  flawOf(account) {
    if (!isSolanaAddress(account)) return "must be a Solana address: 32 bytes in base58.";
    return account === SYSTEM_PROGRAM ? "is the system program, which nobody can pay." : undefined;
  },
  // In base58 upper and lower case are different digits.
  plain: (address) => address,
  publicNode: (network) => SOLANA_NETWORKS.get(network)?.rpcUrl,
  facilitatorAccounts: { exact: "feePayer" },
  needsSupported: (network, { feePayers }) => !feePayers?.[network],
  needsSharedStore: true,
  signIn: () => solanaSignIn,
  create: createRail,
};

/** The same transaction pays `solana/charge`, and the facilitator settles it. */
const takesCharges = ({ mpp }: PaymentOptions): boolean => mpp !== undefined && mpp !== false && mpp.solana === true;

function createRail({ network, payTo, rpc }: Account, options: PaymentOptions, sources: RailSources): Rail {
  if (!isInstalled("@solana/web3.js"))
    throw new TypeError(
      `payment.treasury: "${network}" needs the package @solana/web3.js: ${toInstall("@solana/web3.js")}`,
    );
  const asset = options.assets?.[network]?.address ?? SOLANA_NETWORKS.get(network)?.asset;
  if (!asset) throw new TypeError(`payment.assets["${network}"] is needed: no USDC is known on that network.`);
  const { rate, decimals = 6, transferMethod } = options.assets?.[network] ?? {};
  if (transferMethod) throw new TypeError(`payment.assets["${network}"].transferMethod: it is for EVM networks alone.`);
  if (rate || decimals !== 6)
    throw new TypeError(`payment.assets["${network}"]: tokens priced by a rate are sold for on EVM networks alone.`);
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
    takesCharges: takesCharges(options),
    feePayer: () => named ?? supported?.account("exact", network),
    acceptsFeePayer: (address) => supported?.accepts("exact", network, address) ?? false,
  });
  if (!rpc || !logger) return rail;
  void warnOfMissingAccount({ owner: payTo, mint: asset, option: "payment.treasury" }, rpc, logger);
  if (refunds) {
    const owner = refunds.publicKey.toBase58();
    void warnOfMissingAccount({ owner, mint: asset, option: "payment.refunds" }, rpc, logger);
  }
  return rail;
}
