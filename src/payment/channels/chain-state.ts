/** What is known of a channel: the record with what was in flight added up, and the chain's state behind it. */
import { setTimeout as sleep } from "node:timers/promises";
import { CapabilityError } from "../../errors.js";
import type { Logger } from "../../lib/logger.js";
import type { Micros } from "../../lib/money.js";
import type { ChannelMessage, ChannelRail } from "../rails/channel.js";
import { emptyRecord, withReply, withState } from "./changes.js";
import { readSeen, type Seen, tellReversal } from "./finality.js";
import type { ChannelRecord, ChannelRecords, Versioned } from "./record.js";
import { belowClaimed, outOfStep, tooSmall } from "./refusals.js";

const FRESH_SECONDS = 300;
/** How long the node may take to show a deposit that the facilitator says is made. */
const SHOWS_WITHIN = { tries: 8, pauseMs: 400 };

export interface ChannelChainStateOptions {
  rail: ChannelRail;
  records: ChannelRecords;
  logger: Logger;
  now: () => number;
}

export interface ChannelChainState {
  /** The record with nothing in flight, not written yet; "held" while somebody's lease runs. */
  settled(found: Versioned<ChannelRecord>): Promise<Versioned<ChannelRecord> | "held">;
  /** A channel that the store does not know, as the chain and its buyer's own voucher tell it. */
  adopt(message: ChannelMessage, amount: Micros, version?: number): Promise<Versioned<ChannelRecord>>;
  /** Whether its state is young enough to sell on. */
  isFresh(record: ChannelRecord): boolean;
  /** The record with a state young enough to sell on; asks nobody while it is. */
  fresh(record: ChannelRecord): Promise<ChannelRecord>;
  /** The record with the state of this moment. Rejects where the node is silent, or shows less than is known. */
  refreshed(record: ChannelRecord): Promise<ChannelRecord>;
  /** The record once the chain shows a balance of so much, or as it is when it does not. */
  untilCovered(record: ChannelRecord, balance: Micros, patient: boolean): Promise<ChannelRecord>;
}

export function createChannelChainState({ rail, records, logger, now }: ChannelChainStateOptions): ChannelChainState {
  async function seenOf(record: ChannelRecord): Promise<Seen> {
    try {
      const [seen] = await readSeen(rail, [record]);
      if (seen) return seen;
    } catch (error) {
      logger.warn({ network: rail.network, error }, "channels: the chain could not be read");
    }
    throw unreadable();
  }

  /** Neither sold on nor deposited into while it is not clear what the chain has. */
  function believed(record: ChannelRecord, seen: Seen): ChannelRecord {
    const next = withState(record, seen, { now: now(), minDeposit: rail.minDeposit });
    if (!next) throw disputed();
    tellReversal(logger, record, next);
    return next;
  }

  async function settled({ value, version }: Versioned<ChannelRecord>): Promise<Versioned<ChannelRecord> | "held"> {
    const { flight } = value;
    if (!flight) return { value, version };
    const isOver = flight.leaseUntil <= now();
    if (flight.kind !== "call" || !flight.reply) {
      if (!isOver) return "held";
      // Whatever it sent may have been done: the chain tells.
      return { value: { ...withReply(value, flight, undefined), readAt: 0 }, version };
    }
    const reply = await records.readReply(flight.reply);
    if (reply?.value.flight === flight.id) return { value: withReply(value, flight, reply.value), version };
    if (!isOver) return "held";
    const fingerprint = reply?.value.fingerprint ?? "";
    const nothing = { flight: flight.id, fingerprint, charge: 0n, ceiling: flight.voucher?.ceiling ?? 0n, at: now() };
    if (await records.writeReply(flight.reply, nothing, reply?.version ?? 0))
      return { value: withReply(value, flight, nothing), version };
    // Its holder saved its answer at the last moment.
    return settled({ value, version });
  }

  async function adopt(message: ChannelMessage, amount: Micros, version = 0): Promise<Versioned<ChannelRecord>> {
    const { id, terms, voucher } = message;
    const channel = { id, network: rail.network, terms };
    const seen = await seenOf(emptyRecord(channel, 0n, now()));
    const { state } = seen;
    const record = believed(emptyRecord(channel, state.claimed, now()), seen);
    const charged = voucher.ceiling - amount;
    if (message.kind === "voucher" && state.balance < rail.minDeposit) throw tooSmall(rail.minDeposit);
    if (voucher.ceiling < state.claimed + (message.kind === "refund" ? 0n : 1n)) throw belowClaimed(record);
    // Its buyer has signed for more than was claimed: what a lost store forgot is owed by its own word, where it was there.
    if (
      charged < state.claimed ||
      charged > state.balance ||
      (message.kind !== "deposit" && voucher.ceiling > state.balance)
    )
      throw outOfStep(record);
    // With the voucher that says so, or nobody could claim it should this call fail.
    const owing = charged > state.claimed ? { owedSince: now(), voucher } : {};
    // As far may a claim go that a lost store sent last.
    return { value: { ...record, charged, reach: charged, ...owing }, version };
  }

  const refreshed = async (record: ChannelRecord) => believed(record, await seenOf(record));

  const isFresh = ({ readAt, terms }: ChannelRecord) =>
    now() - readAt <= Math.min(FRESH_SECONDS, terms.withdrawDelay / 6) * 1000;
  /** With the node silent we go on for as long as no withdrawal can have got through unseen. */
  const isUsable = ({ readAt, withdrawal, terms }: ChannelRecord) =>
    !withdrawal && now() - readAt <= (terms.withdrawDelay / 3) * 1000;

  return {
    settled,
    adopt,
    isFresh,
    refreshed,
    async fresh(record) {
      if (isFresh(record)) return record;
      const seen = await seenOf(record).catch((error: unknown) => {
        if (isUsable(record)) return undefined;
        throw error;
      });
      return seen ? believed(record, seen) : record;
    },
    async untilCovered(record, balance, patient) {
      let seen = record;
      for (let tries = patient ? SHOWS_WITHIN.tries : 1; tries > 0; tries--) {
        seen = await refreshed(record).catch(() => seen);
        if (seen.balance >= balance) break;
        if (tries > 1) await sleep(SHOWS_WITHIN.pauseMs);
      }
      return seen;
    },
  };
}

const unreadable = () =>
  new CapabilityError(
    "FACILITATOR_UNAVAILABLE",
    "The channel's state on chain cannot be read at the moment. Nothing was charged; the same payment can be sent again.",
    { retryAfter: 5 },
  );

const disputed = () =>
  new CapabilityError(
    "FACILITATOR_UNAVAILABLE",
    "The chain shows less of this channel than is known: its node is behind, or blocks were taken back. Nothing was charged or deposited; the same payment can be sent again in a few minutes.",
    { retryAfter: 60 },
  );
