/** Events for the host: one for each call, and one for each return of money. */
import type { Logger } from "../lib/logger.js";

/**
 * How a call ended:
 *
 * - `challenged`: it had no credentials and was answered 402 with a quote;
 * - `trial`, `paid`, `free`: it was answered under that entitlement;
 * - `replayed`: its payment had bought the answer before, which was sent again at no charge;
 * - `refused`: its payment or trial was invalid; answered 402, `code` gives the reason;
 * - `pending`: it is unknown whether its payment was settled; the background continues;
 * - `failed`: it was invalid or could not be completed; nothing was charged, `code` gives the reason.
 *
 * Events that are not the end of a call:
 *
 * - `refunded`: the unused part of a settlement, or of a channel's deposit, was returned on chain;
 * - `overdue`: a refund is owed for more than an hour, repeated once a day; the log gives the reason, and
 *   `handle.ledger()` lists it;
 * - `lost`: a call's settlement disappeared from the chain and cannot be repeated; for a channel, a charge that
 *   cannot be claimed, because the deposit was withdrawn, or another service with the same key claimed it;
 * - `deposited`, `claimed`, `swept`: a buyer paid into a channel, charges were claimed from one, or claims were paid
 *   out to the treasury.
 */
export type CallOutcome =
  | "challenged"
  | "trial"
  | "paid"
  | "free"
  | "replayed"
  | "refused"
  | "pending"
  | "failed"
  | "refunded"
  | "overdue"
  | "deposited"
  | "claimed"
  | "swept"
  | "lost";

/** One event for each call, and one for each return, before or long after the call's. */
export interface CallEvent {
  /** The endpoint; `channels` for an event of a channel. */
  id: string;
  /** Request id; for a return, that of its call. */
  requestId: string;
  outcome: CallOutcome;
  caller: "trial" | "paid" | "free" | "none";
  status: number;
  /** Code of a refusal, pending settlement or failure. */
  code?: string;
  /** The error of a failed call; for an internal error, its cause. Only for the host, since it may contain keys. */
  error?: unknown;
  /** Decimal USD, like all amounts here. */
  quotedUsd?: string;
  /** Price of the call, at most the quote. */
  chargedUsd?: string;
  /** Amount of a return. */
  refundedUsd?: string;
  /** Amount that is overdue. */
  owedUsd?: string;
  /** Amount of a lost settlement. */
  lostUsd?: string;
  /** Amount of a channel's event. */
  channelUsd?: string;
  channel?: string;
  payer?: string;
  network?: string;
  /** The transaction of the settlement or the return. */
  transaction?: string;
  /** Duration of the call; for a return, the time since the settlement. */
  durationMs: number;
}

export type Emit = (event: CallEvent) => void;

export interface EmitOptions {
  onCall?: (event: CallEvent) => void;
  logger?: Logger;
}

const NO_CALLS: ReadonlySet<CallOutcome> = new Set(["refunded", "overdue"]);

const withoutError = ({ error: _, ...facts }: CallEvent) => facts;

/** The host's own code must not fail a paid answer, neither synchronously nor by a rejection. */
export function createEmit({ onCall = () => {}, logger }: EmitOptions): Emit {
  const failed = ({ requestId }: CallEvent, error: unknown) => logger?.error({ requestId, error }, "onCall threw");
  return (event) => {
    logger?.info("error" in event ? withoutError(event) : event, NO_CALLS.has(event.outcome) ? "refund" : "call");
    try {
      // The type says void, but async functions are assignable to it.
      const returned: unknown = onCall(event);
      if (returned instanceof Promise) returned.catch((error: unknown) => failed(event, error));
    } catch (error) {
      failed(event, error);
    }
  };
}
