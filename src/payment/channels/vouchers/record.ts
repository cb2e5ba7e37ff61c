/**
 * Stored state of a channel. A call makes two writes: the channel's record with the call in flight, then the reply,
 * which is also the charge. The next call on the channel finds the reply of the call in flight and adds it up. If there
 * is none when the lease has ended, it writes an empty reply first, so that a holder presumed dead can charge nothing
 * later.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { once } from "../../../lib/lazy.js";
import type { Micros } from "../../../lib/money.js";
import { DAY_MS } from "../../../lib/time.js";
import type { Store } from "../../../stores/store.js";
import type { ChannelTerms } from "../../rails/channel.js";
import type { SettleResponse } from "../../x402/refusal.js";

const micros = once(() => z.string().transform(BigInt));
const voucher = once(() => z.object({ ceiling: micros(), signature: z.string() }));

/** The call in flight: it owns the channel until it ends or its lease expires. */
const flight = once(() =>
  z.object({
    kind: z.enum(["call", "deposit", "refund"]),
    id: z.string(),
    /** Its end in any case (epoch milliseconds). */
    leaseUntil: z.number(),
    /** The lease's owner, with whose last sign of life it ends. Absent in records of older releases. */
    owner: z.string().optional(),
    /** Key of a call's reply. */
    reply: z.string().optional(),
    voucher: voucher().optional(),
    endpoint: z.string().optional(),
    /** For a stream paid by one voucher after the other: the sum of all, and the smallest next one. */
    parts: z.object({ most: micros(), smallest: micros() }).optional(),
    /** Charge for the part of a stream that was sent, and the answer for its buyer if the stream breaks off there. */
    progress: z.object({ charge: micros(), outcome: z.string(), fingerprint: z.string() }).optional(),
  }),
);
export type Flight = z.infer<ReturnType<typeof flight>>;

/** Number and sum of the calls that are not yet in the ledger, by day and endpoint. */
const tally = once(() => z.record(z.string(), z.object({ calls: z.number(), charged: micros(), at: z.number() })));

/** Records of earlier releases contain it in the configuration only. */
const withAuthorizer = (terms: ChannelTerms): ChannelTerms =>
  terms.authorizer === undefined ? { ...terms, authorizer: String(terms.config.payerAuthorizer) } : terms;

const channelRecord = once(() =>
  z.object({
    id: z.string(),
    network: z.string(),
    terms: z.custom<ChannelTerms>().transform(withAuthorizer),
    /** True if the payer signed a deposit here, and so named the signer of its vouchers. */
    delegated: z.boolean().optional(),
    /** Total of all charges, of replies that are added up. */
    charged: micros(),
    /** Part of `charged` that was claimed before this store knew the channel. */
    base: micros(),
    /** The voucher with the lowest ceiling that covers the charges. */
    voucher: voucher().optional(),
    flight: flight().optional(),
    /** Chain state as of `readAt` (epoch milliseconds). */
    balance: micros(),
    /** Part of the balance added in amounts below the smallest deposit: nothing is sold on it. */
    small: micros().optional(),
    claimed: micros(),
    refundNonce: micros(),
    withdrawal: z.object({ amount: micros(), at: z.number() }).optional(),
    readAt: z.number(),
    /** The last observed claim or refund: time (epoch milliseconds), block, and whether that block is final. */
    rose: z.object({ at: z.number(), block: z.number().optional(), final: z.literal(true).optional() }).optional(),
    /** Ceilings that our claims made public and that are above the final claimed total: they buy nothing. */
    published: z.array(micros()),
    /** Since when a charge is unclaimed (epoch milliseconds). */
    owedSince: z.number().optional(),
    /** Time before which no claim is sent again, because the outcome of the last is unknown. */
    claimAfter: z.number().optional(),
    /** Highest total that our own claims requested. Records of earlier releases lack it. */
    reach: micros().optional(),
    /** Part of our charges that another service with our key claimed. If set, nothing more is sold. */
    foreign: micros().optional(),
    /** Part of `foreign` that was reported as lost. */
    foreignTold: micros().optional(),
    /** Charges that cannot be claimed and were reported as lost. */
    lost: micros(),
    /** The chain state at the last failed claim. */
    parked: z.string().optional(),
    /** A failed claim: failures in a row, time of the first, reason, and time of the retry (epoch milliseconds). */
    parking: z.object({ tries: z.number(), since: z.number(), reason: z.string(), retryAt: z.number() }).optional(),
    lastAt: z.number(),
    /**
     * True if it was reconstructed from the chain after a store was lost: the buyer's next voucher proves charges
     * beyond the claimed total.
     */
    found: z.boolean().optional(),
    /**
     * Signed refunds with one nonce, and the largest amount among them. They never expire; the next nonce ends them.
     */
    refund: z.object({ nonce: micros(), amount: micros() }).optional(),
    /** The last refund that this service made and saw. */
    refunded: z.object({ nonce: micros(), amount: micros(), transaction: z.string().optional() }).optional(),
    refundedAt: z.number().optional(),
    chargedAtRefund: micros().optional(),
    tally: tally(),
    /** A tally that is being written to the ledger, under a fixed number. */
    booking: z.object({ number: z.number(), tally: tally() }).optional(),
    bookings: z.number(),
  }),
);
export type ChannelRecord = z.infer<ReturnType<typeof channelRecord>>;

/** A call's answer and its charge. An empty reply charges and delivers nothing. */
const reply = once(() =>
  z.object({
    flight: z.string(),
    fingerprint: z.string(),
    charge: micros(),
    ceiling: micros(),
    /** Epoch milliseconds. */
    at: z.number(),
    outcome: z.string().optional(),
    receipt: z.custom<SettleResponse>().optional(),
  }),
);
export type ChannelReply = z.infer<ReturnType<typeof reply>>;

export interface Versioned<T> {
  value: T;
  version: number;
}

/** Far longer than any withdrawal. Each write renews it, and each round of the claimer while money is owed. */
const RECORD_TTL_MS = 400 * DAY_MS;
/** A reply is a charge until it is added up, which happens long before the money could be withdrawn. */
const REPLY_DAYS = 7;

export interface ChannelRecords {
  read(id: string): Promise<Versioned<ChannelRecord> | undefined>;
  /** The new version; undefined after a concurrent write. */
  write(record: ChannelRecord, ifVersion: number): Promise<number | undefined>;
  readReply(key: string): Promise<Versioned<ChannelReply> | undefined>;
  /** False if another reply was written first. */
  writeReply(key: string, reply: ChannelReply, ifVersion: number): Promise<boolean>;
  /** All channels of this network, page by page. */
  list(): AsyncIterable<Versioned<ChannelRecord>>;
}

export const channelName = (network: string, id: string) => `${network}:${id}`;

/** Key of the reply to a purchase: the same request under the same ceiling, or the buyer's idempotency key. */
export function replyKey(channel: string, bought: { ceiling: Micros; fingerprint: string } | { key: string }): string {
  const named = "key" in bought ? `key ${bought.key}` : `${bought.ceiling} ${bought.fingerprint}`;
  return `reply:${channel}:${createHash("sha256").update(named).digest("hex").slice(0, 40)}`;
}

export function createChannelRecords(store: Store, network: string, withdrawDelay: number): ChannelRecords {
  const prefix = `channel:${network}:`;
  const replyTtlMs = REPLY_DAYS * DAY_MS + withdrawDelay * 1000;
  return {
    async read(id) {
      const found = await store.get(prefix + id);
      return found && { value: readRecord(found.value), version: found.version };
    },
    write: (record, ifVersion) => store.put(prefix + record.id, text(record), { ifVersion, ttlMs: RECORD_TTL_MS }),
    async readReply(key) {
      const found = await store.get(key);
      return found && { value: reply().parse(JSON.parse(found.value)), version: found.version };
    },
    async writeReply(key, value, ifVersion) {
      return (await store.put(key, text(value), { ifVersion, ttlMs: replyTtlMs })) !== undefined;
    },
    async *list() {
      let after: string | undefined;
      for (;;) {
        const page = await store.list(prefix, { limit: 200, ...(after ? { after } : {}) });
        for (const { value, version } of page) yield { value: readRecord(value), version };
        after = page.at(-1)?.key;
        if (!after || page.length < 200) return;
      }
    },
  };
}

const readRecord = (value: string): ChannelRecord => channelRecord().parse(JSON.parse(value));

const text = (value: object): string =>
  JSON.stringify(value, (_, member) => (typeof member === "bigint" ? member.toString() : member));
