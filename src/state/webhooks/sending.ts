/** Running deliveries of this process, and the choice of deliveries that may start beside them. */
import { type Claimed, claim, receiversDue } from "./claim.js";
import { type DeliveryTask, type Room, roomBeside } from "./places.js";
import { createNotes, paced, sendWebhook, type WebhookSender } from "./send.js";

export interface Sending {
  /** Starts due deliveries that have room; true if more may start before any of them ends. */
  look(): Promise<boolean>;
  /** Each settles when its outcome is recorded in the database. */
  underWay(): Iterable<Promise<void>>;
  /** Whether nothing more may start before one of them ends. */
  isFull(): boolean;
  /** Number of finished deliveries. */
  ended(): number;
}

export function createSending(
  sender: WebhookSender & { onUnreadable(table: string, error: Error): void },
  onFailed: (error: unknown) => void,
): Sending {
  const { database, onUnreadable } = sender;
  const tasks = new Map<Promise<void>, DeliveryTask>();
  const note = createNotes(sender);
  let ended = 0;
  let cursor = "";

  const begin = (delivery: Claimed, sentAt: Date) => {
    const task = sendWebhook(sender, delivery, sentAt)
      .then(note)
      .then(() => void ended++, onFailed)
      .finally(() => tasks.delete(task));
    tasks.set(task, { ...delivery, since: performance.now() });
  };

  /** Claims due deliveries of the next receivers, and starts those that their receiver's pace lets go. */
  const startNext = async ({ limit, ...busy }: Room): Promise<{ next: string; found: boolean; isMore: boolean }> => {
    const now = await sender.now();
    const { ids: receivers, next } = await receiversDue(database, now, cursor);
    cursor = next;
    const claimed =
      receivers.length === 0 ? [] : await claim(database, now, { limit, receivers, ...busy, onUnreadable });
    const leaving = await paced(sender, claimed, now);
    for (const delivery of leaving) begin(delivery, now);
    // Deliveries that were returned made room for others.
    const isMore = claimed.length === limit || next !== "" || leaving.length < claimed.length;
    return { next, found: claimed.length > 0, isMore };
  };

  return {
    underWay: () => tasks.keys(),
    isFull: () => roomBeside(tasks.values(), performance.now()).limit <= 0,
    ended: () => ended,
    /** Visits all receivers once, from the end of the last look, until something starts. */
    async look() {
      const from = cursor;
      for (let isBeyondEnd = from === ""; ; ) {
        const room = roomBeside(tasks.values(), performance.now());
        if (room.limit <= 0) return false;
        const { next, found, isMore } = await startNext(room);
        if (found) return isMore;
        if (isBeyondEnd && (next === "" || (from !== "" && next >= from))) return false;
        isBeyondEnd ||= next === "";
      }
    },
  };
}
