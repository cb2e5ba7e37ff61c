/**
 * Stored record of a payment and its progress:
 *
 *     (none) -> running -> settling -> settled
 *
 * `running` is a claim with a lease. `settling` is written together with the result before the facilitator is asked, so
 * that after a crash the next holder of the same payment settles and delivers that result. Each write names the version
 * that it replaces, so a holder whose lease was taken over can write nothing.
 */

import { z } from "zod";
import { ERROR_CODES, type ErrorCode } from "../errors.js";
import { once } from "../lib/lazy.js";
import { DAY_MS, HOUR_MS } from "../lib/time.js";
import type { Store, StoredRecord } from "../stores/store.js";
import type { OwnAccounts } from "./own-accounts.js";
import type { PaymentToSettle } from "./x402/facilitator.js";
import type { SettleResponse } from "./x402/refusal.js";

/** The unused part of a settled maximum, in atomic units. */
const refund = once(() =>
  z.object({
    amount: z.string(),
    /** `void`: the settlement was never made, or the chain reversed it for good. */
    state: z.enum(["owed", "returned", "credited", "void"]),
    attempts: z.number(),
    /** The signed refund, if a second one could be paid as well; stored before it is sent. */
    signed: z.custom<PaymentToSettle>().optional(),
    /** Reason of the last failed attempt. */
    reason: z.string().optional(),
    /** When the host was last told that the refund is overdue. Epoch milliseconds. */
    toldAt: z.number().optional(),
    /** The transaction of the return. */
    transaction: z.string().optional(),
    /** The token of the credit; only older releases stored it. */
    token: z.string().optional(),
  }),
);
export type Refund = z.infer<ReturnType<typeof refund>>;

/** A refund owed for longer is reported to the host once a day, because the cause will not pass by itself. */
export const OVERDUE_MS = HOUR_MS;

/** Earlier credit that the purchase uses up. */
const usedCredit = once(() =>
  z.object({
    id: z.string(),
    used: z.string(),
    captured: z.boolean(),
    /** True if it was released when the settlement was refused: another attempt has to hold it again. */
    freed: z.boolean().optional(),
  }),
);

const errorCode = once(() =>
  z.custom<ErrorCode>((code) => typeof code === "string" && Object.hasOwn(ERROR_CODES, code)),
);

/** Why a call that was paid in advance failed. */
const failure = once(() => z.object({ code: errorCode(), message: z.string() }));
export type Failure = z.infer<ReturnType<typeof failure>>;

const paymentRecord = once(() =>
  z.object({
    state: z.enum(["running", "settling", "settled"]),
    /** Id of the money; see CheckedPayment. */
    id: z.string(),
    /** Request id of the paid call. */
    requestId: z.string(),
    /** Endpoint and hash of the input. */
    fingerprint: z.string(),
    signatureHash: z.string(),
    /** Hash of a secret that came with the payment and that only its payer knows; absent without one. */
    secretHash: z.string().optional(),
    /** End of the holder's lease (epoch milliseconds). */
    leaseUntil: z.number(),
    /** Epoch seconds; absent if the payment does not contain it. */
    validBefore: z.number().optional(),
    /** The payment as it is sent for settlement, stored so that another holder can complete it. */
    payment: z.custom<PaymentToSettle>(),
    /** The result to deliver, from `settling` on. */
    outcome: z.string().optional(),
    /** True if the payment is settled before the work: the result then follows `settled`. */
    prepaid: z.boolean().optional(),
    /** For an unpaid reply: its counter, its size in characters, and its expiry if known. */
    kept: z.object({ as: z.enum(["refused", "unclear"]), size: z.number(), until: z.number().optional() }).optional(),
    /** Number of settlement requests, counted before each request. */
    attempts: z.number(),
    /**
     * Set if the facilitator reported, before one of its answers was lost, that the money had moved: not by our
     * settlement.
     */
    usedBefore: z.literal(true).optional(),
    receipt: z.custom<SettleResponse>().optional(),
    /** Epoch milliseconds. */
    settledAt: z.number().optional(),
    /** When to check that it is still on chain (epoch milliseconds); absent after the check. */
    lookAt: z.number().optional(),
    /** Whether the ledger contains everything so far. */
    booked: z.boolean().optional(),
    refund: refund().optional(),
    /** Why a prepaid call has no result. */
    failure: failure().optional(),
    /** The part that earlier credit pays, in atomic units. */
    covered: z.string().optional(),
    credit: usedCredit().optional(),
  }),
);
export type PaymentRecord = z.infer<ReturnType<typeof paymentRecord>>;

/** Paid in advance, without a result or a refund so far. */
export const isAwaitingWork = ({ prepaid, outcome, refund: back, failure: ended }: PaymentRecord): boolean =>
  prepaid === true && outcome === undefined && back === undefined && ended === undefined;

/** Returns an advance payment in full: the money is owed, and credit beside it was not used. */
export const owedBack = ({ credit, ...record }: PaymentRecord): PaymentRecord => ({
  ...record,
  refund: { amount: record.payment.requirements.amount, state: "owed", attempts: 0 },
  ...(credit ? { credit: { ...credit, used: "0" } } : {}),
});

const NOT_KEPT: Failure = {
  code: "ANSWER_NOT_KEPT",
  message: "This payment was used, and the answer that it bought is not kept any more. It is not charged again.",
};

/**
 * Removes the answer from a record for which the store has no room. A paid record then says so, and is neither charged
 * nor run again. A refused payment, if it comes back, is settled first and run after that. A record with an unclear
 * settlement stays complete, because its answer is owed.
 */
function leanOf({ outcome, state }: PaymentRecord, isOver: boolean): ((value: string) => string) | undefined {
  if (outcome === undefined) return undefined;
  if (state === "settled") return withoutAnswer;
  return isOver ? toBeMadeAnew : undefined;
}

function withoutAnswer(value: string): string {
  const { outcome: _, ...record } = JSON.parse(value) as PaymentRecord;
  return JSON.stringify({ ...record, failure: NOT_KEPT } satisfies PaymentRecord);
}

const toBeMadeAnew = (value: string): string => JSON.stringify(withoutReply(JSON.parse(value) as PaymentRecord));

/** A refused payment without its reply: if it comes back, it is settled first, and its reply is made after that. */
export function withoutReply({
  outcome: _,
  refund: __,
  credit: ___,
  kept: ____,
  ...record
}: PaymentRecord): PaymentRecord {
  const { amount: _____, ...payment } = record.payment;
  return { ...record, payment, prepaid: true };
}

/** A payment made under an idempotency key: its record is stored under the key's name. */
const alias = once(() =>
  z.object({
    alias: z.string(),
    /** Hash of a secret that only the payer knows, as in its record. */
    secretHash: z.string().optional(),
  }),
);

const MIN_TTL_MS = DAY_MS;
/** A payment that is valid for years must not keep its reply for years. */
const MAX_TTL_MS = 7 * DAY_MS;

export interface Found {
  record: PaymentRecord;
  version: number;
}

export interface Located {
  key: string;
  found: Found | undefined;
  /** The secret's hash with which a payment was bound to an order. */
  secretHash?: string | undefined;
}

export interface Records {
  read(key: string): Promise<Found | undefined>;
  /** The new version; undefined after a concurrent write. */
  write(key: string, ifVersion: number, record: PaymentRecord, dueAt?: number): Promise<number | undefined>;
  remove(key: string, ifVersion: number): Promise<boolean>;
  /**
   * The record of a payment id and its key: its own name, or the name of the order that it is bound to. For an unknown
   * payment, `idempotencyKeyHash` tells where to look.
   */
  locate(id: string, idempotencyKeyHash?: string): Promise<Located>;
  /** The record of an order and its key, existing or not. */
  locateByIdempotencyKey(idempotencyKeyHash: string): Promise<Located>;
  /** Binds a payment id to an order for good; false if it is bound to another. */
  bind(id: string, idempotencyKeyHash: string, secretHash?: string): Promise<boolean>;
  /** Keys of payments that background work should handle. */
  due(limit: number): Promise<string[]>;
}

export const keyOf = (paymentId: string) => `payment:${paymentId}`;

/** A lease ends with its holder, except while a settlement may still run elsewhere on its behalf. */
function recordIn({ isOrphan }: StoredRecord, value: unknown): PaymentRecord {
  const record = paymentRecord().parse(value);
  return isOrphan && record.state !== "settling" ? { ...record, leaseUntil: 0 } : record;
}

const besideOf = (idempotencyKeyHash: string, own: OwnAccounts) => `${idempotencyKeyHash}:${own.on(undefined)}`;

export function createRecords(store: Store, now: () => number, own: OwnAccounts): Records {
  async function read(key: string): Promise<Found | undefined> {
    const found = await store.get(key);
    return found && { record: recordIn(found, JSON.parse(found.value)), version: found.version };
  }

  /**
   * Another host on the store may have sold to the same wallet under the same key, so this host's purchases have their
   * own name.
   */
  async function locateByIdempotencyKey(idempotencyKeyHash: string): Promise<Located> {
    const found = await read(idempotencyKeyHash);
    if (!found || own.has(found.record.payment.requirements)) return { key: idempotencyKeyHash, found };
    const beside = besideOf(idempotencyKeyHash, own);
    return { key: beside, found: await read(beside) };
  }

  return {
    read,
    locateByIdempotencyKey: locateByIdempotencyKey,
    async locate(id, idempotencyKeyHash) {
      const key = keyOf(id);
      const found = await store.get(key);
      if (!found) return idempotencyKeyHash === undefined ? { key, found } : locateByIdempotencyKey(idempotencyKeyHash);
      const value: unknown = JSON.parse(found.value);
      const bound = alias().safeParse(value).data;
      if (bound) return { key: bound.alias, found: await read(bound.alias), secretHash: bound.secretHash };
      return { key, found: { record: recordIn(found, value), version: found.version } };
    },
    write(key, ifVersion, record, dueAt) {
      const ttlMs = timeToLive(record.validBefore, now());
      const isRefused = dueAt === undefined || record.kept?.as === "refused";
      const lean = leanOf(record, isRefused && record.leaseUntil <= now());
      return store.put(key, JSON.stringify(record), {
        ifVersion,
        ttlMs,
        ...(dueAt === undefined ? {} : { dueAt }),
        ...(lean ? { lean } : {}),
      });
    },
    remove: (key, ifVersion) => store.remove(key, ifVersion),
    async bind(id, idempotencyKeyHash, secretHash) {
      const value = JSON.stringify({ alias: idempotencyKeyHash, secretHash });
      if ((await store.put(keyOf(id), value, { ifVersion: 0, ttlMs: MAX_TTL_MS })) !== undefined) return true;
      const bound = await store.get(keyOf(id));
      return bound !== undefined && alias().safeParse(JSON.parse(bound.value)).data?.alias === idempotencyKeyHash;
    },
    due: (limit) => store.due(now(), limit),
  };
}

/** Replies are kept for a day, and until the payment expires, because it could be sent again. */
function timeToLive(validBefore: number | undefined, now: number): number {
  const untilExpiry = (validBefore ?? 0) * 1000 + HOUR_MS - now;
  return Math.max(MIN_TTL_MS, Math.min(untilExpiry, MAX_TTL_MS));
}
