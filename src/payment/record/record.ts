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
import { once } from "../../lib/lazy.js";
import {
  type ByCredit,
  byCredit,
  facts,
  failure,
  none,
  refundSchema,
  tookMoney,
  tookNone,
  usedCredit,
} from "./facts.js";
import { upgraded } from "./record-upgrade.js";

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
