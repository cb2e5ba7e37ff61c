/** Takes a product back whose payment goes back: the share of it that the amount is of its price. */
import { invalid } from "../../errors.js";
import { fromMicros, least, type Micros } from "../../lib/money.js";
import type { StoredGrant } from "./record/grant-record.js";
import type { AccountRecord, BalanceEntry } from "./record/record.js";

interface Asked {
  payment: string;
  amount: Micros;
  price: Micros;
  /** True if all of the share must be left. */
  whole: boolean;
  now: number;
}

type Lapsed = Pick<BalanceEntry, "amount" | "grant"> & { calls?: number };

/** Undefined for a payment that bought no product. Throws INVALID_INPUT for what is spent. */
export function takeProductBack(record: AccountRecord, asked: Asked): Lapsed | undefined {
  const grant = (record.grants ?? []).find(({ payment }) => payment === asked.payment);
  if (grant?.product === undefined) return undefined;
  const { usd, calls } = grant;
  if (!usd && !calls) return endPass(grant, asked);
  const [total, left] = usd ? [usd.total, usd.left] : [BigInt(calls?.total ?? 0), BigInt(calls?.left ?? 0)];
  const share = (total * asked.amount + asked.price - 1n) / asked.price;
  // guard: products: a refund is of what is not used | gone | accounts/products
  if (asked.whole && share > left) throw tooMuch((left * asked.price) / total);
  const taken = least(share, left);
  if (usd) usd.left -= taken;
  if (calls) calls.left -= Number(taken);
  return { amount: usd ? -taken : 0n, grant: grant.id, ...(calls ? { calls: -Number(taken) } : {}) };
}

/** Free use for a time ends with its whole price; a part of that is the host's favour. */
function endPass(grant: StoredGrant, { amount, price, whole, now }: Asked): Lapsed {
  if (whole && grant.ended) throw tooMuch(0n);
  if (amount >= price && !grant.ended) {
    grant.until = Math.min(grant.until ?? now, now);
    grant.ended = { at: now, as: "expired" };
  }
  return { amount: 0n, grant: grant.id };
}

const tooMuch = (most: Micros) =>
  invalid("usd", `must be at most ${fromMicros(most)}: the rest of this product is used`);
