/** Turns what happens here into the events that a host asked for. */
import { createHash } from "node:crypto";
import { keepNewest } from "../lib/bounded.js";
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
  /** Default: now. */
  at?: number | undefined;
  /** True if it is told once for its id and time, even after it was delivered. */
  once?: true;
}

/** Remembers so many sales, so that booking them again tells nothing. */
const REMEMBERED = 5000;

/** Names of sales that this process told. */
export type ToldSales = Map<string, true>;

const remember = (told: ToldSales, name: string) => keepNewest(told, name, true, REMEMBERED);

/** Tells of events beside the host's `onCall`; nothing waits for it. */
export function tellingEmit(emit: Emit, webhooks: HostWebhooks, sales: ToldSales, now: () => number): Emit {
  return (event) => {
    emit(event);
    const time = now();
    const told = toldOf(event, time);
    if (!told) return;
    const { type, data, at = time, id, once } = told;
    const noted = webhooks.note(type, data, { id, at, ...(once ? { once } : {}) });
    if (type === "sale") void noted.then((isStored) => isStored && remember(sales, id));
  };
}

const hourOf = (at: number) => Math.floor(at / HOUR_MS) * HOUR_MS;

function toldOf(event: CallEvent, at: number): Told | undefined {
  if (event.kind === "call") return ofCall(event, at);
  if (event.kind === "budget") return undefined;
  const { kind: _, outcome, id: endpoint, ...facts } = event;
  const data = { endpoint, ...facts };
  const id = `${event.requestId ?? ""}${outcome}${at}`;
  if (outcome === "refunded") return { type: "refund", id, data };
  if (outcome === "overdue") return { type: "refund.owed", id, data };
  if (event.kind === "loss") return { type: "settlement.lost", id, data };
  return outcome === "lost" ? { type: "channel.loss", id, data } : undefined;
}

function ofCall(event: EndedCallEvent, at: number): Told | undefined {
  const { outcome, requestId, id: endpoint, payer, network, account = "", code, chargedUsd: usd } = event;
  const data = { endpoint, requestId, payer, network, account: event.account };
  if (outcome === "pending") return { type: "settlement.pending", id: requestId, data };
  // Once an hour for an account.
  if (code === "BALANCE_TOO_SMALL")
    return {
      ...{ type: "balance.low", id: `balance_${nameOf(account)}`, data: { account, endpoint } },
      ...{ at: hourOf(at), once: true },
    };
  // Other sales are told when they are booked, which also the background does; that of an account here as well, under
  // the time of its booking, so that it is the same event.
  const isBookedLater = outcome === "account" || event.scheme === "batch-settlement";
  return isBookedLater && usd !== undefined && usd !== "0"
    ? { type: "sale", id: requestId, data: { ...data, usd }, at: event.soldAt }
    : undefined;
}

/** Names of accounts may differ in signs that an event's id has none of. */
const nameOf = (account: string) => createHash("sha256").update(account).digest("hex").slice(0, 16);

/** Tells of each sale that is booked. A booking that could not be told of counts as not made, and is repeated. */
export function tellingLedger(ledger: Ledger, webhooks: HostWebhooks, sales: ToldSales): Ledger {
  const tell = async (entry: LedgerEntry) => {
    const { kind, payment, requestId, endpoint, payer, network, transaction, earned, prepaid, soldAt } = entry;
    if (kind !== "sale" || requestId === undefined) return;
    const name = prepaid === undefined ? payment : requestId;
    if (sales.has(name) || prepaid === 0n) return;
    const data = {
      endpoint,
      requestId,
      payer,
      network,
      transaction: transaction || undefined,
      usd: fromMicros(earned),
    };
    await webhooks.tell("sale", data, { id: requestId, at: soldAt });
    remember(sales, name);
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
