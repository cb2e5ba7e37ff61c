import type { AnyCapability, CallOptions } from "./capability/types.js";
import type { PaymentOptions } from "./payment/options.js";
import type { PricingOptions } from "./payment/pricing/pricing.js";
import type { TrialOptions } from "./payment/trial/trial.js";
import type { Store } from "./stores/store.js";

export type { PaymentOptions, PricingOptions, TrialOptions };

export interface Brand {
  /** Shown in documents. */
  name: string;
  /** Makes `X-<SLUG>-Trial`, `x-<slug>-price` and the like. Letters, digits, hyphens. */
  slug: string;
  /** The public address, where a proxy hides it: `https://api.example.com`. */
  baseUrl?: string;
  description?: string;
  contact?: { name?: string; url?: string; email?: string };
}

/**
 * What became of a call:
 *
 * - `challenged`: it brought nothing to pay with and was answered 402 with a quote;
 * - `trial`, `paid`, `free`: it was answered, and how it was entitled to that;
 * - `replayed`: its payment had bought the answer before, which was sent again at no charge;
 * - `refused`: what it brought was no valid payment or trial; 402, `code` says why;
 * - `pending`: whether its payment was settled is not known yet; the background goes on with it;
 * - `failed`: it was wrong or could not be done; nothing was charged, `code` says why;
 * - `refunded`: not a call's end but an event of its own: the unused part of what a call settled went back on chain.
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
  | "refunded";

/** One event a call, whatever became of it, and one for each return, which may come before or long after the call's. */
export interface CallEvent {
  /** The endpoint. */
  id: string;
  /** Of a return: the call's that it belongs to. */
  requestId: string;
  outcome: CallOutcome;
  caller: "trial" | "paid" | "free" | "none";
  status: number;
  /** Why a call was refused, is pending or failed. */
  code?: string;
  /** Decimal USD, like all amounts here. */
  quotedUsd?: string;
  /** What the call cost; never more than the quote. */
  chargedUsd?: string;
  /** Of a return. */
  refundedUsd?: string;
  payer?: string;
  network?: string;
  /** The settlement's, or the return's. */
  transaction?: string;
  /** Of a return: since the settlement. */
  durationMs: number;
}

export interface HandlerOptions extends Omit<CallOptions, "signal"> {
  /** What to mount. */
  capabilities: readonly AnyCapability[];
  /** `false`: every call is free, for hosts with an own way to bill. Required, so that nobody gives work away by accident. */
  payment: PaymentOptions | false;
  brand?: Partial<Brand>;
  pricing?: PricingOptions;
  trial?: TrialOptions | false;
  /** Default `/api`. */
  basePath?: string;
  /** Trial counters, payment guard, stored replies. Default: in memory, for this process only. */
  store?: Store;
  /** How many processes serve this. More than one need a shared store; with Solana that is enforced. Default 1. */
  instances?: number;
  /** How long the ledger is kept, in days. Default 400; 30 in memory, where its entries take up the store's room. */
  ledgerDays?: number;
  /** Largest request body in bytes. Default 1 MB. */
  maxBodyBytes?: number;
  onCall?: (event: CallEvent) => void;
}

/** What an adapter knows about a call besides the request itself. */
export interface CallInfo {
  /** The caller's address as the connection has it; callers without one share one trial. */
  clientAddress?: string | undefined;
  /** The largest answer the platform can carry, in bytes. */
  maxResponseBytes?: number;
  /** When the platform will cut the call off (epoch milliseconds). */
  deadline?: number;
}
