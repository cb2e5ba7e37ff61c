/** An order and the credentials that pay for it, independent of the transport: a call over HTTP, or a tool's. */
import type { AnyCapability, Parsed } from "../../capability/types.js";
import type { WalletCall } from "../../capability/wallets.js";
import type { CapabilityError } from "../../errors.js";
import { least, type Micros } from "../../lib/money.js";
import type { Payer } from "../../lib/threads/payer.js";
import type { StreamParts } from "../channels/vouchers/purchase.js";
import type { AccountCaller, PaidByGrant } from "../options/accounts.js";
import type { Prices } from "../pricing/pricing.js";
import type { Bill } from "../pricing/usage.js";
import type { Credit } from "../refund/credit.js";
import type { Delivery } from "../settlement/lease.js";
import type { PaymentRefused } from "../x402/refusal.js";
import type { PaymentPayload, PaymentRequirements } from "../x402/wire.js";

/** How long the reader of a stream may keep it waiting in all, in milliseconds. */
export const READER_MS = 30_000;

/** The longest time from an order's start to its settlement, in milliseconds. */
export const workMsOf = ({ capability, streamed }: Pick<Order, "capability" | "streamed">): number =>
  capability.timeoutMs + (streamed ? READER_MS : 0);

/** A validated request and its price. */
export interface Order extends Parsed {
  capability: AnyCapability;
  /** The quoted price, before credit. */
  amount: Micros;
  /** Whether that is a maximum, of which the usage is charged. */
  byUsage: boolean;
  /** The prices by which it was quoted, and by which its work quotes. */
  prices: Prices;
  requestId: string;
  /** The resource of the payment, in the terms of x402. */
  resourceUrl: string;
  /** The seller's name as callers know it. */
  realm: string;
  /** The address whose free trials it may use; callers without an address share one. */
  clientAddress?: string | undefined;
  /** The key directory of the agent that signed the request. */
  agent?: string | undefined;
  /** The caller's country, if the host knows it. */
  country?: string | undefined;
  /** True if a service placed it for its caller, such as a tool's call. */
  service: boolean;
  /** The wallet that the host's own login names; used only for free calls. */
  wallet?: WalletCall | undefined;
  /** True if its answer leaves as a stream, of which a reader has parts before it ends. */
  streamed: boolean;
  /** True if its caller may have left: the work may be done again later, but not the payment. */
  asJob: boolean;
  /** The buyer's idempotency key, the same for every payment of this purchase. */
  idempotencyKey?: string | undefined;
  /** Aborted when the buyer leaves. */
  signal?: AbortSignal | undefined;
  /** The other endpoint of this service that a URL names; undefined for the order's own, and for foreign URLs. */
  otherEndpoint(url: string): string | undefined;
  /**
   * The account that signed in with the payment, as CAIP-10; undefined without a sign-in. Rejects with PaymentRefused.
   */
  signedIn(): Promise<string | undefined>;
  /** Reports the payer as soon as it is known, even if the payment fails later. */
  onPayer(payer: { payer: string; network?: string; account?: string }): void;
  /** Throws SPENDING_LIMIT if the caller accepts only a lower price than the order's, or than another one. */
  assertWithinLimit(amount?: Micros): void;
  /** Adds headers to the answer, whatever it is, or only to one below 400. */
  addHeaders(headers: Record<string, string>, options?: { unlessError?: boolean }): void;
}

/** The caller's credentials: a free trial, a payment, credit, an account, several of them or none. */
export interface Credentials {
  trial: boolean;
  /** The bearer token of credit from an earlier call. */
  creditToken?: string;
  payment?: PaymentPayload;
  /** The account that pays where nothing else does. */
  account?: AccountCaller;
  /**
   * A wallet's proof of sign-in instead of a payment; used only for operations that allow it, without a payment or
   * trial.
   */
  signIn?: string;
  /** The token of an edge that has taken the payment. */
  edge?: EdgeToken;
  /** The refusal of an unreadable payment, thrown only after the input was checked. */
  refused?: PaymentRefused;
}

/** The token of an edge, and the public address that was asked for. */
export interface EdgeToken {
  token: string;
  url: string;
}

/** The terms of an order, fixed when it is quoted. */
export type Terms = Pick<Order, "amount" | "byUsage">;

/** The rest of an order's price after the caller's credit. */
export interface Due {
  payable: Micros;
  credit?: Credit;
}

/** The right to an order's work. */
export interface Grant {
  caller: "trial" | "paid" | "account" | "free";
  /** The account that is charged. */
  account?: string;
  /** The part of the price that the account's free allowances pay, before its balance does. */
  allowance?: Micros;
  /** The grants of the account that pay for a charge. */
  paidBy?(charge: Micros): PaidByGrant[];
  /** The wallet that signed for it; undefined for the bearer of a credit token. */
  wallet?: WalletCall | undefined;
  trial?: { remaining: number; resetAt: string };
  /** Absent if its answer is not kept, or cannot be found by itself. */
  reply?: ReplyPlace;
  /** Set for an order that an earlier attempt began: its terms, which hold whatever the price is now. */
  terms?: Terms;
  /** By whom threads take turns; unset for a call that is given away. */
  payer?: Payer;
  /** True if nothing is charged for an answer that is an error, though parts of it may be sold otherwise. */
  unpaidIfFailed?: boolean;
  /** True if the whole price is taken of a stream whose first chunk left, however far it comes. */
  indivisible?: boolean;
  /** True if an interrupted call may have done the work, so nothing is prepared again. */
  done?: boolean;
  /** Settles the payment before the work, or before a stream's first chunk leaves. Rejects if it cannot be settled. */
  prepay?(): Promise<Paid | undefined>;
  /** Present for a stream that is paid in parts. */
  parts?: StreamParts;
  /**
   * Saves the charge for what was sent of a stream, which is settled if this process ends before the stream, and the
   * answer for its buyer then. Absent if a crash loses nothing, or nothing can be done about it.
   */
  advance?(charge: Micros, outcome: string): Promise<void>;
  /**
   * Settles the payment of a finished result; undefined if nothing is due. Rejects if it cannot be settled. `outcome`
   * returns the result as text, so that another call can deliver it.
   */
  settle(outcome: () => string, bill: Bill): Promise<Paid | undefined>;
  /** Ends a failed call: releases the reservation, and returns a payment that was settled before. */
  release(failure: CapabilityError): Promise<Paid | undefined>;
}

/** Where the answer of an order is kept once it is charged. */
export interface ReplyPlace {
  kept: "payment" | "account";
  key: string;
}

/** How a delivered result was paid. */
export interface Paid {
  requirements: PaymentRequirements;
  delivery: Pick<Delivery, "receipt" | "refund">;
  /** Version of x402 that the caller used. */
  version: 1 | 2;
}

/** The answer that the same payment bought before: delivered again, not made again. */
export interface Replay {
  delivery: Delivery;
  /** Absent for an answer that an account bought. */
  paid?: Paid;
}

/** The part of a charge that the caller pays: a free allowance pays first. */
export const costOf = (grant: Pick<Grant, "caller" | "allowance">, charge: Micros): Micros =>
  isCharged(grant) ? charge - least(charge, grant.allowance ?? 0n) : 0n;

/** Whether an answer under a grant has a price. */
export const isCharged = ({ caller }: Pick<Grant, "caller">): boolean => caller === "paid" || caller === "account";

export const freeGrant = ({ wallet }: Order): Grant => ({
  caller: "free",
  wallet,
  settle: async () => undefined,
  release: async () => undefined,
});
