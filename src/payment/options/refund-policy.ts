/** The host's word on refunds, which buyers read before they pay. */

/** The endpoint at which buyers ask for their money back. */
export const REFUND_REQUEST = "payment.refund-request";

export interface RefundPolicy {
  /** Days after a call within which its buyer may ask, from 1 to 365. */
  withinDays: number;
  /** The calls that are given back, in words for buyers: up to 300 characters. */
  conditions: string;
  /**
   * Gives back at once, without asking the host: calls of up to `maxUsd` (default: any), and up to `perDay` calls of one
   * buyer in a day (default 3); others wait for the host. `true` means these defaults. Default: all wait for the host.
   */
  atOnce?: boolean | { maxUsd?: string; perDay?: number };
}
