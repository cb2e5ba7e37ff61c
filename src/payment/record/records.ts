/** Stores records of payments: their keys, lifetime and writers. */

import { z } from "zod";
import { once } from "../../lib/lazy.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import type { Store, StoredRecord } from "../../stores/store.js";
import type { OwnAccounts } from "./own-accounts.js";
import { type PaymentRecord, parseRecord } from "./record.js";
import { compactOf } from "./without-reply.js";

/** A payment made under an idempotency key: its record is stored under the key's name. */
const alias = once(() =>
  z.object({
    alias: z.string(),
    /** Hash of a secret that only the payer knows, as in its record. */
    secretHash: z.string().optional(),
  }),
);

const MIN_TTL_MS = DAY_MS;
/** A payment that is valid for years must not keep its reply for years. */
const MAX_TTL_MS = 7 * DAY_MS;

export interface VersionedRecord<State extends PaymentRecord = PaymentRecord> {
  record: State;
  version: number;
}

export interface Located {
  key: string;
  found: VersionedRecord | undefined;
  /** The secret's hash with which a payment was bound to an order. */
  secretHash?: string | undefined;
}

export interface Records {
  read(key: string): Promise<VersionedRecord | undefined>;
  /** The new version; undefined after a concurrent write. */
  write(key: string, ifVersion: number, record: PaymentRecord, dueAt?: number): Promise<number | undefined>;
  remove(key: string, ifVersion: number): Promise<boolean>;
  /**
   * The record of a payment id and its key: its own name, or the name of the order that it is bound to. For an unknown
   * payment, `idempotencyKeyHash` tells where to look.
   */
  locate(id: string, idempotencyKeyHash?: string): Promise<Located>;
  /** The record of an order and its key, existing or not. */
  locateByIdempotencyKey(idempotencyKeyHash: string): Promise<Located>;
  /** Binds a payment id to an order for good; false if it is bound to another. */
  bind(id: string, idempotencyKeyHash: string, secretHash?: string): Promise<boolean>;
  /** Keys of payments that background work should handle. */
  due(limit: number): Promise<string[]>;
}

export const keyOf = (paymentId: string) => `payment:${paymentId}`;

/** A lease ends with its holder, except while a settlement may still run elsewhere on its behalf. */
function recordIn({ isOrphan }: StoredRecord, value: unknown): PaymentRecord {
  const record = parseRecord(value);
  // guard: wallets: what a dead process was paid for is taken over at once | never | embedded
  // guard: wallets: what may be settling is left its time | - && record.state !== "settling" | embedded
  return isOrphan && record.state !== "settling" ? { ...record, leaseUntil: 0 } : record;
}

const besideOf = (idempotencyKeyHash: string, own: OwnAccounts) => `${idempotencyKeyHash}:${own.on(undefined)}`;

export function createRecords(store: Store, now: () => number, own: OwnAccounts): Records {
  async function read(key: string): Promise<VersionedRecord | undefined> {
    const found = await store.get(key);
    return found && { record: recordIn(found, JSON.parse(found.value)), version: found.version };
  }

  /**
   * Another host on the store may have sold to the same wallet under the same key, so this host's purchases have their
   * own name.
   */
  async function locateByIdempotencyKey(idempotencyKeyHash: string): Promise<Located> {
    const found = await read(idempotencyKeyHash);
    // guard: an idempotency key names what was bought here | always | neighbours
    if (!found || own.has(found.record.payment.requirements)) return { key: idempotencyKeyHash, found };
    const beside = besideOf(idempotencyKeyHash, own);
    return { key: beside, found: await read(beside) };
  }

  return {
    read,
    locateByIdempotencyKey: locateByIdempotencyKey,
    async locate(id, idempotencyKeyHash) {
      const key = keyOf(id);
      const found = await store.get(key);
      if (!found) return idempotencyKeyHash === undefined ? { key, found } : locateByIdempotencyKey(idempotencyKeyHash);
      const value: unknown = JSON.parse(found.value);
      const bound = alias().safeParse(value).data;
      if (bound) return { key: bound.alias, found: await read(bound.alias), secretHash: bound.secretHash };
      return { key, found: { record: recordIn(found, value), version: found.version } };
    },
    write(key, ifVersion, record, dueAt) {
      const ttlMs = timeToLive(record.validBefore, now());
      const isRefused = dueAt === undefined || ("kept" in record && record.kept?.as === "refused");
      const compact = compactOf(record, isRefused && record.leaseUntil <= now());
      return store.put(key, JSON.stringify(record), {
        ifVersion,
        ttlMs,
        ...(dueAt === undefined ? {} : { dueAt }),
        ...(compact ? { compact } : {}),
      });
    },
    remove: (key, ifVersion) => store.remove(key, ifVersion),
    async bind(id, idempotencyKeyHash, secretHash) {
      const value = JSON.stringify({ alias: idempotencyKeyHash, secretHash });
      if ((await store.put(keyOf(id), value, { ifVersion: 0, ttlMs: MAX_TTL_MS })) !== undefined) return true;
      const bound = await store.get(keyOf(id));
      return bound !== undefined && alias().safeParse(JSON.parse(bound.value)).data?.alias === idempotencyKeyHash;
    },
    due: (limit) => store.due(now(), limit),
  };
}

/** Replies are kept for a day, and until the payment expires, because it could be sent again. */
export function timeToLive(validBefore: number | undefined, now: number): number {
  const untilExpiry = (validBefore ?? 0) * 1000 + HOUR_MS - now;
  return Math.max(MIN_TTL_MS, Math.min(untilExpiry, MAX_TTL_MS));
}
