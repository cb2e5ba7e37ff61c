/** Looks a sale or refund that was planned up in the records of its channel. */
import { fromMicros } from "../../../lib/money.js";
import type { PlannedEvent, PlannedOutcome } from "../../events/durable-events.js";
import { provenBuyer } from "./changes.js";
import type { ChannelRecords } from "./record.js";

export type PlannedChannelEvent = Extract<PlannedEvent, { channel: string }>;

export async function lookUpPlanned(records: ChannelRecords, of: PlannedChannelEvent): Promise<PlannedOutcome> {
  const { network, channel, endpoint, requestId } = of;
  const [found, reply] = await Promise.all([
    records.read(channel),
    of.kind === "voucher" ? records.readReply(of.reply) : undefined,
  ]);
  const facts = { endpoint, requestId, network, channel, payer: found && provenBuyer(found.value) };
  if (of.kind === "channel-refund") return refundIn(found?.value, of, facts);
  const charged = reply?.value;
  if (charged?.flight === of.flight)
    return charged.charge === 0n
      ? undefined
      : { id: requestId, at: charged.at, data: { ...facts, usd: fromMicros(charged.charge) } };
  // The next call or claim ends a flight whose process is gone.
  return found?.value.flight?.id === of.flight ? "open" : undefined;
}

type Channel = NonNullable<Awaited<ReturnType<ChannelRecords["read"]>>>["value"];

/** The chain's nonce shows it; a refund that was signed stays possible for ever, so one that was not made is looked up again. */
function refundIn(
  record: Channel | undefined,
  { nonce, requestId }: Extract<PlannedChannelEvent, { kind: "channel-refund" }>,
  facts: object,
): PlannedOutcome {
  const number = BigInt(nonce);
  if (!record) return undefined;
  if (record.refundNonce <= number) return "open";
  const { refund, refunded, refundedAt = record.readAt } = record;
  const made = refunded?.nonce === number ? refunded : undefined;
  const amount = made?.amount ?? (refund?.nonce === number ? refund.amount : 0n);
  const transaction = made?.transaction;
  return {
    id: `${requestId}refunded`,
    at: made ? refundedAt : record.readAt,
    data: { ...facts, refundedUsd: fromMicros(amount), ...(transaction ? { transaction } : {}) },
  };
}
