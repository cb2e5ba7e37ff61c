/**
 * Who has which part of what an account is paid. Parts are taken of sums and not of single sales: of each sum the others
 * get their parts rounded down to the millionth of a dollar, and the first has what is left. So the parts always add up
 * to the sum, and nobody loses a unit by the number of sales.
 */
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { accountId } from "../networks/accounts.js";
import { type Split, WHOLE } from "../options/treasury.js";
import { sharesKey } from "./shares-key.js";

const KEPT_MS = 3650 * DAY_MS;

/** A payout that was begun: its amount has left what is owed. */
const begun = once(() =>
  z.object({
    id: z.string(),
    to: z.string(),
    payTo: z.string(),
    /** Micro-dollars, and the units of the token, at its rate of then. */
    amount: z.string(),
    asset: z.string(),
    units: z.string(),
    isRated: z.boolean().optional(),
    /** How it is sent, where the network has several ways. */
    by: z.string().optional(),
    at: z.number(),
  }),
);
export type BegunPayout = z.infer<ReturnType<typeof begun>>;

const stored = once(() =>
  z.object({
    /** Earnings by sales of equal shares, less refunds and losses, in micro-dollars. */
    sums: z.array(z.object({ split: z.array(z.tuple([z.string(), z.number()])), earned: z.string() })),
    /** Entries of the ledger that are in the sums, and may still say that they are not. */
    counting: z.array(z.string()),
    /** By receiver: micro-dollars of the payouts made and begun. */
    paid: z.record(z.string(), z.string()),
    begun: z.array(begun()),
  }),
);
/** Shares of several in the revenue of one account. */
export type Shares = z.infer<ReturnType<typeof stored>>;

const NONE: Shares = { sums: [], counting: [], paid: {}, begun: [] };

export const sharesOptions = (account: string) => ({ key: sharesKey(account), ttlMs: KEPT_MS });

export const parseShares = (value: string | undefined): Shares =>
  value === undefined ? NONE : stored().parse(JSON.parse(value));

export async function readShares(store: Store, account: string): Promise<{ shares: Shares; version: number }> {
  const found = await store.get(sharesKey(account));
  return { shares: parseShares(found?.value), version: found?.version ?? 0 };
}

/** Resolves to the new version; undefined after a concurrent change. */
export const writeShares = (store: Store, account: string, ifVersion: number, shares: Shares) =>
  store.put(sharesKey(account), JSON.stringify(shares), { ifVersion, ttlMs: KEPT_MS });

/** The network and the address of an account's id. */
export function partsOf(account: string): { network: string; address: string } {
  const at = account.lastIndexOf(":");
  return { network: account.slice(0, at), address: account.slice(at + 1) };
}

/** The canonical form of an address on the network of an account. */
export function plainOn(account: string, payTo: string): string {
  return partsOf(accountId(partsOf(account).network, payTo)).address;
}

/** The sums with an amount more, which may be negative. */
export function added(shares: Shares, split: Split, amount: bigint): Shares {
  const name = JSON.stringify(split);
  const known = shares.sums.find((sum) => JSON.stringify(sum.split) === name);
  if (!known) {
    const sum = { split: split.map(([payTo, share]): [string, number] => [payTo, share]), earned: String(amount) };
    return { ...shares, sums: [...shares.sums, sum] };
  }
  const earned = String(BigInt(known.earned) + amount);
  return { ...shares, sums: shares.sums.map((sum) => (sum === known ? { ...sum, earned } : sum)) };
}

/** The payouts with those that buyers made themselves. */
export function paidOnChain(
  shares: Shares,
  account: string,
  made: readonly (readonly [payTo: string, amount: bigint])[],
): Shares {
  const paid = { ...shares.paid };
  for (const [payTo, amount] of made) {
    const to = plainOn(account, payTo);
    paid[to] = String(BigInt(paid[to] ?? 0) + amount);
  }
  return { ...shares, paid };
}

/** Addresses as the host wrote them last, by their canonical form. */
export function writtenAs(account: string, { sums }: Shares, current?: Split): ReadonlyMap<string, string> {
  const all = [...sums.flatMap(({ split }) => split), ...(current ?? [])];
  return new Map(all.map(([payTo]) => [plainOn(account, payTo), payTo]));
}

/** Earnings of each so far, by canonical address; together exactly the sums. */
export function earnedBy(account: string, { sums }: Shares): Map<string, bigint> {
  const earned = new Map<string, bigint>();
  const add = (payTo: string, amount: bigint) => {
    const name = plainOn(account, payTo);
    earned.set(name, (earned.get(name) ?? 0n) + amount);
  };
  for (const { split, earned: sum } of sums) {
    // The one that is paid on chain is named first.
    add(split[0]?.[0] ?? "", 0n);
    let left = BigInt(sum);
    for (const [payTo, share] of split.slice(1)) {
      const part = roundedDown(BigInt(sum) * BigInt(share), BigInt(WHOLE));
      add(payTo, part);
      left -= part;
    }
    add(split[0]?.[0] ?? "", left);
  }
  return earned;
}

/** Also below zero, where a division of its own would round up. */
const roundedDown = (amount: bigint, by: bigint): bigint => (amount - (((amount % by) + by) % by)) / by;

/** The debt to a receiver now: less than nothing, if more was given back than it earned since its last payout. */
export const owedTo = (account: string, shares: Shares, to: string): bigint =>
  (earnedBy(account, shares).get(to) ?? 0n) - BigInt(shares.paid[to] ?? 0);
