/**
 * Stored record of an account. Its balance, holds, limits, keys and newest entries are one record, so that each step of
 * a call is one compare-and-set, exact over all instances. Older entries are moved to pages of the book.
 */
import { z } from "zod";
import { once } from "../../../lib/lazy.js";
import { fromMicros, type Micros } from "../../../lib/money.js";
import type { AccountEntry, PaidByGrant } from "../../options/accounts.js";
import { type GrantPart, grantPart, micros, storedGrant, untoldEvent } from "./grant-record.js";
import { invoiceParty, unbilled } from "./invoice-record.js";

const entry = once(() =>
  z.object({
    /** Its number in the book, from 0. */
    seq: z.number(),
    kind: z.enum(["topup", "adjustment", "sale", "refund", "grant", "expiry"]),
    amount: micros(),
    at: z.number(),
    reference: z.string().optional(),
    note: z.string().optional(),
    endpoint: z.string().optional(),
    requestId: z.string().optional(),
    key: z.string().optional(),
    free: micros().optional(),
    /** True for the part of a stream that was sold as its hold ended. */
    brokenOff: z.literal(true).optional(),
    /** Of a grant or its expiry: the grant, and the calls that came or went with it. */
    grant: z.string().optional(),
    calls: z.number().optional(),
    /** The grants that paid for a sale, or got it back. */
    grants: z.array(grantPart()).optional(),
  }),
);
export type BalanceEntry = z.infer<ReturnType<typeof entry>>;

const limits = once(() =>
  z.object({
    perMinute: z.number().optional(),
    usdPerHour: z.string().optional(),
    usdPerDay: z.string().optional(),
    usdPerMonth: z.string().optional(),
    /** Also set, perhaps empty, where groups are, so that a release that knows no groups allows too little. */
    endpoints: z.array(z.string()).optional(),
    groups: z.array(z.string()).optional(),
    freePerMonth: z.object({ calls: z.number().optional(), usd: z.string().optional() }).optional(),
  }),
);

/** Spending within an hour, a day or a month, from its start (epoch milliseconds). */
const spending = once(() => z.object({ start: z.number(), spent: micros() }));
export type Spending = z.infer<ReturnType<typeof spending>>;

const usage = once(() =>
  z.object({
    /** Times of the last minute's calls, and their number. */
    minute: z.array(z.tuple([z.number(), z.number()])),
    hour: spending(),
    day: spending(),
    month: spending(),
    /** Used in this month of the free allowance: its worth, and calls by endpoint. */
    free: z.object({ start: z.number(), usd: micros(), calls: z.record(z.string(), z.number()) }),
  }),
);
export type Usage = z.infer<ReturnType<typeof usage>>;

/** The amount that a running call may use. It ends by itself. */
const hold = once(() =>
  z.object({
    amount: micros(),
    until: z.number(),
    /** The call's owner, with whose last sign of life it may end. Absent in records of older releases. */
    owner: z.string().optional(),
    /** Starts of the hour, day and month in which it counts. */
    windows: z.tuple([z.number(), z.number(), z.number()]),
    /** The purchase that it is for, if its call came with an Idempotency-Key. */
    order: z.string().optional(),
    /** The meters in which it counts. */
    meters: z.array(z.string()),
    /** Parts that a free allowance pays: a call of an endpoint, or some of the price. */
    free: z.array(z.object({ meter: z.string(), usd: micros(), endpoint: z.string().optional() })),
    /** Parts that grants pay, which are taken out of these: of the amount, or all of the price by a call of one. */
    grants: z.array(grantPart()).optional(),
    /** The part of a stream that was sent, which is sold if its process ends before it. */
    sent: z
      .object({
        used: micros(),
        endpoint: z.string(),
        requestId: z.string(),
        reference: z.string().optional(),
        key: z.string().optional(),
      })
      .optional(),
  }),
);
export type Hold = z.infer<ReturnType<typeof hold>>;

const key = once(() =>
  z.object({
    hash: z.string(),
    prefix: z.string(),
    label: z.string().optional(),
    limits: limits().optional(),
    /** The meter of its limits; a rotated key continues that of the former one. */
    meter: z.string(),
    createdAt: z.number(),
    lastUsedAt: z.number().optional(),
    expiresAt: z.number().optional(),
    revokedAt: z.number().optional(),
  }),
);
export type Key = z.infer<ReturnType<typeof key>>;

/** A closing: its returns are stored before anything is sent, so that a crash sends nothing twice. */
const closing = once(() =>
  z.object({
    at: z.number(),
    /** Number of the first entry that the closing makes. */
    from: z.number(),
    refund: z.boolean(),
    keepMs: z.number(),
    /** Keys that it had. */
    keys: z.array(z.string()),
    back: z.array(z.object({ payment: z.string(), at: z.number(), amount: micros() })),
  }),
);
export type Closing = z.infer<ReturnType<typeof closing>>;

const account = once(() =>
  z.object({
    /** CAIP-10 account of the host that keeps it. */
    host: z.string().optional(),
    balance: micros(),
    holds: z.record(z.string(), hold()),
    limits: limits(),
    usage: z.record(z.string(), usage()),
    keys: z.record(z.string(), key()),
    /** Absent in records of older releases, and without any. */
    grants: z.array(storedGrant()).optional(),
    untold: z.array(untoldEvent()).optional(),
    /** Purchases and returns that have no number of an invoice yet, and the buyer's particulars for those to come. */
    unbilled: z.array(unbilled()).optional(),
    buyer: invoiceParty().optional(),
    /** Set while it is being closed: nothing is bought from it or sold into it. */
    closing: closing().optional(),
    /** Set once it is closed: what is left of it is deleted then. */
    closed: z.object({ at: z.number(), keptUntil: z.number() }).optional(),
    /** Set while the host has frozen it. */
    frozen: z.object({ at: z.number(), reason: z.string().optional() }).optional(),
    /** Number of full pages of the book; the first of the newest entries follows them. */
    pages: z.number(),
    recent: z.array(entry()),
  }),
);
export type AccountRecord = z.infer<ReturnType<typeof account>>;

/** Entries of a page of the book. */
export const PAGE = 20;

export const newAccount = (host: string | undefined): AccountRecord => ({
  ...(host === undefined ? {} : { host }),
  balance: 0n,
  holds: {},
  limits: {},
  usage: {},
  keys: {},
  pages: 0,
  recent: [],
});

export const parseAccountRecord = (text: string): AccountRecord => account().parse(JSON.parse(text));
export const readPage = (text: string): BalanceEntry[] => z.array(entry()).parse(JSON.parse(text));

export const write = (value: AccountRecord | BalanceEntry[]): string =>
  JSON.stringify(value, (_, member) => (typeof member === "bigint" ? member.toString() : member));

/** Adds an entry to the book. The only place where a balance changes. */
export function addEntry(record: AccountRecord, facts: Omit<BalanceEntry, "seq">): BalanceEntry {
  const added = { seq: record.pages * PAGE + record.recent.length, ...facts };
  // guard: own account: money opens a closed account anew | gone | accounts/closing
  if (added.kind === "topup" || added.kind === "grant") delete record.closed;
  record.recent.push(added);
  record.balance += added.amount;
  return added;
}

export const heldIn = ({ holds }: AccountRecord): Micros =>
  Object.values(holds).reduce((sum, { amount }) => sum + amount, 0n);

/** A sum that may be below zero, in decimal USD. */
export const signedUsd = (amount: Micros): string => (amount < 0n ? `-${fromMicros(-amount)}` : fromMicros(amount));

/** Of bookings that the host makes itself, under references of its own: ours say of which kind they are. */
const POSTED = ["topup", "adjustment", "grant"];

const givenReference = (kind: string, reference: string | undefined): string | undefined => {
  // Of a balance that a wallet bought it is the payment's id.
  const own = kind === "grant" && reference?.startsWith("paid:") ? "paid" : kind;
  return POSTED.includes(kind) && reference?.startsWith(`${own}:`) ? reference.slice(own.length + 1) : reference;
};

/** Grants that paid for a call, as hosts and callers see them. */
export const shownParts = (parts: readonly GrantPart[]): PaidByGrant[] =>
  parts.map(({ id, usd, isCall }) => ({ id, ...(isCall ? { calls: 1 } : { usd: fromMicros(usd) }) }));

/** An entry as hosts see it. */
export function shownEntry({
  seq,
  kind,
  amount,
  at,
  free,
  reference,
  brokenOff: _,
  grants,
  ...facts
}: BalanceEntry): AccountEntry {
  const all = { reference: givenReference(kind, reference), ...facts, grants: grants && shownParts(grants) };
  const told = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return {
    id: String(seq),
    kind,
    usd: signedUsd(amount),
    at: new Date(at).toISOString(),
    ...told,
    ...(free ? { freeUsd: fromMicros(free) } : {}),
  };
}
