/** Whom threads work for: those who wait take turns by it, and its work that is charged to nobody has a bound. */
export interface Payer {
  /** A wallet, an account, a key or a network: calls of one name share a turn. */
  readonly name: string;
  /** Whether it paid for calls lately. Strangers cost nothing to invent, so threads are kept from them. */
  readonly isKnown: boolean;
  /** Whether its next task waits, because what its calls under way used is neither charged nor lost yet. */
  readonly isUndecided: boolean;
  /** Throws TOO_MANY_FAILURES once it used up the thread time that is charged to nobody. */
  assertLeft(): void;
  /** Adds the time that a task had a thread. What failed counts at once, the rest if its call is not charged. */
  spend(ms: number, failed: boolean): void;
  /** A task failed that had made way for others before: its earlier tries were told by `spend`, and failed with it. */
  lost(triedMs: number): void;
  /**
   * A task of it waited in vain: until its call's time was up, or its caller left. `triedMs` is the thread time of its tries,
   * which were told by `spend`.
   */
  gaveUp(isTimeUp: boolean, triedMs: number): void;
}

/** A call for which a thread works: a capability's context is one. */
export interface Caller {
  readonly signal: AbortSignal;
  /** Unset for the host's own calls. */
  readonly payer?: Payer | undefined;
}
