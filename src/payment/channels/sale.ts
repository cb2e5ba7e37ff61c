/** One call's sale: the channel is reserved for it, the work is done elsewhere, and its answer is the charge. */
import { randomUUID } from "node:crypto";
import type { Micros } from "../../lib/money.js";
import { pending } from "../settlement/settlement.js";
import type { SettleResponse } from "../x402/refusal.js";
import { change, provenBuyer, withReply } from "./changes.js";
import type { ChannelLease, ChannelPurchase, Obstacle } from "./purchase.js";
import type { Turn } from "./queue.js";
import type { ChannelRecord, ChannelRecords, ChannelReply, Versioned } from "./record.js";
import { stateOf } from "./refusals.js";

/** What a call may need on top of its own work to save what it made. */
const SAVE_MS = 10_000;

export interface SaleOptions {
  records: ChannelRecords;
  now: () => number;
  /** Told how the channel was left, as long as nobody else came to it. */
  remember(left: Versioned<ChannelRecord>): void;
}

/** The channel as it was found for a call, and where its reply goes. */
export interface Reservation extends Versioned<ChannelRecord> {
  key: string;
  /** The version of what is there already, 0 where nothing is. */
  replaces: number;
  /** The transaction of the deposit that was made for it. */
  deposited?: string | undefined;
}

export async function reserve(
  { records, now, remember }: SaleOptions,
  { message, fingerprint, endpoint, workMs }: ChannelPurchase,
  turn: Turn,
  { value: record, version, key, replaces, deposited }: Reservation,
): Promise<{ lease: ChannelLease } | Obstacle> {
  const { voucher } = message;
  const id = randomUUID();
  const flight = { kind: "call" as const, id, leaseUntil: now() + workMs + SAVE_MS, reply: key, voucher, endpoint };
  const reserved = await records.write({ ...record, flight, lastAt: now() }, version);
  if (reserved === undefined) return "overtaken";
  const moved = message.deposit && deposited !== undefined ? message.deposit.amount.toString() : "";

  /** Charges. An answer to the same that was charged nothing may be in its place; one to this very call fences it off. */
  async function save(reply: ChannelReply): Promise<void> {
    // A second time where the store broke off: the work is done, and what may have been written is told by its flight.
    const write = () => records.writeReply(key, reply, replaces);
    if (await write().catch(write)) return;
    const there = await records.readReply(key);
    if (there?.value.flight === id && there.value.charge === reply.charge && there.value.receipt) return;
    const isFree = there && there.value.flight !== id && there.value.charge === 0n;
    if (isFree && (await records.writeReply(key, reply, there.version))) return;
    throw pending("This call was taken over by another attempt.");
  }

  const receiptOf = (charge: Micros): SettleResponse => ({
    success: true,
    transaction: deposited ?? "",
    network: record.network,
    payer: provenBuyer(record),
    amount: moved,
    extra: {
      channelState: stateOf({ ...record, charged: record.charged + charge }),
      chargedAmount: charge.toString(),
    },
  });

  const charged = async (charge: Micros, outcome?: string): Promise<SettleResponse> => {
    try {
      const receipt = receiptOf(charge);
      const { ceiling } = voucher;
      const made = outcome === undefined ? {} : { outcome };
      const reply: ChannelReply = { flight: id, fingerprint, charge, ceiling, receipt, at: now(), ...made };
      await save(reply);
      remember({ value: withReply(record, flight, reply), version: reserved });
      return receipt;
    } finally {
      turn.end();
    }
  };

  const lease: ChannelLease = {
    id: key,
    settle: async (outcome, charge) => ({ outcome, receipt: await charged(charge, outcome) }),
    async keep(charge) {
      await charged(charge);
    },
    async release() {
      try {
        const freed = { ...record, lastAt: now() };
        const left = await records.write(freed, reserved);
        if (left !== undefined) return remember({ value: freed, version: left });
        // A claim was noted meanwhile.
        await change(records, record.id, ({ flight: held, ...rest }) => (held?.id === id ? rest : undefined));
      } finally {
        turn.end();
      }
    },
  };
  return { lease };
}

/** A purchase that was charged without an answer: it is made again, for nothing more. */
export function answerAnew(
  records: ChannelRecords,
  turn: Turn,
  { key, reply, version }: { key: string; reply: ChannelReply & { receipt: SettleResponse }; version: number },
): ChannelLease {
  const { receipt } = reply;
  return {
    id: key,
    async settle(outcome) {
      // Where another attempt was faster, its answer is as good.
      await records.writeReply(key, { ...reply, outcome }, version).finally(() => turn.end());
      return { outcome, receipt };
    },
    keep: async () => turn.end(),
    release: async () => turn.end(),
  };
}
