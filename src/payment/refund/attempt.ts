/**
 * Returns the unused part of a settled maximum to its payer, exactly once despite crashes: on chain, or as credit when
 * no refund can be made on chain any more. On EVM networks a refund's nonce is derived from the payment, so the chain
 * refuses a second one. On Solana the signed refund is stored before it is sent, and until it has provably expired only
 * that one is sent again.
 */
import type { Logger } from "../../lib/logger.js";
import type { Micros } from "../../lib/money.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/time.js";
import { accountId, sameAccount } from "../networks/accounts.js";
import { type Rails, railFor } from "../networks/rails.js";
import { CHANNEL_SCHEME } from "../rails/channel.js";
import { NotRefundable, type Rail } from "../rails/rail.js";
import type { Refund } from "../record/facts.js";
import type { SettledPayment } from "../record/record.js";
import { type FacilitatorClient, type PaymentToSettle, saysAlreadySettled } from "../x402/facilitator.js";
import { isRated, unitsOf } from "../x402/usd.js";
import type { PaymentRequirements } from "../x402/wire.js";
import type { Credits } from "./credit.js";

/** Failed returns after which the money becomes credit. */
const MAX_ATTEMPTS = 5;
export const RETRY_MS = MINUTE_MS;
/** The pause before another attempt is a sixteenth of the refund's age, at most this. */
const MAX_RETRY_MS = HOUR_MS;
/**
 * Pause after the last attempt: longer than a signed refund stays valid, so that it is never paid in addition to
 * credit.
 */
const LAST_WAIT_MS = 3 * MINUTE_MS;
/** Long enough to discover a node that shows the wrong chain, because its host is told of the debt every day. */
const GONE_AFTER_MS = 3 * DAY_MS;

export interface RefundAttemptOptions {
  credits: Credits;
  facilitator: FacilitatorClient;
  rails: Rails;
  /** Below this amount a refund on chain costs more than it is worth. */
  minReturn: Micros;
  /** Called when an order's rest became credit. */
  onCredit?(of: SettledPayment): Promise<void>;
  now: () => number;
  logger: Logger;
}

interface Withheld {
  rail: Rail;
  sign: () => Promise<PaymentToSettle>;
  /** Whether the settlement will never be on chain. */
  isGone: boolean;
}

/** Whether the host still takes such tokens: what it does not earn any more, its wallet for refunds does not have. */
const takes = ({ ratedAsset }: Rail, offer: PaymentRequirements): boolean =>
  isRated(offer) ? ratedAsset !== undefined && sameAccount(offer.network, ratedAsset, offer.asset) : !ratedAsset;

/** The refund with the way of its first attempt. */
function withWay(refund: Refund, rail: Rail | undefined, offer: PaymentRequirements): Refund {
  // guard: refunds: one goes back the way of its first attempt | = undefined | handler/refund
  const by = refund.by ?? rail?.refundBy?.(offer);
  return by === undefined ? refund : { ...refund, by };
}

/** Records the progress of a refund; false after a concurrent write, whose writer then continues. */
export type Keep = (refund: Refund) => Promise<boolean>;

/** Tries once to return an owed amount. Resolves to the refund's new state; after a failure it is still owed. */
export type RefundAttempt = (record: SettledPayment, refund: Refund, keep: Keep) => Promise<Refund>;

/** How long a refund of some age, which failed so many times, waits before it is tried again. */
export function pauseBefore(attempts: number, ageMs: number): number {
  const leastMs = attempts >= MAX_ATTEMPTS ? LAST_WAIT_MS : RETRY_MS;
  return Math.max(leastMs, Math.min(Math.ceil(ageMs / 16), MAX_RETRY_MS));
}

/** Without credits nothing becomes credit: what cannot be paid stays owed, and is tried for as long. */
type AttemptOptions = Omit<RefundAttemptOptions, "credits"> & { credits: Credits | undefined };

export function createRefundAttempt({
  credits,
  facilitator,
  rails,
  minReturn,
  onCredit,
  now,
  logger,
}: AttemptOptions): RefundAttempt {
  async function toCredit(record: SettledPayment, { signed, reason, by, ...refund }: Refund): Promise<Refund> {
    const { id, payment } = record;
    const { network, payTo } = payment.requirements;
    const way = { ...(signed ? { signed } : {}), ...(by ? { by } : {}) };
    if (!credits) return failed(record, { ...refund, ...way }, reason ?? "no wallet can pay it");
    await credits.issue(id, payment.payer, BigInt(refund.amount), accountId(network, payTo));
    await onCredit?.(record);
    return { ...refund, state: "credited" };
  }

  /** Whether the next failure makes it credit. */
  // guard: payouts: one is never credit | returns attempts >= MAX_ATTEMPTS | payouts
  const isLastOf = ({ attempts }: Refund): boolean => credits !== undefined && attempts >= MAX_ATTEMPTS;

  function returned({ signed, reason, by, ...refund }: Refund, transaction?: string): Refund {
    return { ...refund, state: "returned", ...(transaction === undefined ? {} : { transaction }) };
  }

  function failed({ id }: SettledPayment, refund: Refund, reason: string): Refund {
    logger.warn({ payment: id, reason }, "payment: the refund is not possible yet");
    return { ...refund, reason, attempts: refund.attempts + 1 };
  }

  /**
   * Whether the chain shows the settlement to refund. A facilitator may confirm settlements that it never made, and
   * that must not empty the refund wallet. Without a node, its answer is accepted.
   */
  async function settlementOf({
    payment,
    receipt,
    settledAt = now(),
  }: SettledPayment): Promise<"there" | "unseen" | "gone"> {
    if (payment.requirements.scheme === CHANNEL_SCHEME) return "there";
    // Nothing names it on chain; the ledger, which tells of losses, has it.
    // guard: host refund: a sale that only the ledger has goes back | gone | handler/refund
    if (Object.keys(payment.payload).length === 0) return "there";
    const seen = await railFor(rails, payment.requirements)?.lookup(payment, receipt?.transaction || undefined);
    if (seen === undefined || seen.kind === "paid" || seen.kind === "unknown") return "there";
    // guard: what was to go back of a lost settlement is owed for some days only | never | handler/reorganised
    return seen.kind === "cancelled" && now() - settledAt >= GONE_AFTER_MS ? "gone" : "unseen";
  }

  /** Nothing was tried, so the failure does not count towards turning the refund into credit. */
  function unseen({ id }: SettledPayment, refund: Refund): Refund {
    const reason = "the chain does not show the settlement";
    logger.warn({ payment: id, reason }, "payment: the refund waits");
    return { ...refund, reason };
  }

  /**
   * Returns nothing for a settlement that the chain does not show, except a refund that was already made. If it cannot
   * be determined whether one was made, the refund waits.
   */
  async function withhold(record: SettledPayment, refund: Refund, { rail, sign, isGone }: Withheld): Promise<Refund> {
    const tried = rail.refundsRepeat ? undefined : await sign().catch(() => undefined);
    // guard: a refund that is on chain counts, also of a lost settlement |
    //   await rail.lookup(tried) -> { kind: "absent", transaction: "" } | handler/reorganised
    const seen = tried && (await rail.lookup(tried));
    if (seen?.kind === "paid") return returned(refund, seen.transaction);
    const isUntried = rail.refundsRepeat || seen?.kind === "absent" || seen?.kind === "cancelled";
    if (!isGone || !isUntried) return unseen(record, refund);
    return { amount: refund.amount, attempts: refund.attempts, state: "void" };
  }

  async function send(record: SettledPayment, refund: Refund, back: PaymentToSettle): Promise<Refund> {
    const end = await facilitator.settle(back);
    if (end.kind === "settled") return returned(refund, end.transaction);
    const found = await rails.get(back.requirements.network)?.lookup(back);
    if (found?.kind === "paid") return returned(refund, found.transaction);
    // Only we sign for this wallet, so a used nonce means our own refund whose answer was lost. Without nonces,
    // facilitators report "already used" for anything that they were sent before, paid or not.
    const isUnseen = found?.kind === "unknown" || found?.kind === "unreadable";
    if (isUnseen && !refund.signed && end.kind === "refused" && saysAlreadySettled(end.reason)) return returned(refund);
    return failed(record, refund, end.reason);
  }

  /**
   * Ends a refund whose nonce can be used once: as credit, unless an earlier attempt is on chain. While no node
   * answers, the same refund is sent again; the facilitator then reports a used nonce, and only a plain refusal ends in
   * credit.
   */
  async function endUnsigned(record: SettledPayment, refund: Refund, back: PaymentToSettle): Promise<Refund> {
    const late = await rails.get(back.requirements.network)?.lookup(back);
    if (late?.kind === "paid") return returned(refund, late.transaction);
    if (late?.kind === "absent" || late?.kind === "cancelled") return toCredit(record, refund);
    const end = await facilitator.settle(back);
    if (end.kind === "settled") return returned(refund, end.transaction);
    if (end.kind !== "refused") return failed(record, refund, end.reason);
    return saysAlreadySettled(end.reason) ? returned(refund) : toCredit(record, refund);
  }

  /** Ends a refund in a token that the host no longer takes: as credit, unless an earlier attempt is on chain. */
  async function endFormer(record: SettledPayment, refund: Refund, back: PaymentToSettle): Promise<Refund> {
    const seen = await rails.get(back.requirements.network)?.lookup(back);
    // guard: rates: a refund that is on chain in a former token is not credited | never | rated-assets
    return seen?.kind === "paid" ? returned(refund, seen.transaction) : toCredit(record, refund);
  }

  /**
   * Stored before it takes effect: refunds to the payer may become possible again, and must not be paid in addition to
   * the credit.
   */
  async function giveUp(record: SettledPayment, refund: Refund, keep: Keep): Promise<Refund> {
    if (!credits) return failed(record, refund, "the payee has no account for the token");
    const last = { ...refund, attempts: MAX_ATTEMPTS };
    return (await keep(last)) ? toCredit(record, last) : refund;
  }

  /** Ends a refund that was signed before, or sends it again; undefined if it can never be on chain. */
  async function resend(record: SettledPayment, owed: Refund, signed: PaymentToSettle): Promise<Refund | undefined> {
    const seen = await rails.get(record.payment.requirements.network)?.lookup(signed);
    if (seen?.kind === "paid") return returned(owed, seen.transaction);
    if (seen?.kind === "cancelled") return undefined;
    // It has expired, so sending it again has no effect.
    // guard: a refund that can land no more is not sent again | gone | RETURNS
    if (seen?.isOver) return failed(record, owed, "whether it is on chain cannot be read");
    // The same signed refund again: sent twice, it still counts once.
    return (await settlementOf(record)) === "there" ? send(record, owed, signed) : unseen(record, owed);
  }

  /** Sends a refund that was signed just now. */
  async function sendNew(
    record: SettledPayment,
    owed: Refund,
    { back, rail, keep }: { back: PaymentToSettle; rail: Rail; keep: Keep },
  ): Promise<Refund> {
    // guard: rates: no refund in another token | gone | rated-assets
    if (!takes(rail, record.payment.requirements)) return endFormer(record, owed, back);
    if (isLastOf(owed)) return endUnsigned(record, owed, back);
    if (!rail.refundsRepeat) return send(record, owed, back);
    const kept = { ...owed, signed: back };
    return (await keep(kept)) ? send(record, kept, back) : owed;
  }

  return async function attemptRefund(record, found, keep) {
    const { id, payment } = record;
    const rail = rails.get(payment.requirements.network);
    const owed = withWay(found, rail, payment.requirements);
    const again = owed.signed && (await resend(record, owed, owed.signed));
    if (again) return again;
    const amount = BigInt(owed.amount);
    if (!rail?.refund || amount < minReturn || (isLastOf(owed) && rail.refundsRepeat)) return toCredit(record, owed);
    const settlement = await settlementOf(record);
    const { refund } = rail;
    const seconds = () => Math.floor(now() / 1000);
    // guard: rates: a refund is in the units that were paid | = amount | rated-assets
    const units = unitsOf(payment.requirements, amount);
    const order = { order: id, to: payment.payer, amount: units, by: owed.by, paid: payment.requirements };
    const sign = () => refund({ ...order, now: seconds() });
    // guard: a refund is paid once the chain shows its settlement | !== "there" -> === "gone" | RETURNS
    if (settlement !== "there") return withhold(record, owed, { rail, sign, isGone: settlement === "gone" });
    const back = await sign().catch((error: unknown) => ({ error }));
    if (!("error" in back)) return sendNew(record, owed, { back, rail, keep });
    const { error } = back;
    if (error instanceof NotRefundable) return giveUp(record, owed, keep);
    return failed(record, owed, `it could not be signed: ${error instanceof Error ? error.message : error}`);
  };
}
