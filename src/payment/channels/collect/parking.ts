/**
 * Failed claims wait before a retry. Facilitators report a row that the contract refuses and a node that did not answer
 * in the same way, so each claim is retried, later each time, and at once when the chain state of its channel changes.
 */
import { MINUTE_MS } from "../../../lib/time.js";
import type { ChannelRecord } from "../vouchers/record.js";

const FIRST_MS = 2 * MINUTE_MS;
const LONGEST_MS = 6 * 60 * MINUTE_MS;
/** Facilitators accept this many rows in one transaction. */
const MAX_ROWS = 25;

/** The chain state of a channel: after a change, a failed claim is worth another try. */
export const chainOf = ({ balance, claimed, refundNonce, withdrawal }: ChannelRecord) =>
  `${balance} ${claimed} ${refundNonce} ${withdrawal?.amount ?? 0} ${withdrawal?.at ?? 0}`;

/** Whether a failed claim still waits for its retry. */
// guard: channel: a claim that failed is tried again | - && (record.parking?.retryAt ?? 0) > now | parked --channels
export const isParked = (record: ChannelRecord, now: number): boolean =>
  record.parked === chainOf(record) && (record.parking?.retryAt ?? 0) > now;

/** The record after another failed claim. */
export function park(record: ChannelRecord, reason: string, now: number): ChannelRecord {
  const { tries, since } = record.parking ?? { tries: 0, since: now };
  // guard: channel: a claim that failed waits longer each time | - * 2 ** Math.min(tries, 20) | parked
  const retryAt = now + Math.max(FIRST_MS, Math.min(FIRST_MS * 2 ** Math.min(tries, 20), longest(record, now)));
  return { ...record, parked: chainOf(record), parking: { tries: tries + 1, since, reason, retryAt } };
}

/** Several retries must fit into the time before a withdrawal is paid out, even one that begins later. */
function longest({ withdrawal, terms: { withdrawDelay } }: ChannelRecord, now: number): number {
  const left = withdrawal ? (withdrawal.at + withdrawDelay) * 1000 - now : withdrawDelay * 1000;
  return Math.min(LONGEST_MS, Math.floor(left / 8));
}

/** How many rows may share a transaction with this one: a row that failed repeatedly should spoil few others. */
export function roomBeside({ parking }: Pick<ChannelRecord, "parking">): number {
  const tries = parking?.tries ?? 0;
  return tries < 3 ? MAX_ROWS : tries < 5 ? 5 : 1;
}
