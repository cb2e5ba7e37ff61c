import type { Logger } from "../../lib/logger.js";
import type { Micros } from "../../lib/money.js";
import type { PaymentOptions } from "../options.js";
import type { PaymentToSettle } from "../x402/facilitator.js";
import type { Supported } from "../x402/supported.js";
import type { PaymentPayload, PaymentRequirements } from "../x402/wire.js";
import type { ChannelRail } from "./channel.js";
import type { Rpc } from "./rpc.js";

/** A payment that fits our requirements: everything that can be judged without a network. */
export interface CheckedPayment {
  /** What names the money itself, whatever clothes it comes in. One id buys one result. */
  id: string;
  payer: string;
  /** False where only the chain can judge the signature, as with contract wallets. */
  proven: boolean;
  /** Tells apart two messages about the same money when the signature could not be judged here. */
  signatureHash: string;
  /** Epoch seconds between which the payment can be settled, where the payment itself says so. */
  validAfter?: number;
  validBefore?: number;
  /** The payload as facilitators read it, where the caller wrote it otherwise. */
  payload?: Record<string, unknown>;
  /** What else facilitators need, checked: extensions of the protocol that the payer signed something for. */
  extensions?: Record<string, unknown>;
}

/**
 * What the chain shows of a payment. `cancelled` can never be paid: it was taken back, used up otherwise, or has expired
 * unused. `absent` may still appear; `unreadable` means that the host's own node gave no answer, or not the whole one,
 * and `unknown` that there is none whose silence counts.
 */
export type ChainStatus =
  /** `proof` names the one transfer that pays it: no other payment can be paid by the same. */
  | { kind: "paid"; transaction: string; proof: string }
  /** `isOver` where it can land no more, whether it has or not. */
  | { kind: "cancelled" | "absent" | "unreadable" | "unknown"; isOver?: true };

/** Money that goes back to a payer. */
export interface RefundOrder {
  /** What it belongs to: the same order is never paid back twice. */
  order: string;
  to: string;
  amount: Micros;
  /** Epoch seconds. */
  now: number;
}

/** Whoever is to be paid back cannot be paid on chain, now or later. */
export class NotRefundable extends Error {
  override readonly name = "NotRefundable";
}

/** How one network is quoted, checked, looked up and refunded on. */
export interface Rail {
  /** The longest work that a payment here outlives, in milliseconds; longer work is settled before it is done. Default: any. */
  maxWorkMs?: number;
  /** The entry of `accepts` for an amount; undefined while this rail cannot be offered. */
  requirements(amount: Micros, maxTimeoutSeconds: number): PaymentRequirements | undefined;
  /** The id that a payment has whatever was asked for it; undefined for what cannot be read. Asks nobody. */
  identify(payment: PaymentPayload): Promise<string | undefined>;
  /** The requirements that a payment took up, where they may have been offered in another form than now. */
  requirementsTaken?(payment: PaymentPayload, requirements: PaymentRequirements): Promise<PaymentRequirements>;
  /** Checks a payment against our own requirements. Throws PaymentRefused; asks nobody. */
  check(payment: PaymentPayload, requirements: PaymentRequirements): Promise<CheckedPayment>;
  /** Looks a payment up on chain. `told` is the transaction that is said to have it, true or not. Never rejects. */
  lookup(payment: PaymentToSettle, told?: string): Promise<ChainStatus>;
  /** Whether the host named a node of its own: one whose word counts where nothing else is in doubt. */
  ownNode?: boolean;
  /** Whether the chain shows that the payer does not own what is to be settled; false where it cannot be read. Never rejects. */
  lacksFunds?(payment: PaymentToSettle): Promise<boolean>;
  /**
   * Signs a payment in the other direction; absent where the host gave no wallet to pay back from. Rejects with
   * NotRefundable where there is no way to the payer.
   */
  refund?(back: RefundOrder): Promise<PaymentToSettle>;
  /**
   * True where the chain itself would take two refunds of one order. A refund is then kept before it is sent, and none
   * is signed in its place until `lookup` says that it was `cancelled`.
   */
  refundsRepeat?: boolean;
  /** How the same network takes payments of up to an amount; absent where it does not. */
  upto?: Rail;
  /** How it takes payments by channel; absent where it does not. */
  channel?: ChannelRail;
}

/** An entry of the treasury. */
export interface Account {
  network: string;
  payTo: string;
  rpc: Rpc | undefined;
}

export interface RailSources {
  /** What the facilitator supports; without it only accounts that the host names are known. */
  supported?: Omit<Supported, "stop"> | undefined;
  logger?: Logger;
}

/** What a wallet signs to say that it is there: EIP-4361, or what other chains made of it. */
export interface SignInStatement {
  /** Host and port of who asks. */
  domain: string;
  /** What is signed in for, in ASCII. */
  statement: string;
  uri: string;
  version: "1";
  nonce: string;
  /** ISO 8601 with milliseconds. */
  issuedAt: string;
  expirationTime: string;
}

/** Such a statement in the hands of one account. */
export interface SignedStatement extends SignInStatement {
  network: string;
  address: string;
  signature: string;
}

/** How accounts of a network sign in. */
export interface SignIn {
  /** Its name in the extension `sign-in-with-x`. */
  readonly type: "eip191" | "ed25519";
  /**
   * Whether the account itself signed, or, as far as its node can be asked, a contract says that it did. `beforeNode` runs
   * before a node is asked, which costs the host; what it throws is passed on.
   */
  isSigned(statement: SignedStatement, beforeNode: () => Promise<void>): Promise<boolean>;
}

/** Networks of one kind: everything that depends on the kind is said here. */
export interface RailFamily {
  /** Whether a CAIP-2 network is of this kind. */
  matches(network: string): boolean;
  /** Whether a text is an address there. */
  isAddress(text: string): boolean;
  /** The one spelling of an address: those that name the same account have the same. */
  plain(address: string): string;
  /** A public node of a network. It is asked when a settlement's outcome is unclear, and for little else. */
  publicNode(network: string): string | undefined;
  /** By scheme: the member of `extra` in `/supported` that names the facilitator's account, which an offer repeats. */
  readonly facilitatorAccounts: Readonly<Record<string, string>>;
  /** Whether offers on a network depend on what the facilitator says. */
  needsSupported(network: string, options: Pick<PaymentOptions, "feePayers" | "schemes">): boolean;
  /** True where facilitators may say yes to every copy of a payment, so that several instances need a shared store. */
  readonly needsSharedStore: boolean;
  /**
   * How accounts sign in; absent where they cannot. `node` is the host's own: a public one might lie about whose signature
   * counts.
   */
  signIn?(node: Rpc | undefined): SignIn;
  /** The rail of an account. Throws a TypeError that names the option for what could never be paid. */
  create(account: Account, options: PaymentOptions, sources: RailSources): Rail;
}
