/**
 * Brings home what channels owe: claims many of them in one transaction when it is worth it, when it gets old, or before a
 * withdrawal ends, and lets the contract pay out what was claimed. One instance at a time; what the chain shows counts,
 * whatever the facilitator answered.
 */
import type { Emit } from "../../host/events.js";
import type { Logger } from "../../lib/logger.js";
import { fromMicros, least, type Micros } from "../../lib/money.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import type { ChannelRail, ClaimRow } from "../rails/channel.js";
import type { ChannelPolicy } from "../rails/channel-options.js";
import type { FacilitatorClient } from "../x402/facilitator.js";
import type { Bookkeeper } from "./books.js";
import { type ChannelRecord, type ChannelRecords, change, owed, withState } from "./record.js";
import { isAtRisk } from "./sums.js";

/** What facilitators take in one transaction. */
const MAX_ROWS = 25;
const LEASE_MS = 3 * MINUTE_MS;
/** A claim publishes the voucher, with which a lost answer could be fetched: not so soon after a call without need. */
const QUIET_MS = 10 * MINUTE_MS;
/** A claim whose end is not known may still be on its way. */
const UNCLEAR_MS = 2 * MINUTE_MS;
const SWEEP_EVERY_MS = DAY_MS;
/** So many times what makes a claim worth it makes a sweep worth it at once. */
const SWEEP_FACTOR = 10n;

export interface ClaimerOptions {
  rail: ChannelRail;
  records: ChannelRecords;
  policy: ChannelPolicy;
  facilitator: FacilitatorClient;
  books: Bookkeeper;
  store: Store;
  emit: Emit;
  logger: Logger;
  now: () => number;
}

export interface Claimer {
  /** One round; begins nothing new after `endsAt` (of `performance.now()`). Says how many channels it looked at. */
  run(endsAt?: number): Promise<number>;
}

export function createClaimer(options: ClaimerOptions): Claimer {
  const { rail, records, policy, facilitator, books, store, emit, logger, now } = options;
  const { network } = rail;
  const leaseKey = `channels:claiming:${network}`;
  const foundKey = `channels:found:${network}`;
  let nextSearch = 0;
  const sweepKey = `channels:swept:${network}`;

  async function run(endsAt = Number.POSITIVE_INFINITY): Promise<number> {
    const held = await store.get(leaseKey);
    if (held && Number(held.value) > now()) return 0;
    const until = String(now() + LEASE_MS);
    const lease = await store.put(leaseKey, until, { ifVersion: held?.version ?? 0, ttlMs: DAY_MS });
    if (lease === undefined) return 0;
    try {
      await findLost().catch((error: unknown) =>
        logger.warn({ network, error }, "channels: whether the chain knows more of them could not be read"),
      );
      return await round(endsAt);
    } finally {
      await store.remove(leaseKey, lease).catch(() => false);
    }
  }

  async function round(endsAt: number): Promise<number> {
    let seen = 0;
    let owing: ChannelRecord[] = [];
    for await (const found of records.list()) {
      seen++;
      const record = await books.book(found);
      if (owed(record) > 0n) owing.push(record);
    }
    if (owing.length === 0) return seen + (await sweep(endsAt));
    owing = await refreshed(owing);
    warnOf(owing);
    const due = owing.filter((record) => isDue(record, owing));
    const rows = due.flatMap((record) => rowOf(record) ?? []);
    for (let at = 0; at < rows.length && performance.now() < endsAt; at += MAX_ROWS)
      await claim(rows.slice(at, at + MAX_ROWS));
    for (const record of due) await noteLoss(record.id);
    return rows.length > 0 ? seen : seen + (await sweep(endsAt));
  }

  /** The chain's state of all that owe, in as few requests as the node takes, and kept in their records. */
  async function refreshed(owing: ChannelRecord[]): Promise<ChannelRecord[]> {
    const states = await rail.states(owing.map(({ id }) => id));
    const next: ChannelRecord[] = [];
    for (const [i, record] of owing.entries()) {
      const state = states[i];
      if (!state) continue;
      const current = withState(record, state, now());
      next.push(current);
      // What calls are about to write is added to, never overwritten.
      if (chainOf(current) !== chainOf(record) || now() - record.readAt > policy.withdrawDelay * 40)
        await change(records, record.id, (fresh) => withState(fresh, state, now()));
    }
    return next;
  }

  function warnOf(owing: ChannelRecord[]): void {
    const atRisk = owing.filter((record) => isAtRisk(record, policy, now()));
    if (atRisk.length === 0) return;
    const usd = fromMicros(atRisk.reduce((sum, each) => sum + owed(each) - each.lost, 0n));
    logger.warn({ network, channels: atRisk.length, usd }, "channels: money that was earned may be lost");
  }

  function isDue(record: ChannelRecord, all: ChannelRecord[]): boolean {
    const { owedSince = now(), withdrawal, lastAt, claimAfter = 0, parked } = record;
    if (claimAfter > now() || parked === chainOf(record)) return false;
    if (!rowOf(record) && missing(record) === record.lost) return false;
    if (withdrawal || now() - owedSince >= policy.claimAfterMs) return true;
    if (owed(record) >= policy.claimAbove) return true;
    const total = all.reduce((sum, each) => sum + owed(each) - each.lost, 0n);
    return total >= policy.claimAbove && now() - lastAt >= QUIET_MS;
  }

  /** What is charged, as far as the balance goes; never the ceiling. */
  function rowOf({ id, terms, voucher, charged, balance, claimed }: ChannelRecord): ClaimRow | undefined {
    if (!voucher) return undefined;
    const total = least(least(charged, balance), voucher.ceiling);
    return total > claimed ? { id, config: terms.config, voucher, total } : undefined;
  }

  /** A bad row makes the whole transaction fail: halves are tried until it stands alone, and it is left out then. */
  async function claim(rows: ClaimRow[]): Promise<void> {
    if (rows.length === 0) return;
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
    logger.warn({ network, rows: open.length, end }, "channels: a claim is not on chain");
    // Not known how it ended, or nothing that the rows are to blame for: the next rounds ask the chain.
    if (end.kind !== "refused" || !after || !/simulation_failed|exceeds|signature/.test(end.reason)) return;
    if (open.length === 1) {
      for (const { id } of open)
        await change(records, id, ({ claimAfter: _, ...record }) => ({ ...record, parked: chainOf(record) }));
      return;
    }
    const half = Math.ceil(open.length / 2);
    await claim(open.slice(0, half));
    await claim(open.slice(half));
  }

  /** What the balance does not cover any more is told once; a later deposit into the same channel takes it back. */
  async function noteLoss(id: string): Promise<void> {
    let told = 0n;
    await change(records, id, (record) => {
      const lost = missing(record);
      told = lost - record.lost;
      return told === 0n ? undefined : { ...record, lost };
    });
    if (told > 0n) tell("lost", told, { channel: id });
  }

  async function sweep(endsAt: number): Promise<number> {
    if (performance.now() >= endsAt) return 0;
    const kept = await store.get(sweepKey);
    const { since, amount: known } = kept ? (JSON.parse(kept.value) as SweepNote) : { since: now(), amount: "0" };
    const { claimed, swept } = await rail.account();
    const waiting = claimed - swept;
    const note = (at: number, of: Micros) =>
      store.put(sweepKey, JSON.stringify({ since: at, amount: of.toString() } satisfies SweepNote), {
        ifVersion: kept?.version ?? 0,
        ttlMs: 400 * DAY_MS,
      });
    if (waiting === 0n) {
      if (known !== "0") await note(now(), 0n);
      return 0;
    }
    const isDue = waiting >= policy.claimAbove * SWEEP_FACTOR || (known !== "0" && now() - since >= SWEEP_EVERY_MS);
    if (!isDue) {
      if (known === "0") await note(now(), waiting);
      return 0;
    }
    await note(now(), waiting);
    const end = await facilitator.settle(rail.toSweep());
    const { swept: after } = await rail.account();
    if (after > swept) tell("swept", after - swept, end.kind === "settled" ? end : {});
    else if (end.kind !== "refused" || !end.reason.endsWith("nothing_to_settle"))
      logger.warn({ network, end }, "channels: a sweep did not come about");
    return 1;
  }

  /** Once a store: channels that it does not know and that hold a balance, as when an earlier store was lost. */
  async function findLost(): Promise<void> {
    if (nextSearch > now() || (await store.get(foundKey))) return;
    nextSearch = now() + HOUR_MS;
    for await (const { id, terms } of rail.opened()) {
      if (await records.read(id)) continue;
      const [state] = await rail.states([id]);
      if (!state || state.balance === state.claimed) continue;
      const empty: ChannelRecord = {
        ...{ id, network, terms, charged: state.claimed, base: state.claimed, balance: 0n, claimed: state.claimed },
        ...{ refundNonce: 0n, readAt: 0, published: [], lost: 0n, lastAt: now(), tally: {}, bookings: 0 },
      };
      await records.write({ ...withState(empty, state, now()), found: true }, 0);
      logger.info({ network, channel: id }, "channels: found a channel on chain that the store did not know");
    }
    await store.put(foundKey, String(now()), { ifVersion: 0, ttlMs: 400 * DAY_MS });
  }

  function tell(
    outcome: "claimed" | "lost" | "swept",
    amount: Micros,
    { channel, transaction }: { channel?: string; transaction?: string },
  ): void {
    emit({
      ...{
        id: "channels",
        requestId: channel ?? network,
        outcome,
        caller: "none",
        status: 200,
        durationMs: 0,
        network,
      },
      ...{ channelUsd: fromMicros(amount < 0n ? 0n : amount) },
      ...(channel ? { channel } : {}),
      ...(transaction ? { transaction } : {}),
    });
  }

  return { run };
}

interface SweepNote {
  /** Since when something was seen to wait (epoch milliseconds). */
  since: number;
  amount: string;
}

/** The chain's side of a channel, on which depends whether a claim that failed alone is worth another try. */
const chainOf = ({ balance, claimed, refundNonce, withdrawal }: ChannelRecord) =>
  `${balance} ${claimed} ${refundNonce} ${withdrawal?.amount ?? 0} ${withdrawal?.at ?? 0}`;

/** What was charged and is not there to be claimed. */
const missing = ({ charged, balance }: ChannelRecord): Micros => (charged > balance ? charged - balance : 0n);
