/** The EVM rail of the scheme `exact`: the signed amount is settled, by EIP-3009 or through Permit2. */
import { lazy } from "../../../lib/lazy.js";
import { fromMicros } from "../../../lib/money.js";
import type { EvmSigner } from "../../options/evm-signer.js";
import { usdOf } from "../../x402/usd.js";
import { chargeTermsOf, isByAuthorization, type PaymentPayload, type PaymentRequirements } from "../../x402/wire.js";
import { NotRefundable, type Rail } from "../rail.js";
import type { Rate } from "../rates.js";
import type { Rpc } from "../rpc.js";
import { readBalance } from "./chain/chain.js";
import { assertAddress, sameAddress } from "./chain/signature.js";
import { readCharge, readChargePayload } from "./charge-payload.js";
import type { ChargeOptions } from "./charge-terms.js";
import { checkEvmAsset } from "./check-asset.js";
import { eip3009 } from "./eip3009.js";
import { exactPermit2 } from "./exact-permit2.js";
import { cannotPay } from "./permit2.js";
import { REFUND_LIFE_SECONDS, type Token, type TransferMethod } from "./transfer.js";

type MethodName = "eip3009" | "permit2";

/** By their names in `extra.assetTransferMethod`; without one it is EIP-3009. */
const METHODS: Readonly<Record<MethodName, TransferMethod>> = { eip3009, permit2: exactPermit2 };

/** Loaded by the first such payment. */
const charges = lazy(() => import("./charge.js"));
const chargeLookups = lazy(() => import("./charge-lookup.js"));

/** Of the Machine Payments Protocol, by the host's own account. */
const CHARGE: Pick<TransferMethod, "read" | "check" | "lookup" | "lacksFunds"> = {
  read: readCharge,
  check: async (...asked) => (await charges()).checkCharge(...asked),
  lookup: async (...asked) => (await chargeLookups()).findCharge(...asked),
  lacksFunds: cannotPay,
};

export interface EvmRailOptions {
  /** CAIP-2, such as `eip155:8453`. */
  network: string;
  /** The token, with its EIP-712 domain where payments are EIP-3009 authorizations. */
  asset: Token;
  /** Default `"eip3009"`. */
  transferMethod?: MethodName | undefined;
  payTo: string;
  /** Node; without one no payment can be looked up. */
  rpc?: Rpc | undefined;
  /** The wallet that returns unused money: a small float, never the treasury's key. */
  refunds?: EvmSigner | undefined;
  /** Of a token that is not a dollar. */
  rate?: Rate | undefined;
  /** Default 6. */
  decimals?: number | undefined;
  /** The host's own account, if it takes payments of the Machine Payments Protocol through Permit2. */
  charge?: ChargeOptions | undefined;
}

/**
 * The rail of one EVM network: quotes, checks, looks up and refunds payments of the scheme `exact`.
 *
 * @example
 * ```ts
 * const asset = { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", name: "USD Coin", version: "2" };
 * const rail = evmRail({ network: "eip155:8453", asset, payTo: "0x…" });
 * ```
 */
export function evmRail(options: EvmRailOptions): Rail {
  const { network, asset, transferMethod = "eip3009", payTo, rpc, refunds, rate, decimals = 6, charge } = options;
  const method = METHODS[transferMethod];
  /** The form of a payment: one that was made before the host changed its method is of the other. */
  const methodOf = (payload: PaymentPayload["payload"]) => {
    if (readChargePayload(payload)) return CHARGE;
    if (method.read(network, payload)) return method;
    return Object.values(METHODS).find((one) => one.read(network, payload)) ?? method;
  };
  assertAddress(payTo, `payment.treasury["${network}"]`);
  const chainId = Number(network.slice("eip155:".length));
  const requirements = (
    units: bigint,
    maxTimeoutSeconds: number,
    to: string,
    { by = method, token = asset }: { by?: TransferMethod; token?: Token } = {},
  ): PaymentRequirements => ({
    scheme: "exact",
    network,
    amount: units.toString(),
    asset: token.address,
    payTo: to,
    maxTimeoutSeconds,
    extra: by.extra(token),
  });
  /** The token of an offer, by which its refund is signed. */
  function tokenOf(offer: PaymentRequirements | undefined, by: TransferMethod): Token {
    // guard: refunds: in the token that was paid |
    //   !offer?.asset || sameAddress(offer.asset, asset.address) -> offer !== null | handler/refund
    if (!offer?.asset || sameAddress(offer.asset, asset.address)) return asset;
    const address = offer.asset;
    const { name, version } = offer.extra;
    if (typeof name === "string" && typeof version === "string") return { address, name, version };
    if (by === exactPermit2) return { address };
    throw new NotRefundable(`the name and version of ${address}, in which it was paid, are not known any more`);
  }
  return {
    requirements(price, maxTimeoutSeconds) {
      if (!rate) return requirements(price, maxTimeoutSeconds, payTo);
      const units = rate.units(price);
      if (units === undefined) return undefined;
      const offer = requirements(units, maxTimeoutSeconds, payTo);
      return { ...offer, extra: { ...offer.extra, usd: fromMicros(price) } };
    },
    ...(rate ? { ratedAsset: asset.address } : {}),
    ...(charge ? { charge: charge.terms, charges: charge.settler } : {}),
    async requirementsTaken(payment, offered) {
      const isCharge = readChargePayload(payment.payload) !== undefined;
      const taken = rate ? await takenAt(rate, isCharge ? CHARGE : method, { payment, offered }) : offered;
      return isCharge && charge ? charge.terms(taken, offered) : taken;
    },
    identify: async ({ payload }) => methodOf(payload).read(network, payload)?.id,
    check: (payment, offered) =>
      (readChargePayload(payment.payload) ? CHARGE : method).check(payment, offered, { chainId, rpc }),
    ...(rpc
      ? {
          checkAsset: () => checkEvmAsset(rpc, chainId, { ...asset, decimals }),
          owned: (owner) => readBalance(rpc, { owner, token: asset.address }),
        }
      : {}),
    lookup: async (payment) => (rpc ? methodOf(payment.payload).lookup(rpc, payment) : { kind: "unknown" }),
    lacksFunds: async (payment) => rpc !== undefined && methodOf(payment.payload).lacksFunds(rpc, payment),
    ...(refunds
      ? {
          ...(rpc ? { refunds: balanceOf(rpc, refunds.address, { token: asset.address, rate }) } : {}),
          refundBy: (offer) => methodOfOffer(offer) ?? transferMethod,
          // A nonce is used once for each token: in another one, a refund whose answer was lost would be paid again.
          async refund(back) {
            const by = back.by === undefined ? method : METHODS[back.by as MethodName];
            const of = { by, token: tokenOf(back.paid, by) };
            return by.signRefund(refunds, back, requirements(back.amount, REFUND_LIFE_SECONDS, back.to, of), chainId);
          },
        }
      : {}),
  };
}

/** Of other schemes, and of a refund whose payment is forgotten, an offer does not tell. */
function methodOfOffer({ scheme, extra }: PaymentRequirements): MethodName | undefined {
  if (scheme !== "exact" || chargeTermsOf({ extra })) return undefined;
  if (!isByAuthorization({ extra })) return "permit2";
  return extra.name === undefined ? undefined : "eip3009";
}

const balanceOf = (rpc: Rpc, wallet: string, { token, rate }: { token: string; rate: Rate | undefined }) => ({
  wallet,
  async balance() {
    const units = await readBalance(rpc, { owner: wallet, token });
    return rate ? rate.worth(units) : units;
  },
});

/** The offer that a payment accepted, if it was made at a rate of the last hour. */
async function takenAt(
  rate: Rate,
  method: Pick<TransferMethod, "read">,
  { payment, offered }: { payment: PaymentPayload; offered: PaymentRequirements },
): Promise<PaymentRequirements> {
  const value = method.read(offered.network, payment.payload)?.amount;
  const isTaken = value !== undefined && (await rate.isPrice(BigInt(value), usdOf(offered)));
  return isTaken ? { ...offered, amount: value } : offered;
}
