/**
 * Payment channels of one network, in words that say nothing of its kind: a buyer deposits once, signs a voucher a call
 * whose ceiling is cumulative over the channel's life, and what was charged is claimed on chain later, many at once.
 */
import type { Micros } from "../../lib/money.js";
import type { PaymentToSettle } from "../x402/facilitator.js";
import type { PaymentPayload, PaymentRequirements } from "../x402/wire.js";

/** The scheme of x402 that pays by channel. */
export const CHANNEL_SCHEME = "batch-settlement";

/** What a channel is for good; its id is a hash over it. */
export interface ChannelTerms {
  /** Whose name the deposit is in, by nobody's word but the depositor's: anybody may deposit in anybody's name. */
  payer: string;
  /** Who signs its vouchers: the one account that each of them proves. */
  authorizer: string;
  /** In the words of the network, as claims repeat it. */
  config: Record<string, unknown>;
  /** Seconds between a withdrawal's announcement and its payment. */
  withdrawDelay: number;
}

export interface Voucher {
  ceiling: Micros;
  signature: string;
}

/** What a caller sent by way of a channel: bound to our terms and signed by who may sign for it. */
export interface ChannelMessage {
  kind: "voucher" | "deposit" | "refund";
  /** In the one spelling it has here. */
  id: string;
  terms: ChannelTerms;
  voucher: Voucher;
  /** The payer itself signed a deposit into this very channel, and so named who signs its vouchers. */
  delegated?: boolean;
  /** Of a deposit. */
  deposit?: { amount: Micros; payload: Record<string, unknown> };
  /** Of a refund: how much, where not everything. */
  amount?: string;
}

/** What the chain says of a channel. */
export interface ChannelState {
  balance: Micros;
  claimed: Micros;
  refundNonce: bigint;
  /** The payer's announced withdrawal; `at` in epoch seconds. */
  withdrawal?: { amount: Micros; at: number };
}

/** The block that was read. */
export interface ChannelHead {
  number: number;
  /** Epoch seconds. */
  time: number;
  /** The number of the newest block that the chain does not take back. */
  final: number;
}

export interface ClaimRow {
  id: string;
  config: Record<string, unknown>;
  voucher: Voucher;
  /** The new total to be claimed, at most the voucher's ceiling. */
  total: Micros;
}

export interface RefundPlan {
  id: string;
  config: Record<string, unknown>;
  payer: string;
  /** Equal to what was charged. */
  voucher: Voucher;
  amount: Micros;
  nonce: bigint;
  /** Whether what the voucher covers is to be claimed along. */
  claims: boolean;
}

/** How the channels of one network, treasury and token work. */
export interface ChannelRail {
  readonly network: string;
  /** Stands for the treasury and its token: hosts of others may share the store. */
  readonly accountId: string;
  /** Seconds: of all its channels, also of those opened under earlier terms. */
  readonly longestDelay: number;
  /** The smallest deposit that calls are sold on. */
  readonly minDeposit: Micros;
  /** The entry of `accepts`; undefined while the facilitator does not list the scheme here. */
  requirements(amount: Micros, maxTimeoutSeconds: number): PaymentRequirements | undefined;
  /**
   * What a payment says, asked of nobody but the contract that a deposit names as its payer. Throws PaymentRefused, before
   * the signature for what can be told without.
   */
  read(payment: PaymentPayload): Promise<ChannelMessage>;
  /** Those of one name are claimed together; undefined for channels that are not with us, which others claim. */
  batchOf(terms: ChannelTerms): string | undefined;
  /** What the chain says of channels, in their order. Rejects where the node gives no answer. */
  states(ids: string[]): Promise<ChannelState[]>;
  /** The same as of one block. */
  asOfBlock(ids: string[]): Promise<{ states: ChannelState[]; head: ChannelHead }>;
  /** What our account has been credited by claims, and what of it was paid out. */
  account(): Promise<{ claimed: Micros; swept: Micros }>;
  /** Channels with us that the chain knows, as far back as its node tells. */
  opened(): AsyncIterable<{ id: string; terms: ChannelTerms }>;
  /** What the facilitator is sent. */
  toDeposit(message: ChannelMessage): PaymentToSettle;
  /** Of one batch. */
  toClaim(rows: ClaimRow[]): Promise<PaymentToSettle>;
  toSweep(): PaymentToSettle;
  toRefund(plan: RefundPlan): Promise<PaymentToSettle>;
}
