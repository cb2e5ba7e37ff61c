/**
 * Payment channels of one network, independent of its family: a buyer deposits once and signs a voucher for each call.
 * A voucher's ceiling is cumulative over the channel's life. Charges are claimed on chain later, many at once.
 */
import type { Micros } from "../../lib/money.js";
import type { PaymentToSettle } from "../x402/facilitator.js";
import type { PaymentPayload, PaymentRequirements } from "../x402/wire.js";

/** The scheme of x402 that pays by channel. */
export const CHANNEL_SCHEME = "batch-settlement";

/** Fixed terms of a channel; its id is a hash of them. */
export interface ChannelTerms {
  /** Owner of the deposit, as the depositor named it: anybody may deposit in another's name. */
  payer: string;
  /** Signer of the vouchers: the only account that each of them proves. */
  authorizer: string;
  /** Configuration in the network's format, as claims repeat it. */
  config: Record<string, unknown>;
  /** Seconds between a withdrawal's announcement and its payment. */
  withdrawDelay: number;
}

export interface Voucher {
  ceiling: Micros;
  signature: string;
}

/** A caller's message by channel: matched with our terms, and signed by an authorized account. */
export interface ChannelMessage {
  kind: "voucher" | "deposit" | "refund";
  /** Canonical form. */
  id: string;
  terms: ChannelTerms;
  voucher: Voucher;
  /** True if the payer itself signed a deposit into this channel, and so named the signer of its vouchers. */
  delegated?: boolean;
  /** Present for a deposit. `extensions` are the protocol's that its payer signed. */
  deposit?: { amount: Micros; payload: Record<string, unknown>; extensions?: Record<string, unknown> };
  /** Amount of a refund, if it is not everything. */
  amount?: string;
}

/** State of a channel on chain. */
export interface ChannelState {
  balance: Micros;
  claimed: Micros;
  refundNonce: bigint;
  /** The payer's announced withdrawal; `at` in epoch seconds. */
  withdrawal?: { amount: Micros; at: number };
}

/** The block of a reading. */
export interface ChannelHead {
  number: number;
  /** Epoch seconds. */
  time: number;
  /** Number of the newest block that cannot be reversed. */
  final: number;
}

export interface ClaimRow {
  id: string;
  config: Record<string, unknown>;
  voucher: Voucher;
  /** The new total to claim, at most the voucher's ceiling. */
  total: Micros;
}

export interface RefundPlan {
  id: string;
  config: Record<string, unknown>;
  payer: string;
  /** Its ceiling equals the charged total. */
  voucher: Voucher;
  amount: Micros;
  nonce: bigint;
  /** Whether to claim the voucher's charges in the same transaction. */
  claims: boolean;
}

/** Channels of one network, treasury and token. */
export interface ChannelRail {
  readonly network: string;
  /** Identifies treasury and token, since hosts with others may share the store. */
  readonly accountId: string;
  /** Longest withdrawal delay in seconds, also of channels opened under earlier terms. */
  readonly longestDelay: number;
  /** The wallet that signs claims. */
  readonly signer: string;
  /** Its balance of its network's own coin, in wei. Rejects if the node does not answer. */
  signerGas(): Promise<bigint>;
  /** The smallest deposit that calls are sold on. */
  readonly minDeposit: Micros;
  /** The entry of `accepts`; undefined while the facilitator does not list the scheme here. */
  requirements(amount: Micros, maxTimeoutSeconds: number): PaymentRequirements | undefined;
  /**
   * Reads and checks a payment without a network request, except to the contract that a deposit names as its payer.
   * Throws PaymentRefused; checks that need no signature come first.
   */
  read(payment: PaymentPayload): Promise<ChannelMessage>;
  /** Channels with the same batch name are claimed together; undefined for channels of other hosts. */
  batchOf(terms: ChannelTerms): string | undefined;
  /** Chain states of channels, in their order. Rejects if the node does not answer. */
  states(ids: string[]): Promise<ChannelState[]>;
  /** The same as of one block. */
  asOfBlock(ids: string[]): Promise<{ states: ChannelState[]; head: ChannelHead }>;
  /** Totals of our account: credited by claims, and paid out. */
  account(): Promise<{ claimed: Micros; swept: Micros }>;
  /** Our channels on chain, as far back as the node knows. */
  opened(): AsyncIterable<{ id: string; terms: ChannelTerms }>;
  /** The facilitator's request for a deposit. */
  toDeposit(message: ChannelMessage): PaymentToSettle;
  /** The facilitator's request for the claims of one batch. */
  toClaim(rows: ClaimRow[]): Promise<PaymentToSettle>;
  toSweep(): PaymentToSettle;
  toRefund(plan: RefundPlan): Promise<PaymentToSettle>;
}
