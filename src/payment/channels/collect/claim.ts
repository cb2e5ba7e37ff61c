/** Claims of many channels in one transaction. What the chain shows counts, whatever the facilitator answered. */
import type { Logger } from "../../../lib/logger.js";
import { fromMicros } from "../../../lib/money.js";
import { MINUTE_MS } from "../../../lib/time.js";
import type { ChannelRail, ClaimRow } from "../../rails/channel.js";
import type { FacilitatorClient } from "../../x402/facilitator.js";
import { change, withState } from "../changes.js";
import type { EmitChannelEvent } from "../emit.js";
import type { Seen } from "../finality.js";
import { reachWith } from "../foreign.js";
import type { ChannelRecords } from "../record.js";
import { missing } from "./due.js";
import { park } from "./parking.js";

/** A claim whose end is not known may still be on its way. */
const UNCLEAR_MS = 2 * MINUTE_MS;
/** Refusals that one row may be to blame for. */
const ROWS_FAULT = /simulation_failed|exceeds|signature/;
/** One bad row is found by half as many: where so many in a row are refused, it is not the rows. */
const MAX_REFUSALS = 12;

interface ClaimsOptions {
  rail: ChannelRail;
  records: ChannelRecords;
  facilitator: FacilitatorClient;
  logger: Logger;
  emitChannelEvent: EmitChannelEvent;
  now: () => number;
}

export interface ChannelClaims {
  /** A round of claims, a transaction a batch; begins none after `endsAt` (of `performance.now()`). */
  claim(batches: ClaimRow[][], endsAt: number): Promise<void>;
  /** What the balance does not cover any more is told once; a later deposit into the same channel takes it back. */
  noteLoss(id: string): Promise<void>;
}

export function createChannelClaims(options: ClaimsOptions): ChannelClaims {
  const { rail, records, facilitator, logger, emitChannelEvent, now } = options;

  /** How many claims were refused since one was made. */
  interface Round {
    refused: number;
  }

  /** A bad row makes the whole transaction fail: halves are tried until it stands alone, and it is left out then. */
  async function claim(rows: ClaimRow[], round: Round): Promise<void> {
    if (rows.length === 0 || round.refused >= MAX_REFUSALS) return;
    // Public from here on, whatever becomes of it.
    for (const { id, voucher, total } of rows)
      await change(records, id, (record) => {
        const published = [...new Set([...record.published, voucher.ceiling])];
        return { ...record, published, reach: reachWith(record, total), claimAfter: now() + UNCLEAR_MS };
      });
    const end = await facilitator.settle(await rail.toClaim(rows));
    const after = await seen(rows.map(({ id }) => id)).catch(() => undefined);
    const open: ClaimRow[] = [];
    for (const [i, row] of rows.entries()) {
      const shown = after?.[i];
      if (!shown || shown.state.claimed < row.total) {
        open.push(row);
        continue;
      }
      round.refused = 0;
      const { claimed: before } = (await records.read(row.id))?.value ?? { claimed: row.total };
      await change(records, row.id, ({ claimAfter: _, parked: __, parking: ___, ...record }) =>
        withState(record, shown, { now: now(), minDeposit: rail.minDeposit }),
      );
      emitChannelEvent("claimed", row.total - before, { channel: row.id, ...(end.kind === "settled" ? end : {}) });
    }
    if (open.length === 0) return;
    const isRefused = end.kind === "refused" && after !== undefined;
    if (isRefused) round.refused++;
    // Not known how it ended, or nothing that the rows are to blame for: the next rounds ask the chain.
    if (!isRefused || !ROWS_FAULT.test(end.reason) || open.length === 1)
      return wait(open, end.kind === "settled" ? "not on chain" : end.reason, isRefused);
    const half = Math.ceil(open.length / 2);
    await claim(open.slice(0, half), round);
    await claim(open.slice(half), round);
  }

  /** As of one block, which tells later whether the chain went another way; else as the node has it. */
  async function seen(ids: string[]): Promise<Seen[]> {
    const closer = await rail.asOfBlock(ids).catch(() => undefined);
    if (closer) return closer.states.map((state) => ({ state, head: closer.head }));
    return (await rail.states(ids)).map((state) => ({ state }));
  }

  /** Tried again later, and told once. */
  async function wait(rows: ClaimRow[], reason: string, isOver: boolean): Promise<void> {
    let [channels, amount] = [0, 0n];
    for (const { id, total } of rows)
      await change(records, id, (record) => {
        if (!record.parking) [channels, amount] = [channels + 1, amount + total - record.claimed];
        const { claimAfter, ...parked } = park(record, reason, now());
        return isOver || claimAfter === undefined ? parked : { ...parked, claimAfter };
      });
    const facts = { network: rail.network, channels, usd: fromMicros(amount), reason };
    if (channels > 0) logger.warn(facts, "channels: claims failed and are tried again later");
  }

  return {
    async claim(batches, endsAt) {
      const round = { refused: 0 };
      for (const rows of batches) if (performance.now() < endsAt) await claim(rows, round);
    },
    async noteLoss(id) {
      let told = 0n;
      await change(records, id, (record) => {
        const lost = missing(record);
        told = lost - record.lost;
        return told === 0n ? undefined : { ...record, lost };
      });
      if (told > 0n) emitChannelEvent("lost", told, { channel: id });
    },
  };
}
