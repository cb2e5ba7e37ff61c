/** Facts about a call that an adapter knows beyond the request itself. */
export interface CallInfo {
  /** Address of the caller's connection. Callers without one share one free trial. */
  clientAddress?: string | undefined;
  /** Country of the caller as the host knows it, such as "DE": handed to its `policy`. */
  country?: string | undefined;
  /**
   * The wallet whose state a free call uses, named by the host's own login: 1 to 128 of `A-Za-z0-9._:-`. Ignored for
   * paid calls, where the payment names the wallet.
   */
  wallet?: string | undefined;
  /** Path prefix that a proxy cut off, such as `/prod`. Quotes include it, unless the brand has a base URL. */
  prefix?: string;
  /** Largest answer in bytes that the platform can carry. */
  maxResponseBytes?: number;
  /** Time at which the platform ends the call (epoch milliseconds). */
  deadline?: number;
  /** Not read. Next passes it to every route handler, so `export const GET = handle` type-checks. */
  params?: unknown;
}
