/** Claims of many channels in one transaction. What the chain shows counts, whatever the facilitator answered. */
import type { Logger } from "../../lib/logger.js";
import { MINUTE_MS } from "../../lib/time.js";
import type { ChannelRail, ClaimRow } from "../rails/channel.js";
import type { FacilitatorClient } from "../x402/facilitator.js";
import { change, withState } from "./changes.js";
import { chainOf, missing } from "./due.js";
import type { Tell } from "./news.js";
import type { ChannelRecords } from "./record.js";

/** What facilitators take in one transaction. */
const MAX_ROWS = 25;
/** A claim whose end is not known may still be on its way. */
const UNCLEAR_MS = 2 * MINUTE_MS;
/** Refusals that one row may be to blame for. */
const ROWS_FAULT = /simulation_failed|exceeds|signature/;

export interface ClaimsOptions {
  rail: ChannelRail;
  records: ChannelRecords;
  facilitator: FacilitatorClient;
  logger: Logger;
  tell: Tell;
  now: () => number;
}

export interface ChannelClaims {
  /** In as many transactions as it takes; begins none after `endsAt` (of `performance.now()`). */
  claim(rows: ClaimRow[], endsAt: number): Promise<void>;
  /** What the balance does not cover any more is told once; a later deposit into the same channel takes it back. */
  noteLoss(id: string): Promise<void>;
}

export function createChannelClaims(options: ClaimsOptions): ChannelClaims {
  const { rail, records, facilitator, logger, tell, now } = options;

  /** A bad row makes the whole transaction fail: halves are tried until it stands alone, and it is left out then. */
  async function claim(rows: ClaimRow[]): Promise<void> {
    if (rows.length === 0) return;
    // Public from here on, whatever becomes of it.
    for (const { id, voucher } of rows)
      await change(records, id, (record) => {
        const published = [...new Set([...record.published, voucher.ceiling])];
        return { ...record, published, claimAfter: now() + UNCLEAR_MS };
      });
    const end = await facilitator.settle(await rail.toClaim(rows));
    const after = await rail.states(rows.map(({ id }) => id)).catch(() => undefined);
    const open: ClaimRow[] = [];
    for (const [i, row] of rows.entries()) {
      const state = after?.[i];
      if (!state || state.claimed < row.total) {
        open.push(row);
        continue;
      }
      const { claimed: before } = (await records.read(row.id))?.value ?? { claimed: row.total };
      await change(records, row.id, ({ claimAfter: _, parked: __, ...record }) => withState(record, state, now()));
      tell("claimed", row.total - before, { channel: row.id, ...(end.kind === "settled" ? end : {}) });
    }
    if (open.length === 0) return;
    logger.warn({ network: rail.network, rows: open.length, end }, "channels: a claim is not on chain");
    // Not known how it ended, or nothing that the rows are to blame for: the next rounds ask the chain.
    if (end.kind !== "refused" || !after || !ROWS_FAULT.test(end.reason)) return;
    if (open.length === 1) {
      for (const { id } of open)
        await change(records, id, ({ claimAfter: _, ...record }) => ({ ...record, parked: chainOf(record) }));
      return;
    }
    const half = Math.ceil(open.length / 2);
    await claim(open.slice(0, half));
    await claim(open.slice(half));
  }

  return {
    async claim(rows, endsAt) {
      for (let at = 0; at < rows.length && performance.now() < endsAt; at += MAX_ROWS)
        await claim(rows.slice(at, at + MAX_ROWS));
    },
    async noteLoss(id) {
      let told = 0n;
      await change(records, id, (record) => {
        const lost = missing(record);
        told = lost - record.lost;
        return told === 0n ? undefined : { ...record, lost };
      });
      if (told > 0n) tell("lost", told, { channel: id });
    },
  };
}
