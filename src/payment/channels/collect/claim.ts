/**
 * Claims many channels in one transaction. The chain decides whether a claim succeeded, whatever the facilitator
 * answered.
 */
import type { Logger } from "../../../lib/logger.js";
import { fromMicros, least } from "../../../lib/money.js";
import { MINUTE_MS } from "../../../lib/time.js";
import type { ChannelRail, ClaimRow } from "../../rails/channel.js";
import type { FacilitatorClient, SettleOutcome } from "../../x402/facilitator.js";
import { change, withState } from "../vouchers/changes.js";
import type { EmitChannelEvent } from "../vouchers/emit.js";
import type { Seen } from "../vouchers/finality.js";
import { reachWith } from "../vouchers/foreign.js";
import type { ChannelRecords } from "../vouchers/record.js";
import { uncovered } from "./due.js";
import { park } from "./parking.js";
import { type TellLostOptions, tellLost } from "./tell-lost.js";

/** A claim with an unknown outcome may still be on its way. */
const UNCLEAR_MS = 2 * MINUTE_MS;
/** Refusals that a single row may cause. */
const ROWS_FAULT = /simulation_failed|exceeds|signature/;
/** Halving finds one bad row; after this many refusals in a row the rows are not the cause. */
const MAX_REFUSALS = 12;

interface ClaimsOptions extends TellLostOptions {
  rail: ChannelRail;
  records: ChannelRecords;
  facilitator: FacilitatorClient;
  logger: Logger;
  emitChannelEvent: EmitChannelEvent;
  now: () => number;
}

export interface ChannelClaims {
  /** One round of claims, one transaction per batch; starts none after `endsAt` (of `performance.now()`). */
  claim(batches: ClaimRow[][], endsAt: number): Promise<void>;
  /** Reports charges that the balance no longer covers, once; a later deposit into the channel reverses it. */
  noteLoss(id: string): Promise<void>;
}

export function createChannelClaims(options: ClaimsOptions): ChannelClaims {
  const { rail, records, facilitator, logger, emitChannelEvent, now } = options;

  /** Number of claims refused since the last success. */
  interface Round {
    refused: number;
  }

  /** A bad row fails the whole transaction, so halves are tried until the row is alone and can be left out. */
  async function claim(rows: ClaimRow[], round: Round): Promise<void> {
    if (rows.length === 0 || round.refused >= MAX_REFUSALS) return;
    for (const row of rows) await publish(row);
    const end = await facilitator.settle(await rail.toClaim(rows));
    const after = await seen(rows.map(({ id }) => id)).catch(() => undefined);
    const open = await noteShown(rows, after, end.kind === "settled" ? end.transaction : undefined);
    if (open.length < rows.length) round.refused = 0;
    if (open.length > 0) await claimRest(open, { end, isRead: after !== undefined }, round);
  }

  /** The claims that the chain does not show: tried in halves if one of them is at fault, and later otherwise. */
  async function claimRest(
    open: ClaimRow[],
    { end, isRead }: { end: SettleOutcome; isRead: boolean },
    round: Round,
  ): Promise<void> {
    const isRefused = end.kind === "refused" && isRead;
    if (isRefused) round.refused++;
    // The outcome is unknown, or the rows did not cause it: the next rounds read the chain.
    if (!isRefused || !ROWS_FAULT.test(end.reason) || open.length === 1)
      return wait(open, end.kind === "settled" ? "not on chain" : end.reason, isRefused);
    const half = Math.ceil(open.length / 2);
    // guard: channel: a claim that failed is tried in halves | gone | withdrawals --channels
    await claim(open.slice(0, half), round);
    await claim(open.slice(half), round);
  }

  /** Submitting a claim makes its voucher public, even if it fails. */
  const publish = ({ id, voucher, total }: ClaimRow) =>
    change(records, id, (record) => {
      const published = [...new Set([...record.published, voucher.ceiling])];
      // guard: channel: a claim that may be under way is not sent again | now() + UNCLEAR_MS -> 0 | claims --channels
      // guard: channel: what a claim publishes is noted before it is sent | - published, | vouchers --channels
      // guard: channel: what a claim asks for is noted before it is sent |
      //   - reach: reachWith(record, total), | two-services
      return { ...record, published, reach: reachWith(record, total), claimAfter: now() + UNCLEAR_MS };
    });

  /** Records the claims that the chain shows; resolves to the others. */
  async function noteShown(rows: ClaimRow[], after: Seen[] | undefined, transaction?: string): Promise<ClaimRow[]> {
    const open: ClaimRow[] = [];
    for (const [i, row] of rows.entries()) {
      const shown = after?.[i];
      if (shown && shown.state.claimed >= row.total) await noteClaimed(row, shown, transaction);
      else open.push(row);
    }
    return open;
  }

  async function noteClaimed(row: ClaimRow, shown: Seen, transaction: string | undefined): Promise<void> {
    const { claimed: before } = (await records.read(row.id))?.value ?? { claimed: row.total };
    await change(records, row.id, ({ claimAfter: _, parked: __, parking: ___, ...record }) =>
      withState(record, shown, { now: now(), minDeposit: rail.minDeposit }),
    );
    emitChannelEvent("claimed", row.total - before, {
      channel: row.id,
      ...(transaction === undefined ? {} : { transaction }),
    });
  }

  /** Reads as of one block, if possible, so that a later reorganisation can be recognised. */
  async function seen(ids: string[]): Promise<Seen[]> {
    const closer = await rail.asOfBlock(ids).catch(() => undefined);
    if (closer) return closer.states.map((state) => ({ state, head: closer.head }));
    return (await rail.states(ids)).map((state) => ({ state }));
  }

  /** Postpones the claims and logs it once. */
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
      const most = await tellLost(options, id, (record) => ({ before: record.lost, after: uncovered(record) }));
      await change(records, id, (record) => {
        const lost = least(uncovered(record), most ?? uncovered(record));
        told = lost - record.lost;
        return told === 0n ? undefined : { ...record, lost };
      });
      if (told > 0n) emitChannelEvent("lost", told, { channel: id });
    },
  };
}
