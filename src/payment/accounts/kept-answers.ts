/**
 * Bounds the answers that are kept for repeated calls, in every store: each account has its share, and all of them
 * theirs. Beyond it the oldest go first. A call whose answer is gone is neither made nor charged again.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import type { Logger } from "../../lib/logger.js";
import { HOUR_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";

const MB = 1024 * 1024;
/** In characters, of all accounts together; a store with less room than that keeps some of it for other records. */
const MOST = 64 * MB;
const OF_ROOM = 0.75;
/** The share of one account. */
const SHARES = 8;
/** A small answer takes room as well: its record, and its two places in the lists. */
const OVERHEAD = 1024;
/** So many of the oldest are looked at together. */
const PAGE = 20;
/** Drops some more than needed, so that not every answer that comes has to drop one. */
const SLACK = 0.9;

const listed = once(() =>
  z.object({
    key: z.string(),
    version: z.number(),
    size: z.number(),
    /** The record without its answer, under the name that stored lists have. */
    lean: z.string(),
    until: z.number(),
    account: z.string(),
  }),
);
type Listed = z.infer<ReturnType<typeof listed>>;

/** A record that keeps an answer. */
export interface KeptRecord extends Pick<Listed, "key" | "version" | "size" | "lean"> {
  ttlMs: number;
}

export interface KeptAnswers {
  /** Counts an answer, and drops the oldest ones that have no room any more. */
  add(account: string, record: KeptRecord): Promise<void>;
}

export interface KeptAnswersOptions {
  store: Store;
  now: () => number;
  logger: Logger;
}

/** Accounts are named by a hash, since the id of one may begin with that of another. */
const nameOf = (account: string) => createHash("sha256").update(account).digest("hex").slice(0, 24);

/** One list has the answers of each account in the order of their writing, by the store's versions; the other those of all. */
const OF_ACCOUNT = "account-kept:";
const OF_ALL = "account-kept-of-all:";
const keysOf = ({ account, version }: Listed) => {
  const place = version.toString(36).padStart(11, "0");
  return [`${OF_ACCOUNT}${account}:${place}`, `${OF_ALL}${place}`] as const;
};

export function createKeptAnswers({ store, now, logger }: KeptAnswersOptions): KeptAnswers {
  const most = Math.min(MOST, (store.room ?? Number.POSITIVE_INFINITY) * OF_ROOM);
  const share = most / SHARES;
  /** Lists that this process is making shorter. */
  const shortening = new Map<string, Promise<void>>();

  const count = (list: string, by: number, ttlMs: number) => store.increment(list, by, { ttlMs });

  function shorten(list: string, most: number, ttlMs: number): Promise<void> {
    const running = shortening.get(list);
    if (running) return running;
    const done = dropOldest(list, most, ttlMs).finally(() => shortening.delete(list));
    shortening.set(list, done);
    return done;
  }

  async function dropOldest(list: string, most: number, ttlMs: number): Promise<void> {
    for (;;) {
      const counted = (await count(list, 0, ttlMs)) ?? 0;
      if (counted <= most * SLACK) return;
      const oldest = (await store.list(list, { limit: PAGE })).map(({ key, version, value }) => ({
        ...{ key, version, one: listed().parse(JSON.parse(value)) },
      }));
      const last = oldest.at(-1)?.one.size ?? 0;
      // The last answer stays, however large it is; what the count has beyond it has expired.
      if (oldest.length <= 1) return void (await count(list, last - counted, ttlMs));
      await dropDownTo(most * SLACK, counted, { oldest: oldest.slice(0, -1), ttlMs });
    }
  }

  async function dropDownTo(
    aim: number,
    counted: number,
    { oldest, ttlMs }: { oldest: { key: string; version: number; one: Listed }[]; ttlMs: number },
  ): Promise<void> {
    let left = counted;
    for (const { one, ...found } of oldest) {
      if (left <= aim) return;
      await drop(one, found, ttlMs);
      left -= one.size;
    }
  }

  /** Drops an answer, whichever list it was found in. Of several instances, one counts it. */
  async function drop(one: Listed, found: { key: string; version: number }, ttlMs: number): Promise<void> {
    const left = Math.max(HOUR_MS, one.until - now());
    await store.put(one.key, one.lean, { ifVersion: one.version, ttlMs: left });
    const [ofAccount, ofAll] = keysOf(one);
    const other = found.key === ofAll ? ofAccount : ofAll;
    const there = await store.get(other);
    const versions = { [found.key]: found.version, [other]: there?.version };
    const version = versions[ofAccount];
    if (version !== undefined && (await store.remove(ofAccount, version)))
      await Promise.all([count(`${OF_ACCOUNT}${one.account}:`, -one.size, ttlMs), count(OF_ALL, -one.size, ttlMs)]);
    const among = versions[ofAll];
    if (among !== undefined) await store.remove(ofAll, among);
  }

  async function add(account: string, { ttlMs, ...record }: KeptRecord): Promise<void> {
    const size = record.size + OVERHEAD;
    const one: Listed = { ...record, size, until: now() + ttlMs, account: nameOf(account) };
    const list = `${OF_ACCOUNT}${one.account}:`;
    const value = JSON.stringify(one);
    const [mine = 0, all = 0] = await Promise.all([
      count(list, size, ttlMs),
      count(OF_ALL, size, ttlMs),
      ...keysOf(one).map((key) => store.put(key, value, { ifVersion: 0, ttlMs })),
    ]);
    // guard: accounts: answers that are kept have a share | gone | kept-answers
    if (mine > share) await shorten(list, share, ttlMs);
    if (all > most) await shorten(OF_ALL, most, ttlMs);
  }

  return {
    // The sale goes on: its answer is kept, and at worst for as long as any.
    add: (account, record) =>
      add(account, record).catch((error: unknown) => logger.warn({ error }, "accounts: an answer was not counted")),
  };
}
