/** What an adapter knows about a call besides the request itself. */
export interface CallInfo {
  /** The caller's address as the connection has it; callers without one share one trial. */
  clientAddress?: string | undefined;
  /**
   * Whose state the call works on where calls are free, by the host's own login: 1 to 128 of `A-Za-z0-9._:-`. Where calls
   * are paid for it counts for nothing: there the payment tells.
   */
  wallet?: string | undefined;
  /** What a proxy cut off the front of the path, such as `/prod`: quotes name it, unless the brand has a base URL. */
  prefix?: string;
  /** The largest answer the platform can carry, in bytes. */
  maxResponseBytes?: number;
  /** When the platform will cut the call off (epoch milliseconds). */
  deadline?: number;
  /** Not read: Next gives every route's handler these, so that `export const GET = handle` type-checks. */
  params?: unknown;
}
