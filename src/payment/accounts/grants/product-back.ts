/** Takes a product back whose payment goes back: the share of it that the amount is of its price. */
import { invalid } from "../../../errors.js";
import { fromMicros, least, type Micros } from "../../../lib/money.js";
import type { StoredGrant } from "../record/grant-record.js";
import type { AccountRecord, BalanceEntry } from "../record/record.js";

interface Asked {
  payment: string;
  amount: Micros;
  price: Micros;
  /** True if all of the share must be left. */
  whole: boolean;
  isProduct?: true | undefined;
  now: number;
}

type Lapsed = Pick<BalanceEntry, "amount" | "grant"> & { calls?: number };

/** Undefined for a payment that bought no product. Throws INVALID_INPUT for what is spent. */
export function takeProductBack(record: AccountRecord, asked: Asked): Lapsed | undefined {
  const grant = (record.grants ?? []).find(({ payment }) => payment === asked.payment);
  // guard: products: one that its account forgot is used | gone | accounts/products
  if (!grant && asked.isProduct) return usedUp(asked);
  if (grant?.product === undefined) return undefined;
  const { usd, calls } = grant;
  if (!usd && !calls) return endPass(record, grant, asked);
  const [total, left] = usd ? [usd.total, usd.left] : [BigInt(calls?.total ?? 0), BigInt(calls?.left ?? 0)];
  const share = (total * asked.amount + asked.price - 1n) / asked.price;
  // guard: products: a refund is of what is not used | gone | accounts/products --accounts
  if (asked.whole && share > left) throw tooMuch((left * asked.price) / total);
  const taken = least(share, left);
  if (usd) usd.left -= taken;
  if (calls) calls.left -= Number(taken);
  return { amount: usd ? -taken : 0n, grant: grant.id, ...(calls ? { calls: -Number(taken) } : {}) };
}

/** An account remembers the last of its grants that ended. */
function usedUp({ whole }: Asked): Lapsed {
  if (whole) throw tooMuch(0n);
  return { amount: 0n };
}

/** Free use for a time ends with its whole price; a part of that is the host's favour. */
function endPass(record: AccountRecord, grant: StoredGrant, { amount, price, whole, now }: Asked): Lapsed {
  if (whole && grant.ended) throw tooMuch(0n);
  if (amount >= price && !grant.ended) {
    const { until = now } = grant;
    grant.until = Math.min(until, now);
    grant.ended = { at: now, as: "expired" };
    bringForward(record, grant, { after: until, by: until - Math.max(now, grant.from) });
  }
  return { amount: 0n, grant: grant.id };
}

/** Passes that would have followed one begin as much earlier. */
function bringForward(
  { grants = [] }: AccountRecord,
  { product }: StoredGrant,
  { after, by }: { after: number; by: number },
): void {
  for (const next of grants) {
    if (next.product !== product || next.ended || next.usd || next.calls || next.from < after) continue;
    next.from -= by;
    if (next.until !== undefined) next.until -= by;
  }
}

const tooMuch = (most: Micros) =>
  invalid("usd", `must be at most ${fromMicros(most)}: the rest of this product is used`);
