/**
 * The ledger: one entry for each paid call and one for each return, kept long after the records of payments expire. An
 * entry's key names the payment and the day of its settlement, so repeating it after a crash writes the same entry.
 */

import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { accountId } from "../networks/accounts.js";
import type { Split } from "../options/treasury.js";
import type { OwnAccounts } from "../record/own-accounts.js";
import type { SettledPayment } from "../record/record.js";
import { isRated, usdOf } from "../x402/usd.js";
import { chargeTermsOf, type PaymentRequirements } from "../x402/wire.js";
import { createSplits, splitSchema } from "./splits.js";

const PREFIX = "ledger:";
const PAGE = 500;

/** Entries of the ledger are due until those who share them have their part. */
export const isLedgerKey = (key: string): boolean => key.startsWith(PREFIX);

const micros = once(() => z.string().transform(BigInt));
const ledgerEntry = once(() =>
  z.object({
    kind: z.enum(["sale", "return", "loss"]),
    /** Of a return of more than an unused part: why it was made. */
    because: z.enum(["host-refund", "late-payment", "credit-limit"]).optional(),
    /** The payment's id, or that of a call paid entirely by credit. */
    payment: z.string(),
    endpoint: z.string(),
    /** Id of the request that the call answered; entries of channels and of older releases have none. */
    requestId: z.string().optional(),
    payer: z.string(),
    /** CAIP-10 account of the host that was paid; entries of older releases have none. */
    account: z.string().optional(),
    /** Absent if earlier credit paid for everything. */
    network: z.string().optional(),
    asset: z.string().optional(),
    transaction: z.string(),
    /** Number of calls in a sale: calls of a channel are booked together. */
    calls: z.number().optional(),
    /** Settled on chain, or charged by voucher. */
    settled: micros(),
    /** Paid by earlier credit. */
    creditUsed: micros(),
    /** Paid from an account's balance; absent for sales to wallets. */
    prepaid: micros().optional(),
    /** Returned on chain, and turned into credit. */
    returned: micros(),
    credited: micros(),
    /** Part of a return that is cancelled, because its settlement is lost. */
    void: micros().optional(),
    /** Price of the call: settled and credit used, less returns. */
    earned: micros(),
    /** Settled amount that is lost from the chain. */
    lost: micros().optional(),
    /** Epoch milliseconds. */
    at: z.number(),
    /** Settlement time of the call that the entry belongs to; it decides the day. */
    soldAt: z.number(),
    /** Who shares it, by the shares of its sale; absent if the account has all of it. */
    split: splitSchema().optional(),
    /** Paid to some of them on chain by the buyer, in micro-dollars; less than nothing where that is lost. */
    paidOut: z.array(z.tuple([z.string(), micros()])).optional(),
    /** Not yet in the sums of those who share it. */
    uncounted: z.literal(true).optional(),
  }),
);
export type LedgerEntry = z.infer<ReturnType<typeof ledgerEntry>>;

/** A range of days, both included, as YYYY-MM-DD. */
export interface Days {
  from: string;
  to: string;
}

export interface Ledger {
  /** Number of days for which entries are kept, including today. */
  readonly days: number;
  /** Stores who shares what is sold, before it is; undefined if there is nothing to wait for. */
  remember(): Promise<void> | undefined;
  /** Writes entries; existing ones stay unchanged. Resolves to whether any was new. */
  book(entries: LedgerEntry[]): Promise<boolean>;
  /** The host's own entries of these days, ordered by day only, page by page. */
  read(days: Days): AsyncIterable<LedgerEntry & { day: string }>;
}

let lastDay = { number: Number.NaN, name: "" };

/** The UTC day of a time, as YYYY-MM-DD. */
export function ledgerDay(epochMs: number): string {
  const number = Math.floor(epochMs / DAY_MS);
  // Almost all requests are for today.
  if (lastDay.number !== number) lastDay = { number, name: new Date(epochMs).toISOString().slice(0, 10) };
  return lastDay.name;
}

export function createLedger(store: Store, days: number, own: OwnAccounts): Ledger {
  if (!Number.isInteger(days) || days < 1 || days > 36_500)
    throw new TypeError("ledgerDays must be a whole number of days, 1 to 36500.");
  const splits = createSplits(store, own);

  /** The shares of an entry: those of its sale, if it takes some back, whatever they are by now. */
  async function splitFor(entry: LedgerEntry, account: string | undefined): Promise<Split | undefined> {
    // Of a sale also where nothing is left to share: its loss is shared.
    if (entry.kind === "sale") return entry.prepaid === undefined ? splits.of(account) : undefined;
    if (sharedOf(entry) === 0n) return undefined;
    const sale = await store.get(saleKeyOf(entry));
    // guard: payouts: shares are taken back as they were given | never | payouts
    return sale ? readLedgerEntry(sale.value).split : splits.of(account);
  }

  return {
    days,
    remember: splits.remember,
    async book(entries) {
      let isNew = false;
      for (const entry of entries) {
        const { account = own.on(entry.network) } = entry;
        const split = await splitFor(entry, account);
        // Entries that are shared are due until they are counted, so that a crash in between loses none.
        const shared = split && { split: [...split].map(([payTo, share]): [string, number] => [payTo, share]) };
        const isToCount = shared !== undefined && (sharedOf(entry) !== 0n || entry.paidOut !== undefined);
        const value = write({ ...entry, account, ...shared, ...(isToCount ? { uncounted: true } : {}) });
        const options = { ifVersion: 0, ttlMs: days * DAY_MS, ...(isToCount ? { dueAt: entry.at } : {}) };
        isNew = (await store.put(keyOf(entry), value, options)) !== undefined || isNew;
      }
      return isNew;
    },
    async *read({ from, to }) {
      for await (const { key, value } of rowsFrom(store, PREFIX + from)) {
        const day = key.slice(PREFIX.length, PREFIX.length + "YYYY-MM-DD".length);
        if (day > to) return;
        const entry = readLedgerEntry(value);
        // guard: the ledger tells of a host's own accounts | always | neighbours
        if (own.hasId(entry.account)) yield { ...entry, day };
      }
    },
  };
}

/**
 * The part of an entry that those who share an account earn, or give back if it is negative. What accounts paid from their
 * balances came to the host by other ways than the treasury, and is not shared.
 */
export const sharedOf = ({ earned, lost = 0n, void: cancelled = 0n, prepaid }: LedgerEntry): bigint =>
  prepaid === undefined ? earned - lost + cancelled : 0n;

/** Parses a stored entry. Release 0.1.0 told why a return was made by the ending of its payment alone. */
export function readLedgerEntry(value: string): LedgerEntry {
  const entry = ledgerEntry().parse(JSON.parse(value));
  const { kind, payment, because } = entry;
  if (kind !== "return" || because !== undefined) return entry;
  if (payment.endsWith(" refund")) return { ...entry, because: "host-refund" };
  return payment.endsWith(" landed") ? { ...entry, because: "late-payment" } : entry;
}

async function* rowsFrom(store: Store, start: string): AsyncGenerator<{ key: string; value: string }> {
  for (let after = start; ; ) {
    const page = await store.list(PREFIX, { limit: PAGE, after });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.key;
    // A memory store answers at once, so a pause between pages gives other calls their turn.
    await setImmediate();
  }
}

function keyOf({ kind, payment, soldAt }: LedgerEntry): string {
  return `${PREFIX}${ledgerDay(soldAt)}:${payment}${kind === "sale" ? "" : ` ${kind}`}`;
}

/** A refund by the host is named after the payment that it gives back. */
const saleKeyOf = ({ payment, soldAt }: LedgerEntry): string =>
  `${PREFIX}${ledgerDay(soldAt)}:${payment.replace(/ refund$/, "")}`;

const write = (entry: LedgerEntry): string =>
  JSON.stringify({
    ...entry,
    settled: String(entry.settled),
    creditUsed: String(entry.creditUsed),
    returned: String(entry.returned),
    credited: String(entry.credited),
    earned: String(entry.earned),
    ...(entry.prepaid === undefined ? {} : { prepaid: String(entry.prepaid) }),
    ...(entry.void === undefined ? {} : { void: String(entry.void) }),
    ...(entry.lost === undefined ? {} : { lost: String(entry.lost) }),
    ...(entry.paidOut ? { paidOut: entry.paidOut.map(([payTo, amount]) => [payTo, String(amount)]) } : {}),
  });

const settledBy = ({ receipt, payment }: SettledPayment): bigint =>
  receipt?.success ? paidUsd(payment.requirements, receipt.amount) : 0n;

/** By a token with a rate the whole offer is paid. */
// guard: rates: the ledger is in dollars | never | rated-assets
const paidUsd = (offer: PaymentRequirements, amount = offer.amount): bigint =>
  isRated(offer) ? usdOf(offer) : BigInt(amount);
const creditOf = ({ credit }: SettledPayment): bigint => BigInt(credit?.used ?? 0);

/** The ledger entries of a settled payment: none if nothing was paid in the end. */
export function entriesOf(record: SettledPayment, now: number): LedgerEntry[] {
  const { id, requestId, endpoint, payment, receipt, refund, settledAt } = record;
  const settled = settledBy(record);
  const creditUsed = creditOf(record);
  if (settledAt === undefined || settled + creditUsed === 0n) return [];

  const { network, asset, payTo } = payment.requirements;
  const unused = BigInt(refund?.amount ?? 0);
  const account = accountId(network, payTo);
  const shared = {
    payment: id,
    endpoint,
    requestId,
    payer: payment.payer,
    account,
    ...(settled > 0n ? { network, asset } : {}),
  };
  const sale: LedgerEntry = {
    ...shared,
    kind: "sale",
    transaction: receipt?.transaction ?? "",
    settled,
    creditUsed,
    returned: 0n,
    credited: 0n,
    earned: settled + creditUsed - unused,
    at: settledAt,
    soldAt: settledAt,
    ...paidOutBy(payment.requirements, settled),
  };
  if (!refund || refund.state === "owed") return [sale];
  const back: LedgerEntry = {
    ...shared,
    kind: "return",
    transaction: refund.transaction ?? "",
    settled: 0n,
    creditUsed: 0n,
    returned: 0n,
    credited: 0n,
    earned: 0n,
    [refund.state]: unused,
    at: now,
    soldAt: settledAt,
  };
  return [sale, back];
}

/** The parts that a buyer paid to others than the payee, in micro-dollars. */
function paidOutBy(offer: PaymentRequirements, settled: bigint): Pick<LedgerEntry, "paidOut"> {
  const { splits } = chargeTermsOf(offer) ?? {};
  if (!splits || settled === 0n) return {};
  const usd = (units: string) => (BigInt(units) * settled) / BigInt(offer.amount);
  return { paidOut: splits.map(({ recipient, amount }): [string, bigint] => [recipient, usd(amount)]) };
}

/** The entry of money that came although credit had paid the call: all of it is credit. */
export function landedOf(record: SettledPayment, transaction: string, now: number): LedgerEntry {
  const { id, requestId, endpoint, payment, settledAt = now } = record;
  const { network, asset, payTo } = payment.requirements;
  const amount = usdOf(payment.requirements);
  const nothing = { creditUsed: 0n, returned: 0n, earned: 0n };
  const of = { payment: `${id} landed`, endpoint, requestId, payer: payment.payer };
  const to = { account: accountId(network, payTo), network, asset, transaction };
  const made = { settled: amount, credited: amount, at: now, soldAt: settledAt };
  return { kind: "return", because: "late-payment", ...of, ...to, ...nothing, ...made };
}

/** The entry of a settlement that is lost from the chain. The entry of its sale stays. */
export function lossOf(record: SettledPayment, now: number): (LedgerEntry & { lost: bigint }) | undefined {
  const [sale] = entriesOf(record, now);
  if (!sale) return undefined;
  const paidOut = sale.paidOut?.map(([payTo, amount]): [string, bigint] => [payTo, -amount]);
  const nothing = { settled: 0n, creditUsed: 0n, earned: 0n };
  return { ...sale, kind: "loss", ...nothing, lost: settledBy(record), at: now, ...(paidOut ? { paidOut } : {}) };
}

/** Whether a settled payment, or a later change of it, is missing in the ledger. */
export const isUnbooked = (record: SettledPayment): boolean =>
  !record.booked && record.settledAt !== undefined && settledBy(record) + creditOf(record) > 0n;
