/** The terms by which the host's own account takes payments of the Machine Payments Protocol, through Permit2. */
import { lazy } from "../../../lib/lazy.js";
import type { Logger } from "../../../lib/logger.js";
import { isInstalled, toInstall } from "../../../lib/packages/installed.js";
import type { EvmSender } from "../../options/evm-signer.js";
import type { PaymentOptions } from "../../options/options.js";
import { receiverOf, splitOf, WHOLE } from "../../options/treasury.js";
import { isMaximum } from "../../x402/maximum.js";
import type { ChargeTerms, PaymentRequirements } from "../../x402/wire.js";
import type { Account, RailSources } from "../rail.js";
import type { Rpc } from "../rpc.js";
import { readCoins } from "./chain/chain.js";
import { isEvmAddress, sameAddress } from "./chain/signature.js";
import type { ChargeSettler } from "./charge-settler.js";

/** As many as the protocol has. */
const MOST_SPLITS = 10;

export interface ChargeOptions {
  /** `from` is the offer that it was made of, at another rate. */
  terms(offer: PaymentRequirements, from?: PaymentRequirements): PaymentRequirements;
  settler: ChargeSettler;
}

/** Undefined where the host has no account for it. Throws a TypeError that names the option. */
export function chargeOptionsOf(
  { network, rpc }: Pick<Account, "network" | "rpc">,
  { mpp, treasury }: PaymentOptions,
  { logger }: RailSources,
): ChargeOptions | undefined {
  const account = mpp ? mpp.permit2?.[network] : undefined;
  if (!account) return undefined;
  const option = `payment.mpp.permit2["${network}"]`;
  if (!isEvmAddress(account.address))
    throw new TypeError(`${option}.address must be an address: 0x and 40 hex digits.`);
  const payee = receiverOf(treasury[network]);
  if (payee !== undefined && sameAddress(payee, account.address))
    throw new TypeError(
      `${option} must not be the treasury: a key that sends transactions is not one that keeps money.`,
    );
  if (!rpc)
    throw new TypeError(`${option} needs a node to send transactions to: name one in payment.rpc["${network}"].`);
  if (!isInstalled("viem")) throw new TypeError(`${option} needs the package viem: ${toInstall("viem")}`);
  const chainId = Number(network.slice("eip155:".length));
  return {
    terms: termsFor(account.address, splitOf(treasury[network])?.slice(1) ?? []),
    settler: settlerOf(account, { rpc, chainId, ...(logger ? { logger } : {}) }),
  };
}

/** Loaded by the first such payment. */
function settlerOf(
  account: EvmSender,
  { rpc, chainId, logger }: { rpc: Rpc; chainId: number; logger?: Logger },
): ChargeSettler {
  const opened = lazy(async () => {
    const [{ createSender }, { createChargeSettler }] = await Promise.all([
      import("./chain/sender.js"),
      import("./charge-settler.js"),
    ]);
    return createChargeSettler({ sender: createSender(account, { rpc, chainId }), rpc, ...(logger ? { logger } : {}) });
  });
  return {
    wallet: account.address,
    gas: () => readCoins(rpc, account.address),
    verify: async (payment) => (await opened()).verify(payment),
    settle: async (payment) => (await opened()).settle(payment),
  };
}

/** Each offer gives the same terms again, so that they are encoded once. */
function termsFor(spender: string, others: readonly (readonly [string, number])[]): ChargeOptions["terms"] {
  const known = new WeakMap<PaymentRequirements, PaymentRequirements>();
  return (offer, from = offer) => {
    // Of a maximum the others would get parts of what goes back.
    // guard: mpp permits: a maximum is not paid in parts | isMaximum(from) -> false | mpp-permit2
    const charge = isMaximum(from) ? { spender } : termsOf(offer, spender, others);
    const made = known.get(offer) ?? { ...offer, extra: { ...offer.extra, charge } };
    known.set(offer, made);
    return made;
  };
}

/** Rounded down: the payee gets what is left, and the ledger what it owes of that. */
function termsOf(
  { amount }: PaymentRequirements,
  spender: string,
  others: readonly (readonly [string, number])[],
): ChargeTerms {
  const parts = others.map(([recipient, share]) => ({
    amount: String((BigInt(amount) * BigInt(share)) / BigInt(WHOLE)),
    recipient,
  }));
  const splits = parts.filter((part) => part.amount !== "0");
  return splits.length > 0 && splits.length <= MOST_SPLITS ? { spender, splits } : { spender };
}
