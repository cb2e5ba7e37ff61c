/**
 * Events for the host that no crash loses: each is stored before the last write of the change that it tells of, or is
 * made from what that change wrote. A change that is repeated after a crash tells it again under the same id.
 */

/** A change that begins: its event is made from the store's records once these show it. */
export type PlannedEvent =
  | { kind: "account-sale"; account: string; hold: string; endpoint: string; requestId: string }
  | { kind: "account-refund"; requestId: string }
  | {
      kind: "voucher";
      network: string;
      channel: string;
      reply: string;
      flight: string;
      endpoint: string;
      requestId: string;
    }
  | { kind: "channel-refund"; network: string; channel: string; nonce: string; endpoint: string; requestId: string };

/** An event, a change that is under way, or undefined if it was not made. */
export type PlannedOutcome = { id: string; at: number; data: object } | "open" | undefined;

export interface EventPlan {
  /** Resolves to whether it is stored; awaited before the change is made. Never rejects. */
  readonly stored: Promise<boolean>;
  /** The change was made, so the event can be sent at once. */
  confirm(): void;
  /** The change will not be made. */
  cancel(): void;
}

export interface DurableEvents {
  planEvent(of: PlannedEvent): EventPlan;
  /** Stores an event. The same `id` and `at` are one event. */
  tell(
    type:
      | "settlement.pending"
      | "refund.owed"
      | "refund.requested"
      | "channel.loss"
      | "balance.low"
      | "grant.low"
      | "grant.expired"
      | "account.closed",
    data: object,
    event: { id: string; at: number; happenedAt?: number },
  ): Promise<void>;
}
