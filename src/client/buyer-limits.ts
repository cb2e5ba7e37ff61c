/** Limits of a buyer on what its client signs, beside those of a call and of the client. */
import type { Micros } from "../lib/money.js";
import type { Budget, CallLimits, Hold } from "./budget.js";
import type { Count, Offer } from "./payment.js";

/** Amounts are US dollars; a day is one of UTC. */
export interface BuyerLimits {
  /** Of all sellers together. */
  usdPerDay?: string | number;
  /** Of this seller, and of each of its endpoints. */
  sellerUsdPerDay?: string | number;
  endpointUsdPerDay?: string | number;
  /** Of single endpoints, by id: a day, and one call. */
  endpoints?: Readonly<Record<string, { usdPerDay?: string | number; maxPerCallUsd?: string | number }>>;
  /** Networks that may be paid on, by their CAIP-2 ids. Default: those that the seller offered first. */
  networks?: readonly string[];
  /** Tokens that may be paid in, as `<network>/<address>`. Default: those that the seller offered first. */
  assets?: readonly string[];
  /** Addresses that may be paid. Default: those that the seller offered first. */
  payTo?: readonly string[];
  /** False takes other networks, tokens and receivers than at the first purchase, too. Default true. */
  pin?: boolean;
  /** False signs for more than the seller's directory lists, too. Default true. */
  directory?: boolean;
  /** The longest that a payment may stay valid, in seconds. Default 3,600. */
  maxTimeoutSeconds?: number;
  /** A person is asked about each call that costs more; without `ask` such a call is refused. */
  askAboveUsd?: string | number;
  /** Whether a call may be paid. It may take as long as a person needs. */
  ask?(purchase: Purchase): boolean | Promise<boolean>;
  /** Keeps what was spent, and whom the first purchases paid. Default: one in memory, of all clients of this process. */
  book?: SpendingBook;
}

/** A call that a person is asked about. */
export interface Purchase {
  /** The seller's address. */
  seller: string;
  endpoint: string;
  /** The most that it may cost, in decimal US dollars. */
  usd: string;
  /** Signed in this day for all sellers, this call included. */
  todayUsd: string;
  networks: string[];
  payTo: string[];
  signal?: AbortSignal;
}

/** As JSON. */
export interface SpendingRecord {
  /** The day of the sums, as YYYY-MM-DD in UTC. */
  day: string;
  /** Micro-dollars, by what they were spent for. */
  sums: Record<string, string>;
  /** By seller: the networks, tokens and receivers of its first offers. */
  pins: Record<string, string[]>;
}

export interface SpendingBook {
  /** Changes the record, of which nobody else has a copy meanwhile. What `edit` throws changes nothing. */
  change<T>(edit: (record: SpendingRecord) => T): T | Promise<T>;
}

export const emptyRecord = (): SpendingRecord => ({ day: "", sums: {}, pins: {} });

/** The same limits, read. */
export interface ReadLimits {
  day: Micros | undefined;
  sellerDay: Micros | undefined;
  endpointDay: Micros | undefined;
  endpoints: ReadonlyMap<string, { day: Micros | undefined; call: Micros | undefined }>;
  askAbove: Micros | undefined;
}

/** The offer that was signed. */
export type SignedOffer = Partial<Pick<Offer, "network" | "asset" | "payTo">>;

export interface SellerTerms {
  /** The offers that may be signed. Rejects with SPENDING_LIMIT if there are none, or if the price is above the listed one. */
  judge(offers: readonly Offer[], asked: { endpoint: string; count: Count }): Promise<Offer[]>;
  /** Remembers whom the seller wants paid, at its first purchase. Rejects if another purchase has pinned others meanwhile. */
  pin(offers: readonly Offer[], signed: SignedOffer): Promise<void>;
}

export interface ApprovedCall extends CallLimits {
  endpoint: { readonly id: string };
  offers: readonly Offer[];
}

/** A client's limits at work. */
export interface Guard extends SellerTerms {
  budget: Budget;
  /** Asks a person, where the call costs more than the bound. Rejects with SPENDING_LIMIT. */
  approve(hold: Hold, call: ApprovedCall): Promise<void>;
}

export interface GuardOptions {
  limits: BuyerLimits;
  budget: Budget;
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  maxBytes: number;
  now?: () => number;
}
