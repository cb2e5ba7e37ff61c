/**
 * Keys of accounts. A key is random, so a fast hash of it is enough to know it by, and only the hash is stored. Its id is
 * the hash's beginning, so one record leads from a key, or from its id, to the account; everything else about the key is
 * in the account's own record, where it changes together with what it buys.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { CapabilityError } from "../../errors.js";
import { keepNewest } from "../../lib/bounded.js";
import { once } from "../../lib/lazy.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import type { AccountCaller, AccountKey, AccountLimits } from "../options/accounts.js";
import { goodKey, invalidKey } from "./book.js";
import { FOREVER_MS } from "./pages.js";
import type { AccountRecord, Key } from "./record/record.js";
import type { AccountRecords } from "./records.js";

const RANDOM_BYTES = 24;
const SHOWN_CHARACTERS = 8;
const MAX_LENGTH = 200;
const KEY = /^[\w-]{1,64}_[0-9a-f]{48}$/;
const MOST_KEYS = 100;
/** Keys that can buy nothing any more are listed for so long, and dropped when another one is created. */
const LISTED_MS = 90 * DAY_MS;
const MOST_KNOWN = 10_000;

const pointer = once(() => z.object({ account: z.string() }));

export interface NewKey {
  /** The key itself, told only here. */
  key: string;
  id: string;
  /** How it begins. */
  prefix: string;
}

export interface KeyFacts {
  label?: string | undefined;
  limits?: AccountLimits | undefined;
  expiresAt?: number | undefined;
}

export interface Keys {
  /** The account of a key that a caller sent. Rejects with INVALID_KEY. */
  find(key: string): Promise<AccountCaller>;
  create(account: string, facts: KeyFacts): Promise<NewKey>;
  list(account: string): Promise<AccountKey[]>;
  /** Rejects with NOT_FOUND for an unknown key. */
  revoke(id: string): Promise<void>;
  /** A new key with the same limits and the same count of them; the old one ends after the overlap. */
  rotate(id: string, overlapMs: number): Promise<NewKey>;
}

interface KeysOptions {
  store: Store;
  records: AccountRecords;
  now: () => number;
  /** How keys begin. */
  slug: string;
}

const hashOf = (key: string): string => createHash("sha256").update(key).digest("hex");
const idOf = (hash: string): string => `key_${hash.slice(0, 32)}`;
const pointerKey = (id: string) => `account-key:${id}`;

const isOver = ({ revokedAt, expiresAt = Number.POSITIVE_INFINITY }: Key, now: number): boolean =>
  revokedAt !== undefined || expiresAt <= now;

const unknown = (id: string) => new CapabilityError("NOT_FOUND", `The key "${id}" is not known here.`);

export function createKeys({ store, records, now, slug }: KeysOptions): Keys {
  /** Accounts by key id: the account of a key never changes. */
  const known = new Map<string, string>();

  async function accountOf(id: string): Promise<string | undefined> {
    const there = known.get(id);
    if (there !== undefined) return there;
    const found = await store.get(pointerKey(id));
    if (!found) return undefined;
    const { account } = pointer().parse(JSON.parse(found.value));
    keepNewest(known, id, account, MOST_KNOWN);
    return account;
  }

  function make(): { made: NewKey; hash: string } {
    const key = `${slug}_${randomBytes(RANDOM_BYTES).toString("hex")}`;
    const hash = hashOf(key);
    return { hash, made: { key, id: idOf(hash), prefix: key.slice(0, slug.length + 1 + SHOWN_CHARACTERS) } };
  }

  /** The way to the account is written first: without its account's record it leads to nothing. */
  async function add(
    account: string,
    edit: (record: AccountRecord, made: { id: string; hash: string; prefix: string }) => void,
  ): Promise<NewKey> {
    const { made, hash } = make();
    const { id, prefix } = made;
    const pointer = pointerKey(id);
    const version = await store.put(pointer, JSON.stringify({ account }), { ifVersion: 0, ttlMs: FOREVER_MS });
    const keep = (record: AccountRecord) => {
      dropOld(record, now());
      edit(record, { id, hash, prefix });
    };
    await records.change(account, keep, { create: true }).catch(async (error: unknown) => {
      // A key that was refused leaves nothing behind; of any other it is not known whether it was kept.
      // guard: accounts: a key that is refused leaves no row | gone | keys
      if (CapabilityError.is(error) && error.code !== "OVERLOADED" && version) await store.remove(pointer, version);
      throw error;
    });
    return made;
  }

  async function changeKey<T>(id: string, edit: (key: Key, record: AccountRecord) => T): Promise<T> {
    const account = await accountOf(id);
    if (account === undefined) throw unknown(id);
    return records.change(account, (record) => {
      const key = record.keys[id];
      if (!key) throw unknown(id);
      return edit(key, record);
    });
  }

  return {
    async find(key) {
      if (key.length > MAX_LENGTH || !KEY.test(key)) throw invalidKey();
      const hash = hashOf(key);
      const id = idOf(hash);
      const account = await accountOf(id);
      if (account === undefined) throw invalidKey();
      const found = goodKey(await records.read(account), id, now());
      if (!timingSafeEqual(Buffer.from(found.hash), Buffer.from(hash))) throw invalidKey();
      return { id: account, key: id };
    },
    create: (account, { label, limits, expiresAt }) =>
      add(account, (record, { id, hash, prefix }) => {
        record.keys[id] = {
          ...{ hash, prefix, meter: id, createdAt: now() },
          ...(label === undefined ? {} : { label }),
          ...(limits === undefined ? {} : { limits: limits as Key["limits"] }),
          ...(expiresAt === undefined ? {} : { expiresAt }),
        };
      }),
    async list(account) {
      const record = await records.change(account, (there) => there, { writes: () => false });
      return Object.entries(record.keys).map(([id, key]) => shown(id, key));
    },
    revoke: (id) =>
      changeKey(id, (key) => {
        key.revokedAt ??= now();
      }),
    async rotate(id, overlapMs) {
      const account = await accountOf(id);
      if (account === undefined) throw unknown(id);
      return add(account, (record, { id: newId, hash, prefix }) => {
        const former = record.keys[id];
        if (!former || isOver(former, now())) throw unknown(id);
        const { expiresAt = Number.POSITIVE_INFINITY, lastUsedAt: _, revokedAt: __, ...facts } = former;
        record.keys[newId] = {
          ...facts,
          hash,
          prefix,
          createdAt: now(),
          ...(Number.isFinite(expiresAt) ? { expiresAt } : {}),
        };
        former.expiresAt = Math.min(expiresAt, now() + overlapMs);
      });
    },
  };
}

/** Makes room for a key. Throws QUOTA_EXCEEDED. */
function dropOld({ keys, usage }: AccountRecord, now: number): void {
  for (const [id, key] of Object.entries(keys)) {
    if (!isOver(key, now) || (key.revokedAt ?? key.expiresAt ?? now) > now - LISTED_MS) continue;
    delete keys[id];
    if (!Object.values(keys).some(({ meter }) => meter === key.meter)) delete usage[key.meter];
  }
  if (Object.keys(keys).length >= MOST_KEYS)
    throw new CapabilityError(
      "QUOTA_EXCEEDED",
      `An account has at most ${MOST_KEYS} keys, those of the last 90 days included.`,
    );
}

const iso = (at: number | undefined): string | undefined => (at === undefined ? undefined : new Date(at).toISOString());

function shown(id: string, { prefix, label, limits, ...times }: Key): AccountKey {
  const facts = {
    label,
    limits: limits as AccountLimits | undefined,
    createdAt: iso(times.createdAt),
    lastUsedAt: iso(times.lastUsedAt),
    expiresAt: iso(times.expiresAt),
    revokedAt: iso(times.revokedAt),
  };
  const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return { id, prefix, ...given } as AccountKey;
}
