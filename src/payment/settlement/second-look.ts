/**
 * Checks some time later that a settlement is still on chain. A chain may reverse its newest blocks, and with them a
 * payment that was already answered: while its authorization is valid it is settled again, and otherwise it is reported
 * as lost. Once per settlement, in the background, and only if the host named its own node.
 */
import type { Logger } from "../../lib/logger.js";
import { HOUR_MS, MINUTE_MS } from "../../lib/time.js";
import type { TellLoss } from "../ledger/loss.js";
import { type Rails, railFor } from "../rails/rails.js";
import type { SettledPayment, SettlingPayment } from "../record.js";
import type { Found, Records } from "../records.js";
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
export type SecondLook = (key: string, found: Found<SettledPayment>) => Promise<void>;

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
      logger.error(
        facts,
        "payment: a settlement disappeared from the chain after its answer was delivered: it is lost",
      );
      await tellLoss(record);
      return void (await records.write(key, version, done, dueAt));
    }
    if (isOver) {
      logger.warn(facts, "payment: no node could tell whether a settlement is still on chain");
      return void (await records.write(key, version, done, dueAt));
    }
    // The chain is asked again, whatever the facilitator answered.
    if ((await records.write(key, version, record, now() + RETRY_MS)) === undefined || seen.kind !== "absent") return;
    logger.warn(facts, "payment: a settlement disappeared from the chain and is made again");
    await facilitator.settle(payment);
  };
}
