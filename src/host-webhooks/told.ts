/** Turns what happens here into the events that a host asked for. */
import { fromMicros } from "../lib/money.js";
import { HOUR_MS } from "../lib/time.js";
import type { CallEvent, Emit, EndedCallEvent } from "../payment/events.js";
import type { Ledger, LedgerEntry } from "../payment/ledger/ledger.js";
import type { HostEvent } from "./options.js";
import type { HostWebhooks } from "./webhooks.js";

interface Told {
  type: HostEvent;
  /** Unique among the events of its time. */
  id: string;
  data: object;
}

/** Tells of events beside the host's `onCall`; nothing waits for it. */
export function tellingEmit(emit: Emit, webhooks: HostWebhooks, now: () => number): Emit {
  return (event) => {
    emit(event);
    const at = now();
    const told = toldOf(event, at);
    if (told) webhooks.note(told.type, told.data, { id: told.id, at: told.type === "balance.low" ? hourOf(at) : at });
  };
}

const hourOf = (at: number) => Math.floor(at / HOUR_MS) * HOUR_MS;

function toldOf(event: CallEvent, at: number): Told | undefined {
  if (event.kind === "call") return ofCall(event);
  if (event.kind === "budget") return undefined;
  const { kind: _, outcome, id: endpoint, ...facts } = event;
  const data = { endpoint, ...facts };
  const id = `${event.requestId ?? ""}${outcome}${at}`;
  if (outcome === "refunded") return { type: "refund", id, data };
  if (outcome === "overdue") return { type: "refund.owed", id, data };
  if (event.kind === "loss") return { type: "settlement.lost", id, data };
  return outcome === "lost" ? { type: "channel.loss", id, data } : undefined;
}

function ofCall(event: EndedCallEvent): Told | undefined {
  const { outcome, requestId, id: endpoint, payer, network, account, code, chargedUsd: usd } = event;
  const data = { endpoint, requestId, payer, network, account };
  if (outcome === "pending") return { type: "settlement.pending", id: requestId, data };
  // Once an hour for an account.
  if (code === "BALANCE_TOO_SMALL")
    return { type: "balance.low", id: `balance_${account}`, data: { account, endpoint } };
  // Other sales are told when they are booked, which also the background does.
  const isBookedLater = outcome === "account" || event.scheme === "batch-settlement";
  return isBookedLater && usd !== undefined && usd !== "0"
    ? { type: "sale", id: requestId, data: { ...data, usd } }
    : undefined;
}

/** Remembers so many sales, so that booking them again tells nothing. */
const REMEMBERED = 5000;

/** Tells of each sale that is booked. A booking that could not be told of counts as not made, and is repeated. */
export function tellingLedger(ledger: Ledger, webhooks: HostWebhooks): Ledger {
  const told = new Set<string>();
  const tell = async (entry: LedgerEntry) => {
    const { kind, payment, requestId, endpoint, payer, network, transaction, earned, soldAt } = entry;
    if (kind !== "sale" || requestId === undefined || told.has(payment)) return;
    const data = {
      endpoint,
      requestId,
      payer,
      network,
      transaction: transaction || undefined,
      usd: fromMicros(earned),
    };
    await webhooks.tell("sale", data, { id: requestId, at: soldAt });
    told.add(payment);
    for (const oldest of told) {
      if (told.size <= REMEMBERED) break;
      told.delete(oldest);
    }
  };
  return {
    ...ledger,
    async book(entries) {
      // Together, so that a paid call waits no longer than for its booking.
      const [isNew] = await Promise.all([ledger.book(entries), ...entries.map(tell)]);
      return isNew;
    },
  };
}
