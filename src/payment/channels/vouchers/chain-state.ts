/** State of a channel: its record, completed with finished calls, and its state on chain. */
import { setTimeout as sleep } from "node:timers/promises";
import { CapabilityError } from "../../../errors.js";
import type { Logger } from "../../../lib/logger.js";
import type { Micros } from "../../../lib/money.js";
import type { LeaseOwner } from "../../../stores/owner.js";
import type { ChannelMessage, ChannelRail } from "../../rails/channel.js";
import { emptyRecord, withReply, withState } from "./changes.js";
import { readSeen, type Seen, tellReversal } from "./finality.js";
import type { ChannelRecord, ChannelRecords, ChannelReply, Flight, Versioned } from "./record.js";
import { belowClaimed, chargeReceipt, outOfStep, tooSmall } from "./refusals.js";

const FRESH_SECONDS = 300;
/** Time that the node may take to show a deposit that the facilitator reported. */
const SHOWS_WITHIN = { tries: 8, pauseMs: 400 };

export interface ChannelChainStateOptions {
  rail: ChannelRail;
  records: ChannelRecords;
  owner: LeaseOwner;
  logger: Logger;
  now: () => number;
}

export interface ChannelChainState {
  /** The record after the last call in flight was added up, not yet written; "held" while a lease is active. */
  settled(found: Versioned<ChannelRecord>): Promise<Versioned<ChannelRecord> | "held">;
  /** Reconstructs a channel that the store does not know from the chain and the buyer's own voucher. */
  adopt(message: ChannelMessage, amount: Micros, version?: number): Promise<Versioned<ChannelRecord>>;
  /** Whether its chain state is recent enough to sell. */
  isFresh(record: ChannelRecord): boolean;
  /** The record with a chain state recent enough to sell; reads the chain only if necessary. */
  fresh(record: ChannelRecord): Promise<ChannelRecord>;
  /** The record with the current chain state. Rejects if the node does not answer, or shows less than is known. */
  refreshed(record: ChannelRecord): Promise<ChannelRecord>;
  /** The record once the chain shows at least this balance, or unchanged if it never does. */
  untilCovered(record: ChannelRecord, balance: Micros, patient: boolean): Promise<ChannelRecord>;
}

export function createChannelChainState(options: ChannelChainStateOptions): ChannelChainState {
  const { rail, records, owner, logger, now } = options;

  async function seenOf(record: ChannelRecord): Promise<Seen> {
    try {
      const [seen] = await readSeen(rail, [record]);
      if (seen) return seen;
    } catch (error) {
      logger.warn({ network: rail.network, error }, "channels: the chain could not be read");
    }
    throw unreadable();
  }

  /** While the chain state is unclear, the channel sells nothing and accepts no deposit. */
  function believed(record: ChannelRecord, seen: Seen): ChannelRecord {
    const next = withState(record, seen, { now: now(), minDeposit: rail.minDeposit });
    // guard: channel: nothing is sold or deposited while record and chain disagree |
    //   throw disputed() -> return record | channels/reorganised
    if (!next) throw disputed();
    tellReversal(logger, record, next);
    return next;
  }

  async function settled({ value, version }: Versioned<ChannelRecord>): Promise<Versioned<ChannelRecord> | "held"> {
    const { flight } = value;
    if (!flight) return { value, version };
    if (flight.kind === "call" && flight.reply) return settledCall({ value, version }, { flight, key: flight.reply });
    const isOver = !(await owner.isHeld(flight));
    // Its transaction may have been made, so the chain must be read again.
    return isOver ? { value: { ...withReply(value, flight, undefined), readAt: 0 }, version } : "held";
  }

  async function settledCall(
    { value, version }: Versioned<ChannelRecord>,
    { flight, key }: { flight: Flight; key: string },
  ): Promise<Versioned<ChannelRecord> | "held"> {
    const reply = await records.readReply(key);
    if (reply?.value.flight === flight.id) return { value: withReply(value, flight, reply.value), version };
    // guard: channel: a call waits while another one's lease lasts | gone | vouchers --channels
    if (await owner.isHeld(flight)) return "held";
    const broken = brokenOff(value, flight, reply?.value);
    // guard: channel: whoever takes over puts an empty answer first | always | crashes --channels
    if (await records.writeReply(key, broken, reply?.version ?? 0))
      return { value: withReply(value, flight, broken), version };
    // The holder of the lease saved its answer at the last moment.
    return settled({ value, version });
  }

  /** The reply of a call whose holder is gone: nothing, or what was sent of a stream. */
  function brokenOff(record: ChannelRecord, { id, voucher, progress }: Flight, before?: ChannelReply): ChannelReply {
    const reply = { flight: id, ceiling: voucher?.ceiling ?? 0n, at: now() };
    // guard: a crash charges what was sent of a stream on a channel | progress -> progress || id | stream-parts
    if (!progress) return { ...reply, charge: 0n, fingerprint: before?.fingerprint ?? "" };
    return { ...reply, ...progress, receipt: chargeReceipt(record, progress.charge) };
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
    // The buyer signed for more than was claimed, so after a loss of the store the buyer's own voucher proves the debt.
    // guard: channel: a lost store takes no base below what is claimed |
    //   - charged < state.claimed || | claims --channels
    if (
      charged < state.claimed ||
      charged > state.balance ||
      (message.kind !== "deposit" && voucher.ceiling > state.balance)
    )
      throw outOfStep(record);
    // The voucher is kept with the debt; without it nobody could claim if this call fails.
    const owing = charged > state.claimed ? { owedSince: now(), voucher } : {};
    // A claim that the lost store sent last may reach this far.
    // guard: channel: a claim that a lost store sent does not count as a stranger's | - reach: charged, | two-services
    return { value: { ...record, charged, reach: charged, ...owing }, version };
  }

  const refreshed = async (record: ChannelRecord) => believed(record, await seenOf(record));

  const isFresh = ({ readAt, terms }: ChannelRecord) =>
    now() - readAt <= Math.min(FRESH_SECONDS, terms.withdrawDelay / 6) * 1000;
  /** If the node does not answer, calls continue for as long as no withdrawal can have completed unseen. */
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
