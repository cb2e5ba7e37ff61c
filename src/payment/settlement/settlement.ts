/** Settles a stored result: three outcomes, and the checks that distinguish them. */

import type { Logger } from "../../lib/logger.js";
import { DAY_MS } from "../../lib/time.js";
import type { DurableEvents } from "../events/durable-events.js";
import { type Rails, railFor } from "../networks/rails.js";
import type { ChainStatus } from "../rails/rail.js";
import type { Failure } from "../record/facts.js";
import { pending } from "../record/pending.js";
import {
  type Answered,
  type AwaitingWork,
  isAwaitingWork,
  type SettledPayment,
  type SettlingPayment,
} from "../record/record.js";
import type { Records } from "../record/records.js";
import { withoutCount, withoutReply } from "../record/without-reply.js";
import type { Credits } from "../refund/credit.js";
import { isRefundOpen, type Refunds } from "../refund/refunds.js";
import {
  amountOf,
  type FacilitatorClient,
  type PaymentToSettle,
  type SettleOutcome,
  saysAlreadySettled,
  saysNeverSent,
  saysUnderWay,
} from "../x402/facilitator.js";
import { PaymentRefused } from "../x402/refusal.js";
import { lookAtOf } from "./chain-recheck.js";
import type { Exposure } from "./exposure.js";
import type { Transfers } from "./transfers.js";
import { keptUntilOf, replySize, type UnpaidReplies } from "./unpaid-replies.js";

const FIRST_RETRY_MS = 15_000;
const MAX_RETRY_MS = 10 * 60_000;
/** Time for a payer whose prepaid call broke off to come back before the money is returned. */
export const PREPAID_PATIENCE_MS = 15 * 60_000;

/** Without a node, a facilitator that refused for this long gives no more certainty by refusing again. */
const UNDECIDED_AFTER_MS = DAY_MS;
const UNDECIDED: Failure = {
  code: "ANSWER_NOT_KEPT",
  message:
    "The settlement of this payment could not be determined within a day, and its answer has expired. If your wallet has paid, ask the service for the money; this payment is not charged again.",
};

/** A transaction that a facilitator sends is on chain by then, or never. */
const SETTLES_WITHIN_MS = 90_000;

/** Outcome of a settlement; `undecided` if it can never be determined whether money moved. */
type End = SettleOutcome | { kind: "undecided" };

/** It can never be settled any more. */
const VOID = "authorization_void";

export interface SettlerOptions {
  records: Records;
  facilitator: FacilitatorClient;
  rails: Rails;
  refunds: Refunds;
  exposure: Exposure;
  transfers: Transfers;
  unpaidReplies: UnpaidReplies;
  credits: Credits;
  /** Absent if the host has no webhooks. */
  durable?: DurableEvents | undefined;
  now: () => number;
  logger: Logger;
}

export interface Settler {
  /**
   * Settles the payment of `record` and stores the outcome. Resolves to the settled record; rejects with
   * SETTLEMENT_PENDING while it is unknown whether money moved, and with PaymentRefused once it is known that none did.
   */
  finish(key: string, version: number, record: SettlingPayment): Promise<SettledPayment>;
}

export function createSettler(options: SettlerOptions): Settler {
  const { records, facilitator, rails, refunds, exposure, transfers, unpaidReplies, credits, durable, now, logger } =
    options;
  /**
   * The facilitator's answer, checked against the chain unless it is a clear confirmation.
   *
   * A refusal counts only once the chain shows that no money moved and none can move: the facilitator may have
   * submitted the payment without knowing the outcome, and a caller who is answered 402 signs another one. A refusal
   * counts at once only if it is the first answer, names a defect found before anything was submitted, and the chain
   * shows that the payer cannot pay, so that nothing can be included. Without a node, the facilitator is believed.
   */
  async function settle(record: SettlingPayment): Promise<End> {
    const { id, payment } = record;
    const said = await facilitator.settle(payment);
    // guard: a transaction that the facilitator names twice is looked for on chain |
    //   - && !transfers.isOthers(payment.requirements.network, said.transaction, id) | PAYMENT
    if (said.kind === "settled" && !transfers.isOthers(payment.requirements.network, said.transaction, id)) return said;
    const found = await lookUp(record, said);
    const end =
      (await shownBy(found, record)) ?? (found.kind === "unknown" ? toldWithoutNode(record, said) : undefined);
    if (end) return end;
    if (said.kind === "settled") return { kind: "pending", reason: "transaction_of_another_payment" };
    if (await wasNeverSent(record, said, found)) return said;
    return { kind: "pending", reason: said.reason, ...(said.kind === "pending" ? said : {}) };
  }

  async function lookUp({ payment, receipt }: SettlingPayment, said: SettleOutcome): Promise<ChainStatus> {
    const told = (said.kind === "pending" && said.transaction) || receipt?.transaction || undefined;
    // guard: solana: a transaction that the facilitator named is read | - , told | RETURNS
    return (await railFor(rails, payment.requirements)?.lookup(payment, told)) ?? { kind: "unknown" };
  }

  /** The outcome according to the chain: the transfer, or the certainty that none can follow. */
  async function shownBy(found: ChainStatus, { id, payment }: SettlingPayment): Promise<SettleOutcome | undefined> {
    if (found.kind === "cancelled") return { kind: "refused", reason: VOID };
    if (found.kind !== "paid") return undefined;
    if (!(await transfers.claim(payment.requirements.network, found.proof, id))) return undefined;
    return { kind: "settled", transaction: found.transaction, payer: payment.payer, amount: amountOf(payment) };
  }

  /** The outcome according to all answers of the facilitator, without a node. */
  function toldWithoutNode(record: SettlingPayment, said: SettleOutcome): End | undefined {
    const { payment, receipt, usedBefore } = record;
    // After our own repetition, this answers the settlement whose reply was lost.
    const wasLost = arrivedOf(record) > 1 && !usedBefore && !saysAlreadySettled(receipt?.errorReason ?? "");
    if (wasLost && said.kind !== "settled" && saysAlreadySettled(said.reason) && !mayBeUnderWay(payment, said)) {
      const transaction = receipt?.transaction ?? "";
      return { kind: "settled", transaction, payer: payment.payer, amount: amountOf(payment) };
    }
    // guard: a settlement that nobody can tell of is asked for no longer than a day |
    //   isLongAgo(payment) -> false | settlement
    return said.kind !== "pending" && isLongAgo(payment) ? { kind: "undecided" } : undefined;
  }

  /** Whether the first answer names a defect found before anything was sent, and no chain contradicts it. */
  async function wasNeverSent(record: SettlingPayment, said: SettleOutcome, found: ChainStatus): Promise<boolean> {
    // guard: a refusal counts only once the chain shows that nothing can move | gone | PAYMENT
    if (arrivedOf(record) !== 1 || said.kind !== "refused" || !saysNeverSent(said.reason)) return false;
    // guard: a silent node leaves a refused settlement pending | === "unknown" -> !== "paid" | PAYMENT
    if (found.kind === "unknown") return true;
    const { payment } = record;
    return found.kind === "absent" && (await railFor(rails, payment.requirements)?.lacksFunds?.(payment)) === true;
  }

  /** A settlement that a dead process asked for may still fail, though the facilitator takes this one for its copy. */
  const mayBeUnderWay = ({ since = 0 }: PaymentToSettle, { reason }: { reason: string }) =>
    saysUnderWay(reason) && now() - since * 1000 < SETTLES_WITHIN_MS;

  const isLongAgo = ({ since }: PaymentToSettle) => since !== undefined && now() - since * 1000 >= UNDECIDED_AFTER_MS;

  /** The result is neither delivered nor sold again, and callers are told so. */
  async function leaveUndecided(key: string, version: number, record: SettlingPayment): Promise<SettledPayment> {
    const { id, payment, credit, receipt, requestId } = record;
    const ended: SettledPayment = {
      ...withoutReply(record),
      ...{ state: "settled", stage: "undecided", leaseUntil: 0, failure: UNDECIDED },
    };
    if ((await records.write(key, version, ended)) === undefined) throw pending("Another process is finding that out.");
    if (credit) await credits.capture(credit.id, key, 0n);
    await exposure.free(payment);
    await unpaidReplies.free(record);
    const { payer, requirements } = payment;
    const reason = receipt?.errorReason;
    const facts = { payment: id, requestId, network: requirements.network, payer, amount: amountOf(payment), reason };
    logger.error(
      facts,
      "payment: whether a payment was settled is unknown; look on chain, and return the money if it arrived",
    );
    return ended;
  }

  /** Credit that a refusal released may be spent by now; then nothing is settled. */
  async function holdAgain(key: string, { credit }: SettlingPayment): Promise<void> {
    if (!credit?.freed) return;
    const claim = { amount: BigInt(credit.used), until: now() + DAY_MS };
    if (!(await credits.hold(credit.id, key, claim)))
      throw new PaymentRefused("CREDIT_INSUFFICIENT", "The credit was used up by another call meanwhile.");
  }

  /**
   * A result that may still be paid for is kept if there is room: the same payment, sent again, is settled and
   * delivered without a second run.
   */
  async function countReply(left: SettlingPayment, end: SettleOutcome): Promise<SettlingPayment> {
    if (left.outcome === undefined) return left;
    const isUnclear = end.kind === "pending";
    if (isUnclear && left.kept?.as === "unclear") return left;
    await unpaidReplies.free(left);
    const { kept: _, ...rest } = left;
    if (isUnclear) {
      await unpaidReplies.unclear(rest);
      return { ...rest, kept: { as: "unclear", size: replySize(rest) } };
    }
    const until = keptUntilOf(rest, now());
    const isOver = until <= now() || (end.kind === "refused" && end.reason === VOID);
    // guard: replies of refused payments are kept up to a bound |
    //   - || !(await unpaidReplies.refused(rest)) | unpaid-replies
    if (isOver || !(await unpaidReplies.refused(rest))) return withoutReply(rest);
    return { ...rest, kept: { as: "refused", size: replySize(rest), until } };
  }

  /** Saves a settlement, and completes the rest now. */
  async function saveSettled(
    key: string,
    version: number,
    { record, transaction }: { record: SettlingPayment; transaction: string },
  ): Promise<SettledPayment> {
    const { payment } = record;
    const { requirements, payer } = payment;
    const receipt = {
      success: true as const,
      transaction,
      network: requirements.network,
      payer,
      amount: amountOf(payment),
    };
    // guard: a settlement is looked for again where the host has a node |
    //   ownNode -> ownNode === null | handler/reorganised
    const lookAt = railFor(rails, requirements)?.ownNode ? lookAtOf(record, now()) : undefined;
    const { leaseUntil: held, ...paid } = withoutCount(record);
    const ended = { state: "settled" as const, settledAt: now(), receipt, ...(lookAt === undefined ? {} : { lookAt }) };
    const settled: AwaitingWork | Answered =
      paid.outcome === undefined
        ? { ...paid, ...ended, stage: "awaiting-work", leaseUntil: held }
        : { ...paid, ...ended, stage: "answered", leaseUntil: 0 };
    const isWorking = isAwaitingWork(settled);
    // If this process dies before, the background completes it.
    const open = isRefundOpen(settled) ? now() + FIRST_RETRY_MS : undefined;
    const dueAt = isWorking ? held + PREPAID_PATIENCE_MS : open;
    const saved = await records.write(key, version, settled, dueAt).catch(() => undefined);
    if (saved === undefined) throw pending("The payment was settled, but that could not be recorded yet.");
    await exposure.free(payment).catch(() => {});
    await unpaidReplies.free(record).catch(() => {});
    if (isWorking) return settled;
    return refunds.complete(key, saved, settled).catch((error: unknown) => {
      logger.error({ key, error }, "payment: the steps after a settlement are left to the background");
      return settled;
    });
  }

  async function withCreditFreed(key: string, record: SettlingPayment): Promise<SettlingPayment> {
    if (!record.credit) return record;
    // guard: credit is free again when the settlement beside it is refused | gone | USAGE
    await credits.capture(record.credit.id, key, 0n);
    return { ...record, credit: { ...record.credit, freed: true } } as SettlingPayment;
  }

  /** No money moved, as far as is known: the reply is kept for another attempt, and the buyer is told why. */
  async function saveUnsettled(
    key: string,
    version: number,
    { record, end }: { record: SettlingPayment; end: Exclude<SettleOutcome, { kind: "settled" }> },
  ): Promise<never> {
    const { requirements, payer } = record.payment;
    const { network } = requirements;
    const transaction = end.kind === "pending" ? (end.transaction ?? "") : "";
    const receipt = { success: false as const, transaction, network, payer, errorReason: end.reason };
    // guard: what was used before it was settled first is never taken for settled by us | = false | settlement
    const isUsed = arrivedOf(record) === 1 && saysAlreadySettled(end.reason);
    const unsettled: SettlingPayment = { ...record, leaseUntil: 0, receipt, ...(isUsed ? { usedBefore: true } : {}) };
    const left = end.kind === "refused" ? await withCreditFreed(key, unsettled) : unsettled;
    if (end.kind === "pending") await tellPending(record);
    const counted = await countReply(left, end);
    const dueAt = end.kind === "pending" ? now() + retryAfterMs(record.attempts) : keptUntilBy(counted);
    await records.write(key, version, counted, dueAt);
    logger.warn({ key, network, reason: end.reason }, `payment: settlement ${end.kind}`);
    // guard: an unclear settlement does not count as a refusal | "pending" -> undefined | PAYMENT
    if (end.kind === "pending") throw pending("It is not known yet whether the payment was settled.");
    throw new PaymentRefused("SETTLEMENT_REFUSED", `The payment could not be settled: ${end.reason}`, { receipt });
  }

  /** The first time: later ones have an earlier answer in the record. */
  async function tellPending({ requestId, endpoint, payment, receipt }: SettlingPayment): Promise<void> {
    if (receipt) return;
    const { payer, requirements, since } = payment;
    const data = { endpoint, requestId, payer, network: requirements.network };
    const at = since === undefined ? 0 : since * 1000;
    await durable
      ?.tell("settlement.pending", data, { id: `${requestId}pending`, at, happenedAt: now() })
      .catch((error: unknown) => logger.error({ requestId, error }, "webhooks: an event was not stored"));
  }

  return {
    async finish(key, version, record) {
      await holdAgain(key, record);
      const sent = await settleElsewhere(key, version, record);
      return save(key, sent.version, sent);
    },
  };

  function save(key: string, version: number, { record, end }: { record: SettlingPayment; end: End }) {
    if (end.kind === "undecided") return leaveUndecided(key, version, record);
    if (end.kind === "settled") return saveSettled(key, version, { record, transaction: end.transaction });
    return saveUnsettled(key, version, { record, end });
  }

  /**
   * Settles, by another facilitator if no request so far can have reached one. The other one's name is stored before it
   * is asked, so that a crash leaves no doubt about who may have sent the payment.
   */
  async function settleElsewhere(
    key: string,
    version: number,
    record: SettlingPayment,
  ): Promise<{ record: SettlingPayment; version: number; end: End }> {
    const end = await settle(record);
    const { payment, attempts } = record;
    const { unsent = 0 } = payment;
    // Refused before anything was sent: a later answer speaks of no settlement of ours.
    // guard: a settlement that was refused before it was sent does not count as lost |
    //   "refused" && end.reason !== VOID -> undefined | PAYMENT
    if (end.kind === "refused" && end.reason !== VOID)
      return { record: { ...record, payment: { ...payment, unsent: attempts } }, version, end };
    // guard: failover: not after an earlier request may have arrived | - || unsent < attempts - 1 | failover
    if (end.kind !== "pending" || !end.unsent || unsent < attempts - 1) return { record, version, end };
    const { next } = end;
    const left = { ...record, payment: { ...payment, unsent: attempts, ...(next ? { via: next } : {}) } };
    if (next === undefined) return { record: left, version, end };
    const moved = { ...left, attempts: attempts + 1 };
    const at = await records.write(key, version, moved, moved.leaseUntil);
    if (at === undefined) throw pending("Another process settles the payment.");
    return settleElsewhere(key, at, moved);
  }
}

/** Requests that a facilitator may have sent on to the chain. */
const arrivedOf = ({ attempts, payment }: SettlingPayment) => attempts - (payment.unsent ?? 0);

const keptUntilBy = (record: SettlingPayment) => (record.outcome === undefined ? undefined : record.kept?.until);

const retryAfterMs = (attempts: number) => Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 10), MAX_RETRY_MS);
