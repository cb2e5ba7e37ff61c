/**
 * Calls of an account that came with an Idempotency-Key: the answer is kept before it is charged, and the same key gets
 * it again. A purchase is charged once, by its name in the account book.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import type { Micros } from "../../lib/money.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import type { LeaseOwner, Taken } from "../../stores/owner.js";
import type { Store } from "../../stores/store.js";
import type { Terms } from "../order/order.js";
import { pending, WAIT_MS } from "../record/pending.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { KeptAnswers, KeptRecord } from "./kept-answers.js";

/** Each follows a pause. */
const MAX_ATTEMPTS = 60;
/** Answers are kept for a day; the record outlasts the work. */
const KEPT_MS = DAY_MS + HOUR_MS;

const purchaseRecord = once(() =>
  z.object({
    /** Name of the purchase in the account book. */
    purchase: z.string(),
    /** Endpoint and hash of the input. */
    fingerprint: z.string(),
    leaseUntil: z.number(),
    /** The lease's owner, with whose last sign of life it ends. Absent in records of older releases. */
    owner: z.string().optional(),
    requestId: z.string(),
    /** The terms of its bill; absent in records of older releases. */
    terms: z.object({ amount: z.string(), byUsage: z.boolean() }).optional(),
    /** Name of what the attempt holds in the account; absent in records of older releases. */
    hold: z.string().optional(),
    /** The answer, and what it costs in micro-dollars. */
    outcome: z.string().optional(),
    used: z.string().optional(),
    /** True if there was no room for the answer any more. */
    dropped: z.literal(true).optional(),
  }),
);
type PurchaseRecord = z.infer<ReturnType<typeof purchaseRecord>>;

export interface PurchaseLease {
  purchase: string;
  /** Also that of what is held; whoever has it ends it. */
  lease: Taken;
  /** The terms of its bill, also if an earlier attempt began it at another price. */
  terms: Terms;
  /** True if an earlier attempt broke off, whose work may be done. */
  isRepeated: boolean;
  /**
   * Keeps the answer, and resolves to the counting of its room. Rejects with SETTLEMENT_PENDING if another attempt has
   * taken over.
   */
  keep(outcome: string, used: bigint): Promise<() => Promise<void>>;
  /** Ends a failed attempt; with `again`, the next one continues the purchase. */
  leave(again?: boolean): Promise<void>;
}

/** A call that was made, whose answer is not kept any more. */
export interface DroppedAnswer {
  failure: { code: "ANSWER_NOT_KEPT"; message: string };
}

const DROPPED: DroppedAnswer = {
  failure: {
    code: "ANSWER_NOT_KEPT",
    message:
      "This Idempotency-Key was used, and the answer of its call is not kept any more: newer answers took its room. It is neither made nor charged again; use another key for a new call.",
  },
};

export interface KeptAnswer {
  purchase: string;
  outcome: string;
  used: bigint;
  /** The request that made the answer, and the name of what it holds until it is charged. */
  requestId: string;
  hold: string | undefined;
}

export interface Attempting {
  key: string;
  terms: Terms;
  /** Id of the account that buys. */
  account: string;
  /** Keeps the answers of all within their room. */
  answers: KeptAnswers;
  fingerprint: string;
  requestId: string;
  /** The name under which `hold` holds. */
  name: string;
  leaseMs: number;
  signal?: AbortSignal | undefined;
  /**
   * Called before the purchase is claimed, so that a refused caller leaves no record; undone by what it returns, which is
   * undefined if a copy of the call has what there is, and will claim the purchase.
   */
  hold(amount: Micros, lease: Taken): Promise<(() => Promise<void>) | undefined>;
}

export interface PurchaseDeps {
  store: Store;
  owner: LeaseOwner;
  now: () => number;
}

/** The purchase of a key: its answer, or the lease to make it. Rejects with PaymentRefused, or SETTLEMENT_PENDING. */
export async function enterPurchase(
  deps: PurchaseDeps,
  asked: Attempting,
): Promise<PurchaseLease | KeptAnswer | DroppedAnswer> {
  const giveUpAt = performance.now() + WAIT_MS;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const entry = await attemptEntry(deps, asked);
    if (typeof entry === "object") return entry;
    if (entry === "held" && performance.now() > giveUpAt) break;
    await pause(attempt, asked.signal);
  }
  throw pending("The same call is being processed.");
}

/** "held" if another attempt is under way, "overtaken" if another one was faster. */
async function attemptEntry(
  deps: PurchaseDeps,
  asked: Attempting,
): Promise<PurchaseLease | KeptAnswer | DroppedAnswer | "held" | "overtaken"> {
  const found = await deps.store.get(asked.key);
  const record = found && purchaseRecord().parse(JSON.parse(found.value));
  if (!record) return claim(deps, asked, { version: 0, record });
  // guard: accounts: an Idempotency-Key buys one request | gone | book
  if (record.fingerprint !== asked.fingerprint) throw otherRequest();
  if (record.dropped) return DROPPED;
  const answered = answerOf(record);
  if (answered) return answered;
  if (!found.isOrphan && (await deps.owner.isHeld(record))) return "held";
  return claim(deps, asked, { version: found.version, record });
}

/** The answer that was kept under a key, or that it is kept no longer; undefined if there is none. */
export async function keptAnswer(store: Store, key: string): Promise<KeptAnswer | DroppedAnswer | undefined> {
  const found = await store.get(key);
  const record = found && purchaseRecord().parse(JSON.parse(found.value));
  return record?.dropped ? DROPPED : record && answerOf(record);
}

const answerOf = ({ outcome, used = "0", purchase, requestId, hold }: PurchaseRecord): KeptAnswer | undefined =>
  outcome === undefined ? undefined : { purchase, outcome, used: BigInt(used), requestId, hold };

const otherRequest = () =>
  new PaymentRefused("PAYMENT_ALREADY_USED", "This Idempotency-Key was already used for another request.");

/** Claims a purchase. The balance is held first. */
async function claim(
  { store, now, owner }: PurchaseDeps,
  { key, account, answers, fingerprint, requestId, name, leaseMs, terms: asked, hold }: Attempting,
  { version: before, record }: { version: number; record: PurchaseRecord | undefined },
): Promise<PurchaseLease | "overtaken"> {
  const terms = record?.terms ? { ...record.terms, amount: BigInt(record.terms.amount) } : asked;
  const lease = await owner.take(now() + leaseMs);
  const letGo = await hold(terms.amount, lease).catch((error: unknown) => {
    owner.end(lease);
    throw error;
  });
  if (!letGo) {
    owner.end(lease);
    return "overtaken";
  }
  const purchase = record?.purchase ?? randomUUID();
  const stored = { ...terms, amount: terms.amount.toString() };
  const taken = { purchase, fingerprint, requestId, terms: stored, hold: name, ...lease };
  try {
    const version = await write(store, key, taken, before);
    const isRepeated = record !== undefined;
    const keep = (kept: KeptRecord) => answers.add(account, kept);
    if (version !== undefined) return leaseOf(store, { key, claim: taken, version, terms, lease, isRepeated, keep });
  } catch (error) {
    owner.end(lease);
    await letGo();
    throw error;
  }
  owner.end(lease);
  await letGo();
  return "overtaken";
}

interface Claimed {
  key: string;
  claim: PurchaseRecord;
  version: number;
  /** Counts an answer that is kept. */
  keep(kept: KeptRecord): Promise<void>;
}

function leaseOf(
  store: Store,
  { key, claim, version, keep, ...facts }: Pick<PurchaseLease, "terms" | "lease" | "isRepeated"> & Claimed,
): PurchaseLease {
  const save = (record: PurchaseRecord) => write(store, key, record, version);
  return {
    ...facts,
    purchase: claim.purchase,
    async keep(outcome, used) {
      const record = { ...claim, leaseUntil: 0, outcome, used: used.toString() };
      const kept = await save(record);
      if (kept === undefined) throw pending("This call was taken over by another attempt.");
      const { outcome: _, ...rest } = record;
      const lean = JSON.stringify({ ...rest, dropped: true } satisfies PurchaseRecord);
      return () => keep({ key, version: kept, size: outcome.length, lean, ttlMs: KEPT_MS });
    },
    async leave(again = false) {
      if (again) await save({ ...claim, leaseUntil: 0 });
      else await store.remove(key, version);
    },
  };
}

/** The record without its answer. */
function compactOf(value: string): string {
  const { outcome: _, ...record } = JSON.parse(value) as PurchaseRecord;
  return JSON.stringify({ ...record, dropped: true } satisfies PurchaseRecord);
}

/**
 * Writes a record at a version. A write whose answer is lost is looked for, since every attempt writes a name of its own,
 * and made again: nobody else would end the lease of an attempt that does not know that it has one.
 */
async function write(
  store: Store,
  key: string,
  record: PurchaseRecord,
  ifVersion: number,
): Promise<number | undefined> {
  const value = JSON.stringify(record);
  const compact = record.outcome === undefined ? {} : { compact: compactOf };
  const put = () => store.put(key, value, { ifVersion, ttlMs: KEPT_MS, ...compact });
  return put().catch(async (error: unknown) => {
    const found = await store.get(key).catch(() => {
      throw error;
    });
    // guard: accounts: a claim whose answer was lost is found again | never | accounts/faults
    return found?.value === value ? found.version : put();
  });
}

/** Waits, longer each time, unless the caller leaves. */
async function pause(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  const waitMs = Math.min(25 * 2 ** Math.min(attempt - 1, 10), 500);
  await sleep(waitMs, undefined, signal ? { signal } : {}).catch(() => {});
  if (signal?.aborted) throw pending("The caller stopped waiting for the same call.");
}
