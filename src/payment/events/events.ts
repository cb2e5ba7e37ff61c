/** Events for the host: the end of each call, refunds, losses and the money of channels. */
import type { Logger } from "../../lib/logger.js";

/**
 * How a call ended:
 *
 * - `challenged`: it had no credentials and was answered 402 with a quote;
 * - `trial`, `paid`, `account`, `free`: it was answered under that entitlement;
 * - `replayed`: its payment had bought the answer before, which was sent again at no charge;
 * - `refused`: its payment or trial was invalid; answered 402, `code` gives the reason;
 * - `pending`: it is unknown whether its payment was settled; the background continues;
 * - `failed`: it was invalid or could not be completed; nothing was charged, `code` gives the reason.
 */
export type CallOutcome =
  | "challenged"
  | "trial"
  | "paid"
  | "account"
  | "free"
  | "replayed"
  | "refused"
  | "pending"
  | "failed";

/** The end of a call: one for each. Amounts are decimal USD here and in all other events. */
export interface EndedCallEvent {
  kind: "call";
  outcome: CallOutcome;
  /** The endpoint. */
  id: string;
  requestId: string;
  caller: "trial" | "paid" | "account" | "free" | "none";
  /** HTTP status of the answer. */
  status: number;
  /** Code of a refusal, pending settlement or failure. */
  code?: string;
  /** Of a call that was not allowed: the code of the host's policy, or of its lists. */
  reasonCode?: string;
  /** The error of a failed call; for an internal error, its cause. Only for the host, since it may contain keys. */
  error?: unknown;
  quotedUsd?: string;
  /** Price of the call, at most the quote. */
  chargedUsd?: string;
  /** The wallet; of an account, `acct:` and its id. */
  payer?: string;
  /** The account that the caller named, even if something else paid. */
  account?: string;
  /** The key directory of the agent that signed the request. */
  agent?: string;
  network?: string;
  /** Scheme of the payment, such as `exact`. */
  scheme?: string;
  /** The transaction of the settlement. */
  transaction?: string;
  durationMs: number;
}

interface RefundFacts {
  kind: "refund";
  /** The endpoint of the call that was paid. */
  id: string;
  /** Request id of that call; for the deposit of a channel, of the request that asked for it back. */
  requestId: string;
  /** Absent for a channel whose buyer has proven no wallet; of an account, `acct:` and its id. */
  payer?: string | undefined;
  /** Absent for an account. */
  network?: string;
  /** The account to whose balance it went. */
  account?: string;
  /** The channel, if its deposit was returned. */
  channel?: string;
}

/** The unused part of a settlement, or of a channel's deposit, was returned on chain, or a call's price to its account. */
export interface RefundedEvent extends RefundFacts {
  outcome: "refunded";
  refundedUsd: string;
  transaction?: string;
  /** Time since the settlement; absent for a channel. */
  durationMs?: number;
}

/**
 * A refund is owed for more than an hour. Repeated once a day; the log gives the reason, `handle.ledger()` lists it.
 */
export interface OverdueRefundEvent extends RefundFacts {
  outcome: "overdue";
  owedUsd: string;
  /** Time since the settlement. */
  durationMs: number;
}

/** A call's settlement disappeared from the chain and cannot be repeated. */
export interface LossEvent {
  kind: "loss";
  outcome: "lost";
  /** The endpoint of the call that was paid. */
  id: string;
  /** Request id of that call. */
  requestId: string;
  lostUsd: string;
  payer: string;
  network: string;
  transaction?: string;
  /** Time since the settlement. */
  durationMs: number;
}

/**
 * Money of a channel moved: `deposited` by its buyer, `claimed` from it, `swept` (paid out to the treasury), or `lost`:
 * a charge that cannot be claimed, because the deposit was withdrawn, or another service with the same key claimed it.
 */
export interface ChannelEvent {
  kind: "channel";
  outcome: "deposited" | "claimed" | "swept" | "lost";
  /** The endpoint of a deposit; otherwise `channels`. */
  id: string;
  /** Request id of a deposit. */
  requestId?: string;
  channelUsd: string;
  /** Absent for claims of several channels that were paid out together. */
  channel?: string;
  /** The buyer of a deposit, if it has proven its wallet. */
  payer?: string | undefined;
  network: string;
  transaction?: string;
}

/** A part of the day's budget of an upstream is spent: 80, 95 or 100 percent. */
export interface SpentEvent {
  kind: "budget";
  outcome: "near" | "spent";
  /** Name of the secret. */
  id: string;
  requestId?: undefined;
  payer?: undefined;
  percent: number;
  spentUsd: string;
  usdPerDay: string;
  /** As YYYY-MM-DD, by UTC. */
  day: string;
}

/** One event for each call, and one for each movement of money outside of a call, before or long after its event. */
export type CallEvent = EndedCallEvent | RefundedEvent | OverdueRefundEvent | LossEvent | ChannelEvent | SpentEvent;

export type Emit = (event: CallEvent) => void;

export interface EmitOptions {
  onCall?: (event: CallEvent) => void;
  logger?: Logger;
}

const withoutError = ({ error: _, ...facts }: EndedCallEvent) => facts;

/** The host's own code must not fail a paid answer, neither synchronously nor by a rejection. */
export function createEmit({ onCall = () => {}, logger }: EmitOptions): Emit {
  const failed = ({ kind, requestId }: CallEvent, error: unknown) =>
    logger?.error({ kind, requestId, error }, "onCall threw");
  return (event) => {
    logger?.info(event.kind === "call" && "error" in event ? withoutError(event) : event, event.kind);
    try {
      // The type says void, but async functions are assignable to it.
      const returned: unknown = onCall(event);
      if (returned instanceof Promise) returned.catch((error: unknown) => failed(event, error));
    } catch (error) {
      failed(event, error);
    }
  };
}
