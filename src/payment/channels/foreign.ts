/**
 * A claim needs our key. Where the chain shows more of a channel claimed than this store ever asked for, another service
 * has the same key and a store of its own: a deposit can be spent at both, and each would take the other's claims for its
 * own. In a new store it cannot be told from an earlier store that was lost.
 */
import { least, type Micros } from "../../lib/money.js";
import type { ChannelRecord } from "./record.js";

type Known = Pick<ChannelRecord, "reach" | "charged" | "claimed">;

/** The most that our own claims can have come to. */
const reachOf = ({ reach, charged, claimed }: Known): Micros => reach ?? (charged > claimed ? charged : claimed);

/** What becomes of it with another claim, of so much in all; written before that is sent. */
export function reachWith(record: Known, total: Micros): Micros {
  const reach = reachOf(record);
  return total > reach ? total : reach;
}

/** What the chain's claims say of whose they are. */
export function ownership(record: ChannelRecord, claimed: Micros): Partial<ChannelRecord> {
  const { charged, base, foreign, found } = record;
  const reach = reachOf(record);
  if (found || claimed <= reach) {
    // Taken back by the chain, perhaps.
    const most = claimed > base ? claimed - base : 0n;
    return foreign !== undefined && foreign > most ? { foreign: most } : {};
  }
  const covered = least(charged, claimed);
  const taken = covered > reach ? covered - reach : 0n;
  // Beyond what was charged here, it is neither earned nor claimed.
  const beyond = claimed > charged ? claimed - charged : 0n;
  return { reach: claimed, foreign: (foreign ?? 0n) + taken, base: base + beyond };
}
