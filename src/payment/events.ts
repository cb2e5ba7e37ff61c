/** What the host is told: one event a call, and one for each return of money. */
import type { Logger } from "../lib/logger.js";

/**
 * What became of a call:
 *
 * - `challenged`: it brought nothing to pay with and was answered 402 with a quote;
 * - `trial`, `paid`, `free`: it was answered, and how it was entitled to that;
 * - `replayed`: its payment had bought the answer before, which was sent again at no charge;
 * - `refused`: what it brought was no valid payment or trial; 402, `code` says why;
 * - `pending`: whether its payment was settled is not known yet; the background goes on with it;
 * - `failed`: it was wrong or could not be done; nothing was charged, `code` says why;
 * - `refunded`: not a call's end but an event of its own: the unused part of what a call settled, or of a channel's
 *   deposit, went back on chain;
 * - `overdue`: an event of its own, too: what a call settled beyond its charge is owed to its payer for more than an hour,
 *   told once a day while it is; the log says why, and `handle.ledger()` lists it;
 * - `lost`: an event of its own as well: what a call had settled is not on chain any more, and cannot be settled again;
 * - `deposited`, `claimed`, `swept`, `lost`: events of payment channels: a buyer put money in, what calls were charged was
 *   claimed from one, what was claimed was paid out to the treasury, or cannot be claimed any more: withdrawn, or claimed by
 *   another service that has the same key.
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

/** One event a call, whatever became of it, and one for each return, which may come before or long after the call's. */
export interface CallEvent {
  /** The endpoint; `channels` for what concerns a channel and no call. */
  id: string;
  /** Of a return: the call's that it belongs to. */
  requestId: string;
  outcome: CallOutcome;
  caller: "trial" | "paid" | "free" | "none";
  status: number;
  /** Why a call was refused, is pending or failed. */
  code?: string;
  /** What was thrown where a call failed; of an own fault, its cause. For the host's eyes: it may name keys. */
  error?: unknown;
  /** Decimal USD, like all amounts here. */
  quotedUsd?: string;
  /** What the call cost; never more than the quote. */
  chargedUsd?: string;
  /** Of a return. */
  refundedUsd?: string;
  /** Of what is overdue. */
  owedUsd?: string;
  /** Of a call's settlement that is lost. */
  lostUsd?: string;
  /** Of a channel's event. */
  channelUsd?: string;
  channel?: string;
  payer?: string;
  network?: string;
  /** The settlement's, or the return's. */
  transaction?: string;
  /** Of a return: since the settlement. */
  durationMs: number;
}

export type Emit = (event: CallEvent) => void;

export interface EmitOptions {
  onCall?: (event: CallEvent) => void;
  logger?: Logger;
}

const NO_CALLS: ReadonlySet<CallOutcome> = new Set(["refunded", "overdue"]);

const withoutError = ({ error: _, ...facts }: CallEvent) => facts;

/** The host's own code must not spoil an answer that was paid for, neither at once nor later. */
export function createEmit({ onCall = () => {}, logger }: EmitOptions): Emit {
  const failed = ({ requestId }: CallEvent, error: unknown) => logger?.error({ requestId, error }, "onCall threw");
  return (event) => {
    logger?.info("error" in event ? withoutError(event) : event, NO_CALLS.has(event.outcome) ? "refund" : "call");
    try {
      // Its type says that nothing comes back, but an async function fits that type too.
      const returned: unknown = onCall(event);
      if (returned instanceof Promise) returned.catch((error: unknown) => failed(event, error));
    } catch (error) {
      failed(event, error);
    }
  };
}
