/**
 * Recognises claims by another service with the same key. A claim needs our key, so if the chain shows more claimed
 * than this store ever asked for, another service has the key and a store of its own: both would sell on one deposit
 * and count each other's claims. In a new store this looks the same as a lost earlier store.
 */
import { least, type Micros } from "../../../lib/money.js";
import type { ChannelRecord } from "./record.js";

type Known = Pick<ChannelRecord, "reach" | "charged" | "claimed">;

/** The highest total that our own claims can have reached. */
const reachOf = ({ reach, charged, claimed }: Known): Micros => reach ?? (charged > claimed ? charged : claimed);

/** The highest total after one more claim; written before the claim is sent. */
export function reachWith(record: Known, total: Micros): Micros {
  const reach = reachOf(record);
  return total > reach ? total : reach;
}

/** Attributes the chain's claims to this store or to another service. */
export function ownership(record: ChannelRecord, claimed: Micros): Partial<ChannelRecord> {
  const { charged, base, foreign, found } = record;
  const reach = reachOf(record);
  if (found || claimed <= reach) {
    // A reorganisation may have reversed a part.
    const most = claimed > base ? claimed - base : 0n;
    return foreign !== undefined && foreign > most ? { foreign: most } : {};
  }
  const covered = least(charged, claimed);
  const taken = covered > reach ? covered - reach : 0n;
  // Claims beyond our charges are neither earned nor claimed here.
  const beyond = claimed > charged ? claimed - charged : 0n;
  return { reach: claimed, foreign: (foreign ?? 0n) + taken, base: base + beyond };
}
