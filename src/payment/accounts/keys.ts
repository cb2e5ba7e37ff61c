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
import { FOREVER_MS } from "./record/forever.js";
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

/**
 * The owner of an account who manages its keys. With `key` by that one, which is judged in the step that changes
 * something; without one as a signed-in person.
 */
export type Manager = AccountCaller;

export interface Keys {
  /** The account of a key that a caller sent. Rejects with INVALID_KEY. */
  find(key: string): Promise<AccountCaller>;
  /** With a manager it opens no account, and rejects with NOT_ALLOWED for a key that has less. */
  create(account: string, facts: KeyFacts, by?: Manager): Promise<NewKey>;
  list(account: string): Promise<AccountKey[]>;
  /** Rejects with NOT_FOUND for an unknown key, and for one that is not the manager's. */
  revoke(id: string, by?: Manager): Promise<void>;
  /** A new key with the same limits and the same count of them; the old one ends after the overlap. */
  rotate(id: string, overlapMs: number, by?: Manager): Promise<NewKey>;
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
export const pointerKey = (id: string) => `account-key:${id}`;

const isOver = ({ revokedAt, expiresAt = Number.POSITIVE_INFINITY }: Key, now: number): boolean =>
  revokedAt !== undefined || expiresAt <= now;

/**
 * Throws INVALID_KEY for a manager's key that is over meanwhile, and NOT_ALLOWED for one that has limits or an end: it
 * changes nothing but itself, or it would come to more than it has.
 */
export function assertManages(record: AccountRecord, { key: own }: Manager, now: number, changed?: string): void {
  if (own === undefined) return;
  const { limits, expiresAt } = goodKey(record, own, now);
  const isWhole = expiresAt === undefined && Object.keys(limits ?? {}).length === 0;
  // guard: own account: a key with limits makes none without | gone | accounts/own-keys
  if (!isWhole && changed !== own)
    throw new CapabilityError(
      "NOT_ALLOWED",
      "This key has limits or an end, so it manages no other: use one without, or sign in.",
    );
}

export const unknownKey = (id: string) => new CapabilityError("NOT_FOUND", `The key "${id}" is not known here.`);

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
    judge?: (record: AccountRecord) => void,
  ): Promise<NewKey> {
    // Refused before anything is written, and judged anew in the step itself.
    if (judge) await records.change(account, judge, { writes: () => false });
    const { made, hash } = make();
    const { id, prefix } = made;
    const pointer = pointerKey(id);
    const version = await store.put(pointer, JSON.stringify({ account }), { ifVersion: 0, ttlMs: FOREVER_MS });
    const keep = (record: AccountRecord) => {
      judge?.(record);
      dropOld(record, now());
      edit(record, { id, hash, prefix });
    };
    await records.change(account, keep, { create: judge === undefined }).catch(async (error: unknown) => {
      // A key that was refused leaves nothing behind; of any other it is not known whether it was kept.
      // guard: accounts: a key that is refused leaves no row | gone | keys
      if (CapabilityError.is(error) && error.code !== "OVERLOADED" && version) await store.remove(pointer, version);
      throw error;
    });
    return made;
  }

  /** A manager's own account is the only one that is looked at, so that a foreign key is like one that is not there. */
  const accountFor = async (id: string, by: Manager | undefined): Promise<string> => {
    const account = by?.id ?? (await accountOf(id));
    if (account === undefined) throw unknownKey(id);
    return account;
  };

  const keyIn = ({ keys }: AccountRecord, id: string): Key => {
    const key = Object.hasOwn(keys, id) ? keys[id] : undefined;
    if (!key) throw unknownKey(id);
    return key;
  };

  const judging = (by: Manager | undefined, id?: string) =>
    by &&
    ((record: AccountRecord) => {
      assertManages(record, by, now(), id);
      if (id !== undefined) keyIn(record, id);
    });

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
    create: (account, { label, limits, expiresAt }, by) =>
      add(
        account,
        (record, { id, hash, prefix }) => {
          record.keys[id] = {
            ...{ hash, prefix, meter: id, createdAt: now() },
            ...(label === undefined ? {} : { label }),
            ...(limits === undefined ? {} : { limits: limits as Key["limits"] }),
            ...(expiresAt === undefined ? {} : { expiresAt }),
          };
        },
        judging(by),
      ),
    async list(account) {
      const record = await records.change(account, (there) => there, { writes: () => false });
      return Object.entries(record.keys).map(([id, key]) => shown(id, key));
    },
    async revoke(id, by) {
      await records.change(await accountFor(id, by), (record) => {
        judging(by, id)?.(record);
        keyIn(record, id).revokedAt ??= now();
      });
    },
    async rotate(id, overlapMs, by) {
      const rotated = (
        record: AccountRecord,
        { id: newId, hash, prefix }: { id: string; hash: string; prefix: string },
      ) => {
        const former = keyIn(record, id);
        if (isOver(former, now())) throw unknownKey(id);
        const { expiresAt = Number.POSITIVE_INFINITY, lastUsedAt: _, revokedAt: __, ...facts } = former;
        record.keys[newId] = {
          ...facts,
          hash,
          prefix,
          createdAt: now(),
          ...(Number.isFinite(expiresAt) ? { expiresAt } : {}),
        };
        former.expiresAt = Math.min(expiresAt, now() + overlapMs);
      };
      return add(await accountFor(id, by), rotated, judging(by, id));
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

/** Without the empty list of endpoints that stands beside groups. */
const shownLimits = ({ endpoints, ...limits }: AccountLimits): AccountLimits =>
  endpoints === undefined || (endpoints.length === 0 && limits.groups) ? limits : { ...limits, endpoints };

function shown(id: string, { prefix, label, limits, ...times }: Key): AccountKey {
  const facts = {
    label,
    limits: limits && shownLimits(limits as AccountLimits),
    createdAt: iso(times.createdAt),
    lastUsedAt: iso(times.lastUsedAt),
    expiresAt: iso(times.expiresAt),
    revokedAt: iso(times.revokedAt),
  };
  const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return { id, prefix, ...given } as AccountKey;
}
