/** How a channel's record goes on: charged by a call, seen on chain, changed by whoever comes first. */
import type { Micros } from "../../lib/money.js";
import type { Voucher } from "../rails/channel.js";
import { confirmed, hasPassed, isAbove, isBelow, isRiseOpen, type Seen } from "./finality.js";
import { ownership } from "./foreign.js";
import type { ChannelRecord, ChannelRecords, ChannelReply, Flight } from "./record.js";

/** A channel that was never charged here beyond what is claimed of it. */
export const emptyRecord = (
  channel: Pick<ChannelRecord, "id" | "network" | "terms">,
  claimed: Micros,
  now: number,
): ChannelRecord => ({
  ...channel,
  ...{
    charged: claimed,
    base: claimed,
    reach: claimed,
    balance: 0n,
    claimed,
    refundNonce: 0n,
    readAt: 0,
    published: [],
    lost: 0n,
  },
  ...{ lastAt: now, tally: {}, bookings: 0 },
});

/** What is charged and neither claimed nor known to be lost. */
export const owed = ({ charged, claimed }: ChannelRecord): Micros => (charged > claimed ? charged - claimed : 0n);

/**
 * Whether a voucher stands for the payer: where the payer signs its vouchers itself, or told here who does. Anybody may open
 * a channel in anybody's name.
 */
export const isPayerProven = ({ terms, delegated }: Pick<ChannelRecord, "terms" | "delegated">): boolean =>
  delegated === true || terms.payer === terms.authorizer;

/** Who is proved to buy. */
export const provenBuyer = (record: Pick<ChannelRecord, "terms" | "delegated">): string =>
  isPayerProven(record) ? record.terms.payer : record.terms.authorizer;

/** The record once a reply is added up. */
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

/** What a refund that is signed and not seen on chain may take at any time, be it today or in a year. */
export const amountRefunding = ({ refund, refundNonce }: ChannelRecord): Micros =>
  refund && refund.nonce >= refundNonce ? refund.amount : 0n;

/** How far vouchers may go: what is deposited, less what is as good as refunded, or too little to count. */
export const sellable = (record: ChannelRecord): Micros => {
  const { balance, small = 0n } = record;
  const gone = amountRefunding(record) + small;
  return balance > gone ? balance - gone : 0n;
};

/** Anybody adds to a channel on chain: what comes to less than the smallest deposit counts once there is more of it. */
function smallOf({ balance, small = 0n }: ChannelRecord, shown: Micros, minDeposit: Micros): { small?: Micros } {
  const added = shown - (balance - small);
  return added > 0n && added < minDeposit ? { small: added } : {};
}

/** The voucher with the smallest ceiling that covers what was charged: the less of it is open, the less can be stolen. */
function best(kept: Voucher | undefined, fresh: Voucher | undefined, charged: Micros): Voucher | undefined {
  if (!fresh || fresh.ceiling < charged) return kept;
  if (!kept || kept.ceiling < charged) return fresh;
  return fresh.ceiling < kept.ceiling ? fresh : kept;
}

/**
 * What the record says once the chain was read; undefined where that is not to be believed: it shows less than is known
 * to have happened, and its node may be behind. What it shows of the balance may be gone, and nothing is sold on it.
 */
export function withState(
  record: ChannelRecord,
  { state, head }: Seen,
  { now, minDeposit }: { now: number; minDeposit: Micros },
): ChannelRecord | undefined {
  const isReversed = isBelow(state, record);
  if (isReversed && !hasPassed(record, head, now)) return undefined;
  const { balance, claimed, refundNonce, withdrawal } = state;
  const { withdrawal: _, small: __, owedSince, rose: known, ...rest } = record;
  const next: ChannelRecord = {
    ...{ ...rest, ...ownership(record, claimed), ...smallOf(record, balance, minDeposit) },
    ...{ balance, claimed, refundNonce, readAt: now },
  };
  const moved = isReversed || isAbove(state, record) ? { at: now } : known;
  const rose = confirmed(moved, head);
  if (rose) next.rose = rose;
  if (withdrawal) next.withdrawal = withdrawal;
  // A claim that is taken back was read by everybody all the same.
  if (!isRiseOpen(next)) next.published = record.published.filter((ceiling) => ceiling > claimed);
  // A claim may have reached further than a store that was lost remembers.
  if (next.charged < claimed) next.charged = claimed;
  // What was worth a claim before is so again.
  if (owed(next) > 0n) next.owedSince = isReversed ? 0 : (owedSince ?? now);
  return next;
}

/** Reads a channel, changes it and writes it back, again where somebody else was faster. Undefined leaves it as it is. */
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
