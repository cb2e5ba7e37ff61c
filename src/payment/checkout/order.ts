/** What is bought and what is brought to pay for it, whatever either came by: a call over HTTP, or a tool's. */
import type { AnyCapability, Parsed, WalletCall } from "../../capability/types.js";
import type { CapabilityError } from "../../errors.js";
import type { Micros } from "../../lib/money.js";
import type { Bill } from "../pricing/usage.js";
import type { Credit } from "../refund/credit.js";
import type { Delivery } from "../settlement/lease.js";
import type { PaymentRefused } from "../x402/refusal.js";
import type { PaymentPayload, PaymentRequirements } from "../x402/wire.js";

/** A validated request and its price. */
export interface Order extends Parsed {
  capability: AnyCapability;
  /** What it is quoted at, whatever pays for it. */
  amount: Micros;
  requestId: string;
  /** What is paid for, in the words of the protocol. */
  resourceUrl: string;
  /** Who is paid, by the name that callers know. */
  realm: string;
  /** Whose trial it may use; callers without an address share one. */
  clientAddress?: string | undefined;
  /** Whose call it is by the word of the host's own login; counts only where nobody pays. */
  wallet?: WalletCall | undefined;
  /** The buyer's own name for the purchase, the same however often it is paid for. */
  idempotencyKey?: string | undefined;
  /** Aborted when the buyer leaves. */
  signal?: AbortSignal | undefined;
  /** The other endpoint of ours that a URL names; undefined for the order's own, and for URLs that are none of ours. */
  otherEndpoint(url: string): string | undefined;
  /** The account that signed in beside its payment, as CAIP-10; undefined where none did. Rejects with PaymentRefused. */
  signedIn(): Promise<string | undefined>;
  /** Told who pays as soon as that is known, also where the payment then fails. */
  onPayer(payer: { payer: string; network?: string }): void;
}

/** What the caller brings: a claim to its free trial, a payment, credit, some of them or none. */
export interface Credentials {
  trial: boolean;
  /** The bearer token of credit from an earlier call. */
  creditToken?: string;
  payment?: PaymentPayload;
  /** How a wallet proves to be there instead of paying; counts only where it is taken, and beside no payment and no trial. */
  signIn?: string;
  /** A payment that cannot be read counts as no valid payment, but only after the input was judged. */
  refused?: PaymentRefused;
}

/** What is left to pay of an order once the caller's credit is used up. */
export interface Due {
  payable: Micros;
  credit?: Credit;
}

/** The right to an order's work. */
export interface Grant {
  caller: "trial" | "paid" | "free";
  /** Who signed for it; the bearer of a credit token is nobody. */
  wallet?: WalletCall | undefined;
  trial?: { remaining: number; resetAt: string };
  /** The work may be done, by a call that broke off: there is nothing to prepare. */
  done?: boolean;
  /** Takes the money of what is paid for before its work. Rejects if it cannot be had. */
  prepay?(): Promise<void>;
  /**
   * Takes the money for a finished result; undefined where none is due. Rejects if it cannot be had. `outcome` gives
   * the result as text, for whoever delivers it in this call's place.
   */
  settle(outcome: () => string, bill: Bill): Promise<Paid | undefined>;
  /** The work failed: whatever was reserved is free again, and what was settled before goes back. */
  release(failure: CapabilityError): Promise<Paid | undefined>;
}

/** How a delivered result was paid. */
export interface Paid {
  requirements: PaymentRequirements;
  delivery: Pick<Delivery, "receipt" | "refund">;
  /** Of the protocol, as the caller spoke it. */
  version: 1 | 2;
}

/** What was bought earlier with the same payment: delivered again, not made again. */
export interface Replay {
  delivery: Delivery;
  paid: Paid;
}

export const freeGrant = ({ wallet }: Order): Grant => ({
  caller: "free",
  wallet,
  settle: async () => undefined,
  release: async () => undefined,
});
