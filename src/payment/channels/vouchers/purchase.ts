/** A call paid by voucher: the purchase, and the lease or delivery for its buyer. */
import type { Micros } from "../../../lib/money.js";
import type { Attempt } from "../../failures/failures.js";
import type { ChannelMessage } from "../../rails/channel.js";
import type { SettleResponse } from "../../x402/refusal.js";

/** A call with the voucher that shall pay for it. */
export interface ChannelPurchase {
  message: ChannelMessage;
  amount: Micros;
  /** Endpoint and hash of the input. */
  fingerprint: string;
  endpoint: string;
  requestId: string;
  /** The buyer's idempotency key, bound to the buyer's identity. */
  key?: string | undefined;
  /** True if the key is too long to guess, so that it may fetch the answer of a published voucher. */
  isSecret: boolean;
  /**
   * True if it changes a wallet's state without an idempotency key: after a short time a copy means another purchase.
   */
  isBrief: boolean;
  workMs: number;
  /** Set if the voucher pays for the first part of a stream, and others follow while it runs. */
  parts?: { most: Micros; smallest: Micros; waitMs: number } | undefined;
  /**
   * Checks the proven buyer, the payer or only the signer of the channel's vouchers, before anything is sold or
   * delivered. Rejects if that identity is not enough.
   */
  admit(buyer: { id: string; isPayer: boolean }): Promise<void>;
  /** Rejects if the host does not sell to the admitted buyer; asked before a deposit or a charge, not for a repetition. */
  permit?(): Promise<void> | undefined;
  /** Failures that the payer may still cause. */
  attempt: Pick<Attempt, "begin">;
  signal?: AbortSignal | undefined;
}

export interface ChannelDelivery {
  outcome: string;
  receipt: SettleResponse;
}

/** How far a stream came: the charge for what was sent, and the answer for its buyer if it breaks off there. */
export interface Progress {
  charge: Micros;
  outcome: string;
}

/** A stream that is paid by one voucher after the other. */
export interface StreamParts {
  /** Names the stream for the vouchers that follow. */
  readonly id: string;
  /** Sum of the vouchers so far. */
  readonly covered: Micros;
  /** How long the stream waits for vouchers, in all. */
  readonly waitMs: number;
  /** The next sum to ask for, if `needed` is due. */
  asked(needed: Micros): Micros;
  /**
   * Waits for vouchers of this sum, after `ask` was called; false if they do not come in time. Rejects with
   * SETTLEMENT_PENDING if the lease was lost.
   */
  await(needed: Micros, wait: { ask(): Promise<unknown>; signal: AbortSignal }): Promise<boolean>;
}

/** The exclusive right to one call's work on a channel. */
export interface ChannelLease {
  /** Id of the purchase, the same for each attempt. */
  readonly id: string;
  /** Present for a stream that is paid in parts. */
  readonly parts?: StreamParts;
  /** Saves how far a stream came, which is charged if nothing follows. Rejects with SETTLEMENT_PENDING. */
  advance(progress: Progress): Promise<void>;
  /** Charges the used amount, which makes the answer deliverable. Rejects with SETTLEMENT_PENDING. */
  settle(outcome: string, charge: Micros): Promise<ChannelDelivery>;
  /** Charges a call that changed its state but whose answer is missing; the same voucher fetches the answer later. */
  keep(charge: Micros): Promise<void>;
  /** Ends a failed call: the same voucher is valid for another try. */
  release(): Promise<void>;
}

/** Reason to try again: another call holds the channel, or a copy of this one does, or another wrote first. */
export type Obstacle = "held" | "copied" | "overtaken";

const OBSTACLES: ReadonlySet<unknown> = new Set<Obstacle>(["held", "copied", "overtaken"]);

export const isObstacle = (result: unknown): result is Obstacle => OBSTACLES.has(result);
