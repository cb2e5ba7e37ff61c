/**
 * Collects the money of channels: claims many in one transaction when the sum is large enough, when a charge gets old,
 * or before a withdrawal ends, and has the contract pay out the claims. One instance at a time.
 */

import type { Logger } from "../../../lib/logger.js";
import { fromMicros } from "../../../lib/money.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/time.js";
import type { Lease, LeaseOwner } from "../../../stores/owner.js";
import type { Store } from "../../../stores/store.js";
import type { DurableEvents } from "../../events/durable-events.js";
import type { Emit } from "../../events/events.js";
import type { ChannelPolicy } from "../../options/channels.js";
import type { ChannelRail, ClaimRow } from "../../rails/channel.js";
import type { FacilitatorClient } from "../../x402/facilitator.js";
import { change, owed, withState } from "../vouchers/changes.js";
import { createEmitChannelEvent } from "../vouchers/emit.js";
import { isRiseOpen, readSeen, type Seen, tellReversal } from "../vouchers/finality.js";
import type { ChannelRecord, ChannelRecords } from "../vouchers/record.js";
import { createChannelClaims } from "./claim.js";
import { dueOf, rowOf } from "./due.js";
import type { LedgerSync } from "./ledger-sync.js";
import { chainOf, roomBeside } from "./parking.js";
import { createSearch } from "./search.js";
import { isAtRisk } from "./sums.js";
import { sweep } from "./sweep.js";
import { createWatch } from "./watch.js";

const LEASE_MS = 3 * MINUTE_MS;

export interface ClaimerOptions {
  rail: ChannelRail;
  records: ChannelRecords;
  policy: ChannelPolicy;
  facilitator: FacilitatorClient;
  ledgerSync: LedgerSync;
  store: Store;
  owner: LeaseOwner;
  emit: Emit;
  durable?: DurableEvents | undefined;
  logger: Logger;
  now: () => number;
}

export interface Claimer {
  /** One round; starts no new work after `endsAt` (of `performance.now()`). Resolves to the number of channels read. */
  run(endsAt?: number): Promise<number>;
}

export function createClaimer(options: ClaimerOptions): Claimer {
  const { rail, records, policy, ledgerSync, store, owner, emit, logger, now } = options;
  const { network } = rail;
  const leaseKey = `channels:claiming:${network}:${rail.accountId}`;
  const emitChannelEvent = createEmitChannelEvent(emit, network);
  const claims = createChannelClaims({ ...options, network, emitChannelEvent });
  const watch = createWatch({ ...options, network, emitChannelEvent });
  const search = createSearch(options);
  let warned = { sum: 0n, at: 0 };

  async function run(endsAt = Number.POSITIVE_INFINITY): Promise<number> {
    const held = await store.get(leaseKey);
    if (held && (await owner.isHeld(readLease(held.value)))) return 0;
    const taken = await owner.take(now() + LEASE_MS);
    try {
      const options = { ifVersion: held?.version ?? 0, ttlMs: DAY_MS };
      const lease = await store.put(leaseKey, JSON.stringify(taken), options);
      return lease === undefined ? 0 : await hold(lease, endsAt);
    } finally {
      owner.end(taken);
    }
  }

  async function hold(lease: number, endsAt: number): Promise<number> {
    try {
      await search().catch((error: unknown) =>
        logger.warn({ network, error }, "channels: the search for unknown channels on chain failed"),
      );
      return await round(endsAt);
    } finally {
      await store.remove(leaseKey, lease).catch(() => false);
    }
  }

  async function round(endsAt: number): Promise<number> {
    const { seen, open, contested } = await booked();
    const current = await refreshed(open);
    await watch([...contested, ...current.filter(({ foreign }) => foreign !== undefined)]);
    const owing = current.filter((record) => owed(record) > 0n);
    warnOf(owing);
    const due = dueOf(owing, policy, now());
    const batches = batchesOf(due);
    await claims.claim(batches, endsAt);
    for (const { id } of due) await claims.noteLoss(id);
    // Never in the same round as a claim, since a node that is behind would pay out only earlier claims.
    if (batches.length > 0 || performance.now() >= endsAt) return seen;
    return seen + (await sweep({ ...options, emitChannelEvent }));
  }

  /** Books all channels of this host, and picks those that the chain has to be read for. */
  async function booked(): Promise<{ seen: number; open: ChannelRecord[]; contested: ChannelRecord[] }> {
    let seen = 0;
    const open: ChannelRecord[] = [];
    const contested: ChannelRecord[] = [];
    for await (const found of records.list()) {
      // The channel belongs to another host on the same store, which claims it.
      if (!rail.batchOf(found.value.terms)) continue;
      seen++;
      const record = await ledgerSync.book(found);
      // guard: channel: claims are looked for until they are final |
      //   - || isRiseOpen(record) | channels/reorganised --channels
      if (owed(record) > 0n || isRiseOpen(record)) open.push(record);
      else if (record.foreign !== undefined) contested.push(record);
    }
    return { seen, open, contested };
  }

  /** Rows under different keys would fail a transaction; rows that failed before go alone, and last. */
  function batchesOf(due: ChannelRecord[]): ClaimRow[][] {
    const batches = new Map<string, ClaimRow[][]>();
    const inOrder = due.toSorted((a, b) => (a.parking?.tries ?? 0) - (b.parking?.tries ?? 0));
    for (const record of inOrder) {
      const row = rowOf(record);
      // guard: channel: rows of several keys are claimed apart | = "all" | together --channels
      const key = rail.batchOf(record.terms);
      if (!row || !key) continue;
      const room = roomBeside(record);
      // guard: channel: claims that failed spoil no others | never | parked
      const name = `${key} ${record.parking ? "again" : ""} ${room}`;
      const alike = batches.get(name) ?? [];
      batches.set(name, alike);
      const last = alike.at(-1);
      if (last && last.length < room) last.push(row);
      else alike.push([row]);
    }
    return [...batches.values()].flat();
  }

  /** Reads the chain state of channels in as few requests as the node allows, and writes it to their records. */
  async function refreshed(known: ChannelRecord[]): Promise<ChannelRecord[]> {
    const seen = await readSeen(rail, known);
    const next: ChannelRecord[] = [];
    for (const [i, record] of known.entries()) {
      const shown = seen[i];
      const current = shown && (await merged(record, shown));
      if (current) next.push(current);
    }
    return next;
  }

  /** A channel with the state that the chain shows; undefined if they contradict each other. */
  async function merged(record: ChannelRecord, shown: Seen): Promise<ChannelRecord | undefined> {
    const options = { now: now(), minDeposit: rail.minDeposit };
    const current = withState(record, shown, options);
    if (!current) {
      // Forces the next call to read the chain before it sells.
      if (record.readAt > 0) await change(records, record.id, (fresh) => ({ ...fresh, readAt: 0 }));
      return undefined;
    }
    tellReversal(logger, record, current);
    // Merges into records that calls may be writing, and never overwrites them.
    if (isNews(record, current) || now() - record.readAt > record.terms.withdrawDelay * 40)
      await change(records, record.id, (fresh) => withState(fresh, shown, options));
    return current;
  }

  /** Warns when a withdrawal begins, when more is owed, and once an hour while it lasts. */
  function warnOf(owing: ChannelRecord[]): void {
    const atRisk = owing.filter((record) => isAtRisk(record, policy, now()));
    const sum = atRisk.reduce((total, each) => total + owed(each) - each.lost, 0n);
    const isNew = sum > warned.sum || (sum > 0n && now() - warned.at >= HOUR_MS);
    if (sum === 0n) warned = { sum, at: 0 };
    if (!isNew) return;
    warned = { sum, at: now() };
    const facts = { network, channels: atRisk.length, usd: fromMicros(sum) };
    logger.warn(facts, "channels: money that was earned may be lost");
  }

  return { run };
}

/** Older releases stored the end alone. */
function readLease(value: string): Lease {
  const end = Number(value);
  return Number.isNaN(end) ? (JSON.parse(value) as Lease) : { leaseUntil: end };
}

/** Whether the chain shows something that the record does not have. */
const isNews = (record: ChannelRecord, current: ChannelRecord): boolean =>
  chainOf(current) !== chainOf(record) || JSON.stringify(current.rose) !== JSON.stringify(record.rose);
