/**
 * A reorganisation may reverse a claim or a refund that the chain showed. Until its block is final it is checked again,
 * as of one block, which tells a node that is behind from a chain that took another branch.
 */
import type { Logger } from "../../../lib/logger.js";
import { fromMicros } from "../../../lib/money.js";
import { MINUTE_MS } from "../../../lib/time.js";
import type { ChannelHead, ChannelRail, ChannelState } from "../../rails/channel.js";
import type { ChannelRecord } from "./record.js";

/** A node this many blocks past the block of an event is not behind if it does not show the event. */
const PASSED_BLOCKS = 32;
/** Where blocks are rare: at least that block, and this much later. */
const PASSED_MS = 2 * MINUTE_MS;

/** The chain's answer; `head` is set if it is as of one block. */
export interface Seen {
  state: ChannelState;
  head?: ChannelHead;
}

type Known = Pick<ChannelRecord, "claimed" | "refundNonce">;

/** Whether the record contains something that the observed chain does not. */
export const isBelow = (state: Known, record: Known): boolean =>
  state.claimed < record.claimed || state.refundNonce < record.refundNonce;

export const isAbove = (state: Known, record: Known): boolean => isBelow(record, state);

/** Whether the last observed change may still be reversed. */
export const isRiseOpen = ({ rose }: Pick<ChannelRecord, "rose">): boolean => rose !== undefined && !rose.final;

/** Reads channels, and those with an open reversal once more as of one block. Rejects if the node does not answer. */
export async function readSeen(rail: ChannelRail, records: ChannelRecord[]): Promise<Seen[]> {
  const states = await rail.states(records.map(({ id }) => id));
  const seen = states.map((state): Seen => ({ state }));
  const unsure = [...records.entries()].filter(([i, record]) => {
    const state = states[i];
    return state && (isRiseOpen(record) || isBelow(state, record) || isAbove(state, record));
  });
  if (unsure.length === 0) return seen;
  const closer = await rail.asOfBlock(unsure.map(([, { id }]) => id)).catch(() => undefined);
  for (const [at, [i]] of unsure.entries()) {
    const state = closer?.states[at];
    if (closer && state) seen[i] = { state, head: closer.head };
  }
  return seen;
}

/** Whether the chain has advanced so far that an event it does not show did not happen. */
export function hasPassed(
  { rose, readAt, lastAt }: ChannelRecord,
  head: ChannelHead | undefined,
  now: number,
): boolean {
  // guard: channel: a claim that was taken back is made again | always | channels/reorganised --channels
  if (!head) return false;
  // Without a known block, our clock dates the event.
  if (rose?.block === undefined) return head.time * 1000 - Math.max(rose?.at ?? 0, readAt, lastAt) >= PASSED_MS;
  const further = head.number - rose.block;
  return further >= PASSED_BLOCKS || (further >= 0 && now - rose.at >= PASSED_MS);
}

/** State of the last claim or refund after the chain was read again and still shows it. */
export function confirmed(rose: ChannelRecord["rose"], head: ChannelHead | undefined): ChannelRecord["rose"] {
  if (!rose || rose.final || !head) return rose;
  const { block = head.number } = rose;
  if (head.final >= block) return { ...rose, block, final: true };
  return rose.block === undefined ? { ...rose, block } : rose;
}

/** Reports a reversal when it is accepted, which happens once. */
export function tellReversal(logger: Logger, before: ChannelRecord, after: ChannelRecord): void {
  if (!isBelow(after, before)) return;
  const { network, id: channel, claimed, refundNonce } = before;
  const usd = fromMicros(claimed > after.claimed ? claimed - after.claimed : 0n);
  const refunds = Number(refundNonce - after.refundNonce);
  logger.warn({ network, channel, usd, refunds }, "channels: the chain took back a claim or a refund");
}
