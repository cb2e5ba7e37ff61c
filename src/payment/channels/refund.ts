/** A buyer asks for what it has not used: its channel is claimed up to what was charged, and the rest goes back, at once. */
import { randomUUID } from "node:crypto";
import type { Emit } from "../../events.js";
import type { Logger } from "../../lib/logger.js";
import { fromMicros, least, type Micros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import type { ChannelMessage, ChannelRail } from "../rails/channel.js";
import { pending } from "../settlement/settlement.js";
import type { FacilitatorClient } from "../x402/facilitator.js";
import { PaymentRefused, type Receipt } from "../x402/refusal.js";
import { provenBuyer } from "./changes.js";
import type { Mirror } from "./mirror.js";
import type { ChannelRecord, ChannelRecords } from "./record.js";
import { belowClaimed, outOfStep, stateOf } from "./refusals.js";
import type { Turns } from "./turns.js";

const LEASE_MS = 60_000;
/** A channel that earned so little since its last refund may have one a day: each costs us a transaction. */
const WORTH_A_REFUND: Micros = 20_000n;

export interface RefundOptions {
  rail: ChannelRail;
  records: ChannelRecords;
  mirror: Mirror;
  turns: Turns;
  facilitator: FacilitatorClient;
  emit: Emit;
  logger: Logger;
  now: () => number;
}

/** Resolves to the receipt. Rejects with PaymentRefused, or with SETTLEMENT_PENDING while it is not known how it ended. */
export async function refundChannel(
  options: RefundOptions,
  message: ChannelMessage,
  endpoint: string,
): Promise<Receipt> {
  const turn = await options.turns.take(message.id, message.voucher.ceiling);
  if (!turn) throw pending("Calls on this channel are under way.");
  try {
    return await refund(options, message, endpoint);
  } finally {
    turn.end();
  }
}

async function refund(options: RefundOptions, message: ChannelMessage, endpoint: string): Promise<Receipt> {
  const { rail, records, mirror, facilitator, emit, logger, now } = options;
  const stored = await records.read(message.id);
  const isKnown = stored && !stored.value.found;
  const found = isKnown ? await mirror.settled(stored) : await mirror.adopt(message, 0n, stored?.version);
  if (found === "held") throw pending("A call on this channel is under way.");
  const record = await mirror.refreshed(found.value);
  const { ceiling } = message.voucher;
  if (ceiling < record.claimed) throw belowClaimed(record);
  if (ceiling !== record.charged) throw outOfStep(record);
  const amount = amountOf(message.amount, record);
  assertWorth(record, now());

  const flight = { kind: "refund" as const, id: randomUUID(), leaseUntil: now() + LEASE_MS };
  // It claims along, and so its voucher is public from here on, whatever becomes of it.
  const claims = record.charged > record.claimed;
  const { id, terms, refundNonce } = record;
  const earlier = record.refund?.nonce === refundNonce ? record.refund.amount : 0n;
  const marked: ChannelRecord = {
    ...record,
    refund: { nonce: refundNonce, amount: amount > earlier ? amount : earlier },
    published: claims ? [...new Set([...record.published, ceiling])] : record.published,
  };
  const version = await records.write({ ...marked, flight }, found.version);
  if (version === undefined) throw pending("A call on this channel was faster.");
  const plan = { id, config: terms.config, payer: terms.payer, voucher: message.voucher, amount, nonce: refundNonce };
  const order = await rail.toRefund({ ...plan, claims });
  const end = await facilitator.settle(order);
  const seen = await mirror.refreshed(marked).catch(() => undefined);
  // The chain decides: each refund has a number of its own.
  const isDone = seen !== undefined && seen.refundNonce > refundNonce;
  if (!isDone) {
    logger.warn({ channel: id, network: rail.network, end }, "channels: a refund did not come about");
    if (end.kind !== "refused" || !seen) throw pending("Whether the refund was made is not known yet.");
    await records.write(seen, version);
    const receipt = { success: false, transaction: "", network: rail.network, payer: terms.payer };
    throw new PaymentRefused("SETTLEMENT_REFUSED", `The refund could not be made: ${end.reason}`, {
      receipt: { ...receipt, errorReason: end.reason },
    });
  }
  const done: ChannelRecord = { ...seen, refundedAt: now(), chargedAtRefund: record.charged, lastAt: now() };
  await records.write(done, version);
  const moved = record.balance - seen.balance;
  const transaction = end.kind === "refused" ? "" : (end.transaction ?? "");
  const usd = fromMicros(moved < 0n ? 0n : moved);
  emit({
    ...{ id: endpoint, requestId: flight.id, outcome: "refunded", caller: "none", status: 200, durationMs: 0 },
    ...{ refundedUsd: usd, channel: id, payer: provenBuyer(record), network: rail.network, transaction },
  });
  const receipt = { success: true, transaction, network: rail.network, payer: terms.payer, amount: moved.toString() };
  return { ...receipt, extra: { channelState: stateOf(done) } };
}

/** All that is not used, or as much of it as is asked for. */
function amountOf(asked: string | undefined, { balance, charged }: ChannelRecord): Micros {
  const rest = balance > charged ? balance - charged : 0n;
  if (asked !== undefined && !/^[1-9]\d{0,38}$/.test(asked))
    throw refused("The refund's amount must be a number of atomic units above 0, in digits.", "amount_invalid");
  if (rest === 0n) throw refused("Nothing of the deposit is left to refund.", "no_balance");
  return asked === undefined ? rest : least(BigInt(asked), rest);
}

function assertWorth({ refundedAt, charged, chargedAtRefund = 0n }: ChannelRecord, now: number): void {
  if (refundedAt === undefined || now - refundedAt >= DAY_MS || charged - chargedAtRefund >= WORTH_A_REFUND) return;
  throw refused(
    "This channel had a refund within a day. Its payer can withdraw at any time: initiateWithdraw on the channel's contract, and finalizeWithdraw after its delay.",
    "refund_too_soon",
  );
}

function refused(message: string, reason: string): PaymentRefused {
  return new PaymentRefused("REFUND_REFUSED", message, {
    receipt: {
      success: false,
      transaction: "",
      network: "",
      errorReason: `invalid_batch_settlement_evm_refund_${reason}`,
    },
  });
}
