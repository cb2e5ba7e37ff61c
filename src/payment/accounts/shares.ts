/** The parts of an account that go back to the wallets that paid when it is closed. */
import { least, type Micros } from "../../lib/money.js";
import type { BalanceSales, BoughtSale } from "./bought.js";
import { livingGrants, plainOf } from "./grants/grants.js";
import { isPlain } from "./grants/new-grant.js";
import type { StoredGrant } from "./record/grant-record.js";
import { type AccountRecord, type Closing, PAGE } from "./record/record.js";
import type { AccountRecords } from "./records.js";

/** Entries that are read at once. */
const STEP = 200;

type Share = Closing["back"][number];

interface SharesDeps {
  bought: Pick<BalanceSales, "saleOf" | "paymentOf">;
  records: Pick<AccountRecords, "entriesFrom">;
  now: () => number;
}

export function createShares({ bought, records, now }: SharesDeps) {
  /** Payments for balances, the newest first. */
  async function* balancesOf(id: string, { pages, recent }: AccountRecord): AsyncGenerator<[string, BoughtSale], void> {
    for (let end = pages * PAGE + recent.length; end > 0; end -= STEP) {
      const entries = await records.entriesFrom(id, Math.max(0, end - STEP), Math.min(STEP, end));
      for (const { reference = "" } of entries.toReversed()) {
        const payment = bought.paymentOf(reference);
        const sale = payment && (await bought.saleOf(payment));
        if (sale && !sale.isProduct) yield [payment, sale];
      }
    }
  }

  /** So much of the money that is planned to go back is still in the account. */
  async function stillThere(planned: readonly Share[]): Promise<Micros> {
    const sales = await Promise.all(planned.map(({ payment }) => bought.saleOf(payment)));
    return sumOf(planned.filter((_, i) => sales[i] && !sales[i].isProduct && !sales[i].isGivenBack));
  }

  async function shareOf(grant: StoredGrant): Promise<Share | undefined> {
    const { payment = "" } = grant;
    const sale = await bought.saleOf(payment);
    if (!sale || sale.isGivenBack) return undefined;
    return { payment, amount: worthOf(grant, sale.price, now()), at: sale.at };
  }

  /** The rest of each grant, at most so much of money in all. */
  async function ofGrants(grants: readonly StoredGrant[], most: Micros) {
    const shares: (Share & { isPlain: boolean })[] = [];
    let left = most;
    for (const grant of grants) {
      const share = await shareOf(grant);
      if (!share) continue;
      const amount = grant.usd ? least(share.amount, left) : share.amount;
      if (grant.usd) left -= amount;
      if (amount > 0n) shares.push({ ...share, amount, isPlain: isPlain(grant) });
    }
    return shares;
  }

  /** Of more balances than an account remembers the oldest have become a part of the others. */
  async function ofOlder(
    id: string,
    record: AccountRecord,
    { isPlanned, most }: { isPlanned: Set<string>; most: Micros },
  ) {
    const shares: Share[] = [];
    let rest = most;
    if (rest === 0n) return shares;
    for await (const [payment, { price, at, isGivenBack }] of balancesOf(id, record)) {
      if (isPlanned.has(payment) || isGivenBack) continue;
      const amount = least(price, rest);
      shares.push({ payment, amount, at });
      rest -= amount;
      if (rest === 0n) break;
    }
    return shares;
  }

  /** Those that are not planned yet. Of a payment a part goes back once, so one that is given back in part has no more. */
  return async function sharesOf(id: string, record: AccountRecord): Promise<Share[]> {
    const { back: planned = [] } = record.closing ?? {};
    const paid = livingGrants(record, now()).filter((grant) => grant.paid);
    // A debt lessens all of it, since money of one account is one.
    const debt = least(plainOf(record), 0n);
    const known = new Set(planned.map(({ payment }) => payment));
    const shares = await ofGrants(
      paid.filter(({ payment = "" }) => !known.has(payment)),
      atLeastNone(moneyOf(paid) + debt),
    );
    const due = sumOf(shares.filter((share) => share.isPlain)) + (await stillThere(planned));
    const isPlanned = new Set([...known, ...shares.map(({ payment }) => payment)]);
    const older = await ofOlder(id, record, {
      isPlanned,
      most: atLeastNone(moneyOf(paid.filter(isPlain)) + debt - due),
    });
    return [...shares, ...older].map(({ payment, at, amount }) => ({ payment, at, amount }));
  };
}

const moneyOf = (grants: readonly StoredGrant[]): Micros =>
  grants.reduce((sum, { usd }) => sum + (usd?.left ?? 0n), 0n);
const sumOf = (shares: readonly Share[]): Micros => shares.reduce((sum, { amount }) => sum + amount, 0n);
const atLeastNone = (amount: Micros): Micros => (amount > 0n ? amount : 0n);

/** The part of a price that is not used: of a pass for a time all of it or nothing. */
function worthOf(grant: StoredGrant, price: Micros, now: number): Micros {
  const { usd, calls, from } = grant;
  if (usd) return isPlain(grant) ? least(usd.left, price) : (usd.left * price) / usd.total;
  if (calls) return (BigInt(calls.left) * price) / BigInt(calls.total);
  return from > now ? price : 0n;
}
