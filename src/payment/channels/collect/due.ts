/** Decides which channels to claim, and how much of their debt can be claimed. */
import { least, type Micros } from "../../../lib/money.js";
import { MINUTE_MS } from "../../../lib/time.js";
import type { ChannelPolicy } from "../../options/channels.js";
import type { ClaimRow } from "../../rails/channel.js";
import { owed } from "../vouchers/changes.js";
import type { ChannelRecord } from "../vouchers/record.js";
import { isParked } from "./parking.js";

/**
 * A claim publishes its voucher, with which anybody could fetch the last answer, so it waits after a call if it can.
 */
const QUIET_MS = 10 * MINUTE_MS;

/** The channels of `owing` to claim now, or whose loss must be reported. */
export function dueOf(owing: ChannelRecord[], policy: ChannelPolicy, now: number): ChannelRecord[] {
  const total = owing.reduce((sum, each) => sum + owed(each) - each.lost, 0n);
  return owing.filter((record) => {
    const { owedSince = now, withdrawal, lastAt, claimAfter = 0 } = record;
    if (claimAfter > now || isParked(record, now)) return false;
    if (!rowOf(record) && uncovered(record) === record.lost) return false;
    if (withdrawal || now - owedSince >= claimAfterMs(record, policy)) return true;
    if (owed(record) >= policy.claimAbove) return true;
    return total >= policy.claimAbove && now - lastAt >= QUIET_MS;
  });
}

/** Maximum age of a charge; channels opened with a shorter withdrawal delay have less time. */
export const claimAfterMs = ({ terms }: ChannelRecord, policy: ChannelPolicy): number =>
  Math.min(policy.claimAfterMs, terms.withdrawDelay * 500);

/** The charged amount, limited by the balance; never the ceiling. */
export function rowOf({ id, terms, voucher, charged, balance, claimed }: ChannelRecord): ClaimRow | undefined {
  if (!voucher) return undefined;
  // guard: channel: a claim stops at the balance | least(charged, balance) -> charged | withdrawals --channels
  const total = least(least(charged, balance), voucher.ceiling);
  return total > claimed ? { id, config: terms.config, voucher, total } : undefined;
}

/** Charged beyond the balance, so it cannot be claimed. */
export const uncovered = ({ charged, balance }: ChannelRecord): Micros => (charged > balance ? charged - balance : 0n);
