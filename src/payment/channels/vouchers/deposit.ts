/** Covers a voucher with the channel's balance on chain: the balance is enough, or the enclosed deposit is settled. */
import { randomUUID } from "node:crypto";
import type { Logger } from "../../../lib/logger.js";
import { fromMicros, type Micros } from "../../../lib/money.js";
import type { LeaseOwner, Taken } from "../../../stores/owner.js";
import type { Emit } from "../../events/events.js";
import type { ChannelMessage, ChannelRail } from "../../rails/channel.js";
import { pending } from "../../record/pending.js";
import type { FacilitatorClient } from "../../x402/facilitator.js";
import { PaymentRefused } from "../../x402/refusal.js";
import type { ChannelChainState } from "./chain-state.js";
import { provenBuyer, sellable } from "./changes.js";
import type { IdleLimits } from "./idle-limits.js";
import type { ChannelPurchase, Obstacle } from "./purchase.js";
import type { ChannelRecord, ChannelRecords, Versioned } from "./record.js";
import { contested, outOfStep, refundUnderWay, tooSmall } from "./refusals.js";

const LEASE_MS = 60_000;

export interface DepositOptions {
  rail: ChannelRail;
  records: ChannelRecords;
  chainState: ChannelChainState;
  idleLimits: IdleLimits;
  facilitator: FacilitatorClient;
  emit: Emit;
  owner: LeaseOwner;
  logger: Logger;
  now: () => number;
}

/** A channel whose balance covers the voucher; `deposited` is the transaction of a deposit made for it. */
export type Covered = Versioned<ChannelRecord> & { deposited?: string };

/** Rejects with PaymentRefused, or with SETTLEMENT_PENDING while the outcome of the deposit is unknown. */
export async function cover(
  { rail, records, chainState, idleLimits, facilitator, emit, owner, logger, now }: DepositOptions,
  found: Versioned<ChannelRecord>,
  { message, endpoint, requestId }: ChannelPurchase,
): Promise<Covered | Obstacle> {
  const { ceiling } = message.voucher;
  const covers = (record: ChannelRecord) => ceiling <= sellable(record);
  /** Writes the observed state first, so that it is at least as new as any claim of this store. */
  const contest = async (seen: ChannelRecord): Promise<Obstacle> => {
    if ((await records.write({ ...seen, lastAt: now() }, found.version)) === undefined) return "overtaken";
    throw contested();
  };
  let record = await chainState.fresh(found.value);
  // guard: channel: nothing is sold where somebody else claims with our key | gone | two-services
  if (record.foreign !== undefined) return contest(record);
  if (covers(record)) return { value: record, version: found.version };
  // Another instance may have deposited, or the answer to a deposit was lost.
  record = await chainState.refreshed(record);
  if (record.foreign !== undefined) return contest(record);
  // guard: channel: a deposit that is not needed is not made | gone | deposits --channels
  if (covers(record)) return { value: record, version: found.version };
  const amount = depositOf(message, record, rail);

  const lease = await owner.take(now() + LEASE_MS);
  try {
    return await settled(lease);
  } finally {
    owner.end(lease);
  }

  async function settled(lease: Taken): Promise<Covered | Obstacle> {
    const flight = { kind: "deposit" as const, id: randomUUID(), ...lease };
    // guard: channel: deposits that buy nothing are few | = async () => {} | host-paid
    const forget = await idleLimits.deposit(record);
    const version = await records.write({ ...record, flight, lastAt: now() }, found.version);
    if (version === undefined) {
      await forget();
      return "overtaken";
    }
    const end = await facilitator.settle(rail.toDeposit(message));
    const seen = await chainState.untilCovered(
      record,
      ceiling + record.balance - sellable(record),
      end.kind !== "refused",
    );
    const transaction = end.kind === "settled" ? end.transaction : "";
    const { payer } = record.terms;
    const { network } = rail;
    // guard: channel: a deposit is there when the chain shows it |
    //   ceiling -> end.kind === "settled" || ceiling | deposits --channels
    if (ceiling <= sellable(seen)) {
      emit({
        kind: "channel",
        outcome: "deposited",
        id: endpoint,
        requestId,
        channelUsd: fromMicros(amount),
        channel: record.id,
        payer: provenBuyer(record),
        network,
        ...(transaction ? { transaction } : {}),
      });
      return { value: seen, version, deposited: transaction };
    }
    await records.write(seen, version);
    logger.warn({ channel: record.id, network, end }, "channels: a deposit was not settled");
    // guard: channel: a deposit that was not made is not counted | forget -> Promise.resolve | host-paid
    if (end.kind === "refused") await forget();
    else throw pending("It is not known yet whether the deposit was made.");
    const receipt = { success: false, transaction: "", network, payer, errorReason: end.reason };
    throw new PaymentRefused("SETTLEMENT_REFUSED", `The deposit could not be made: ${end.reason}`, { receipt });
  }
}

/** The deposit that a message brings for a voucher above the balance. Throws PaymentRefused. */
function depositOf({ kind, deposit, voucher }: ChannelMessage, record: ChannelRecord, rail: ChannelRail): Micros {
  const { ceiling } = voucher;
  if (kind === "deposit") {
    if (!deposit || ceiling > sellable(record) + deposit.amount) throw outOfStep(record);
    return deposit.amount;
  }
  if (ceiling <= sellable(record) + (record.small ?? 0n)) throw tooSmall(rail.minDeposit);
  // The buyer sees this balance on chain, and would sign for it again and again.
  throw ceiling <= record.balance ? refundUnderWay() : outOfStep(record);
}
