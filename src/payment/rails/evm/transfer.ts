/** How a payer's signature moves a token: by EIP-3009, which the token itself reads, or by Permit2, for any ERC-20. */
import type { EvmSigner } from "../../options/evm-signer.js";
import type { PaymentToSettle } from "../../x402/facilitator.js";
import type { PaymentPayload, PaymentRequirements } from "../../x402/wire.js";
import type { ChainStatus, CheckedPayment, RefundOrder } from "../rail.js";
import type { Rpc } from "../rpc.js";

/** A token as offers name it: EIP-3009 and EIP-2612 need its EIP-712 domain. */
export interface Token {
  address: string;
  name?: string | undefined;
  version?: string | undefined;
}

export interface EvmChain {
  chainId: number;
  /** Node that tells contracts from plain accounts. */
  rpc?: Rpc | undefined;
}

/** Lifetime of a signed refund; a later one is signed anew, with the same nonce. */
export const REFUND_LIFE_SECONDS = 120;

export interface TransferMethod {
  /** The `extra` of an offer. */
  extra(token: Token): Record<string, string>;
  /** Id and amount of a payment in this form; undefined for any other. */
  read(network: string, payload: PaymentPayload["payload"]): { id: string; amount: string } | undefined;
  /** Throws PaymentRefused. */
  check(payment: PaymentPayload, requirements: PaymentRequirements, chain: EvmChain): Promise<CheckedPayment>;
  lookup(rpc: Rpc, payment: PaymentToSettle): Promise<ChainStatus>;
  lacksFunds(rpc: Rpc, payment: PaymentToSettle): Promise<boolean>;
  /** A refund whose nonce follows from its order, so the chain accepts it once. */
  signRefund(
    signer: EvmSigner,
    back: RefundOrder,
    requirements: PaymentRequirements,
    chainId: number,
  ): Promise<PaymentToSettle>;
}
