/**
 * What the store knows of a channel. A call is two writes: the channel's record, which says what is in flight, and then
 * the reply, which is the charge as well. Whoever comes to the channel next finds the reply of what was in flight and
 * adds it up; where there is none once the lease is over, an empty reply is put in its place first, so that a holder who
 * was thought dead can charge nothing any more.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import type { Micros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import type { ChannelTerms } from "../rails/channel.js";
import type { SettleResponse } from "../x402/refusal.js";

const micros = once(() => z.string().transform(BigInt));
const voucher = once(() => z.object({ ceiling: micros(), signature: z.string() }));

/** What one caller does with the channel, alone until it is done or its lease is over. */
const flight = once(() =>
  z.object({
    kind: z.enum(["call", "deposit", "refund"]),
    id: z.string(),
    /** Epoch milliseconds. */
    leaseUntil: z.number(),
    /** Of a call: where its reply is put. */
    reply: z.string().optional(),
    voucher: voucher().optional(),
    endpoint: z.string().optional(),
  }),
);
export type Flight = z.infer<ReturnType<typeof flight>>;

/** Calls that the ledger does not have yet: their number and sum by day and endpoint. */
const tally = once(() => z.record(z.string(), z.object({ calls: z.number(), charged: micros(), at: z.number() })));

/** Records of earlier releases have it in the configuration alone. */
const withAuthorizer = (terms: ChannelTerms): ChannelTerms =>
  terms.authorizer === undefined ? { ...terms, authorizer: String(terms.config.payerAuthorizer) } : terms;

const channelRecord = once(() =>
  z.object({
    id: z.string(),
    network: z.string(),
    terms: z.custom<ChannelTerms>().transform(withAuthorizer),
    /** Its payer signed a deposit into it here, and so named who signs its vouchers. */
    delegated: z.boolean().optional(),
    /** All that was ever charged, folded replies only. */
    charged: micros(),
    /** Of that, what was claimed before we knew the channel. */
    base: micros(),
    /** The one with the smallest ceiling that covers what was charged. */
    voucher: voucher().optional(),
    flight: flight().optional(),
    /** The chain's, as of `readAt` (epoch milliseconds). */
    balance: micros(),
    /** Of that, what was added by less than the smallest deposit: it is not sold on. */
    small: micros().optional(),
    claimed: micros(),
    refundNonce: micros(),
    withdrawal: z.object({ amount: micros(), at: z.number() }).optional(),
    readAt: z.number(),
    /**
     * The last claim or refund that the chain showed: since when (epoch milliseconds), as of which block, and whether that
     * is final.
     */
    rose: z.object({ at: z.number(), block: z.number().optional(), final: z.literal(true).optional() }).optional(),
    /** Ceilings that our claims made public, as long as they are above what is claimed for good: they buy nothing. */
    published: z.array(micros()),
    /** Since when something is charged and not claimed (epoch milliseconds). */
    owedSince: z.number().optional(),
    /** Not claimed again before this: a claim was sent whose end is not known. */
    claimAfter: z.number().optional(),
    /** The most that our own claims can have come to: what was asked for. Records of earlier releases do not say. */
    reach: micros().optional(),
    /** Claimed by another service that has our key, of what was charged here: where this is set, nothing is sold any more. */
    foreign: micros().optional(),
    /** Of that, what was told as lost. */
    foreignTold: micros().optional(),
    /** What was found not to be claimable, and told as lost. */
    lost: micros(),
    /** The state of the chain at which its last claim failed. */
    parked: z.string().optional(),
    /** Of a claim that failed: how often in a row, since when, why, and when it is tried again (epoch milliseconds). */
    parking: z.object({ tries: z.number(), since: z.number(), reason: z.string(), retryAt: z.number() }).optional(),
    lastAt: z.number(),
    /** Read off the chain after a store was lost: what is charged beyond what is claimed, its buyer's next voucher tells. */
    found: z.boolean().optional(),
    /** Signed refunds of one nonce: the most that one of them takes. They never expire; the next nonce ends them. */
    refund: z.object({ nonce: micros(), amount: micros() }).optional(),
    refundedAt: z.number().optional(),
    chargedAtRefund: micros().optional(),
    tally: tally(),
    /** A tally on its way into the ledger, under a number of its own. */
    booking: z.object({ number: z.number(), tally: tally() }).optional(),
    bookings: z.number(),
  }),
);
export type ChannelRecord = z.infer<ReturnType<typeof channelRecord>>;

/** A call's answer, and what it is charged. An empty one charges nothing and delivers nothing. */
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

/** Far beyond any withdrawal; each write renews it, and each round of the claimer where money is owed. */
const RECORD_TTL_MS = 400 * DAY_MS;
/** A reply is a charge until it is added up, which happens long before the money could be withdrawn. */
const REPLY_DAYS = 7;

export interface ChannelRecords {
  read(id: string): Promise<Versioned<ChannelRecord> | undefined>;
  /** The new version; undefined when the record is at another version by now. */
  write(record: ChannelRecord, ifVersion: number): Promise<number | undefined>;
  readReply(key: string): Promise<Versioned<ChannelReply> | undefined>;
  /** False when another reply is there by now. */
  writeReply(key: string, reply: ChannelReply, ifVersion: number): Promise<boolean>;
  /** All channels of this network, page by page. */
  list(): AsyncIterable<Versioned<ChannelRecord>>;
}

export const channelName = (network: string, id: string) => `${network}:${id}`;

/** Where the reply to a purchase is kept: the same request under the same ceiling, or a key of the buyer's own. */
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
