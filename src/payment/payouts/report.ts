/** The shares of those who share an account, as the host is told. */
import { fromMicros, type Micros } from "../../lib/money.js";
import type { Split } from "../options/treasury.js";
import type { Payout } from "./record.js";
import { earnedBy, partsOf, plainOn, type Shares, writtenAs } from "./shares.js";

/** One of those who share an account. Amounts in decimal USD; `earnedUsd` is below zero if more was given back than sold. */
export interface ReceiverShare {
  network: string;
  /** The account that is paid on chain. */
  treasury: string;
  payTo: string;
  /** Parts of 10,000 of what is sold now: 0 if it is not in the list any more. */
  share: number;
  /** Its share of all sales so far, less what was given back or lost. */
  earnedUsd: string;
  /** Paid out; by the one that is paid on chain, all that it earned. */
  paidUsd: string;
  /** Of payouts that were begun and are not known to be on chain. */
  pendingUsd: string;
  /** Not paid and not pending. */
  owedUsd: string;
  /** The last twenty, oldest first. */
  payouts: Payout[];
}

interface RowSources {
  /** The shares of sales from now on. */
  now: Split | undefined;
  made: ReadonlyMap<string, Payout[]>;
}

export function receiverRows(account: string, shares: Shares, { now, made }: RowSources): ReceiverShare[] {
  const { network, address: treasury } = partsOf(account);
  const current = new Map(now?.map(([payTo, share]) => [plainOn(account, payTo), share]));
  const earned = earnedBy(account, shares);
  const written = writtenAs(account, shares, now);
  const shown = (plain: string) => written.get(plain) ?? plain;
  return [...new Set([...current.keys(), ...earned.keys()])].map((payTo) => {
    const own = earned.get(payTo) ?? 0n;
    const taken = payTo === treasury ? own : BigInt(shares.paid[payTo] ?? 0);
    const pending = shares.begun.filter(({ to }) => to === payTo).reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    const owed = own - taken;
    return {
      ...{ network, treasury: shown(treasury), payTo: shown(payTo), share: current.get(payTo) ?? 0 },
      ...{ earnedUsd: signedUsd(own), paidUsd: signedUsd(taken - pending), pendingUsd: fromMicros(pending) },
      ...{ owedUsd: signedUsd(owed), payouts: made.get(payTo) ?? [] },
    };
  });
}

const signedUsd = (micros: Micros) => (micros < 0n ? `-${fromMicros(-micros)}` : fromMicros(micros));
