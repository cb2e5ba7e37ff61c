/**
 * Stored record of a payment and its progress:
 *
 *     (none) -> running -> settling -> settled
 *
 * What became of the work of a settled payment is its `stage`; record-upgrade.ts tells it of records of older releases.
 *
 * `running` is a claim with a lease. `settling` is written together with the result before the facilitator is asked, so
 * that after a crash the next holder of the same payment settles and delivers that result. Each write names the version
 * that it replaces, so a holder whose lease was taken over can write nothing.
 */

import { z } from "zod";
import { type ErrorCode, STATUS_OF } from "../../errors.js";
import { once } from "../../lib/lazy.js";
import { HOUR_MS } from "../../lib/time.js";
import type { PaymentToSettle } from "../x402/facilitator.js";
import type { SettleResponse } from "../x402/refusal.js";
import { usdOf } from "../x402/usd.js";
import { nextLook } from "./next-look.js";
import { upgraded } from "./record-upgrade.js";

/** The unused part of a settled maximum, in micro-dollars. */
export const refundSchema = once(() =>
  z.object({
    amount: z.string(),
    /** `void`: the settlement was never made, or the chain reversed it for good. */
    state: z.enum(["owed", "returned", "credited", "void"]),
    attempts: z.number(),
    /** The signed refund, if a second one could be paid as well; stored before it is sent. */
    signed: z.custom<PaymentToSettle>().optional(),
    /** How it was sent, where the rail has several ways. */
    by: z.string().optional(),
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
export type Refund = z.infer<ReturnType<typeof refundSchema>>;

/** A refund owed for longer is reported to the host once a day, because the cause will not pass by itself. */
export const OVERDUE_MS = HOUR_MS;

/** Earlier credit that the purchase uses up. */
export type UsedCredit = z.infer<ReturnType<typeof usedCredit>>;
const usedCredit = once(() =>
  z.object({
    id: z.string(),
    used: z.string(),
    captured: z.boolean(),
    /** True if it was released when the settlement was refused: another attempt has to hold it again. */
    freed: z.boolean().optional(),
    /** The wallet's credit beside it, in micro-dollars, where credit pays instead of the payment. */
    left: z.string().optional(),
  }),
);

const errorCode = once(() => z.custom<ErrorCode>((code) => typeof code === "string" && Object.hasOwn(STATUS_OF, code)));

/** Why a call that was paid in advance failed. */
const failure = once(() => z.object({ code: errorCode(), message: z.string() }));
export type Failure = z.infer<ReturnType<typeof failure>>;

/** Request and response of a settlement. This service wrote them itself, so only their shape is checked. */
const objectOf = <T extends object>(fits: (value: Partial<T>) => boolean = () => true) =>
  z.custom<T>((value) => typeof value === "object" && value !== null && fits(value));

// guard: a receipt that says that no money came makes no answer |
//   ({ success }) => success === -> () => | record damaged-record
const tookMoney = once(() => objectOf<SettleResponse & { success: true }>(({ success }) => success === true));
const tookNone = once(() => objectOf<SettleResponse & { success: false }>(({ success }) => success === false));

/** The wallet's credit that pays instead of its payment, and the amount in micro-dollars that the call may use. */
const byCredit = once(() => z.object({ id: z.string(), amount: z.string() }));
export type ByCredit = z.infer<ReturnType<typeof byCredit>>;

/** Facts of a payment in any of its states. */
const facts = once(() => ({
  /** Id of the money; see CheckedPayment. */
  id: z.string(),
  /** Request id of the paid call. */
  requestId: z.string(),
  /** Id of the endpoint that was called. */
  endpoint: z.string(),
  /** Endpoint and hash of the input; only compared. */
  fingerprint: z.string(),
  signatureHash: z.string(),
  /** Hash of a secret that came with the payment and that only its payer knows; absent without one. */
  secretHash: z.string().optional(),
  /** End of the holder's lease in any case (epoch milliseconds). */
  leaseUntil: z.number(),
  /** The lease's owner, with whose last sign of life it ends. Absent in records of older releases. */
  owner: z.string().optional(),
  /** Epoch seconds; absent if the payment does not contain it. */
  validBefore: z.number().optional(),
  /** The payment as it is sent for settlement, stored so that another holder can complete it. */
  payment: objectOf<PaymentToSettle>(),
  /** True if the payment is settled before the work: the result then follows `settled`. */
  prepaid: z.boolean().optional(),
  /** True if the requirements name a maximum, of which the usage is charged. Absent in records of older releases. */
  byUsage: z.boolean().optional(),
  /** Number of settlement requests, counted before each request. */
  attempts: z.number(),
  /** The part that earlier credit pays, in atomic units. */
  covered: z.string().optional(),
  /** Present if credit pays instead of the payment. */
  byCredit: byCredit().optional(),
}));

/** Members that decide about money or its answer: a state has only those that it declares. */
const none = once(() => {
  const absent = z.undefined().optional();
  return {
    stage: absent,
    outcome: absent,
    receipt: absent,
    settledAt: absent,
    refund: absent,
    failure: absent,
    credit: absent,
    lookAt: absent,
    settledAgain: absent,
    booked: absent,
    landed: absent,
  };
});

/** Charge for the part of a stream that was sent, in atomic units, and the answer for its buyer if it breaks off there. */
const progress = once(() => z.object({ amount: z.string(), outcome: z.string(), credit: usedCredit().optional() }));

/** A claim with a lease: the work is running, and no settlement was requested. */
const running = once(() =>
  z.object({ ...facts(), ...none(), state: z.literal("running"), progress: progress().optional() }),
);

const settling = once(() => ({
  ...facts(),
  ...none(),
  state: z.literal("settling"),
  /** Receipt of the last attempt, which moved no money as far as is known. */
  receipt: tookNone().optional(),
  /**
   * Set if the facilitator reported, before one of its answers was lost, that the money had moved: not by our
   * settlement.
   */
  usedBefore: z.literal(true).optional(),
  credit: usedCredit().optional(),
}));

/** The result is saved, and its settlement is requested. */
const savedReply = once(() =>
  z.object({
    ...settling(),
    /** The result to deliver. */
    outcome: z.string(),
    /** For an unpaid reply: its counter, its size in characters, and its expiry if known. */
    kept: z.object({ as: z.enum(["refused", "unclear"]), size: z.number(), until: z.number().optional() }).optional(),
    refund: refundSchema().optional(),
  }),
);

/** The settlement is requested before the work, or without the reply, which is made again. */
// guard: a settlement without a result is not asked for | (true) -> (true).optional() | record damaged-record
const prepaying = once(() => z.object({ ...settling(), prepaid: z.literal(true) }));

const settled = once(() => ({
  ...facts(),
  ...none(),
  state: z.literal("settled"),
  /** Epoch milliseconds. */
  settledAt: z.number(),
  receipt: tookMoney(),
  usedBefore: z.literal(true).optional(),
  /** When to check that it is still on chain (epoch milliseconds); absent after the check. */
  lookAt: z.number().optional(),
  /** Set if it disappeared from the chain and was settled again since. */
  settledAgain: z.literal(true).optional(),
  /** Whether the ledger contains everything so far. */
  booked: z.boolean().optional(),
  credit: usedCredit().optional(),
}));

/** Paid in advance, without a result or a refund so far. */
const awaitingWork = once(() =>
  z.object({ ...settled(), stage: z.literal("awaiting-work"), prepaid: z.literal(true) }),
);

/** Paid for, and delivered on every request. */
const answered = once(() =>
  z.object({ ...settled(), stage: z.literal("answered"), outcome: z.string(), refund: refundSchema().optional() }),
);

/** Paid for, with the reason for a missing answer, or with a refund of the whole amount. */
const unanswered = once(() =>
  z
    .object({
      ...settled(),
      stage: z.literal("unanswered"),
      failure: failure().optional(),
      refund: refundSchema().optional(),
    })
    .refine(({ failure, refund }) => failure !== undefined || refund !== undefined, "failure or refund is missing"),
);

/** Delivered free of charge, or for earlier credit alone: nothing was settled, so it has no receipt. */
const free = once(() => ({
  ...facts(),
  ...none(),
  state: z.literal("settled"),
  prepaid: z.literal(false).optional(),
  settledAt: z.number(),
  booked: z.boolean().optional(),
  credit: usedCredit().optional(),
  /** When to check that the payment, which was not settled, is not on chain all the same (epoch milliseconds). */
  lookAt: z.number().optional(),
  /** The payment is on chain all the same, in this transaction: its payer is owed the amount, as credit. */
  landed: z.object({ transaction: z.string(), isCredited: z.boolean() }).optional(),
}));

/** Credit is held that pays for the work instead of the payment; no result so far. */
const awaitingOnCredit = once(() =>
  z.object({
    ...free(),
    ...none(),
    stage: z.literal("awaiting-work-on-credit"),
    settledAt: z.number(),
    booked: z.boolean().optional(),
    prepaid: z.literal(true),
    credit: usedCredit(),
    byCredit: byCredit(),
  }),
);
const freelyAnswered = once(() => z.object({ ...free(), stage: z.literal("answered-free"), outcome: z.string() }));
const freelyUnanswered = once(() => z.object({ ...free(), stage: z.literal("unanswered-free"), failure: failure() }));

/** Given up: it can never be determined whether money moved. */
const undecided = once(() =>
  z.object({
    ...facts(),
    ...none(),
    state: z.literal("settled"),
    stage: z.literal("undecided"),
    receipt: tookNone().optional(),
    usedBefore: z.literal(true).optional(),
    failure: failure(),
  }),
);

export type RunningPayment = z.infer<ReturnType<typeof running>>;
export type SavedReply = z.infer<ReturnType<typeof savedReply>>;
export type Prepaying = z.infer<ReturnType<typeof prepaying>>;
export type SettlingPayment = SavedReply | Prepaying;
export type AwaitingWork = z.infer<ReturnType<typeof awaitingWork>>;
export type AwaitingOnCredit = z.infer<ReturnType<typeof awaitingOnCredit>>;
export type Answered = z.infer<ReturnType<typeof answered | typeof freelyAnswered>>;
export type Unanswered = z.infer<ReturnType<typeof unanswered | typeof freelyUnanswered | typeof undecided>>;
export type SettledPayment = AwaitingWork | AwaitingOnCredit | Answered | Unanswered;
export type PaymentRecord = RunningPayment | SettlingPayment | SettledPayment;

/** The schemas of a settled payment, by its stage. */
const STAGES = {
  "awaiting-work": awaitingWork,
  "awaiting-work-on-credit": awaitingOnCredit,
  answered,
  "answered-free": freelyAnswered,
  unanswered,
  "unanswered-free": freelyUnanswered,
  undecided,
} satisfies Record<SettledPayment["stage"], unknown>;

const states = once(() =>
  z.object({
    state: z.enum(["running", "settling", "settled"]),
    stage: z.enum(Object.keys(STAGES) as SettledPayment["stage"][]).optional(),
    outcome: z.unknown().optional(),
  }),
);

/** The schema of a record's state; it refuses a record that contradicts itself. */
function schemaOf(value: unknown) {
  const { state, stage, outcome } = states().parse(value);
  if (state === "running") return running();
  if (state === "settling") return outcome === undefined ? prepaying() : savedReply();
  return stage === undefined ? z.never("a settled payment has a stage") : STAGES[stage]();
}

/** Parses a stored record of this release or an older one. Throws if it contradicts itself. */
export function parseRecord(value: unknown): PaymentRecord {
  const current = upgraded(value);
  const { data, error } = schemaOf(current).safeParse(current);
  if (data) return data;
  throw new Error(
    `The record of a payment is damaged, and is neither sold again nor settled.\n${z.prettifyError(error)}`,
  );
}

/** Whether its order was quoted as a maximum; undefined in records of older releases with another scheme. */
export const isByUsage = ({ byUsage, payment: { requirements } }: PaymentRecord): boolean | undefined =>
  byUsage ?? (requirements.scheme === "upto" ? true : undefined);

/** Whether the payment is settled, without a result or a refund so far. */
export const isAwaitingWork = (record: PaymentRecord): record is AwaitingWork => record.stage === "awaiting-work";

/** A call under way that a wallet's credit pays for, instead of its payment. */
export type OnCredit = (RunningPayment & { byCredit: ByCredit }) | AwaitingOnCredit;

export const isOnCredit = (record: PaymentRecord): record is OnCredit =>
  record.byCredit !== undefined && (record.state === "running" || record.stage === "awaiting-work-on-credit");

/** The order for which a payment's credit is held: of a wallet's credit by each request anew. */
export const heldFor = (key: string, { byCredit, requestId }: PaymentRecord): string =>
  byCredit ? `${key} ${requestId}` : key;

/** Whether the record is complete and can be delivered. */
export const isEnded = (record: PaymentRecord): record is Answered | Unanswered =>
  record.state === "settled" && record.stage !== "awaiting-work" && record.stage !== "awaiting-work-on-credit";

/** The record of a holder that is gone. What was sent of its stream is due; any other is returned unchanged. */
export function brokenOff(record: PaymentRecord, now: number): PaymentRecord {
  if (record.state !== "running" || !record.progress) return record;
  const { progress, ...rest } = record;
  const { amount, outcome, credit } = progress;
  if (rest.byCredit) return answeredFreely(rest, now, { outcome, credit });
  return { ...rest, state: "settling", outcome, payment: { ...rest.payment, amount }, ...(credit ? { credit } : {}) };
}

/** A call for which nothing is settled: it is free, or credit pays it. Its payment may still appear on chain. */
export function answeredFreely(
  { prepaid: _, progress: __, ...claim }: RunningPayment,
  now: number,
  { outcome, credit }: { outcome: string; credit: UsedCredit | undefined },
): Answered {
  const { byCredit, validBefore } = claim;
  const watched = byCredit ? { lookAt: nextLook({ validBefore, settledAt: now }, now) } : {};
  const ended = { state: "settled", stage: "answered-free", settledAt: now, outcome, attempts: 1 } as const;
  return { ...claim, ...ended, ...watched, ...(credit ? { credit } : {}) };
}

/** A payment whose work will not be done: the money is owed, and credit beside it was not used. */
export function owedBack({ credit, ...record }: AwaitingWork, failure?: Failure): Unanswered {
  const refund: Refund = { amount: usdOf(record.payment.requirements).toString(), state: "owed", attempts: 0 };
  return {
    ...record,
    stage: "unanswered",
    refund,
    ...(failure ? { failure } : {}),
    ...(credit ? { credit: { ...credit, used: "0" } } : {}),
  };
}

const NOT_KEPT: Failure = {
  code: "ANSWER_NOT_KEPT",
  message: "This payment was used, and the answer that it bought is not kept any more. It is not charged again.",
};

/**
 * Removes the answer from a record for which the store has no room. A paid record then says so, and is neither charged
 * nor run again. A refused payment, if it comes back, is settled first and run after that. A record with an unclear
 * settlement stays complete, because its answer is owed.
 */
export function compactOf({ outcome, state }: PaymentRecord, isOver: boolean): ((value: string) => string) | undefined {
  if (outcome === undefined) return undefined;
  if (state === "settled") return withoutAnswer;
  // guard: a reply that is owed does not go | always | full-store
  return isOver ? toBeMadeAnew : undefined;
}

// The store calls this with text written by this process, so it needs no second validation.
function withoutAnswer(value: string): string {
  const { outcome: _, ...record } = JSON.parse(value) as Answered;
  // guard: a payment whose reply had to go is not run again |
  //   "unanswered", failure: NOT_KEPT -> "awaiting-work", prepaid: true | full-store
  const left =
    record.stage === "answered"
      ? ({ ...record, stage: "unanswered", failure: NOT_KEPT } satisfies Unanswered)
      : ({ ...record, stage: "unanswered-free", failure: NOT_KEPT } satisfies Unanswered);
  return JSON.stringify(left);
}

const toBeMadeAnew = (value: string): string => JSON.stringify(withoutReply(JSON.parse(value) as SavedReply));

/** A refused payment without its reply: if it comes back, it is settled first, and its reply is made after that. */
export function withoutReply(record: SettlingPayment): Prepaying & { credit?: undefined } {
  const { outcome: _, refund: __, credit: ___, ...rest } = withoutCount(record);
  const { amount: ____, ...payment } = rest.payment;
  return { ...rest, payment, prepaid: true };
}

/** A reply that no longer counts as unpaid. */
export function withoutCount(record: SettlingPayment): SettlingPayment {
  if (record.outcome === undefined) return record;
  const { kept: _, ...rest } = record;
  return rest;
}
