/** The credit of one wallet: its parts, each of one order, and the amounts that calls hold. */
import { z } from "zod";
import { isPast } from "../../lib/clocks.js";
import { once } from "../../lib/lazy.js";
import { least, type Micros } from "../../lib/money.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";

export const CREDIT_TTL_MS = 180 * DAY_MS;
/** An ended hold is kept longer than the note of a charge, to show that its order was not charged. */
const ENDED_MS = DAY_MS;
/** A part that is spent is remembered, so that a late repetition does not issue it again. */
const SPENT_MS = HOUR_MS;
/** Beyond it old parts become one, which has no token: its wallet alone finds it. */
const MOST_LOTS = 200;
/** Name of the part without a token, and of the balance that older releases stored. */
const REST = "";

const micros = once(() => z.string().transform(BigInt));
const stored = once(() =>
  z.object({
    payer: z.string(),
    /** Account of the host that owes it; older releases stored none. */
    account: z.string().optional(),
    /** The rest of the credit of each order, and since when it is there (epoch milliseconds). */
    lots: z.record(z.string(), z.object({ left: micros(), at: z.number() })).optional(),
    /** Of an older release, instead of `lots`. */
    balance: micros().optional(),
    /** By order: the amount that a call may use, and the end of its hold. A token's call uses its own part. */
    holds: z.record(
      z.string(),
      z.object({
        amount: micros(),
        until: z.number(),
        lot: z.string().optional(),
        /** The call's owner, with whose last sign of life it may end. */
        owner: z.string().optional(),
        ended: z.literal(true).optional(),
      }),
    ),
    /** An amount that was taken out, and is being paid to the wallet. */
    out: z.object({ name: z.string(), amount: micros() }).optional(),
    /** Until then nothing is paid out, because it failed. */
    keepUntil: z.number().optional(),
  }),
);

interface Hold {
  amount: Micros;
  until: number;
  lot?: string | undefined;
  owner?: string | undefined;
  ended?: true | undefined;
}

export interface CreditRecord {
  payer: string;
  account?: string | undefined;
  lots: Record<string, { left: Micros; at: number }>;
  holds: Record<string, Hold>;
  out?: { name: string; amount: Micros } | undefined;
  keepUntil?: number | undefined;
}

/** Ends what has expired. */
export function readRecord(value: string, now: number): CreditRecord {
  const { lots, balance = 0n, ...record } = stored().parse(JSON.parse(value));
  const read = { ...record, lots: lots ?? { [REST]: { left: balance, at: 0 } } };
  for (const [order, hold] of Object.entries(read.holds)) {
    // guard: credit: a hold that ended by itself books nothing |
    //   hold.ended = true -> delete read.holds[order] | credit-faults
    if (hold.until <= now - ENDED_MS) delete read.holds[order];
    else if (isPast(hold.until, now)) hold.ended = true;
  }
  for (const [order, { left, at }] of Object.entries(read.lots))
    if (left === 0n && at <= now - SPENT_MS) delete read.lots[order];
  return read;
}

export const writeRecord = (record: CreditRecord): string =>
  JSON.stringify(record, (_, value) => (typeof value === "bigint" ? value.toString() : value));

const sum = (amounts: readonly Micros[]): Micros => amounts.reduce((all, one) => all + one, 0n);

const liveHolds = ({ holds }: CreditRecord, now: number): Hold[] =>
  Object.values(holds).filter(({ until, ended }) => !ended && !isPast(until, now));

/** The part of a lot that no call with its token holds. */
function leftIn(record: CreditRecord, lot: string, now: number): Micros {
  const held = liveHolds(record, now).filter((one) => one.lot === lot);
  return (record.lots[lot]?.left ?? 0n) - sum(held.map(({ amount }) => amount));
}

/** The amount that no call holds: of all parts, or of one. */
export function availableIn(record: CreditRecord, now: number, lot?: string): Micros {
  const held = sum(liveHolds(record, now).map(({ amount }) => amount));
  const all = sum(Object.values(record.lots).map(({ left }) => left)) - held;
  return lot === undefined ? all : least(all, leftIn(record, lot, now));
}

/** Adds the credit of an order; false if it is, or was, there. */
export function add(record: CreditRecord, order: string, { amount, now }: { amount: Micros; now: number }): boolean {
  if (Object.hasOwn(record.lots, order)) return false;
  record.lots[order] = { left: amount, at: now };
  merge(record, now);
  return true;
}

/** Puts the oldest parts together where there are too many; spent ones stay until they are forgotten. */
function merge(record: CreditRecord, now: number): void {
  const lots = Object.entries(record.lots).filter(([name, { left }]) => name !== REST && left > 0n);
  if (lots.length <= MOST_LOTS) return;
  const held = new Set(liveHolds(record, now).map(({ lot }) => lot));
  const old = lots.filter(([name]) => !held.has(name)).sort(([, a], [, b]) => a.at - b.at);
  const rest = record.lots[REST] ?? { left: 0n, at: now };
  for (const [, lot] of old.slice(0, lots.length - MOST_LOTS)) {
    rest.left += lot.left;
    lot.left = 0n;
  }
  record.lots[REST] = rest;
}

/** Takes an amount from one part, or from the oldest ones that no token's call holds. */
function take(record: CreditRecord, amount: Micros, { lot, now }: { lot?: string | undefined; now: number }): void {
  let due = amount;
  const names = lot === undefined ? namesByAge(record) : [lot, ...namesByAge(record)];
  for (const name of names) {
    const part = record.lots[name];
    if (!part || due === 0n) continue;
    const some = least(due, name === lot ? part.left : leftIn(record, name, now));
    if (some <= 0n) continue;
    part.left -= some;
    due -= some;
  }
}

const namesByAge = ({ lots }: CreditRecord): string[] =>
  Object.entries(lots)
    .sort(([, a], [, b]) => a.at - b.at)
    .map(([name]) => name);

/** Reserves an amount for an order; returns what is left beside all holds, undefined if there is too little. */
export function holdIn(
  record: CreditRecord,
  order: string,
  {
    amount,
    until,
    owner,
    lot,
    now,
  }: Pick<Hold, "amount" | "until" | "owner"> & { lot: string | undefined; now: number },
): Micros | undefined {
  delete record.holds[order];
  // guard: credit is held before it is used | gone | USAGE
  if (availableIn(record, now, lot) < amount) return undefined;
  record.holds[order] = {
    ...{ amount, until },
    ...(owner === undefined ? {} : { owner }),
    ...(lot === undefined ? {} : { lot }),
  };
  return availableIn(record, now);
}

/** Takes what an order used and ends its hold; undefined if it has none, false if another order has its amount. */
export function captureIn(
  record: CreditRecord,
  order: string,
  { used, now }: { used: Micros; now: number },
): boolean | undefined {
  const held = record.holds[order];
  if (!held) return undefined;
  const amount = least(used, held.amount);
  // guard: credit: what a hold that ended had is not taken from another call | gone | credit-faults
  if (held.ended && amount > availableIn(record, now, held.lot)) return false;
  delete record.holds[order];
  take(record, amount, { lot: held.lot, now });
  return true;
}

/** The owners of what is held. */
export const ownersIn = ({ holds }: CreditRecord): string[] =>
  Object.values(holds).flatMap(({ owner, ended }) => (owner === undefined || ended ? [] : owner));

/** Ends what calls hold whose process has died. */
export function endDead({ holds }: CreditRecord, dead: ReadonlySet<string>): void {
  for (const held of Object.values(holds)) if (held.owner !== undefined && dead.has(held.owner)) held.ended = true;
}

export function endHold(record: CreditRecord, order: string, now: number): true | undefined {
  const held = record.holds[order];
  if (held) record.holds[order] = { ...held, until: now, ended: true };
  return held && true;
}

/** Takes an amount out for its wallet; a repetition under the same name takes nothing more. */
export function takeOut(
  record: CreditRecord,
  { name, amount, now }: { name: string; amount: Micros; now: number },
): boolean {
  if (record.out) return record.out.name === name;
  if ((record.keepUntil ?? 0) > now || availableIn(record, now) < amount) return false;
  take(record, amount, { now });
  record.out = { name, amount };
  return true;
}
