/**
 * Writes the charges of channels to the ledger: one entry for the calls of a channel, day and endpoint since the last.
 */
import type { Ledger, LedgerEntry } from "../../ledger/ledger.js";
import type { ChannelRail } from "../../rails/channel.js";
import type { ChannelChainState } from "../vouchers/chain-state.js";
import { change, provenBuyer } from "../vouchers/changes.js";
import type { ChannelRecord, ChannelRecords, Versioned } from "../vouchers/record.js";

export interface LedgerSync {
  /** The channel with finished calls added up and everything written to the ledger. */
  book(found: Versioned<ChannelRecord>): Promise<ChannelRecord>;
}

export interface LedgerSyncOptions {
  rail: ChannelRail;
  records: ChannelRecords;
  chainState: ChannelChainState;
  ledger: Ledger;
}

export function createLedgerSync({ rail, records, chainState, ledger }: LedgerSyncOptions): LedgerSync {
  return {
    async book(found) {
      const current = await chainState.settled(found);
      let { value: record, version } = current === "held" ? found : current;
      if (!record.booking) {
        if (Object.keys(record.tally).length === 0) return record;
        // A fixed number, so that a repetition after a crash writes the same entries.
        const number = record.bookings + 1;
        record = { ...record, booking: { number, tally: record.tally }, tally: {}, bookings: number };
        const written = await records.write(record, version);
        // A concurrent call wrote first; its charges are booked in the next round.
        if (written === undefined) return current === "held" ? found.value : current.value;
        version = written;
      }
      await ledger.book(entriesOf(record));
      const number = record.booking?.number;
      const booked = await change(records, record.id, ({ booking, ...rest }) =>
        booking?.number === number ? rest : undefined,
      );
      return booked ?? record;
    },
  };

  function entriesOf(record: ChannelRecord): LedgerEntry[] {
    const { id, booking } = record;
    return Object.entries(booking?.tally ?? {}).map(([day, { calls, charged, at }]) => ({
      kind: "sale",
      payment: `channel:${rail.network}:${id}:${booking?.number}:${day.slice("YYYY-MM-DD ".length)}`,
      endpoint: day.slice("YYYY-MM-DD ".length),
      payer: provenBuyer(record),
      network: rail.network,
      transaction: "",
      calls,
      settled: charged,
      creditUsed: 0n,
      returned: 0n,
      credited: 0n,
      earned: charged,
      at,
      soldAt: at,
    }));
  }
}
