/**
 * A claim or a refund that the chain showed may be taken back by a reorganisation. Until its block is final it is looked
 * for again, as of one block, so that a node that is behind is told from a chain that went another way.
 */
import type { Logger } from "../../lib/logger.js";
import { fromMicros } from "../../lib/money.js";
import { MINUTE_MS } from "../../lib/time.js";
import type { ChannelHead, ChannelRail, ChannelState } from "../rails/channel.js";
import type { ChannelRecord } from "./record.js";

/** So many blocks after that in which something was seen, a node that does not show it is not behind. */
const PASSED_BLOCKS = 32;
/** Or, where blocks are rare, not short of that block and so much later. */
const PASSED_MS = 2 * MINUTE_MS;

/** What the chain says; `head` where it was asked as of one block. */
export interface Seen {
  state: ChannelState;
  head?: ChannelHead;
}

type Known = Pick<ChannelRecord, "claimed" | "refundNonce">;

/** Whether something that the record has is not on the chain that was seen. */
export const isBelow = (state: Known, record: Known): boolean =>
  state.claimed < record.claimed || state.refundNonce < record.refundNonce;

export const isAbove = (state: Known, record: Known): boolean => isBelow(record, state);

/** Whether what the chain showed last may still be taken back. */
export const isRiseOpen = ({ rose }: Pick<ChannelRecord, "rose">): boolean => rose !== undefined && !rose.final;

/** Reads channels, and those once more as of one block of which that decides something. Rejects where the node is silent. */
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

/** Whether the chain has come so far that what it does not show is not there. */
export function hasPassed(
  { rose, readAt, lastAt }: ChannelRecord,
  head: ChannelHead | undefined,
  now: number,
): boolean {
  if (!head) return false;
  // Where no block is known, our own clock says when it was there.
  if (rose?.block === undefined) return head.time * 1000 - Math.max(rose?.at ?? 0, readAt, lastAt) >= PASSED_MS;
  const further = head.number - rose.block;
  return further >= PASSED_BLOCKS || (further >= 0 && now - rose.at >= PASSED_MS);
}

/** What is known of the last claim or refund once the chain was read again and shows it still. */
export function confirmed(rose: ChannelRecord["rose"], head: ChannelHead | undefined): ChannelRecord["rose"] {
  if (!rose || rose.final || !head) return rose;
  const { block = head.number } = rose;
  if (head.final >= block) return { ...rose, block, final: true };
  return rose.block === undefined ? { ...rose, block } : rose;
}

/** Told when it is believed, which is once. */
export function tellReversal(logger: Logger, before: ChannelRecord, after: ChannelRecord): void {
  if (!isBelow(after, before)) return;
  const { network, id: channel, claimed, refundNonce } = before;
  const usd = fromMicros(claimed > after.claimed ? claimed - after.claimed : 0n);
  const refunds = Number(refundNonce - after.refundNonce);
  logger.warn({ network, channel, usd, refunds }, "channels: the chain took back a claim or a refund");
}
