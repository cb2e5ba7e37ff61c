/** Accounts beside wallets: a host's own users buy at the same endpoints and prices, from a balance paid in ahead. */
import type { InvoicesOptions } from "./invoices.js";

/** How much an account, or one of its keys, may use. Amounts are decimal USD; days and months are those of UTC. */
export interface AccountLimits {
  /** Calls within any sixty seconds; each call of a batch counts. */
  perMinute?: number;
  usdPerHour?: string;
  usdPerDay?: string;
  usdPerMonth?: string;
  /** Ids of the endpoints that may be called, and groups of which all may. Default: all. */
  endpoints?: readonly string[];
  groups?: readonly string[];
  /** A month's free allowance: calls of each endpoint, or their worth. It begins anew with each month. */
  freePerMonth?: { calls?: number; usd?: string };
}

/** The account that a host's own login names. */
export interface Identified {
  /** 1 to 100 of `A-Za-z0-9._:-`, such as the id of a user or an organisation. */
  id: string;
  name?: string;
}

export interface AccountsOptions {
  /**
   * Names the account of a signed-in caller; undefined for everybody else. Asked only where nothing was paid. Not asked
   * for a request that a page of another origin, a subdomain's too, can have a browser send with its user's cookies.
   * `agent` is the key directory of the agent that signed the request, if the host knows it (option `agents`).
   */
  identify?: (request: Request, facts: { agent?: string }) => Identified | undefined | Promise<Identified | undefined>;
  /** Further origins whose pages spend their user's balance, such as `https://app.shop.example`. Default: only our own. */
  origins?: readonly string[];
  /** True if callers may send keys of `handle.accounts.createKey` as `Authorization: Bearer …`. */
  keys?: boolean;
  /** Where an account is topped up; told to callers whose balance is too small. */
  topUpUrl?: string;
  /**
   * Sells balances to wallets at `account.top-up`: amounts within bounds, or those of a list, in decimal USD. The wallet
   * is the account; it spends by signing in, or by a key. Needs `keys`, or `brand.baseUrl` for sign-ins. Default: off.
   */
  topUp?: TopUpOptions;
  /** The rule for an account that is closed. Default: its bought balance goes back. */
  closing?: ClosingOptions;
  /** Numbered invoices of what wallets buy with `topUp` and `products`, and credit notes of what goes back. Default: none. */
  invoices?: InvoicesOptions;
}

/** The rule for an account that is closed. */
export interface ClosingOptions {
  /**
   * `"refund"` gives what is left of bought balances and products back to the wallets that paid, and tells of the rest
   * as owed; `"forfeit"` gives nothing back. Default `"refund"`.
   */
  balance?: "refund" | "forfeit";
  /** Days for which its book is kept, for the law. Default 3650. */
  keepDays?: number;
}

/** Which amounts are sold: those of the list, or all within the bounds. */
export interface TopUpOptions {
  minUsd?: string;
  maxUsd?: string;
  amountsUsd?: readonly string[];
}

/** The endpoints that sell balances, and products. */
export const TOP_UP = "account.top-up";
export const BUY = "account.buy";
/** Endpoints whose price is the amount or the product that is bought. */
export const isPricedByPurchase = (endpoint: string): boolean => endpoint === TOP_UP || endpoint === BUY;

/** A pass or a bundle that wallets buy at `account.buy`. */
export interface Product {
  /** 1 to 50 of `a-z0-9-`. */
  id: string;
  title: string;
  /** Decimal USD. */
  priceUsd: string;
  /**
   * Money, in decimal USD, or calls; of either `days` bounds the time. With `days` alone it pays every call of its
   * endpoints for so long, after an earlier one of the same product has ended.
   */
  grant: { usd?: string; calls?: number; days?: number; endpoints?: readonly string[] };
}

/** Who buys from an account. */
export interface AccountCaller {
  id: string;
  /** Id of the key that the caller sent. */
  key?: string;
}

export const isAccountId = (id: unknown): id is string => typeof id === "string" && /^[A-Za-z0-9._:-]{1,100}$/.test(id);

/** The wallet whose state belongs to an account. */
export const ACCOUNT_WALLET = "acct:";
export const walletOfAccount = (id: string): string => ACCOUNT_WALLET + id;

export type AccountEntryKind = "topup" | "adjustment" | "sale" | "refund" | "grant" | "expiry";

/** A grant that paid for a call: some of its price in decimal USD, or one of its calls. */
export interface PaidByGrant {
  id: string;
  usd?: string;
  calls?: number;
}

/** An entry of the account book, which is only ever added to: the sum of `usd` over all entries is the balance. */
export interface AccountEntry {
  /** Its number in the book, as text: entries after it are read with `after`. */
  id: string;
  kind: AccountEntryKind;
  /** Decimal USD, negative for what was spent. */
  usd: string;
  /** ISO 8601. */
  at: string;
  reference?: string;
  note?: string;
  /** Of a sale and its refund: the endpoint, and the id of the request. */
  endpoint?: string;
  requestId?: string;
  /** Id of the key that bought. */
  key?: string;
  /** Part of the price that the free allowance, or a call of a grant, paid. */
  freeUsd?: string;
  /** Of a grant and its expiry: its id, and the calls that came or went with it. */
  grant?: string;
  calls?: number;
  /** The grants that paid for a sale, or got it back. */
  grants?: PaidByGrant[];
}

/**
 * Money for some endpoints or for a time, or calls, which an account spends before its plain balance. Amounts are
 * decimal USD.
 */
export interface AccountGrant {
  id: string;
  /** Given away, bought, or the free allowance of each month; they are used in the order of the list. */
  kind: "promotional" | "paid" | "monthly";
  /** Money: what it was, and what is left of it. */
  usd?: string;
  leftUsd?: string;
  /** Calls: with neither of the two it pays every call until it ends. */
  calls?: number;
  leftCalls?: number;
  /** Default: all. */
  endpoints?: readonly string[];
  /** ISO 8601. */
  from: string;
  /** The moment from which it pays for nothing. Absent for one without an end. */
  until?: string;
  note?: string;
  /** Of a product that was bought. */
  product?: string;
  title?: string;
}

/** An account as the host lists it. Amounts are decimal USD; a day and a month are those of UTC. */
export interface AccountSummary {
  account: string;
  availableUsd: string;
  heldUsd: string;
  /** The part that is kept for some endpoints, or for later; absent if there is none. */
  restrictedUsd?: string;
  /** Spent from its balance and its grants of money, what calls hold included. */
  usedTodayUsd: string;
  usedThisMonthUsd: string;
  /** Number of keys that are good now. */
  keys: number;
  /** Present while it is frozen; `at` in ISO 8601. */
  frozen?: { at: string; reason?: string };
  /** Set once it is closed, with the day until which its book is kept. ISO 8601. */
  closed?: { at: string; keptUntil: string };
}

/** A key as it is listed: the key itself is shown once, when it is created. */
export interface AccountKey {
  id: string;
  /** How the key begins, by which people recognise it. */
  prefix: string;
  label?: string;
  limits?: AccountLimits;
  createdAt: string;
  lastUsedAt?: string;
  expiresAt?: string;
  revokedAt?: string;
}
