/** Turns what happens here into the events that a host asked for. */
import { createHash } from "node:crypto";
import { keepNewest } from "../lib/bounded.js";
import { fromMicros } from "../lib/money.js";
import { HOUR_MS } from "../lib/time.js";
import type { CallEvent, Emit } from "../payment/events/events.js";
import type { Ledger, LedgerEntry } from "../payment/ledger/ledger.js";
import type { HostEvent } from "./options.js";
import type { Named } from "./planned-events.js";
import type { HostWebhooks } from "./webhooks.js";

interface EventOfHost {
  type: HostEvent;
  /** Unique among the events of its time. */
  id: string;
  data: object;
}

/** Tells of events beside the host's `onCall`; nothing waits for it. */
export function tellingEmit(emit: Emit, webhooks: HostWebhooks, now: () => number): Emit {
  return (event) => {
    emit(event);
    const told = toldOf(event, now());
    if (told) webhooks.note(told.type, told.data, told.named);
  };
}

const hourOf = (at: number) => Math.floor(at / HOUR_MS) * HOUR_MS;

/** Events of money are told with the change that makes them: by the ledger, or through `DurableEvents`. */
function toldOf(event: CallEvent, at: number): (Omit<EventOfHost, "id"> & { named: Named }) | undefined {
  if (event.kind !== "call") return undefined;
  const { outcome, requestId, id: endpoint, payer, network, account = "", code, scheme } = event;
  // Of other schemes the settlement tells it. A channel's deposit is told by the call that waits for it.
  if (outcome === "pending" && scheme === "batch-settlement") {
    const data = { endpoint, requestId, payer: payer || undefined, network };
    return { type: "settlement.pending", data, named: { id: `${requestId}pending`, at } };
  }
  if (code !== "BALANCE_TOO_SMALL" && code !== "GRANT_EXPIRED") return undefined;
  // Once an hour for an account. A crash loses nothing, because the next refused call tells it as well.
  const named = { id: `balance_${nameOf(account)}`, at: hourOf(at), happenedAt: at, once: true } as const;
  return { type: "balance.low", data: { of: "account", account, endpoint }, named };
}

/** Names of accounts may differ in signs that an event's id has none of. */
const nameOf = (account: string) => createHash("sha256").update(account).digest("hex").slice(0, 16);

/** Remembers so many entries, so that booking them again tells nothing. */
const REMEMBERED = 5000;

/**
 * Tells of each sale, refund and loss that is booked. A booking that could not be told of counts as not made, and is
 * repeated.
 */
export function tellingLedger(ledger: Ledger, webhooks: HostWebhooks): Ledger {
  const told = new Map<string, true>();
  const tell = async (entry: LedgerEntry) => {
    const event = eventOf(entry);
    const name = `${entry.payment} ${entry.kind}`;
    if (!event || told.has(name)) return;
    const { type, id, data } = event;
    // A repetition has another time, and must have the same id.
    await webhooks.tell(type, data, { id, at: entry.soldAt, happenedAt: entry.at });
    keepNewest(told, name, true, REMEMBERED);
  };
  return {
    ...ledger,
    async book(entries) {
      // Together, so that a paid call waits no longer than for its booking.
      // guard: webhooks: a sale that could not be told counts as unbooked |
      //   .map(tell) -> .map((one) => tell(one).catch(() => {})) | webhooks
      const [isNew] = await Promise.all([ledger.book(entries), ...entries.map(tell)]);
      return isNew;
    },
  };
}

function eventOf(entry: LedgerEntry): EventOfHost | undefined {
  const { kind, requestId, endpoint, payer, network, transaction, earned, lost = 0n, prepaid } = entry;
  // Sales to accounts are told when they are charged, long before a page of them is booked.
  // guard: webhooks: a sale to an account is one event, whoever tells it | - || prepaid !== undefined | webhooks
  if (requestId === undefined || prepaid !== undefined) return undefined;
  const data = { endpoint, requestId, payer: payer || undefined, network, transaction: transaction || undefined };
  if (kind === "sale") return { type: "sale", id: requestId, data: { ...data, usd: fromMicros(earned) } };
  if (kind === "loss")
    return { type: "settlement.lost", id: `${requestId}lost`, data: { ...data, lostUsd: fromMicros(lost) } };
  // guard: webhooks: a refund is told before it counts as booked | = 0n | handler/webhook-crashes
  const refunded = refundedBy(entry);
  // A call may have both: its unused part, and what the host gave back.
  // guard: webhooks: a call's two refunds are two events | back -> refunded | handler/refund
  const id = requestId + (isByHost(entry) ? "back" : "refunded");
  return refunded > 0n ? { type: "refund", id, data: { ...data, refundedUsd: fromMicros(refunded) } } : undefined;
}

const isByHost = ({ because }: LedgerEntry): boolean => because === "host-refund";

/** The amount that went back to the buyer: on chain, or as credit where the host gave it back. */
const refundedBy = (entry: LedgerEntry): bigint => entry.returned + (isByHost(entry) ? entry.credited : 0n);
