/** Changes of a channel's record: a charge, a new chain state, a concurrent write. */
import type { Micros } from "../../../lib/money.js";
import type { Voucher } from "../../rails/channel.js";
import { confirmed, hasPassed, isAbove, isBelow, isRiseOpen, type Seen } from "./finality.js";
import { ownership } from "./foreign.js";
import type { ChannelRecord, ChannelRecords, ChannelReply, Flight } from "./record.js";

/** A channel without charges beyond the amount claimed on chain. */
export const emptyRecord = (
  channel: Pick<ChannelRecord, "id" | "network" | "terms">,
  claimed: Micros,
  now: number,
): ChannelRecord => ({
  ...channel,
  charged: claimed,
  base: claimed,
  reach: claimed,
  balance: 0n,
  claimed,
  refundNonce: 0n,
  readAt: 0,
  published: [],
  lost: 0n,
  lastAt: now,
  tally: {},
  bookings: 0,
});

/** Charged, not claimed, and not known to be lost. */
export const owed = ({ charged, claimed }: ChannelRecord): Micros => (charged > claimed ? charged - claimed : 0n);

/**
 * Whether a voucher proves the payer: the payer signs vouchers itself, or named the signer here. Anybody may open a
 * channel in another's name.
 */
// guard: channel: who deposits in another's name is not that other one |
//   === true -> !== null | channels/payers --channels
export const isPayerProven = ({ terms, delegated }: Pick<ChannelRecord, "terms" | "delegated">): boolean =>
  delegated === true || terms.payer === terms.authorizer;

/** The proven buyer's account. */
export const provenBuyer = (record: Pick<ChannelRecord, "terms" | "delegated">): string =>
  isPayerProven(record) ? record.terms.payer : record.terms.authorizer;

/** The record with a reply's charge added. */
export function withReply(record: ChannelRecord, flight: Flight, done: ChannelReply | undefined): ChannelRecord {
  const { flight: _, ...rest } = record;
  const charge = done?.flight === flight.id ? done.charge : 0n;
  const charged = record.charged + charge;
  const next: ChannelRecord = { ...rest, charged, voucher: best(record.voucher, flight.voucher, charged) };
  if (charge === 0n || !done) return next;
  const { at } = done;
  if (owed(record) === 0n) next.owedSince = at;
  const day = `${new Date(at).toISOString().slice(0, 10)} ${flight.endpoint ?? ""}`;
  const { calls = 0, charged: sum = 0n } = record.tally[day] ?? {};
  next.tally = { ...record.tally, [day]: { calls: calls + 1, charged: sum + charge, at } };
  return next;
}

/** Largest amount that a signed refund not yet seen on chain may take; signed refunds never expire. */
// guard: channel: what a signed refund may take is not for sale | nonce >= -> nonce < | late-refunds --channels
export const amountRefunding = ({ refund, refundNonce }: ChannelRecord): Micros =>
  refund && refund.nonce >= refundNonce ? refund.amount : 0n;

/** Highest ceiling for vouchers: the deposit, less pending refunds and amounts too small to count. */
export const sellable = (record: ChannelRecord): Micros => {
  const { balance, small = 0n } = record;
  // guard: channel: what was added on chain below the smallest deposit is not sold on | small -> 0n * small | deposits
  const gone = amountRefunding(record) + small;
  return balance > gone ? balance - gone : 0n;
};

/** Anybody may add to a channel on chain. Additions below the smallest deposit count only once their sum reaches it. */
function smallOf({ balance, small = 0n }: ChannelRecord, shown: Micros, minDeposit: Micros): { small?: Micros } {
  const added = shown - (balance - small);
  return added > 0n && added < minDeposit ? { small: added } : {};
}

/** The voucher with the lowest ceiling that covers the charge, because a lower open amount is a lower risk of theft. */
function best(kept: Voucher | undefined, fresh: Voucher | undefined, charged: Micros): Voucher | undefined {
  if (!fresh || fresh.ceiling < charged) return kept;
  if (!kept || kept.ceiling < charged) return fresh;
  // guard: channel: the voucher with the least room is kept | always | vouchers --channels
  return fresh.ceiling < kept.ceiling ? fresh : kept;
}

/**
 * The record with a new chain state; undefined if the state shows less than is known to have happened, since the node
 * may be behind. Such a balance may be gone, so nothing is sold on it.
 */
export function withState(
  record: ChannelRecord,
  { state, head }: Seen,
  { now, minDeposit }: { now: number; minDeposit: Micros },
): ChannelRecord | undefined {
  const isReversed = isBelow(state, record);
  // guard: channel: a node that is behind is not believed | gone | channels/reorganised --channels
  if (isReversed && !hasPassed(record, head, now)) return undefined;
  const { balance, claimed, refundNonce, withdrawal } = state;
  const { withdrawal: _, small: __, owedSince, rose: known, ...rest } = record;
  // guard: channel: a claim by another service with our key does not count as ours |
  //   - ...ownership(record, claimed), | two-services
  const next: ChannelRecord = {
    ...rest,
    ...ownership(record, claimed),
    ...smallOf(record, balance, minDeposit),
    balance,
    claimed,
    refundNonce,
    readAt: now,
  };
  const moved = isReversed || isAbove(state, record) ? { at: now } : known;
  const rose = confirmed(moved, head);
  if (rose) next.rose = rose;
  if (withdrawal) next.withdrawal = withdrawal;
  // The voucher of a reversed claim stays public.
  // guard: channel: a voucher stays published when its claim is taken back | always | channels/reorganised --channels
  if (!isRiseOpen(next)) next.published = record.published.filter((ceiling) => ceiling > claimed);
  // A claim may have gone further than a restored store remembers.
  if (next.charged < claimed) next.charged = claimed;
  // After a reversal the amount is due for a claim again.
  if (owed(next) > 0n) next.owedSince = isReversed ? 0 : (owedSince ?? now);
  return next;
}

/**
 * Reads, changes and writes a channel's record, and repeats after a concurrent write. Undefined leaves the record
 * unchanged.
 */
export async function change(
  records: ChannelRecords,
  id: string,
  make: (record: ChannelRecord) => ChannelRecord | undefined,
): Promise<ChannelRecord | undefined> {
  for (;;) {
    const found = await records.read(id);
    const next = found && make(found.value);
    if (!found || !next) return undefined;
    if ((await records.write(next, found.version)) !== undefined) return next;
  }
}
