/** Sums over channels: earned, claimed, paid out, and signed for but not yet claimed. */
import { fromMicros, type Micros } from "../../../lib/money.js";
import type { ChannelSums, ParkedClaim } from "../../ledger/report.js";
import type { ChannelPolicy } from "../../options/channels.js";
import type { ChannelRail } from "../../rails/channel.js";
import { owed } from "../vouchers/changes.js";
import type { ChannelRecord, ChannelRecords } from "../vouchers/record.js";
import { claimAfterMs } from "./due.js";
import type { LedgerSync } from "./ledger-sync.js";

/** A claim overdue by this factor waits for something that will not come. */
const LATE = 2;
/** Channels are listed up to this number; the sum includes all. */
const MAX_TOLD = 100;

/** Whether money may be lost: a withdrawal has begun, or nobody claims. */
export function isAtRisk(record: ChannelRecord, policy: ChannelPolicy, now: number): boolean {
  const { withdrawal, owedSince = now } = record;
  const isLate = now - owedSince > LATE * claimAfterMs(record, policy);
  return owed(record) > record.lost && (withdrawal !== undefined || isLate);
}

interface Network {
  rail: ChannelRail;
  records: ChannelRecords;
  ledgerSync: LedgerSync;
}

export async function sumsOf(networks: Network[], policy: ChannelPolicy, now: number): Promise<ChannelSums> {
  let [channels, earned, claimed, unclaimed, atRisk, lost, parked] = [0, 0n, 0n, 0n, 0n, 0n, 0n];
  const waiting: ParkedClaim[] = [];
  let swept: bigint | undefined = 0n;
  const add = (record: ChannelRecord) => {
    const { charged, base, foreign = 0n, parking } = record;
    const open = owed(record) - record.lost;
    channels++;
    earned += charged - base;
    claimed += record.claimed - base - foreign;
    unclaimed += open;
    lost += record.lost + foreign;
    if (isAtRisk(record, policy, now)) atRisk += open;
    if (!parking || open <= 0n) return;
    parked += open;
    if (waiting.length < MAX_TOLD) waiting.push(parkedClaim(record, parking, open));
  };
  for (const { rail, records, ledgerSync } of networks) {
    // guard: channel: sums are of our own channels | always | together --channels
    for await (const found of records.list()) if (rail.batchOf(found.value.terms)) add(await ledgerSync.book(found));
    const account = await rail.account().catch(() => undefined);
    swept = account && swept !== undefined ? swept + account.swept : undefined;
  }
  return {
    channels,
    earnedUsd: fromMicros(earned),
    claimedUsd: fromMicros(claimed),
    unclaimedUsd: fromMicros(unclaimed),
    atRiskUsd: fromMicros(atRisk),
    lostUsd: fromMicros(lost),
    ...(parked > 0n ? { parkedUsd: fromMicros(parked), parked: waiting } : {}),
    ...(swept === undefined ? {} : { sweptUsd: fromMicros(swept) }),
  };
}

const parkedClaim = (
  { id, network }: ChannelRecord,
  { tries, reason, since, retryAt }: NonNullable<ChannelRecord["parking"]>,
  open: Micros,
): ParkedClaim => ({
  network,
  channel: id,
  usd: fromMicros(open),
  reason,
  tries,
  since: new Date(since).toISOString(),
  retryAt: new Date(retryAt).toISOString(),
});
