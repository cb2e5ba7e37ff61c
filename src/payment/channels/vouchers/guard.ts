/** Sells calls by voucher: queues the calls of a channel, checks each voucher, and lets it buy one thing once. */
import { setTimeout as sleep } from "node:timers/promises";
import { keepNewest } from "../../../lib/bounded.js";
import type { Logger } from "../../../lib/logger.js";
import type { Micros } from "../../../lib/money.js";
import { MINUTE_MS } from "../../../lib/time.js";
import type { LeaseOwner } from "../../../stores/owner.js";
import type { Store } from "../../../stores/store.js";
import type { DurableEvents } from "../../events/durable-events.js";
import type { Emit } from "../../events/events.js";
import type { ChannelMessage, ChannelRail } from "../../rails/channel.js";
import { pending, WAIT_MS } from "../../record/pending.js";
import type { FacilitatorClient } from "../../x402/facilitator.js";
import { PaymentRefused, type SettleResponse } from "../../x402/refusal.js";
import { type ChannelChainState, createChannelChainState } from "./chain-state.js";
import { isPayerProven, provenBuyer, sellable } from "./changes.js";
import { cover } from "./deposit.js";
import { createIdleLimits, type IdleLimits } from "./idle-limits.js";
import { noteVoucher } from "./noted-calls.js";
import {
  type ChannelDelivery,
  type ChannelLease,
  type ChannelPurchase,
  isObstacle,
  type Obstacle,
} from "./purchase.js";
import { type ChannelQueue, createChannelQueue, type Turn } from "./queue.js";
import {
  type ChannelRecord,
  type ChannelRecords,
  type ChannelReply,
  channelName,
  replyKey,
  type Versioned,
} from "./record.js";
import { assertOpen, belowClaimed, chargedAfter, contested, outOfStep, published, toldAsCharged } from "./refusals.js";
import { answerAnew, reserve, type SaleOptions } from "./sale.js";
import { createStreamVouchers, type StreamVouchers } from "./stream-vouchers.js";

/** Maximum waits for another instance: one that does the same call, and one that uses the same channel for others. */
const MOST_MS: Record<Obstacle, number> = { copied: WAIT_MS, held: 20_000, overtaken: 20_000 };
/** Lifetime of a repeated answer about a wallet's state: two minutes, plus the difference of clocks. */
const COPY_MS = 2 * MINUTE_MS + 1000;
/** Each takes about a kilobyte. */
const MAX_REMEMBERED = 10_000;

export interface ChannelGuardOptions {
  rail: ChannelRail;
  records: ChannelRecords;
  facilitator: FacilitatorClient;
  emit: Emit;
  durable?: DurableEvents | undefined;
  /** Whether calls are noted by their request ids, so that single ones can be given back. */
  refundable?: boolean | undefined;
  logger: Logger;
  store: Store;
  owner: LeaseOwner;
  now: () => number;
}

type Entry = { delivery: ChannelDelivery } | { lease: ChannelLease };

export interface ChannelGuard {
  readonly rail: ChannelRail;
  readonly chainState: ChannelChainState;
  readonly queue: ChannelQueue;
  readonly idleLimits: IdleLimits;
  /** A stored answer, or a lease to make one. Rejects with PaymentRefused. */
  enter(purchase: ChannelPurchase): Promise<Entry>;
  /** Vouchers for streams that are under way, here or on another instance. */
  readonly streams: StreamVouchers;
}

export function createChannelGuard(options: ChannelGuardOptions): ChannelGuard {
  const { rail, records, durable, store, owner, refundable, now } = options;
  const chainState = createChannelChainState(options);
  const idleLimits = createIdleLimits({ ...options, network: rail.network, chainState });
  const queue = createChannelQueue();
  /** Channels as this process wrote them last, by id; a conditional write detects later changes by others. */
  const recent = new Map<string, Versioned<ChannelRecord>>();
  const streams = createStreamVouchers({ records, chainState, owner, now });
  const note = refundable ? noteVoucher.bind(undefined, store) : undefined;
  const sales: SaleOptions = { records, owner, now, remember, streams, network: rail.network, durable, note };

  async function enter(purchase: ChannelPurchase): Promise<Entry> {
    const { message, signal } = purchase;
    const { fingerprint: request } = purchase;
    const arrival = { ceiling: message.voucher.ceiling, deposits: message.kind === "deposit", request };
    const turn = await queue.take(message.id, arrival, signal);
    if (!turn) throw pending("Other calls on the same channel are under way.");
    // Begins after the queue, since waiting calls are not under way, and in parallel, since most calls are allowed.
    const begun = purchase.attempt.begin();
    begun.catch(() => {});
    try {
      const entry = await patiently(() => attempt(purchase, turn, begun), signal);
      // guard: failures: a voucher of who failed too often reserves nothing |
      //   - else await begun.catch(refuse(entry.lease)); | channels/failures
      if ("delivery" in entry) turn.end();
      else await begun.catch(refuse(entry.lease));
      return entry;
    } catch (error) {
      const charged = toldAsCharged(error);
      turn.end(charged === undefined ? undefined : { ...arrival, charged });
      throw error;
    }
  }

  async function attempt(purchase: ChannelPurchase, turn: Turn, begun: Promise<void>): Promise<Entry | Obstacle> {
    const { message, amount } = purchase;
    const { ceiling } = message.voucher;
    const key = replyKeyOf(purchase);
    const known = recent.get(message.id);
    recent.delete(message.id);
    // After this process's own last call nothing is read: the conditional write detects changes by others.
    if (known && purchase.key === undefined && follows(known.value, message, amount)) {
      const value = await admitted(known.value, purchase);
      // guard: policy: asked before the next voucher of an open channel is charged | gone | channels/policy
      await purchase.permit?.();
      return reserve(sales, purchase, turn, { ...known, value, key, replaces: 0 });
    }

    const [stored, first] = await Promise.all([records.read(message.id), records.readReply(key)]);
    const there = await located(purchase, stored, key);
    if (isObstacle(there)) return there;
    const found = { ...there, value: await admitted(there.value, purchase) };
    // A concurrent copy may have been answered between the two reads.
    const isLate = first === undefined && ceiling !== found.value.charged + amount;
    const answered = isLate ? await records.readReply(key) : first;

    const again = answered && repetition(purchase, turn, { found: found.value, key, answered });
    if (again) return again;
    assertNext(found.value, ceiling, amount);
    // guard: failures: no deposit is made for who failed too often | gone | channels/failures
    await begun;
    // guard: policy: asked before a deposit | gone | channels/policy
    await purchase.permit?.();
    const covered = await cover({ ...options, chainState, idleLimits }, found, purchase);
    if (isObstacle(covered)) return covered;
    // guard: channel: nothing is sold shortly before a withdrawal ends | gone | withdrawals --channels
    assertOpen(covered.value, now());
    return reserve(sales, purchase, turn, { ...covered, key, replaces: answered?.version ?? 0 });
  }

  function replyKeyOf({ key, message: { id, voucher }, fingerprint }: ChannelPurchase): string {
    const name = channelName(rail.network, id);
    return replyKey(name, key === undefined ? { ceiling: voucher.ceiling, fingerprint } : { key });
  }

  /** The channel as this store knows it, or as the chain shows it to a store that does not. */
  async function located(
    { message, amount }: ChannelPurchase,
    stored: Versioned<ChannelRecord> | undefined,
    key: string,
  ): Promise<Versioned<ChannelRecord> | Obstacle> {
    if (!stored || stored.value.found) return chainState.adopt(message, amount, stored?.version);
    const there = await chainState.settled(stored);
    return there === "held" && stored.value.flight?.reply === key ? "copied" : there;
  }

  /** The purchase that a voucher made before, or the lease to make its answer again; undefined if it buys something new. */
  function repetition(
    purchase: ChannelPurchase,
    turn: Turn,
    { found, key, answered }: { found: ChannelRecord; key: string; answered: Versioned<ChannelReply> },
  ): Entry | undefined {
    const { fingerprint, message, isSecret } = purchase;
    const again = !isStale(answered.value, found, purchase) && deliverable(answered.value);
    // For a published voucher, a wrong input must not reveal that the key was right.
    // guard: channel: with a published voucher a wrong input is as a wrong name | = isSecret | vouchers
    const isBuyers = isSecret && answered.value.fingerprint === fingerprint;
    if (again && isBuyers) return { delivery: again(fingerprint) };
    assertUnclaimed(found, message.voucher.ceiling);
    if (again) return { delivery: again(fingerprint) };
    const kept = withoutAnswer(answered.value, fingerprint);
    return kept && { lease: answerAnew(records, turn, { key, reply: kept, version: answered.version }) };
  }

  /** The channel with the identity that its buyer just proved. */
  async function admitted(record: ChannelRecord, { message, admit }: ChannelPurchase): Promise<ChannelRecord> {
    const next = message.delegated ? { ...record, delegated: true } : record;
    await admit({ id: provenBuyer(next), isPayer: isPayerProven(next) });
    return next;
  }

  /**
   * Whether a voucher needs no further check: the next one of an open channel without pending withdrawal, refund or
   * claim.
   */
  function follows(record: ChannelRecord, { voucher: { ceiling } }: ChannelMessage, amount: Micros): boolean {
    // guard: channel: the next call of a known channel fits the deposit |
    //   - ceiling <= sellable(record) && | vouchers --channels
    return (
      ceiling === record.charged + amount &&
      ceiling <= sellable(record) &&
      !record.published.includes(ceiling) &&
      record.withdrawal === undefined &&
      chainState.isFresh(record)
    );
  }

  /**
   * Whether a copy means a new purchase: a restarted agent signs the same ceiling again, and must not get the old
   * answer about a lock that has ended.
   */
  function isStale({ receipt, at }: ChannelReply, { charged }: ChannelRecord, { isBrief }: ChannelPurchase): boolean {
    if (!isBrief || !receipt) return false;
    // guard: channel: a change of a wallet's state is old news after two minutes | - now() - at > COPY_MS || | wallets
    // guard: channel: a change of a wallet's state is old news once the channel bought more |
    //   - || chargedAfter(receipt) !== charged | wallets
    return now() - at > COPY_MS || chargedAfter(receipt) !== charged;
  }

  function remember(left: Versioned<ChannelRecord>): void {
    keepNewest(recent, left.value.id, left, MAX_REMEMBERED);
  }

  async function patiently<T>(work: () => Promise<T | Obstacle>, signal: AbortSignal | undefined): Promise<T> {
    const since = performance.now();
    for (let attempts = 1; ; attempts++) {
      const result = await work();
      if (!isObstacle(result)) return result;
      if (performance.now() - since > MOST_MS[result]) throw pending("Another call on the same channel is under way.");
      const waitMs = Math.min(10 * 2 ** Math.min(attempts, 6), 300);
      await sleep(waitMs, undefined, signal ? { signal } : {}).catch(() => {});
      if (signal?.aborted) throw pending("The caller stopped waiting for the channel.");
    }
  }

  return { rail, chainState, queue, idleLimits, streams, enter };
}

/** No work was done yet, so the voucher stays valid for another try. */
const refuse = (lease: ChannelLease) => async (why: unknown) => {
  await lease.release();
  throw why;
};

/** How a stored reply is delivered for a repeated request; undefined if nothing was charged for it. */
function deliverable({ charge, outcome, receipt, fingerprint: bought }: ChannelReply) {
  if (charge === 0n || outcome === undefined || !receipt) return undefined;
  return (fingerprint: string): ChannelDelivery => {
    if (fingerprint !== bought)
      throw new PaymentRefused("PAYMENT_ALREADY_USED", "This idempotency key was already used for another request.");
    return { outcome, receipt };
  };
}

/** A charged reply without an answer yet, for a repeated request. */
function withoutAnswer(
  reply: ChannelReply,
  fingerprint: string,
): (ChannelReply & { receipt: SettleResponse }) | undefined {
  const { charge, outcome, receipt } = reply;
  if (charge === 0n || outcome !== undefined || !receipt || reply.fingerprint !== fingerprint) return undefined;
  return { ...reply, receipt };
}

/** Whether a voucher pays for the next call. Throws PaymentRefused. */
function assertNext(record: ChannelRecord, ceiling: Micros, amount: Micros): void {
  assertUnclaimed(record, ceiling);
  if (record.foreign !== undefined) throw contested();
  // guard: channel: the ceiling is what was charged and the price | gone | vouchers --channels
  if (ceiling !== record.charged + amount) throw outOfStep(record);
}

/** A claimed or published voucher is known to everybody who reads the chain. */
function assertUnclaimed(record: ChannelRecord, ceiling: Micros): void {
  // guard: channel: a voucher at or below what is claimed buys nothing | gone | vouchers --channels
  if (ceiling <= record.claimed) throw belowClaimed(record);
  // guard: channel: a published voucher buys nothing | gone | vouchers --channels
  if (record.published.includes(ceiling)) throw published();
}
