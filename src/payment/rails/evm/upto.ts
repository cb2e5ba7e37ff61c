/**
 * The `upto` scheme on EVM networks: the payer permits Permit2 to take up to a maximum, only for our account and only
 * through one facilitator, and the used amount is settled.
 */
import { z } from "zod";
import { lazy } from "../../../lib/lazy.js";
import type { PaymentRequirements } from "../../x402/wire.js";
import type { Rail } from "../rail.js";
import type { Rpc } from "../rpc.js";
import { lacksFunds } from "./chain/chain.js";
import { UPTO_PROXY } from "./chain/permit2-contracts.js";
import { sameAddress } from "./chain/signature.js";
import { exactPermit2 } from "./exact-permit2.js";
import { checkPermit, type Permit, permitMismatch, readPermit } from "./permit2.js";
import type { Token } from "./transfer.js";

/** Loaded by the first settlement whose outcome is unclear. */
const lookups = lazy(() => import("./chain/permit2-lookup.js"));

export interface UptoRailOptions {
  /** CAIP-2, such as `eip155:8453`. */
  network: string;
  /** The token, with the EIP-712 domain of its own permit if it has one. */
  asset: Token;
  payTo: string;
  /** The facilitator's account that an offer names; undefined while none is listed. */
  facilitator: () => string | undefined;
  /** Whether offers that name this account are still accepted. */
  acceptsFacilitator: (address: string) => boolean;
  /** Node; without one no payment can be looked up. */
  rpc?: Rpc | undefined;
}

/**
 * The rail of one EVM network for the scheme `upto`, which settles the used part of a maximum.
 *
 * @example
 * ```ts
 * const asset = { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", name: "USD Coin", version: "2" };
 * const facilitator = () => supported.account("upto", "eip155:8453");
 * const acceptsFacilitator = (address: string) => supported.accepts("upto", "eip155:8453", address);
 * const rail = uptoRail({ network: "eip155:8453", asset, payTo: "0x…", facilitator, acceptsFacilitator });
 * ```
 */
export function uptoRail({ network, asset, payTo, facilitator, acceptsFacilitator, rpc }: UptoRailOptions): Rail {
  const chainId = Number(network.slice("eip155:".length));
  return {
    requirements(amount, maxTimeoutSeconds) {
      const facilitatorAddress = facilitator();
      if (facilitatorAddress === undefined) return undefined;
      const extra = { ...exactPermit2.extra(asset), facilitatorAddress };
      const requirements = {
        network,
        amount: amount.toString(),
        asset: asset.address,
        payTo,
        maxTimeoutSeconds,
        extra,
      };
      return { scheme: "upto", ...requirements };
    },
    async requirementsTaken({ accepted }, requirements) {
      const extra = z.object({ facilitatorAddress: z.string() }).safeParse(accepted?.extra);
      if (!extra.success || !acceptsFacilitator(extra.data.facilitatorAddress)) return requirements;
      return { ...requirements, extra: { ...requirements.extra, ...extra.data } };
    },
    identify: async ({ payload }) => readPermit(network, payload)?.id,
    check: (payment, requirements) =>
      checkPermit(payment, requirements, { chainId, rpc, proxy: UPTO_PROXY, assertWitness }),
    lookup: async (payment) => (rpc ? (await lookups()).findPermit(rpc, payment) : { kind: "unknown" }),
    lacksFunds: async (payment) => rpc !== undefined && lacksFunds(rpc, payment),
  };
}

function assertWitness({ facilitator }: Permit["witness"], { extra }: PaymentRequirements): void {
  if (facilitator === undefined || !sameAddress(facilitator, String(extra.facilitatorAddress)))
    throw permitMismatch("names another facilitator than the one offered");
}
