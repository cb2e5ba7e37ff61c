/** Which channels are worth a claim, and how much of what they owe can be claimed. */
import { least, type Micros } from "../../../lib/money.js";
import { MINUTE_MS } from "../../../lib/time.js";
import type { ClaimRow } from "../../rails/channel.js";
import type { ChannelPolicy } from "../../rails/channel-options.js";
import { owed } from "../changes.js";
import type { ChannelRecord } from "../record.js";
import { isParked } from "./parking.js";

/** A claim publishes the voucher, with which a lost answer could be fetched: not so soon after a call without need. */
const QUIET_MS = 10 * MINUTE_MS;

/** The channels of `owing` that are to be claimed now, or whose loss is to be told. */
export function dueOf(owing: ChannelRecord[], policy: ChannelPolicy, now: number): ChannelRecord[] {
  const total = owing.reduce((sum, each) => sum + owed(each) - each.lost, 0n);
  return owing.filter((record) => {
    const { owedSince = now, withdrawal, lastAt, claimAfter = 0 } = record;
    if (claimAfter > now || isParked(record, now)) return false;
    if (!rowOf(record) && missing(record) === record.lost) return false;
    if (withdrawal || now - owedSince >= claimAfterMs(record, policy)) return true;
    if (owed(record) >= policy.claimAbove) return true;
    return total >= policy.claimAbove && now - lastAt >= QUIET_MS;
  });
}

/** How old a charge may get; channels that were opened under a shorter delay have less time. */
export const claimAfterMs = ({ terms }: ChannelRecord, policy: ChannelPolicy): number =>
  Math.min(policy.claimAfterMs, terms.withdrawDelay * 500);

/** What is charged, as far as the balance goes; never the ceiling. */
export function rowOf({ id, terms, voucher, charged, balance, claimed }: ChannelRecord): ClaimRow | undefined {
  if (!voucher) return undefined;
  const total = least(least(charged, balance), voucher.ceiling);
  return total > claimed ? { id, config: terms.config, voucher, total } : undefined;
}

/** What was charged and is not there to be claimed. */
export const missing = ({ charged, balance }: ChannelRecord): Micros => (charged > balance ? charged - balance : 0n);
