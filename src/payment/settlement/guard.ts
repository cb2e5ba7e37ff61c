/** One authorization buys one result: the holder of a payment's lease works, and all copies get its result. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Lease, LeaseOwner } from "../../stores/owner.js";
import type { Rails } from "../networks/rails.js";
import { brokenOff } from "../record/endings.js";
import type { ByCredit } from "../record/facts.js";
import type { OwnAccounts } from "../record/own-accounts.js";
import { pending, WAIT_MS } from "../record/pending.js";
import {
  type AwaitingOnCredit,
  type AwaitingWork,
  heldFor,
  isAwaitingWork,
  isEnded,
  type PaymentRecord,
  type RunningPayment,
  type SettledPayment,
  type SettlingPayment,
} from "../record/record.js";
import { keyOf, type Located, type Records, type VersionedRecord } from "../record/records.js";
import type { Refunds } from "../refund/refunds.js";
import type { FacilitatorClient } from "../x402/facilitator.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { Exposure } from "./exposure.js";
import { type Delivery, deliveryOf, type PaymentLease, type PaymentLeases } from "./lease.js";
import type { LetGo } from "./let-go.js";
import { assertSamePurchase, claimOf, type Purchase, SETTLE_BUDGET_MS } from "./purchase.js";
import type { Settler } from "./settlement.js";
import type { UnpaidReplies } from "./unpaid-replies.js";
import { createVerification } from "./verification.js";
import type { WalletCredit } from "./wallet-credit.js";

/** Each follows a pause. */
const MAX_ATTEMPTS = 60;
/** The pauses between them take 775 ms. */
const TWIN_LOOKS = 6;

export interface GuardOptions {
  records: Records;
  facilitator: FacilitatorClient;
  rails: Rails;
  settler: Settler;
  leases: PaymentLeases;
  exposure: Exposure;
  unpaidReplies: UnpaidReplies;
  refunds: Pick<Refunds, "complete">;
  walletCredit: WalletCredit;
  letGo: LetGo;
  own: OwnAccounts;
  owner: LeaseOwner;
  now: () => number;
}

type Entry = { delivery: Delivery } | { lease: PaymentLease };

export interface Guard {
  /** A stored delivery of the same purchase, or the lease to make one. Rejects with PaymentRefused. */
  enter(purchase: Purchase): Promise<Entry>;
  /** The record of a payment that was taken before. */
  find(paymentId: string): Promise<PaymentRecord | undefined>;
}

export function createGuard(options: GuardOptions): Guard {
  const { records, settler, leases, exposure, refunds, walletCredit, letGo, own, owner, now } = options;
  const { verifyNew, assertStillGood } = createVerification(options);
  /** Copies of one message queue here in this process instead of polling the store. */
  const queues = new Map<string, Promise<unknown>>();

  /** The payment itself was just looked up without success, so only the order's purchase is looked up. */
  async function locateNew({ id, idempotencyKeyHash }: Purchase): Promise<Located> {
    return idempotencyKeyHash === undefined
      ? { key: keyOf(id), found: undefined }
      : records.locateByIdempotencyKey(idempotencyKeyHash);
  }
  const locate = ({ id, idempotencyKeyHash }: Purchase) => records.locate(id, idempotencyKeyHash);

  async function enter(purchase: Purchase, giveUpAt: number, isNew = false): Promise<Entry> {
    // guard: waiting for a copy of a payment has an end | <= MAX_ATTEMPTS -> > 0 | retry-bound
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const entry = await attemptEntry(purchase, isNew && attempt === 1 ? locateNew : locate);
      if (typeof entry === "object") return entry;
      if (entry === "held" && performance.now() > giveUpAt) break;
      await pause(attempt, purchase.signal);
    }
    throw pending("The same payment is being processed.");
  }

  /** "held" if another caller holds the payment, "overtaken" after a concurrent write. */
  async function attemptEntry(purchase: Purchase, look: typeof locate): Promise<Entry | "held" | "overtaken"> {
    const { key, found, secretHash } = await look(purchase);
    if (!found) return claimNew(key, purchase);
    const { version } = found;
    // guard: a crash settles what was sent of a stream, for its buyer | without brokenOff | stream-crash
    const record = brokenOff(found.record, now());
    assertSamePurchase(key, record, purchase);
    // guard: copies wait while the lease of their twin lasts |
    //   (record) -> ({ ...record, leaseUntil: 0 }) | bought-before
    if (!isEnded(found.record) && (await owner.isHeld(record))) return "held";
    // The payment was valid when it first arrived, and only its payer can repeat the secret.
    // guard: a payment that opened a purchase once opens it again with its own secret |
    //   = secretHash !== undefined | PAYMENT
    const isKnown = secretHash !== undefined && secretHash === purchase.secretHash;
    if (record.id !== purchase.id && !isKnown) {
      // guard: a purchase is opened by another payment only while that is good | gone | PAYMENT
      await assertStillGood(purchase);
      await records.bind(purchase.id, key, purchase.secretHash);
    }
    if (isEnded(record)) return deliver(key, { record, version }, isEnded(found.record));
    if (record.state !== "running") return takeOver(key, { record, version }, purchase);
    // The run broke off. The record is removed, so that the next holder verifies the payment again.
    await letGo(key, { record, version });
    return "overtaken";
  }

  async function deliver(
    key: string,
    { record, version }: VersionedRecord<SettledPayment>,
    isKept: boolean,
  ): Promise<Entry | "overtaken"> {
    if (isKept) return { delivery: deliveryOf(record) };
    // A stream on credit broke off: what was sent of it is charged now.
    const at = await records.write(key, version, record, now());
    if (at === undefined) return "overtaken";
    await exposure.free(record.payment);
    return { delivery: deliveryOf(await refunds.complete(key, at, record)) };
  }

  async function claimNew(key: string, purchase: Purchase): Promise<Entry | "overtaken"> {
    const lease = await leaseNew(key, purchase).catch(async (error: unknown) => {
      // A copy of the same payment was faster and used it, so this one gets the same result.
      // guard: a copy that was verified too late finds what the other one bought | gone | PAYMENT
      if (error instanceof PaymentRefused && (await twinOf(purchase, error))) return undefined;
      throw error;
    });
    return lease ? { lease } : "overtaken";
  }

  /** Whether a copy of the payment is recorded. */
  async function twinOf(purchase: Purchase, { code }: PaymentRefused): Promise<boolean> {
    // A copy at another instance is counted just before it is recorded, and both together may exceed the limit.
    // guard: a copy that was counted beside its twin waits for that | = 1 | accounts/stores
    const looks = code === "UNSETTLED_LIMIT" ? TWIN_LOOKS : 1;
    for (let look = 1; ; look++) {
      if ((await locate(purchase)).found) return true;
      if (look >= looks) return false;
      await pause(look, purchase.signal);
    }
  }

  /** The lease of the payment has expired, so the caller who came back completes it. */
  async function takeOver(
    key: string,
    { record, version: before }: VersionedRecord<SettlingPayment | AwaitingWork | AwaitingOnCredit>,
    purchase: Purchase,
  ): Promise<Entry | "overtaken"> {
    // Its money may be on the way to another host of this store, which alone knows the outcome.
    // guard: what another host has open is not finished for its payer | gone | neighbours
    if (!own.has(record.payment.requirements)) throw pending("The payment is made out to another service.");
    const lease = await owner.take(leaseEnd(purchase));
    const taken = { ...record, ...lease, attempts: record.attempts + 1 };
    // If this process dies as well, the background continues when the lease ends.
    // guard: a settlement that was taken over stays due | - , lease.leaseUntil | PAYMENT
    const version = await records.write(key, before, taken, lease.leaseUntil).catch(unlessKept(lease));
    if (version === undefined) {
      owner.end(lease);
      return "overtaken";
    }
    return taken.state === "settled"
      ? { lease: leases.open(key, version, taken) }
      : settleTaken(key, version, { taken, purchase });
  }

  /** Settles the result of an earlier holder for the caller who came back. */
  async function settleTaken(
    key: string,
    version: number,
    { taken, purchase }: { taken: SettlingPayment; purchase: Purchase },
  ): Promise<Entry | "overtaken"> {
    try {
      const settled = await settler.finish(key, version, taken);
      if (taken.outcome !== undefined) {
        owner.end(taken);
        return { delivery: deliveryOf(settled) };
      }
    } catch (error) {
      owner.end(taken);
      // guard: a purchase whose first payment can never pay is begun anew | always | bought-before
      if (!(error instanceof PaymentRefused) || taken.id === purchase.id) throw error;
      // The first payment of this purchase can never be settled, so this one starts the purchase again.
      const dead = await records.read(key);
      if (dead && !(await owner.isHeld(dead.record))) await records.remove(key, dead.version);
      return "overtaken";
    }
    // Prepaid and settled by now: the work is still to be done, and this caller holds the lease.
    const paid = await records.read(key);
    if (paid && isAwaitingWork(paid.record)) return { lease: leases.open(key, paid.version, paid.record) };
    owner.end(taken);
    return "overtaken";
  }

  /** Nobody holds the payment. It is verified before it takes a lease. */
  async function leaseNew(key: string, purchase: Purchase): Promise<PaymentLease | undefined> {
    const { via, byCredit } = await verifyNew(purchase);
    // A payment stays bound to its first key: one payment buys one thing.
    // guard: a payment stays bound to its idempotency key | gone | PAYMENT
    if (key !== keyOf(purchase.id) && !(await records.bind(purchase.id, key, purchase.secretHash))) return undefined;
    const since = Math.floor(now() / 1000);
    const payment = { ...purchase.payment, ...via, since };
    await exposure.take(payment);
    const begin = async () => {
      await purchase.attempt.begin();
      return owner.take(leaseEnd(purchase));
    };
    const lease = await begin().catch(async (error: unknown) => {
      await exposure.free(payment);
      throw error;
    });
    const record = claimOf({ ...purchase, payment }, lease);
    const claim = async () => {
      const onCredit = byCredit && (await leaseOnCredit(key, { ...record, byCredit }));
      if (onCredit?.lease) return onCredit.lease;
      // guard: a claim is written only where none is | onCredit -> (await records.read(key)) | PAYMENT
      const version = await records.write(key, onCredit?.version ?? 0, record);
      return version === undefined ? undefined : leases.open(key, version, record);
    };
    const claimed = await claim().catch(unlessKept(lease));
    if (claimed) return claimed;
    owner.end(lease);
    await exposure.free(payment);
    return undefined;
  }

  /**
   * Writes the record before it holds the credit, so that a crash leaves no hold that nobody knows of. Resolves to the
   * record's version if another call was faster with the credit.
   */
  async function leaseOnCredit(
    key: string,
    { covered: _, ...record }: RunningPayment & { byCredit: ByCredit },
  ): Promise<{ lease?: PaymentLease; version?: number }> {
    const version = await records.write(key, 0, record, record.leaseUntil);
    if (version === undefined) return {};
    const left = await walletCredit.hold(heldFor(key, record), record.byCredit).catch(async (error: unknown) => {
      // It may hold although its answer was lost.
      await letGo(key, { record, version }).catch(() => {});
      throw error;
    });
    return left === undefined ? { version } : { lease: leases.open(key, version, record, left) };
  }

  /** A lease of which nobody knows whether it was stored ends at once. */
  const unlessKept =
    (lease: Lease) =>
    (error: unknown): never => {
      owner.end(lease);
      throw error;
    };

  const leaseEnd = ({ workMs, prepareMs = 0 }: Purchase) => now() + prepareMs + workMs + 2 * SETTLE_BUDGET_MS;

  return {
    find: async (id) => (await records.locate(id)).found?.record,
    async enter(purchase) {
      // Keyed by the message, not only by the money, so that a stranger's copy with another signature blocks nobody.
      const key = `${purchase.id} ${purchase.signatureHash}`;
      const ahead = queues.get(key);
      const giveUpAt = performance.now() + WAIT_MS;
      const turn = ahead
        ? ahead.catch(() => {}).then(() => enter(purchase, giveUpAt))
        : enter(purchase, giveUpAt, purchase.isNew);
      queues.set(key, turn);
      try {
        return await turn;
      } finally {
        if (queues.get(key) === turn) queues.delete(key);
      }
    },
  };
}

/** Waits, longer each time, unless the buyer leaves. */
async function pause(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  const waitMs = Math.min(25 * 2 ** Math.min(attempt - 1, 10), 500);
  await sleep(waitMs, undefined, signal ? { signal } : {}).catch(() => {});
  // guard: who waits for a copy of a payment may leave | gone | bought-before
  if (signal?.aborted) throw pending("The caller stopped waiting for the same payment.");
}
