/**
 * Looks for payments on chain that credit replaced. Their messages were shown to a facilitator, which, or whose copyist,
 * may have sent them all the same. Such money is owed to the payer, as credit, once.
 */
import type { Logger } from "../../lib/logger.js";
import { HOUR_MS } from "../../lib/time.js";
import { type Ledger, landedOf } from "../ledger/ledger.js";
import { accountId } from "../networks/accounts.js";
import { type Rails, railFor } from "../networks/rails.js";
import type { ChainStatus } from "../rails/rail.js";
import { nextLook, watchedUntil } from "../record/next-look.js";
import type { Answered, SettledPayment } from "../record/record.js";
import type { Records, VersionedRecord } from "../record/records.js";
import type { Credits } from "../refund/credit.js";
import { usdOf } from "../x402/usd.js";
import type { Transfers } from "./transfers.js";

const RETRY_MS = 60_000;
/** A node may be behind, or not answer. */
const PATIENCE_MS = 6 * HOUR_MS;

/** Looks for a payment that is due to be looked for. */
export type LookForLanding = (key: string, found: VersionedRecord<SettledPayment>) => Promise<void>;

export interface LandingOptions {
  records: Records;
  rails: Rails;
  transfers: Transfers;
  credits: Pick<Credits, "issue">;
  ledger: Ledger;
  now: () => number;
  logger: Logger;
}

export function createLanding(options: LandingOptions): LookForLanding {
  const { records, rails, transfers, credits, ledger, now, logger } = options;

  /** The debt is written before it is paid, so that a crash neither loses it nor pays it twice. */
  async function owe(
    key: string,
    { record, version }: VersionedRecord<SettledPayment>,
    transaction: string,
  ): Promise<void> {
    const landed = { transaction, isCredited: false };
    const owing = { ...record, landed } as Answered;
    const at = await records.write(key, version, owing, now());
    if (at === undefined) return;
    const { id, payment } = record;
    logger.warn(
      { payment: id, network: payment.requirements.network, transaction },
      "payment: a payment that credit replaced is on chain all the same, and becomes credit",
    );
    await credit(key, { record: owing, version: at }, landed);
  }

  async function credit(
    key: string,
    { record, version }: VersionedRecord<SettledPayment>,
    landed: { transaction: string },
  ): Promise<void> {
    const { id, payment } = record;
    const { network, payTo } = payment.requirements;
    await credits.issue(`${id} landed`, payment.payer, usdOf(payment.requirements), accountId(network, payTo));
    await ledger.book([landedOf(record, landed.transaction, now())]);
    await end(key, { record: { ...record, landed: { ...landed, isCredited: true } } as Answered, version });
  }

  async function end(key: string, { record, version }: VersionedRecord<SettledPayment>): Promise<void> {
    const { lookAt: _, ...done } = record;
    await records.write(key, version, done as SettledPayment);
  }

  /** Not there: looked for again while it could still come, or a node may not know yet. */
  async function lookLater(key: string, { record, version }: VersionedRecord<SettledPayment>): Promise<void> {
    const { validBefore, settledAt = now() } = record;
    const watched = { validBefore, settledAt };
    const late = now() - watchedUntil(watched);
    if (late >= PATIENCE_MS) return end(key, { record, version });
    const lookAt = late >= 0 ? now() + RETRY_MS + Math.ceil(late / 4) : nextLook(watched, now());
    await records.write(key, version, { ...record, lookAt } as Answered, lookAt);
  }

  return async function lookForLanding(key, found) {
    const { id, payment, landed } = found.record;
    if (landed) return landed.isCredited ? end(key, found) : credit(key, found, landed);
    const { requirements } = payment;
    const seen = (await railFor(rails, requirements)?.lookup(payment)) ?? UNKNOWN;
    if (seen.kind === "paid" && (await transfers.claim(requirements.network, seen.proof, id)))
      return owe(key, found, seen.transaction);
    return seen.kind === "paid" || seen.kind === "cancelled" ? end(key, found) : lookLater(key, found);
  };
}

const UNKNOWN: ChainStatus = { kind: "unknown" };
