/** Facts of a payment's record, whatever its state: those that each has, and those that a state may declare. */
import { z } from "zod";
import { type ErrorCode, STATUS_OF } from "../../errors.js";
import { once } from "../../lib/lazy.js";
import { HOUR_MS } from "../../lib/time.js";
import type { PaymentToSettle } from "../x402/facilitator.js";
import type { SettleResponse } from "../x402/refusal.js";

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
export const usedCredit = once(() =>
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
export const failure = once(() => z.object({ code: errorCode(), message: z.string() }));
export type Failure = z.infer<ReturnType<typeof failure>>;

/** Request and response of a settlement. This service wrote them itself, so only their shape is checked. */
const objectOf = <T extends object>(fits: (value: Partial<T>) => boolean = () => true) =>
  z.custom<T>((value) => typeof value === "object" && value !== null && fits(value));

// guard: a receipt that says that no money came makes no answer |
//   ({ success }) => success === -> () => | record damaged-record
export const tookMoney = once(() => objectOf<SettleResponse & { success: true }>(({ success }) => success === true));
export const tookNone = once(() => objectOf<SettleResponse & { success: false }>(({ success }) => success === false));

/** The wallet's credit that pays instead of its payment, and the amount in micro-dollars that the call may use. */
export const byCredit = once(() => z.object({ id: z.string(), amount: z.string() }));
export type ByCredit = z.infer<ReturnType<typeof byCredit>>;

/** A product as it was offered when its payment was taken. */
const boughtProduct = once(() =>
  z.object({
    id: z.string(),
    title: z.string(),
    usd: z.string().optional(),
    calls: z.number().optional(),
    days: z.number().optional(),
    endpoints: z.array(z.string()).optional(),
  }),
);
export type BoughtProduct = z.infer<ReturnType<typeof boughtProduct>>;

/** Facts of a payment in any of its states. */
export const facts = once(() => ({
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
  /** The account for which it buys a balance. */
  account: z.string().optional(),
  /** The product that it buys, as it was offered then. */
  product: boughtProduct().optional(),
}));

/** Members that decide about money or its answer: a state has only those that it declares. */
export const none = once(() => {
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
