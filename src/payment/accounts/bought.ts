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
import { takeProductBack } from "./grants/product-back.js";
import { shownGrant } from "./grants/shown.js";
import { assertNotFrozen } from "./record/frozen.js";
import type { StoredGrant } from "./record/grant-record.js";
import type { Unbilled } from "./record/invoice-record.js";
import { type AccountRecord, addEntry, type BalanceEntry, signedUsd } from "./record/record.js";
import type { AccountRecords } from "./records.js";

/** As long as a payment may be given back. */
const KEPT_MS = 400 * DAY_MS;

const pointer = once(() =>
  z.object({
    account: z.string(),
    price: z.string(),
    /** True for a product, whose grant may be forgotten by now. Absent in records of older releases. */
    isProduct: z.literal(true).optional(),
  }),
);
const keyOf = (payment: string) => `account-paid:${payment}`;

export interface Purchased {
  /** Id of the payment. */
  payment: string;
  account: string;
  amount: Micros;
  /** Absent for a balance of the amount itself. */
  product?: BoughtProduct | undefined;
}

export interface BoughtSale {
  price: Micros;
  /** When it was booked (epoch milliseconds). */
  at: number;
  isProduct: boolean;
  /** Whether it was given back, whole or in part. */
  isGivenBack: boolean;
}

export interface BalanceSales {
  /** Rejects with NOT_FOUND for another host's account, NOT_ALLOWED for a frozen one, and QUOTA_EXCEEDED for too many grants. */
  assertTakes(account: string): Promise<void>;
  add(purchased: Purchased): Promise<void>;
  /** The grant that a payment bought, and the balance that it is a part of. */
  find(payment: string): Promise<{ account: string; balanceUsd: string; grant: AccountGrant }>;
  /** Undefined where a payment bought nothing here. */
  saleOf(payment: string): Promise<BoughtSale | undefined>;
  /** The payment that an entry's reference names, if that booked one. */
  paymentOf(reference: string): string | undefined;
  /** Takes so much of it back for a refund. Rejects with INVALID_INPUT if less is left. */
  takeBack(payment: string, amount: Micros): Promise<void>;
  /** Takes all that is left of it and was not given back before, because its settlement is lost. */
  takeLost(payment: string): Promise<void>;
}

interface BoughtOptions {
  store: Store;
  records: AccountRecords;
  now: () => number;
  /** Whether invoices are issued of what is bought. */
  billed: boolean;
}

const PAID = "paid:";
const nameOf = (payment: string) => PAID + payment;
const backOf = (payment: string) => `back:${payment}`;

export function createBought({ store, records, now, billed }: BoughtOptions): BalanceSales {
  async function wayTo(payment: string) {
    const found = await store.get(keyOf(payment));
    if (!found) return undefined;
    const { price, ...way } = pointer().parse(JSON.parse(found.value));
    return { ...way, price: BigInt(price) };
  }

  /** Notes, in the step that books it, of what there will be an invoice. */
  function note(record: AccountRecord, one: Omit<Unbilled, "at">): void {
    if (billed) record.unbilled = [...(record.unbilled ?? []), { ...one, at: now() }];
  }

  /** The entry of a payment under a name; undefined if there is none. */
  async function entryOf(account: string, name: string): Promise<BalanceEntry | undefined> {
    const none = new Error("no such entry");
    const add = () => {
      throw none;
    };
    return records.addOnce(account, name, add).catch((error: unknown) => {
      if (error === none) return undefined;
      throw error;
    });
  }

  /** Takes it out of the account, once for its name. */
  async function takeOnce(payment: string, name: string, { account, price, isProduct, ...asked }: TakingBack) {
    return records.addOnce(account, name, (record) => {
      const facts = { ...asked, payment, price, isProduct, now: now() };
      const taken = takeProductBack(record, facts) ?? { amount: -takeMoney(record, facts) };
      // guard: invoices: a return gets its credit note | gone | invoices/invoices
      note(record, { name, kind: "credit-note", payment, amount: asked.amount });
      return addEntry(record, { ...taken, kind: "adjustment", at: now(), reference: name, note: TAKEN_BACK });
    });
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
      const way = { account, price: amount.toString(), ...(product ? { isProduct: true } : {}) };
      await store.put(keyOf(payment), JSON.stringify(way), { ifVersion: 0, ttlMs: KEPT_MS });
      const grant = { ...(product ? worthOf(product) : { usd: amount }), from: now(), paid: true as const, payment };
      const timeOf = product && ((record: AccountRecord) => termOf(record, product, now()));
      const invoiced = { name: nameOf(payment), kind: "invoice" as const, payment };
      // guard: top-up: a payment is booked once | nameOf(payment) -> undefined | accounts/top-up --accounts
      await giveGrant(records, {
        ...{ id: account, grant, name: nameOf(payment), now: now() },
        ...(timeOf ? { timeOf } : {}),
        // guard: invoices: a purchase gets its invoice | gone | invoices/invoices
        also: (record) => note(record, { ...invoiced, title: product?.title, amount }),
      });
    },
    async find(payment) {
      const { account } = (await wayTo(payment)) ?? {};
      if (account === undefined) throw new CapabilityError("INTERNAL", "The payment is not booked.");
      const entry = await entryOf(account, nameOf(payment));
      if (!entry) throw new CapabilityError("INTERNAL", "The payment is not booked.");
      const look = (record: AccountRecord) => ({
        account,
        balanceUsd: signedUsd(record.balance),
        grant: shownGrant(structuredClone(grantOf(record, payment) ?? folded(entry.grant, entry.amount, entry.at))),
      });
      return records.change(account, look, { writes: () => false });
    },
    async saleOf(payment) {
      const way = await wayTo(payment);
      const entry = way && (await entryOf(way.account, nameOf(payment)));
      if (!entry) return undefined;
      const isGivenBack = (await entryOf(way.account, backOf(payment))) !== undefined;
      return { price: way.price, at: entry.at, isProduct: way.isProduct ?? false, isGivenBack };
    },
    paymentOf: (reference) => (reference.startsWith(PAID) ? reference.slice(PAID.length) : undefined),
    async takeBack(payment, amount) {
      const way = await wayTo(payment);
      // A payment that was not booked yet has brought nothing.
      if (!way) return;
      const entry = await takeOnce(payment, backOf(payment), { ...way, amount, whole: true });
      if (entry.grant === undefined && entry.amount !== -amount)
        throw invalid("usd", `must be ${fromMicros(-entry.amount)}, as it was asked for before`);
    },
    async takeLost(payment) {
      const way = await wayTo(payment);
      if (!way) return;
      const { amount: before = 0n } = (await entryOf(way.account, backOf(payment))) ?? {};
      // guard: top-up: a loss takes what was not given back before | - + before | accounts/top-up --accounts
      const amount = way.isProduct ? way.price : way.price + before;
      await takeOnce(payment, `lost:${payment}`, { ...way, amount, whole: false });
    },
  };
}

interface TakingBack {
  account: string;
  price: Micros;
  isProduct?: true | undefined;
  amount: Micros;
  /** True if less must not be taken. */
  whole: boolean;
}

/** A pass for a time alone that follows another one of its product begins when that ends. */
function termOf({ grants = [] }: AccountRecord, { id, usd, calls, days }: BoughtProduct, now: number) {
  if (days === undefined) return { from: now };
  const isPass = usd === undefined && calls === undefined;
  const ends = grants.flatMap(({ product, until, ended }) => (product === id && !ended && until ? [until] : []));
  const from = isPass ? Math.max(now, ...ends) : now;
  return { from, until: from + days * DAY_MS };
}

const worthOf = ({ id, title, usd, calls, endpoints }: BoughtProduct) => ({
  ...{ product: id, title },
  ...(usd === undefined ? {} : { usd: exactMicros(usd) }),
  ...(calls === undefined ? {} : { calls }),
  ...(endpoints === undefined ? {} : { endpoints }),
});

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

/** Takes money back, and resolves to how much. Throws INVALID_INPUT if that is less than all of it must be. */
function takeMoney(
  record: AccountRecord,
  { payment, amount, whole }: Pick<TakingBack, "amount" | "whole"> & { payment: string },
): Micros {
  const left = leftOf(record, payment);
  if (whole && left < amount)
    throw invalid("usd", `must be at most ${fromMicros(left)}: the rest of this balance is spent`);
  const taken = least(left, amount);
  let due = taken;
  for (const { usd } of sourcesOf(record, payment)) {
    if (!usd) continue;
    const part = least(due, usd.left);
    usd.left -= part;
    due -= part;
  }
  return taken;
}
