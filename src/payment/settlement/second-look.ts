/**
 * Whether a settlement is still on chain some time later. A chain may take its newest blocks back, and with them a payment
 * that was answered for: while its authorization lives it is settled again, and what cannot be is told as lost. Once per
 * settlement, in the background, and only where the host named a node of its own.
 */
import type { Logger } from "../../lib/logger.js";
import { HOUR_MS, MINUTE_MS } from "../../lib/time.js";
import type { TellLoss } from "../ledger/loss.js";
import { type Rails, railFor } from "../rails/rails.js";
import type { Found, PaymentRecord, Records } from "../record.js";
import { isRefundOpen } from "../refund/refunds.js";
import type { FacilitatorClient } from "../x402/facilitator.js";

/** As late as leaves the time to settle once more: the background comes by every 15 seconds. */
const MARGIN_MS = 45_000;
const SOONEST_MS = 15_000;
/** Blocks this old are not taken back; an authorization may live for years. */
const LATEST_MS = 10 * MINUTE_MS;
const RETRY_MS = 20_000;
/** A node may be behind. */
const PATIENCE_MS = 10 * MINUTE_MS;

/** When a payment that is settled now is to be looked for again; undefined where it does not say how long it lives. */
export function lookAtOf({ validBefore }: PaymentRecord, now: number): number | undefined {
  if (validBefore === undefined) return undefined;
  return Math.max(now + SOONEST_MS, Math.min(validBefore * 1000 - MARGIN_MS, now + LATEST_MS));
}

/** Looks for a settled payment whose time for that has come. */
export type SecondLook = (key: string, found: Found) => Promise<void>;

export interface SecondLookOptions {
  records: Records;
  rails: Rails;
  facilitator: FacilitatorClient;
  tellLoss: TellLoss;
  now: () => number;
  logger: Logger;
}

export function createSecondLook(options: SecondLookOptions): SecondLook {
  const { records, rails, facilitator, tellLoss, now, logger } = options;

  return async function lookAgain(key, { record, version }) {
    const { payment, lookAt = now(), validBefore = 0 } = record;
    const seen = (await railFor(rails, payment.requirements)?.lookup(payment)) ?? { kind: "unknown" };
    const { lookAt: _, ...done } = record;
    const dueAt = isRefundOpen(done) ? now() : undefined;
    if (seen.kind === "paid" || seen.kind === "unknown") return void (await records.write(key, version, done, dueAt));

    const isOver = now() > Math.min(validBefore * 1000 + PATIENCE_MS, lookAt + HOUR_MS);
    const facts = { payment: record.id, network: payment.requirements.network };
    if (seen.kind === "cancelled" || (seen.kind === "absent" && isOver)) {
      logger.error(facts, "payment: a settlement is not on chain any more, and its answer was delivered: it is lost");
      await tellLoss(record);
      return void (await records.write(key, version, done, dueAt));
    }
    if (isOver) {
      logger.warn(facts, "payment: no node could tell whether a settlement is still on chain");
      return void (await records.write(key, version, done, dueAt));
    }
    // Whatever the facilitator says of it, the chain is asked again.
    if ((await records.write(key, version, record, now() + RETRY_MS)) === undefined || seen.kind !== "absent") return;
    logger.warn(facts, "payment: a settlement is not on chain any more, and is made again");
    await facilitator.settle(payment);
  };
}
