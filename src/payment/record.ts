/**
 * What the store knows of a payment, in one record that says how far it got:
 *
 *     (none) -> running -> settling -> settled
 *
 * `running` is a claim with a lease. `settling` is written together with the result before the facilitator is asked,
 * so that whatever dies afterwards, the next holder of the same payment settles and delivers that very result.
 * Each write names the version it replaces: a holder whose lease was taken over writes nothing any more.
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
    /** `void`: what it is of never came, or was taken back by the chain for good. */
    state: z.enum(["owed", "returned", "credited", "void"]),
    attempts: z.number(),
    /** The return as it was signed, where a second one could be paid as well; kept from before it is sent. */
    signed: z.custom<PaymentToSettle>().optional(),
    /** Why it is still owed, as of the last try. */
    reason: z.string().optional(),
    /** When the host was told last that it is owed for long. Epoch milliseconds. */
    toldAt: z.number().optional(),
    /** Of the return. */
    transaction: z.string().optional(),
    /** Of the credit, as it is delivered; only older releases kept it. */
    token: z.string().optional(),
  }),
);
export type Refund = z.infer<ReturnType<typeof refund>>;

/** What is owed for longer is told to the host, once a day: something is wrong that does not pass by itself. */
export const OVERDUE_MS = HOUR_MS;

/** Earlier credit that the purchase uses up. */
const usedCredit = once(() =>
  z.object({
    id: z.string(),
    used: z.string(),
    captured: z.boolean(),
    /** Given free when the settlement was refused: to be held again before another try. */
    freed: z.boolean().optional(),
  }),
);

const errorCode = once(() =>
  z.custom<ErrorCode>((code) => typeof code === "string" && Object.hasOwn(ERROR_CODES, code)),
);

/** Why a call that was paid in advance came to nothing. */
const failure = once(() => z.object({ code: errorCode(), message: z.string() }));
export type Failure = z.infer<ReturnType<typeof failure>>;

const paymentRecord = once(() =>
  z.object({
    state: z.enum(["running", "settling", "settled"]),
    /** What names the money; see CheckedPayment. */
    id: z.string(),
    /** Of the call that is paid for. */
    requestId: z.string(),
    /** Endpoint and hash of the input. */
    fingerprint: z.string(),
    signatureHash: z.string(),
    /** Of what came with the payment that only its payer knows; absent where there was nothing of the kind. */
    secretHash: z.string().optional(),
    /** Until when the holder may work undisturbed (epoch milliseconds). */
    leaseUntil: z.number(),
    /** Epoch seconds; absent where the payment itself does not say. */
    validBefore: z.number().optional(),
    /** What is sent to settle: kept so that somebody else can finish the job. */
    payment: z.custom<PaymentToSettle>(),
    /** What was produced and is to be delivered, from `settling` on. */
    outcome: z.string().optional(),
    /** True where the host has its money before the work: then `settled` comes first and the result after it. */
    prepaid: z.boolean().optional(),
    /** Of a reply that is not paid for: what it was counted as, in characters, and until when it is kept where that is known. */
    kept: z.object({ as: z.enum(["refused", "unclear"]), size: z.number(), until: z.number().optional() }).optional(),
    /** How often the facilitator was asked to settle, counted before it is asked. */
    attempts: z.number(),
    /** Before an answer of the facilitator's was lost, it said that the money had moved: not by a settlement of ours. */
    usedBefore: z.literal(true).optional(),
    receipt: z.custom<SettleResponse>().optional(),
    /** Epoch milliseconds. */
    settledAt: z.number().optional(),
    /** When to see whether it is still on chain (epoch milliseconds); absent once that is done. */
    lookAt: z.number().optional(),
    /** Whether the ledger has everything that happened so far. */
    booked: z.boolean().optional(),
    refund: refund().optional(),
    /** Of a prepaid call: why there is no result. */
    failure: failure().optional(),
    /** What earlier credit is to pay for besides, in atomic units. */
    covered: z.string().optional(),
    credit: usedCredit().optional(),
  }),
);
export type PaymentRecord = z.infer<ReturnType<typeof paymentRecord>>;

/** Paid for in advance, with neither a result nor the money given back yet. */
export const isAwaitingWork = ({ prepaid, outcome, refund: back, failure: ended }: PaymentRecord): boolean =>
  prepaid === true && outcome === undefined && back === undefined && ended === undefined;

/** Paid for in advance, and to be given back whole: the money is owed, and credit beside it was not used. */
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
 * What is left of a record where the store has no room for its answer. One that was paid for says so from then on, and
 * is neither charged nor made again. One whose payment was refused is settled first should the payment come back, and
 * made after that. Where it is not known how that will end, the answer is owed: such a record stays whole.
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

/** A payment that was refused: should it come back, it is settled first, and its reply made after that. */
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

/** A payment that was bought with under an idempotency key: its record is found under the key's name. */
const alias = once(() =>
  z.object({
    alias: z.string(),
    /** Of what came with the payment that only its payer knows, as in its record. */
    secretHash: z.string().optional(),
  }),
);

const MIN_TTL_MS = DAY_MS;
/** A payment that is valid for years must not pin its reply for years. */
const MAX_TTL_MS = 7 * DAY_MS;

export interface Found {
  record: PaymentRecord;
  version: number;
}

export interface Located {
  key: string;
  found: Found | undefined;
  /** Of a payment that is bound to an order: the secret that it was bound with. */
  secretHash?: string | undefined;
}

export interface Records {
  read(key: string): Promise<Found | undefined>;
  /** The new version; undefined when the record is at another version by now. */
  write(key: string, ifVersion: number, record: PaymentRecord, dueAt?: number): Promise<number | undefined>;
  remove(key: string, ifVersion: number): Promise<boolean>;
  /**
   * The record of a payment id, and where it is kept or would be: under its own name, or under that of the order that it
   * is bound to. `idempotencyKeyHash` is where to look for one that is not known yet.
   */
  locate(id: string, idempotencyKeyHash?: string): Promise<Located>;
  /** What an order bought here, and where that is kept or would be. */
  locateByIdempotencyKey(idempotencyKeyHash: string): Promise<Located>;
  /** Binds a payment id to an order for good; false when it is bound elsewhere already. */
  bind(id: string, idempotencyKeyHash: string, secretHash?: string): Promise<boolean>;
  /** Keys of payments that background work should look at. */
  due(limit: number): Promise<string[]>;
}

export const keyOf = (paymentId: string) => `payment:${paymentId}`;

/** A lease ends with its holder, but while a settlement may be under way elsewhere on its behalf. */
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

  /** Another host on the store may have sold to the same wallet under the same key: what is bought here has a name beside it. */
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

/** Replies are kept for a day, and beyond the life of the payment, which could be sent again until then. */
function timeToLive(validBefore: number | undefined, now: number): number {
  const untilExpiry = (validBefore ?? 0) * 1000 + HOUR_MS - now;
  return Math.max(MIN_TTL_MS, Math.min(untilExpiry, MAX_TTL_MS));
}
