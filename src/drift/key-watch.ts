/**
 * Watches the keys of upstreams' answers to callers. One answer without a key that all records have is a fact of that
 * record; nearly all answers of a day without it are an upstream that dropped it. Counts of all instances come together
 * in one record of the store, which holds only keys that were missing somewhere.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { SeenKeys } from "../capability/types.js";
import { once } from "../lib/lazy.js";
import { DAY_MS } from "../lib/time.js";
import type { Store } from "../stores/store.js";
import { update } from "../stores/update.js";

/** Share of answers that lack a key, from which it counts as gone. */
const GONE = 0.95;
const WARNS_FROM = 5;
const CLOSES_FROM = 20;
const FLUSH_MS = 2000;
/** Keys that a record holds; the oldest windows go first. */
const MAX_KEYS = 300;
/** Payers that are told apart. */
const MAX_PAYERS = 3;

const counts = once(() =>
  z.record(
    z.string(),
    z.object({
      ...{ since: z.number(), had: z.number(), lacked: z.number(), warned: z.boolean() },
      /** Hashes of payers whose answers lacked it, as far as they count. */
      payers: z.array(z.string()),
    }),
  ),
);
type Counts = z.infer<ReturnType<typeof counts>>;
type Count = Counts[string];

interface Counted {
  had: number;
  lacked: number;
  payers: Set<string>;
}

export interface GoneKey {
  endpoint: string;
  provider: string;
  /** `items[].town`. */
  key: string;
  lacked: number;
  answers: number;
  /** Different payers whose answers lacked it, as far as they count. */
  payers: number;
  /** Whether the endpoint should no longer be sold; else the host is warned. */
  closes: boolean;
}

export interface KeyWatch {
  /** Counts an answer that a capability read. */
  note(endpoint: string, seen: SeenKeys, payer: string | undefined): void;
  /** Stores what was counted; resolves to the keys that are news. */
  flush(): Promise<GoneKey[]>;
  /** Whether a lack was counted and not stored yet. */
  isPending(): boolean;
  /** Whether it should be stored by now. */
  isDue(): boolean;
}

export function createKeyWatch({ store, name, now }: { store: Store; name: string; now: () => number }): KeyWatch {
  const key = `live-keys:${name}`;
  let pending = new Map<string, Counted>();
  let lacks = false;
  let answers = 0;
  let flushedAt = Number.NEGATIVE_INFINITY;

  return {
    note(endpoint, { provider, had, lacked }, payer) {
      for (const [keys, of] of [[had, "had"] as const, [lacked, "lacked"] as const])
        for (const one of keys) {
          const id = JSON.stringify([endpoint, provider, one]);
          const count = pending.get(id) ?? { had: 0, lacked: 0, payers: new Set<string>() };
          count[of]++;
          if (of === "lacked" && payer !== undefined && count.payers.size < MAX_PAYERS) count.payers.add(hashOf(payer));
          pending.set(id, count);
        }
      answers++;
      lacks ||= lacked.length > 0;
    },
    isPending: () => lacks,
    isDue: () => lacks && (answers >= CLOSES_FROM || performance.now() - flushedAt >= FLUSH_MS),
    async flush() {
      const counted = pending;
      pending = new Map();
      lacks = false;
      answers = 0;
      flushedAt = performance.now();
      return update(store, { key, ttlMs: 2 * DAY_MS }, (found) => {
        const { next, gone } = added(parsed(found), counted, now());
        return { value: JSON.stringify(next), result: gone };
      });
    },
  };
}

/** Keys that no answer lacked are not stored. */
function added(before: Counts, counted: ReadonlyMap<string, Counted>, now: number) {
  const gone: GoneKey[] = [];
  const next: Counts = Object.fromEntries(Object.entries(before).filter(([, { since }]) => now - since < DAY_MS));
  for (const [id, { had, lacked, payers: own }] of counted) {
    const known = Object.hasOwn(next, id) ? next[id] : undefined;
    if (!known && lacked === 0) continue;
    const { since = now, warned = false, payers = [], ...sum } = known ?? { had: 0, lacked: 0 };
    const count: Count = {
      since,
      warned,
      had: sum.had + had,
      lacked: sum.lacked + lacked,
      payers: merged(payers, own),
    };
    next[id] = count;
    const news = newsOf(id, count);
    if (!news) continue;
    gone.push(news);
    // A closed endpoint begins anew when it is sold again.
    if (news.closes) delete next[id];
    else count.warned = true;
  }
  const newest = Object.entries(next).sort(([, a], [, b]) => b.since - a.since);
  return { next: Object.fromEntries(newest.slice(0, MAX_KEYS)), gone };
}

function newsOf(id: string, { had, lacked, warned, payers }: Count): GoneKey | undefined {
  const answers = had + lacked;
  if (answers < WARNS_FROM || lacked < answers * GONE) return undefined;
  const closes = answers >= CLOSES_FROM;
  if (!closes && warned) return undefined;
  const [endpoint = "", provider = "", key = ""] = JSON.parse(id) as string[];
  return { endpoint, provider, key, lacked, answers, payers: payers.length, closes };
}

const merged = (payers: readonly string[], own: ReadonlySet<string>) =>
  [...new Set([...payers, ...own])].slice(0, MAX_PAYERS);
const hashOf = (payer: string) => createHash("sha256").update(payer).digest("hex").slice(0, 16);

/** A record of a later release, or a damaged one, counts nothing. */
function parsed(value: string | undefined): Counts {
  try {
    return value === undefined ? {} : counts().parse(JSON.parse(value));
  } catch {
    return {};
  }
}
