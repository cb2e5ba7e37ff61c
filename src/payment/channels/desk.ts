/** Where calls are paid by voucher: who is next, what the voucher is good for, and that it buys one thing once. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Emit } from "../../host/events.js";
import type { Logger } from "../../lib/logger.js";
import { fromMicros, type Micros } from "../../lib/money.js";
import type { ChannelMessage, ChannelRail } from "../rails/channel.js";
import { pending } from "../settlement/settlement.js";
import type { FacilitatorClient } from "../x402/facilitator.js";
import { PaymentRefused, type Receipt } from "../x402/refusal.js";
import { createMirror, type Mirror } from "./mirror.js";
import {
  type ChannelRecord,
  type ChannelRecords,
  change,
  nameOf,
  type Reply,
  replyKey,
  type Versioned,
  withReply,
} from "./record.js";
import { belowClaimed, closing, outOfStep, published, stateOf } from "./refusals.js";
import { createTurns, type Turn, type Turns } from "./turns.js";

/** What a call may need on top of its own work to save what it made. */
const SAVE_MS = 10_000;
const DEPOSIT_LEASE_MS = 60_000;
/** How long a call waits for another instance that works on the same channel. */
const WAIT_MS = 20_000;
/** About a kilobyte each. */
const MAX_REMEMBERED = 10_000;

/** A call to be paid by what a caller sent. */
export interface ChannelPurchase {
  message: ChannelMessage;
  amount: Micros;
  /** Endpoint and hash of the input. */
  fingerprint: string;
  endpoint: string;
  requestId: string;
  /** The buyer's own name for the purchase, already bound to who the buyer is. */
  key?: string | undefined;
  workMs: number;
  signal?: AbortSignal | undefined;
}

export interface ChannelDelivery {
  outcome: string;
  receipt: Receipt;
}

/** The right to do one call's work on a channel. */
export interface ChannelSale {
  /** Charges what was used, which makes the answer deliverable. Rejects with SETTLEMENT_PENDING. */
  settle(outcome: string, charge: Micros): Promise<ChannelDelivery>;
  /** The work failed: the same voucher is good for another try. */
  release(): Promise<void>;
}

export interface DeskOptions {
  rail: ChannelRail;
  records: ChannelRecords;
  facilitator: FacilitatorClient;
  emit: Emit;
  logger: Logger;
  now: () => number;
}

export interface Desk {
  readonly rail: ChannelRail;
  readonly mirror: Mirror;
  readonly turns: Turns;
  /** A stored answer, or the right to make one. Rejects with PaymentRefused. */
  enter(purchase: ChannelPurchase): Promise<{ delivery: ChannelDelivery } | { sale: ChannelSale }>;
}

/** What is in the way: somebody else works on the channel, or was faster just now. */
type Obstacle = "held" | "overtaken";

export function createDesk(options: DeskOptions): Desk {
  const { rail, records, facilitator, emit, logger, now } = options;
  const mirror = createMirror(options);
  const turns = createTurns();
  /** Channels as this process left them, by id; what others did to one since then shows when it is written. */
  const recent = new Map<string, Versioned<ChannelRecord>>();

  async function enter(purchase: ChannelPurchase) {
    const { message, signal } = purchase;
    const turn = await turns.take(message.id, message.voucher.ceiling, signal);
    if (!turn) throw pending("Other calls on the same channel are under way.");
    try {
      const entry = await patiently(() => attempt(purchase, turn), signal);
      if ("delivery" in entry) turn.end();
      return entry;
    } catch (error) {
      turn.end(error instanceof PaymentRefused && error.options.correction !== undefined);
      throw error;
    }
  }

  async function attempt(
    purchase: ChannelPurchase,
    turn: Turn,
  ): Promise<{ delivery: ChannelDelivery } | { sale: ChannelSale } | Obstacle> {
    const { message, amount, fingerprint } = purchase;
    const { ceiling } = message.voucher;
    const key = replyKey(
      nameOf(rail.network, message.id),
      purchase.key === undefined ? { ceiling, fingerprint } : { key: purchase.key },
    );
    const known = recent.get(message.id);
    recent.delete(message.id);
    // Straight on from the last call of this process: a write tells whether that is so, and nothing need be read.
    if (known && purchase.key === undefined && follows(known.value, message, amount))
      return reserve(purchase, turn, { record: known.value, version: known.version, key, replaces: 0 });

    const [stored, answered] = await Promise.all([records.read(message.id), records.readReply(key)]);
    const isKnown = stored && !stored.value.found;
    const found = isKnown ? await mirror.settled(stored) : await mirror.adopt(message, amount, stored?.version);
    if (found === "held") return "held";

    const again = answered && deliverable(answered.value);
    if (again && purchase.key !== undefined) return { delivery: again(fingerprint) };
    if (ceiling <= found.value.claimed) throw belowClaimed(found.value);
    if (found.value.published.includes(ceiling)) throw published();
    if (again) return { delivery: again(fingerprint) };

    if (ceiling !== found.value.charged + amount) throw outOfStep(found.value);
    const covered = await cover(message, found, purchase);
    if (typeof covered === "string") return covered;
    const { value: record, version, deposited } = covered;
    assertNotClosing(record);
    return reserve(purchase, turn, {
      record,
      version,
      key,
      replaces: answered?.version ?? 0,
      ...(deposited ? { deposited } : {}),
    });
  }

  /** Whether a voucher is good without another look at anything: the next one of a channel that is open and at peace. */
  function follows(record: ChannelRecord, { voucher: { ceiling } }: ChannelMessage, amount: Micros): boolean {
    return (
      ceiling === record.charged + amount &&
      ceiling <= record.balance &&
      !record.published.includes(ceiling) &&
      record.withdrawal === undefined &&
      mirror.isFresh(record)
    );
  }

  /** A deposit that covers the ceiling, by the chain's word: what is there is enough, or what was sent along is put there. */
  async function cover(
    message: ChannelMessage,
    found: Versioned<ChannelRecord>,
    purchase: ChannelPurchase,
  ): Promise<(Versioned<ChannelRecord> & { deposited?: string }) | Obstacle> {
    const { ceiling } = message.voucher;
    let record = await mirror.fresh(found.value);
    if (ceiling <= record.balance) return { value: record, version: found.version };
    // Topped up elsewhere, perhaps, or by a deposit whose answer was lost.
    record = await mirror.refreshed(record);
    if (ceiling <= record.balance) return { value: record, version: found.version };
    if (message.kind !== "deposit" || !message.deposit) throw outOfStep(record);
    const { amount } = message.deposit;
    if (ceiling > record.balance + amount) throw outOfStep(record);

    const leaseUntil = now() + DEPOSIT_LEASE_MS;
    const flight = { kind: "deposit" as const, id: randomUUID(), leaseUntil };
    const version = await records.write({ ...record, flight, lastAt: now() }, found.version);
    if (version === undefined) return "overtaken";
    const end = await facilitator.settle(rail.toDeposit(message));
    const seen = await mirror.untilCovered(record, ceiling, end.kind !== "refused");
    const transaction = end.kind === "settled" ? end.transaction : "";
    if (ceiling <= seen.balance) {
      const usd = fromMicros(amount);
      emit({
        ...{ id: purchase.endpoint, requestId: purchase.requestId, outcome: "deposited", caller: "none", status: 200 },
        ...{ channelUsd: usd, channel: record.id, payer: record.terms.payer, network: rail.network, durationMs: 0 },
        ...(transaction ? { transaction } : {}),
      });
      return { value: seen, version, deposited: transaction };
    }
    await records.write(seen, version);
    logger.warn({ channel: record.id, network: rail.network, end }, "channels: a deposit was not settled");
    if (end.kind !== "refused") throw pending("Whether the deposit was made is not known yet.");
    const receipt = { success: false, transaction: "", network: rail.network, payer: record.terms.payer };
    throw new PaymentRefused("SETTLEMENT_REFUSED", `The deposit could not be made: ${end.reason}`, {
      receipt: { ...receipt, errorReason: end.reason },
    });
  }

  /** Shortly before a withdrawal is paid out, nothing that is charged could be claimed in time any more. */
  function assertNotClosing({ withdrawal }: ChannelRecord): void {
    if (!withdrawal) return;
    const margin = Math.max(300, rail.withdrawDelay / 6);
    if (now() / 1000 >= withdrawal.at + rail.withdrawDelay - margin) throw closing();
  }

  interface Reservation {
    record: ChannelRecord;
    version: number;
    key: string;
    replaces: number;
    deposited?: string;
  }

  async function reserve(
    purchase: ChannelPurchase,
    turn: Turn,
    { record, version, key, replaces, deposited }: Reservation,
  ): Promise<{ sale: ChannelSale } | Obstacle> {
    const { message, fingerprint, endpoint, workMs } = purchase;
    const { voucher } = message;
    const id = randomUUID();
    const leaseUntil = now() + workMs + SAVE_MS;
    const flight = { kind: "call" as const, id, leaseUntil, reply: key, voucher, endpoint };
    const reserved = await records.write({ ...record, flight, lastAt: now() }, version);
    if (reserved === undefined) return "overtaken";
    const moved = message.deposit && deposited !== undefined ? message.deposit.amount.toString() : "";

    return {
      sale: {
        async settle(outcome, charge) {
          try {
            const receipt: Receipt = {
              success: true,
              transaction: deposited ?? "",
              network: rail.network,
              payer: record.terms.payer,
              amount: moved,
              extra: {
                channelState: stateOf({ ...record, charged: record.charged + charge }),
                chargedAmount: charge.toString(),
              },
            };
            const reply: Reply = {
              flight: id,
              fingerprint,
              charge,
              ceiling: voucher.ceiling,
              outcome,
              receipt,
              at: now(),
            };
            await save(key, reply, replaces);
            remember(withReply(record, flight, reply), reserved);
            return { outcome, receipt };
          } finally {
            turn.end();
          }
        },
        async release() {
          try {
            const freed = { ...record, lastAt: now() };
            const version = await records.write(freed, reserved);
            if (version !== undefined) return remember(freed, version);
            // A claim was noted meanwhile.
            await change(records, record.id, ({ flight: held, ...rest }) => (held?.id === id ? rest : undefined));
          } finally {
            turn.end();
          }
        },
      },
    };
  }

  function remember(value: ChannelRecord, version: number): void {
    recent.set(value.id, { value, version });
    const [oldest] = recent.keys();
    if (oldest !== undefined && recent.size > MAX_REMEMBERED) recent.delete(oldest);
  }

  /** Charges. An answer to the same that was charged nothing may be in its place; one to this very call fences it off. */
  async function save(key: string, reply: Reply, replaces: number): Promise<void> {
    if (await records.writeReply(key, reply, replaces)) return;
    const there = await records.readReply(key);
    const isFree = there && there.value.flight !== reply.flight && there.value.charge === 0n;
    if (isFree && (await records.writeReply(key, reply, there.version))) return;
    throw pending("This call was taken over by another attempt.");
  }

  async function patiently<T>(work: () => Promise<T | Obstacle>, signal: AbortSignal | undefined): Promise<T> {
    const giveUpAt = performance.now() + WAIT_MS;
    for (let attempts = 1; ; attempts++) {
      const result = await work();
      if (result !== "held" && result !== "overtaken") return result as T;
      if (performance.now() > giveUpAt) throw pending("Another call on the same channel is under way.");
      const waitMs = Math.min(10 * 2 ** Math.min(attempts, 6), 300);
      await sleep(waitMs, undefined, signal ? { signal } : {}).catch(() => {});
      if (signal?.aborted) throw pending("The wait for the channel was broken off.");
    }
  }

  return { rail, mirror, turns, enter };
}

/** How a stored reply is delivered to whoever asks for the same again; undefined where it was charged nothing. */
function deliverable({ charge, outcome, receipt, fingerprint: bought }: Reply) {
  if (charge === 0n || outcome === undefined || !receipt) return undefined;
  return (fingerprint: string): ChannelDelivery => {
    if (fingerprint !== bought)
      throw new PaymentRefused("PAYMENT_ALREADY_USED", "This idempotency key was already used for another request.");
    return { outcome, receipt };
  };
}
