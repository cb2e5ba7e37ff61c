import type { AnyCapability, CallOptions } from "./capability/types.js";
import type { EvmSigner } from "./payment/rails/evm/exact.js";
import type { SolanaSigner } from "./payment/rails/solana/return.js";
import type { Facilitator, FacilitatorOptions } from "./payment/x402/facilitator.js";
import type { Store } from "./stores/store.js";

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

export interface PaymentOptions {
  /** Who is paid, by CAIP-2 network: `{ "eip155:8453": "0x…" }`. The order is the order of the offers. */
  treasury: Record<string, string>;
  facilitator: FacilitatorOptions | Facilitator;
  /**
   * `["exact", "upto"]` also offers, for what is billed by usage and on EVM networks where the facilitator lists it, to
   * settle only what was used: through Permit2, in the PAYMENT-REQUIRED header, behind the exact offers. Default
   * `["exact"]`.
   */
  schemes?: readonly ("exact" | "upto")[];
  /**
   * Another token than USDC, or USDC on a network that this package does not know; on EVM networks with the name and
   * version of its EIP-712 domain. It has 6 decimals.
   */
  assets?: Record<string, { address: string; name?: string; version?: string }>;
  /** Who pays the fee on Solana, by CAIP-2 network. Default: the account that the facilitator lists. */
  feePayers?: Record<string, string>;
  /**
   * Nodes by CAIP-2 network, asked when a settlement's outcome is unclear, and on Solana once at the start, whether the
   * treasury's token account exists. While a node named here is silent, an unclear settlement stays pending. Default:
   * the networks' public ones, whose silence leaves the facilitator's word to count; `false`: never ask; `refunds` on
   * Solana need one.
   */
  rpc?: Record<string, string> | false;
  /**
   * Wallets, by CAIP-2 network, from which the unused part of a settled maximum goes back to its payer: a small float,
   * never the treasury's key. On EVM networks one that signs typed data, as viem's accounts do; on Solana a
   * `{ publicKey, secretKey }`, as Keypair of `@solana/web3.js`. Without one the unused part becomes credit for the
   * payer's next call.
   */
  refunds?: Record<string, EvmSigner | SolanaSigner>;
  /** Less than this is not returned on chain but becomes credit, in decimal USD. Default "0.005". */
  minReturnUsd?: string;
  /**
   * Ids of costly capabilities whose payment is settled before they run; if such a run fails, everything goes back.
   * Also the way to sell work of more than 30 seconds on Solana, where a signature does not live longer.
   */
  settleFirst?: readonly string[];
  /** How much unsettled work one payer may have running or left unpaid, in decimal USD. Default "1". */
  maxUnsettledUsd?: string;
  /** The shortest life of a signature; a capability's own deadline may lengthen it. Default 60. */
  maxTimeoutSeconds?: number;
  /** Answer 402 with the version-1 body unless the caller asks otherwise. Default false. */
  v1Body?: boolean;
}

export interface PricingOptions {
  /** Every catalogue price times this, rounded up to a millionth of a dollar: 1.2 adds 20 percent. */
  markup?: number;
  /** Fixed prices by capability id, in decimal USD; they are not marked up. */
  overrides?: Record<string, string>;
}

export interface TrialOptions {
  /** Free calls per endpoint, caller and sliding hour. Default 1. */
  perHour?: number;
  /** No trial of a call that quotes more than this, in decimal USD. Default "0.10". */
  maxQuoteUsd?: string;
  /** What all trials of one caller may be worth in an hour, at list prices. Default "1". */
  callerBudgetUsd?: string;
  /** What all trials of this deployment may be worth in an hour, at list prices. Default "1". */
  deploymentBudgetUsd?: string;
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
