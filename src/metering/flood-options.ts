/** Bounds of callers who pay nothing, in each process. */
export interface FloodOptions {
  /** Tokens a second of an address; its network (an IPv4 /24, an IPv6 /48) has eight times as many. Default 5. */
  perSecond?: number;
  /** Tokens that an address has at first. A quote costs one or two, a refused payment four, a trial six. Default 100. */
  burst?: number;
  /** Addresses that are remembered; those beyond share one bucket. Default 20,000. */
  maxTracked?: number;
  /** Milliseconds by which the event loop may be late before only those are served who asked for little. Default 250. */
  maxLagMs?: number;
}
