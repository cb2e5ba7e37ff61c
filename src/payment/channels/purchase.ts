/** A call to be paid by voucher: what is bought, and what its buyer gets. */
import type { Micros } from "../../lib/money.js";
import type { Attempt } from "../failures/failures.js";
import type { ChannelMessage } from "../rails/channel.js";
import type { SettleResponse } from "../x402/refusal.js";

/** A call to be paid by what a caller sent. */
export interface ChannelPurchase {
  message: ChannelMessage;
  amount: Micros;
  /** Endpoint and hash of the input. */
  fingerprint: string;
  endpoint: string;
  requestId: string;
  /** The buyer's own name for the purchase, already bound to who the buyer is. */
  key?: string | undefined;
  /** That name is too long to be guessed, and so fetches what a published voucher bought. */
  isSecret: boolean;
  /** It changes a wallet's state and has no name: a copy of it soon means another purchase. */
  isBrief: boolean;
  workMs: number;
  /**
   * Told who is proved to buy, the payer or only who signs the channel's vouchers, before anything is sold or delivered.
   * Rejects where that is not enough.
   */
  admit(buyer: { id: string; isPayer: boolean }): Promise<void>;
  /** What its payer may still have done. */
  attempt: Pick<Attempt, "begin">;
  signal?: AbortSignal | undefined;
}

export interface ChannelDelivery {
  outcome: string;
  receipt: SettleResponse;
}

/** The right to do one call's work on a channel. */
export interface ChannelLease {
  /** The purchase's name: each attempt at it has the same. */
  readonly id: string;
  /** Charges what was used, which makes the answer deliverable. Rejects with SETTLEMENT_PENDING. */
  settle(outcome: string, charge: Micros): Promise<ChannelDelivery>;
  /** What it changes is changed, but its answer is not to be had: charged, and the same voucher fetches the answer. */
  keep(charge: Micros): Promise<void>;
  /** The work failed: the same voucher is good for another try. */
  release(): Promise<void>;
}

/** What is in the way: somebody else works on the channel, or was faster just now. */
export type Obstacle = "held" | "overtaken";

export const isObstacle = (result: unknown): result is Obstacle => result === "held" || result === "overtaken";
