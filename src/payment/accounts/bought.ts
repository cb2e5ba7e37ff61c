/** Balances that wallets buy: booked once for the payment, and taken back if that is lost or given back. */
import { z } from "zod";
import { CapabilityError, invalid } from "../../errors.js";
import { once } from "../../lib/lazy.js";
import { exactMicros, fromMicros, least, type Micros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import type { AccountGrant } from "../options/accounts.js";
import type { BoughtProduct } from "../record/facts.js";
import { giveGrant } from "./give.js";
import { plainOf } from "./grants/grants.js";
import { assertRoom, isPlain } from "./grants/new-grant.js";
import { shownGrant } from "./grants/shown.js";
import { takeProductBack } from "./product-back.js";
import { assertNotFrozen } from "./record/frozen.js";
import type { StoredGrant } from "./record/grant-record.js";
import { type AccountRecord, addEntry, signedUsd } from "./record/record.js";
import type { AccountRecords } from "./records.js";

/** As long as a payment may be given back. */
const KEPT_MS = 400 * DAY_MS;

const pointer = once(() => z.object({ account: z.string(), price: z.string() }));
const keyOf = (payment: string) => `account-paid:${payment}`;

export interface Purchased {
  /** Id of the payment. */
  payment: string;
  account: string;
  amount: Micros;
  /** Absent for a balance of the amount itself. */
  product?: BoughtProduct | undefined;
}

export interface BalanceSales {
  /** Rejects with NOT_FOUND for another host's account, NOT_ALLOWED for a frozen one, and QUOTA_EXCEEDED for too many grants. */
  assertTakes(account: string): Promise<void>;
  add(purchased: Purchased): Promise<void>;
  /** The grant that a payment bought, and the balance that it is a part of. */
  find(payment: string): Promise<{ account: string; balanceUsd: string; grant: AccountGrant }>;
  /** Takes at most so much of it back. With `whole` it rejects with INVALID_INPUT if less is left. */
  takeBack(payment: string, amount: Micros, options?: { whole?: boolean }): Promise<void>;
}

interface BoughtOptions {
  store: Store;
  records: AccountRecords;
  now: () => number;
}

const nameOf = (payment: string) => `paid:${payment}`;

export function createBought({ store, records, now }: BoughtOptions): BalanceSales {
  async function wayTo(payment: string): Promise<{ account: string; price: Micros } | undefined> {
    const found = await store.get(keyOf(payment));
    if (!found) return undefined;
    const { account, price } = pointer().parse(JSON.parse(found.value));
    return { account, price: BigInt(price) };
  }

  return {
    async assertTakes(account) {
      const check = (record: AccountRecord) => {
        // guard: accounts: nobody pays into a frozen account | gone | accounts/frozen
        assertNotFrozen(record);
        assertRoom(record, now());
      };
      await records.change(account, check, { create: true, writes: () => false });
    },
    async add({ payment, account, amount, product }) {
      // The way to the account is there before its money, so that what is lost later is found.
      await store.put(keyOf(payment), JSON.stringify({ account, price: amount.toString() }), {
        ifVersion: 0,
        ttlMs: KEPT_MS,
      });
      const begins = product ? await beginOf(account, product) : now();
      const terms = product ? termsOf(product, begins) : { usd: amount, from: begins };
      const grant = { ...terms, paid: true as const, payment };
      // guard: top-up: a payment is booked once | nameOf(payment) -> undefined | accounts/top-up
      await giveGrant(records, { id: account, grant, name: nameOf(payment), now: now() });
    },
    async find(payment) {
      const { account } = (await wayTo(payment)) ?? {};
      if (account === undefined) throw new CapabilityError("INTERNAL", "The payment is not booked.");
      const name = nameOf(payment);
      const entry = await records.addOnce(account, name, () => {
        throw new CapabilityError("INTERNAL", "The payment is not booked.");
      });
      const look = (record: AccountRecord) => ({
        account,
        balanceUsd: signedUsd(record.balance),
        grant: shownGrant(structuredClone(grantOf(record, payment) ?? folded(entry.grant, entry.amount, entry.at))),
      });
      return records.change(account, look, { writes: () => false });
    },
    async takeBack(payment, amount, { whole = false } = {}) {
      const way = await wayTo(payment);
      // A payment that was not booked yet has brought nothing.
      if (!way) return;
      const { account, price } = way;
      const name = `back:${payment}`;
      const entry = await records.addOnce(account, name, (record) => {
        const asked = { payment, amount, price, whole, now: now() };
        const lapsed = takeProductBack(record, asked);
        if (lapsed)
          return addEntry(record, { ...lapsed, kind: "adjustment", at: now(), reference: name, note: TAKEN_BACK });
        const left = leftOf(record, payment);
        if (whole && left < amount)
          throw invalid("usd", `must be at most ${fromMicros(left)}: the rest of this balance is spent`);
        const taken = least(left, amount);
        take(record, payment, taken);
        return addEntry(record, { kind: "adjustment", amount: -taken, at: now(), reference: name, note: TAKEN_BACK });
      });
      if (whole && entry.grant === undefined && entry.amount !== -amount)
        throw invalid("usd", `must be ${fromMicros(-entry.amount)}, as it was asked for before`);
    },
  };

  /** A pass that follows another one of its product begins when that ends. */
  async function beginOf(account: string, { id, usd, calls, days }: BoughtProduct): Promise<number> {
    if (days === undefined || usd !== undefined || calls !== undefined) return now();
    const { grants = [] } = (await records.read(account)) ?? {};
    const ends = grants.flatMap(({ product, until, ended }) => (product === id && !ended && until ? [until] : []));
    return Math.max(now(), ...ends);
  }
}

function termsOf({ id, title, usd, calls, days, endpoints }: BoughtProduct, from: number) {
  return {
    ...{ product: id, title, from },
    ...(usd === undefined ? {} : { usd: exactMicros(usd) }),
    ...(calls === undefined ? {} : { calls }),
    ...(endpoints === undefined ? {} : { endpoints }),
    ...(days === undefined ? {} : { until: from + days * DAY_MS }),
  };
}

const TAKEN_BACK = "The payment was given back, or the chain took it back.";

const grantOf = ({ grants = [] }: AccountRecord, payment: string): StoredGrant | undefined =>
  grants.find((grant) => grant.payment === payment);

const folded = (id = "", total: Micros, from: number): StoredGrant => ({
  id,
  paid: true,
  usd: { total, left: total },
  from,
});

/** Its own grant first, then others that were bought for everything: money of one account is one. */
const sourcesOf = (record: AccountRecord, payment: string): StoredGrant[] => {
  const own = grantOf(record, payment);
  return [...(own ? [own] : []), ...(record.grants ?? []).filter((grant) => grant !== own && isPlain(grant))];
};

/** The part of a balance that can be taken back: nothing that a call holds, or that was spent. */
function leftOf(record: AccountRecord, payment: string): Micros {
  const plain = plainOf(record);
  const granted = sourcesOf(record, payment).reduce((sum, { usd }) => sum + (usd?.left ?? 0n), 0n);
  const left = granted + plain;
  return left > 0n ? left : 0n;
}

function take(record: AccountRecord, payment: string, amount: Micros): void {
  let due = amount;
  for (const { usd } of sourcesOf(record, payment)) {
    if (!usd) continue;
    const part = least(due, usd.left);
    usd.left -= part;
    due -= part;
  }
}
