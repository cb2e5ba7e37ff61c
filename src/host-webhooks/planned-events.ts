/** Events that are stored before their change is made, so that no crash between the two loses one. */
import { randomUUID } from "node:crypto";
import type { EventPlan, PlannedEvent } from "../payment/events/durable-events.js";
import type { HostEvent, HostWebhook } from "./options.js";
import type { Added, Queue } from "./queue.js";

/** Names an event: the same id and time are one. */
export interface Named {
  id: string;
  at: number;
  /** When it happened, if `at` is the time of something before it. */
  happenedAt?: number;
  /** True if it is told once for its id and time, even after it was delivered. */
  once?: true;
}

/** After this time another process looks whether the change was made. */
const PATIENCE_MS = 60_000;

const TYPES: Readonly<Record<PlannedEvent["kind"], HostEvent>> = {
  "account-sale": "sale",
  voucher: "sale",
  "account-refund": "refund",
  "channel-refund": "refund",
};
export const typeOf = ({ kind }: PlannedEvent): HostEvent => TYPES[kind];

/** Texts of stores have no blanks here. */
export const nameOf = ({ id, at }: Named): string =>
  `evt_${at.toString(36).padStart(9, "0")}_${id.replace(/[^\w.-]/g, "_").slice(0, 80)}`;

export const write = (type: HostEvent, { at, happenedAt = at }: Named, data: object): string =>
  JSON.stringify({ type, timestamp: new Date(happenedAt).toISOString(), data });

interface EventPlannerOptions {
  add(id: string, url: string, one: Added): Promise<void>;
  settle: Queue["settle"];
  wantedBy(type: HostEvent): readonly HostWebhook[];
  /** Logs what fails; nothing waits for it. */
  later(work: Promise<unknown>, facts: object): Promise<void>;
  /** Has what is due sent soon. */
  wake(): void;
  now(): number;
}

const NOTHING: EventPlan = { stored: Promise.resolve(true), confirm() {}, cancel() {} };

export function createEventPlanner({ add, settle, wantedBy, later, wake, now }: EventPlannerOptions) {
  return (of: PlannedEvent): EventPlan => {
    const wanted = wantedBy(typeOf(of));
    if (wanted.length === 0) return NOTHING;
    // A repetition is another announcement, which its own end removes.
    const id = nameOf({ id: `${of.requestId}${randomUUID()}`, at: now() });
    const facts = { type: typeOf(of), id: of.requestId };
    const forEach = (work: (url: string) => Promise<void>) => Promise.all(wanted.map(({ url }) => work(url)));
    const due = (nextAt: number) => ({ body: "", of, nextAt });
    let isStored = false;
    // guard: webhooks: a change is announced before it is made |
    //   add(id, url, due(now() + PATIENCE_MS)) -> Promise.resolve() | handler/webhook-crashes --accounts
    const adding = forEach((url) => add(id, url, due(now() + PATIENCE_MS))).then(() => {
      isStored = true;
    });
    const stored = later(adding, facts).then(() => isStored);
    const end = async (made: boolean) => {
      await stored;
      await forEach((url) => settle(id, url, made ? due(now()) : undefined));
      if (made) wake();
    };
    return { stored, confirm: () => void later(end(true), facts), cancel: () => void later(end(false), facts) };
  };
}
