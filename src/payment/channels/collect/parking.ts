/**
 * Claims that failed wait. A facilitator says the same of a row that no contract takes and of a node that did not answer
 * it, so each is tried again, later each time, and at once when the chain shows something new of its channel.
 */
import { MINUTE_MS } from "../../../lib/time.js";
import type { ChannelRecord } from "../record.js";

const FIRST_MS = 2 * MINUTE_MS;
const LONGEST_MS = 6 * 60 * MINUTE_MS;
/** What facilitators take in one transaction. */
const MAX_ROWS = 25;

/** The chain's side of a channel: where it changed, a claim that failed is worth another try. */
export const chainOf = ({ balance, claimed, refundNonce, withdrawal }: ChannelRecord) =>
  `${balance} ${claimed} ${refundNonce} ${withdrawal?.amount ?? 0} ${withdrawal?.at ?? 0}`;

/** Whether its claim failed, and it is not tried again yet. */
export const isParked = (record: ChannelRecord, now: number): boolean =>
  record.parked === chainOf(record) && (record.parking?.retryAt ?? 0) > now;

/** The record once another claim of it failed. */
export function park(record: ChannelRecord, reason: string, now: number): ChannelRecord {
  const { tries, since } = record.parking ?? { tries: 0, since: now };
  const retryAt = now + Math.max(FIRST_MS, Math.min(FIRST_MS * 2 ** Math.min(tries, 20), longest(record, now)));
  return { ...record, parked: chainOf(record), parking: { tries: tries + 1, since, reason, retryAt } };
}

/** Several tries come before a withdrawal is paid out, whether it has begun or not. */
function longest({ withdrawal, terms: { withdrawDelay } }: ChannelRecord, now: number): number {
  const left = withdrawal ? (withdrawal.at + withdrawDelay) * 1000 - now : withdrawDelay * 1000;
  return Math.min(LONGEST_MS, left / 8);
}

/** How many rows go into one transaction with it: one that failed again and again spoils fewer others each time. */
export function roomBeside({ parking }: Pick<ChannelRecord, "parking">): number {
  const tries = parking?.tries ?? 0;
  return tries < 3 ? MAX_ROWS : tries < 5 ? 5 : 1;
}
