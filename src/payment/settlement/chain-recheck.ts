/**
 * Checks some time later that a settlement is still on chain. A chain may reverse its newest blocks, and with them a
 * payment that was already answered: while its authorization is valid it is settled again, and otherwise it is reported
 * as lost. Once per settlement, in the background, and only if the host named its own node.
 */
import type { Logger } from "../../lib/logger.js";
import { HOUR_MS, MINUTE_MS } from "../../lib/time.js";
import type { TellLoss } from "../ledger/loss.js";
import { type Rails, railFor } from "../networks/rails.js";
import type { ChainStatus } from "../rails/rail.js";
import type { SettledPayment, SettlingPayment } from "../record/record.js";
import type { Records, VersionedRecord } from "../record/records.js";
import { isRefundOpen } from "../refund/refunds.js";
import type { FacilitatorClient } from "../x402/facilitator.js";

/** As late as possible while a second settlement still fits: the background runs every 15 seconds. */
const MARGIN_MS = 45_000;
const SOONEST_MS = 15_000;
/** Blocks of this age are not reversed; an authorization may live for years. */
const LATEST_MS = 10 * MINUTE_MS;
const RETRY_MS = 20_000;
/** A node may be behind. */
const PATIENCE_MS = 10 * MINUTE_MS;

/** When to check a payment that is settled now; undefined if it has no known expiry. */
export function lookAtOf({ validBefore }: SettlingPayment, now: number): number | undefined {
  if (validBefore === undefined) return undefined;
  return Math.max(now + SOONEST_MS, Math.min(validBefore * 1000 - MARGIN_MS, now + LATEST_MS));
}

/** Checks a settled payment that is due. */
export type RecheckOnChain = (key: string, found: VersionedRecord<SettledPayment>) => Promise<void>;

export interface RecheckOptions {
  records: Records;
  rails: Rails;
  facilitator: FacilitatorClient;
  tellLoss: TellLoss;
  now: () => number;
  logger: Logger;
}

export function createRecheckOnChain(options: RecheckOptions): RecheckOnChain {
  const { records, rails, facilitator, tellLoss, now, logger } = options;

  /** Ends the check. A payment in a new block is checked once more: that block may be reversed like the first. */
  async function conclude(key: string, { record, version }: VersionedRecord<SettledPayment>, isInNewBlock = false) {
    const { lookAt: _, settledAgain: __, ...done } = record;
    const next = isInNewBlock ? now() + LATEST_MS : undefined;
    const checked = (next === undefined ? done : { ...done, lookAt: next }) as SettledPayment;
    await records.write(key, version, checked, isRefundOpen(checked) ? now() : next);
  }

  /** Nothing more can be done about it. */
  async function tellEnd(record: SettledPayment, kind: ChainStatus["kind"]) {
    // guard: a settlement is lost by the chain's word, not by a node's silence | gone | handler/reorganised
    if (kind !== "cancelled" && kind !== "absent")
      return logger.warn(factsOf(record), "payment: no node could tell whether a settlement is still on chain");
    logger.error(
      factsOf(record),
      "payment: a settlement disappeared from the chain after its answer was delivered: it is lost",
    );
    await tellLoss(record);
  }

  return async function recheck(key, found) {
    const { record, version } = found;
    const { payment, lookAt = now(), validBefore = 0 } = record;
    const { kind } = (await railFor(rails, payment.requirements)?.lookup(payment)) ?? { kind: "unknown" };
    // guard: a settlement that was made again is looked for once more |
    //   returns conclude(key, found) | handler/reorganised
    if (kind === "paid") return conclude(key, found, record.settledAgain);
    if (kind === "unknown") return conclude(key, found);

    const isOver = now() > Math.min(validBefore * 1000 + PATIENCE_MS, lookAt + HOUR_MS);
    if (isOver || kind === "cancelled") {
      await tellEnd(record, kind);
      return conclude(key, found);
    }
    // The chain is asked again, whatever the facilitator answered.
    const again = (kind === "absent" ? { ...record, settledAgain: true } : record) as SettledPayment;
    if ((await records.write(key, version, again, now() + RETRY_MS)) === undefined || kind !== "absent") return;
    logger.warn(factsOf(record), "payment: a settlement disappeared from the chain and is made again");
    // guard: a settlement that the chain took back is made again | gone | handler/reorganised
    await facilitator.settle(payment);
  };
}

const factsOf = ({ id, payment }: SettledPayment) => ({ payment: id, network: payment.requirements.network });
