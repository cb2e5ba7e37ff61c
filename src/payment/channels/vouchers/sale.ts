/** One sale on a channel: the channel is reserved, the work is done elsewhere, and storing the answer is the charge. */
import { randomUUID } from "node:crypto";
import type { Micros } from "../../../lib/money.js";
import type { LeaseOwner } from "../../../stores/owner.js";
import type { DurableEvents } from "../../events/durable-events.js";
import { pending } from "../../record/pending.js";
import type { SettleResponse } from "../../x402/refusal.js";
import { change, withReply } from "./changes.js";
import type { NotedVoucher } from "./noted-calls.js";
import type { ChannelLease, ChannelPurchase, Obstacle } from "./purchase.js";
import type { Turn } from "./queue.js";
import type { ChannelRecord, ChannelRecords, ChannelReply, Versioned } from "./record.js";
import { chargeReceipt } from "./refusals.js";
import type { StreamVouchers } from "./stream-vouchers.js";

/** Time to save the answer after the work. */
const SAVE_MS = 10_000;

export interface SaleOptions {
  records: ChannelRecords;
  owner: LeaseOwner;
  now: () => number;
  /** Remembers how this call left the channel, as long as no other call follows. */
  remember(left: Versioned<ChannelRecord>): void;
  streams: Pick<StreamVouchers, "open">;
  network: string;
  /** Notes a call by its request id; absent if single calls are not given back. */
  note?: ((requestId: string, call: NotedVoucher) => Promise<void>) | undefined;
  /** Absent if the host has no webhooks. */
  durable?: Pick<DurableEvents, "planEvent"> | undefined;
}

/** The channel as a call found it, and the key of the call's reply. */
export interface Reservation extends Versioned<ChannelRecord> {
  key: string;
  /** Version of the existing reply, 0 if there is none. */
  replaces: number;
  /** The transaction of the deposit that was made for it. */
  deposited?: string | undefined;
}

export async function reserve(
  { records, owner, now, remember, streams, network, note, durable }: SaleOptions,
  { message, fingerprint, endpoint, requestId, workMs, parts }: ChannelPurchase,
  turn: Turn,
  { value: record, version, key, replaces, deposited }: Reservation,
): Promise<{ lease: ChannelLease } | Obstacle> {
  const { voucher } = message;
  const id = randomUUID();
  const held = await owner.take(now() + workMs + (parts?.waitMs ?? 0) + SAVE_MS);
  const inParts = parts ? { parts: { most: parts.most, smallest: parts.smallest } } : {};
  const flight = { kind: "call" as const, id, ...held, reply: key, voucher, endpoint, ...inParts };
  // guard: channel: reserved by compare-and-set |
  //   version -> (await records.read(record.id))?.version ?? version | crashes --channels
  const reserved = await records.write({ ...record, flight, lastAt: now() }, version).catch((error: unknown) => {
    owner.end(held);
    throw error;
  });
  if (reserved === undefined) {
    owner.end(held);
    return "overtaken";
  }
  // While the work is done: the charge waits for it, and a paid call hardly ever.
  const facts = { network, channel: record.id, reply: key, flight: id, endpoint, requestId };
  const eventPlan = durable?.planEvent({ kind: "voucher", ...facts });
  const { requestId: _, ...call } = facts;
  const noted = note?.(requestId, call);
  noted?.catch(() => {});
  const stream = streams.open({ record, flight, fingerprint, parts });
  const moved = message.deposit && deposited !== undefined ? message.deposit.amount.toString() : "";

  /**
   * Charges the call. It may replace an uncharged answer to the same request; an answer to this very call ends the
   * lease.
   */
  async function save(reply: ChannelReply): Promise<void> {
    // Repeats after a failed write, since the work is done; the flight tells whether the first write succeeded.
    const write = () => records.writeReply(key, reply, replaces);
    if (await write().catch(write)) return;
    const there = await records.readReply(key);
    if (there?.value.flight === id && there.value.charge === reply.charge && there.value.receipt) return;
    // guard: channel: a holder that was overtaken charges nothing | = there && true | crashes --channels
    const isFree = there && there.value.flight !== id && there.value.charge === 0n;
    if (isFree && (await records.writeReply(key, reply, there.version))) return;
    throw pending("This call was taken over by another attempt.");
  }

  const over = () => {
    stream.end();
    owner.end(held);
    turn.end();
  };

  const charged = async (charge: Micros, outcome?: string): Promise<SettleResponse> => {
    try {
      const receipt = chargeReceipt(record, charge, { transaction: deposited ?? "", amount: moved });
      const { ceiling } = voucher;
      const made = outcome === undefined ? {} : { outcome };
      const reply: ChannelReply = { flight: id, fingerprint, charge, ceiling, receipt, at: now(), ...made };
      await Promise.all([eventPlan?.stored, noted]);
      await save(reply);
      if (charge > 0n) eventPlan?.confirm();
      else eventPlan?.cancel();
      if (!stream.wrote) remember({ value: withReply(record, flight, reply), version: reserved });
      return receipt;
    } finally {
      over();
    }
  };

  const lease: ChannelLease = {
    id: key,
    ...(parts ? { parts: stream } : {}),
    advance: stream.advance,
    settle: async (outcome, charge) => ({ outcome, receipt: await charged(charge, outcome) }),
    async keep(charge) {
      await charged(charge);
    },
    async release() {
      eventPlan?.cancel();
      try {
        const freed = { ...record, lastAt: now() };
        const left = await records.write(freed, reserved);
        if (left !== undefined) return remember({ value: freed, version: left });
        // A claim was recorded meanwhile.
        await change(records, record.id, ({ flight: there, ...rest }) => (there?.id === id ? rest : undefined));
      } finally {
        over();
      }
    },
  };
  return { lease };
}

/** A purchase that was charged without an answer: the work is repeated at no further charge. */
export function answerAnew(
  records: ChannelRecords,
  turn: Turn,
  { key, reply, version }: { key: string; reply: ChannelReply & { receipt: SettleResponse }; version: number },
): ChannelLease {
  const { receipt } = reply;
  return {
    id: key,
    advance: async () => {},
    async settle(outcome) {
      // If another attempt was faster, its answer serves as well.
      await records.writeReply(key, { ...reply, outcome }, version).finally(() => turn.end());
      return { outcome, receipt };
    },
    keep: async () => turn.end(),
    release: async () => turn.end(),
  };
}
