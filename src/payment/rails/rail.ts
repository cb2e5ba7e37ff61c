import type { Logger } from "../../lib/logger.js";
import type { Micros } from "../../lib/money.js";
import type { PaymentOptions } from "../options/options.js";
import type { FacilitatorClient, PaymentToSettle } from "../x402/facilitator.js";
import type { Supported } from "../x402/supported.js";
import type { PaymentPayload, PaymentRequirements } from "../x402/wire.js";
import type { ChannelRail } from "./channel.js";
import type { Rates } from "./rates.js";
import type { Rpc } from "./rpc.js";

/** A payment that meets our requirements, as far as this can be checked without a network. */
export interface CheckedPayment {
  /** Id of the money itself, equal for all encodings of the payment. One id buys one result. */
  id: string;
  payer: string;
  /** False if only the chain can verify the signature, as for contract wallets. */
  proven: boolean;
  /** Distinguishes two messages about the same money if the signature could not be verified here. */
  signatureHash: string;
  /** Epoch seconds between which the payment can be settled, if the payment contains them. */
  validAfter?: number;
  validBefore?: number;
  /** The payload in the facilitators' format, if the caller used another. */
  payload?: Record<string, unknown>;
  /** Checked extensions of the protocol that the payer signed, for the facilitator. */
  extensions?: Record<string, unknown>;
}

/**
 * State of a payment on chain. `cancelled` can never be paid: it was revoked, used otherwise, or has expired. `absent`
 * may still appear; `unreadable` means that the host's own node did not answer in full, `unknown` that the host has no
 * node whose answer is required.
 */
export type ChainStatus =
  /** `proof` names the one transfer that pays it: no other payment can be paid by the same. */
  | { kind: "paid"; transaction: string; proof: string }
  /** `isOver` if it can no longer be included, whether it was or not. */
  | { kind: "cancelled" | "absent" | "unreadable" | "unknown"; isOver?: true };

/** A refund to a payer. */
export interface RefundOrder {
  /** The refunded order: one order is refunded once. */
  order: string;
  to: string;
  /** Atomic units of the token. */
  amount: bigint;
  /** Epoch seconds. */
  now: number;
  /** One of the ways that `refundBy` names; default is the host's present one. */
  by?: string | undefined;
  /** The offer that was paid: its token is given back, whichever the host takes meanwhile. Default: the host's token. */
  paid?: PaymentRequirements;
}

/** The payer cannot receive a refund on chain. */
export class NotRefundable extends Error {
  override readonly name = "NotRefundable";
}

/** A recent block, and what else of the chain a transaction is made of. */
export interface RecentBlock {
  /** In base58. A transaction that names it can be included for about a minute. */
  recentBlockhash: string;
  /** The last block that can include it, in decimal. */
  lastValidBlockHeight: string;
  /** The program that the token belongs to. */
  tokenProgram: string;
}

/** Payments of one network: quotes, checks, lookups and refunds. */
export interface Rail {
  /**
   * The same offer as buyers of the Machine Payments Protocol pay it in a way that the host turned on; absent without one. One
   * offer always gives the same.
   */
  charge?(offer: PaymentRequirements): PaymentRequirements;
  /** The host's own account, if it verifies and settles such payments instead of the facilitator; its `gas` is in wei. */
  charges?: Pick<FacilitatorClient, "verify" | "settle"> & { wallet: string; gas(): Promise<bigint> };
  /** The longest work in milliseconds that a payment outlives; longer work is settled first. Default: any. */
  maxWorkMs?: number;
  /** The entry of `accepts` for an amount; undefined while this rail cannot be offered. */
  requirements(amount: Micros, maxTimeoutSeconds: number): PaymentRequirements | undefined;
  /** The id of a payment, whatever was asked for it; undefined if unreadable. Sends no request. */
  identify(payment: PaymentPayload): Promise<string | undefined>;
  /** The requirements that a payment accepted, if they were offered in a different form. */
  requirementsTaken?(payment: PaymentPayload, requirements: PaymentRequirements): Promise<PaymentRequirements>;
  /** Checks a payment against our own requirements. Throws PaymentRefused; sends no request. */
  check(payment: PaymentPayload, requirements: PaymentRequirements): Promise<CheckedPayment>;
  /**
   * Looks up a payment on chain. `told` is the transaction that the facilitator named, right or wrong. Never rejects.
   */
  lookup(payment: PaymentToSettle, told?: string): Promise<ChainStatus>;
  /**
   * The problem of the network's token, as its node says, or of the node; undefined if there is none. Rejects if the
   * node does not answer.
   */
  checkAsset?(): Promise<string | undefined>;
  /** Whether the host named its own node, whose answer is required for doubtful payments. */
  ownNode?: boolean;
  /**
   * Whether the chain shows that the payer owns less than the amount to settle; false if it cannot be read. Never
   * rejects.
   */
  lacksFunds?(payment: PaymentToSettle): Promise<boolean>;
  /**
   * The block that a payer names to sign; absent without a node, and where none is named. Rejects with a CapabilityError
   * while it cannot be read, or nobody can be paid.
   */
  recentBlock?(): Promise<RecentBlock>;
  /** Balance of an account in the token, in atomic units; absent without a node. Rejects if it cannot be read. */
  owned?(payer: string): Promise<bigint>;
  /**
   * Signs a refund; absent if the host has no refund wallet. Rejects with NotRefundable if the payer cannot be paid.
   */
  refund?(back: RefundOrder): Promise<PaymentToSettle>;
  /**
   * The way to give back what was paid by an offer, where there are several. Each has nonces of its own, so a refund keeps
   * the way of its first attempt, whatever the host chooses meanwhile.
   */
  refundBy?(offer: PaymentRequirements): string;
  /** The wallet of `refund`, and what it has, as its node says; absent without either. */
  refunds?: { wallet: string; balance(): Promise<Micros> };
  /**
   * True if the chain would accept two refunds of one order. A refund is then stored before it is sent, and replaced
   * only after `lookup` found it `cancelled`.
   */
  refundsRepeat?: boolean;
  /** The token that the host takes, if it is priced by a rate. */
  ratedAsset?: string;
  /** Payments up to an amount on the same network; absent if it has none. */
  upto?: Rail;
  /** Payments by channel; absent if it has none. */
  channel?: ChannelRail;
}

/** An entry of the treasury. */
export interface Account {
  network: string;
  payTo: string;
  rpc: Rpc | undefined;
}

export interface RailSources {
  /** Rates of tokens that are not dollars; without them none is sold for. */
  rates?: Rates | undefined;
  /** The facilitator's supported kinds; without them only accounts named by the host are known. */
  supported?: Omit<Supported, "stop"> | undefined;
  logger?: Logger;
}

/** The statement that a wallet signs to prove its presence: EIP-4361, or its equivalent on other chains. */
export interface SignInStatement {
  /** Host and port of the service. */
  domain: string;
  /** Purpose of the sign-in, in ASCII. */
  statement: string;
  uri: string;
  version: "1";
  nonce: string;
  /** ISO 8601 with milliseconds. */
  issuedAt: string;
  expirationTime: string;
}

/** A statement signed by one account. */
export interface SignedStatement extends SignInStatement {
  network: string;
  address: string;
  signature: string;
}

/** Sign-in of a network's accounts. */
export interface SignIn {
  /** Its name in the extension `sign-in-with-x`. */
  readonly type: "eip191" | "ed25519";
  /**
   * Whether the account itself signed, or, according to the node, its contract confirms the signature. `beforeNode`
   * runs before a request to the node, which costs the host; its error is passed on.
   */
  isSigned(statement: SignedStatement, beforeNode: () => Promise<void>): Promise<boolean>;
}

/** Networks of one kind: everything that depends on the kind is defined here. */
export interface RailFamily {
  /** Whether a CAIP-2 network is of this kind. */
  matches(network: string): boolean;
  /** Whether a text is an address of this kind. */
  isAddress(text: string): boolean;
  /** The error in an account that a host names, as the end of a sentence; undefined if it can be paid. */
  flawOf(account: string): string | undefined;
  /** The canonical form of an address, equal for all its notations. */
  plain(address: string): string;
  /** A public node of a network, used mainly when the outcome of a settlement is unclear. */
  publicNode(network: string): string | undefined;
  /** By scheme: the field of `extra` in `/supported` that names the facilitator's account, which an offer repeats. */
  readonly facilitatorAccounts: Readonly<Record<string, string>>;
  /** Whether offers on a network depend on the facilitator's answer. */
  needsSupported(network: string, options: Pick<PaymentOptions, "feePayers" | "schemes" | "assets">): boolean;
  /** True if facilitators may confirm every copy of a payment, so that several instances need a shared store. */
  readonly needsSharedStore: boolean;
  /** Sign-in of accounts; absent if they cannot. `node` is the host's own: a public one could lie about a signature. */
  signIn?(node: Rpc | undefined): SignIn;
  /** The rail of an account. Throws a TypeError that names the option if the account could never be paid. */
  create(account: Account, options: PaymentOptions, sources: RailSources): Rail;
}
