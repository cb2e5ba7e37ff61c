/** One authorization buys one result: whoever holds the lease of a payment works, everybody else gets what it made. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Attempt } from "../failures/failures.js";
import type { OwnAccounts } from "../own-accounts.js";
import { isAwaitingWork, keyOf, type Located, type PaymentRecord, type Records } from "../record.js";
import { type FacilitatorClient, type PaymentToSettle, saysPoor } from "../x402/facilitator.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { Exposure } from "./exposure.js";
import type { KeptReplies } from "./kept.js";
import { type Delivery, deliveryOf, type PaymentLease, type PaymentLeases } from "./lease.js";
import { pending, type Settler } from "./settlement.js";

/** Time that a settlement may need, on top of the work's own. */
const SETTLE_BUDGET_MS = 30_000;
/** How long a copy of a payment waits for its twin before it is told to come back. */
const TWIN_WAIT_MS = 20_000;
/** Each comes after a pause; a host whose own clock stands still gives up by this. */
const MAX_ATTEMPTS = 60;
/** Facilitators demand this much life of an authorization on top of ours. */
const CLOCK_SLACK_SECONDS = 6;

/** A checked payment for one request. */
export interface Purchase {
  /** The payment's id; see CheckedPayment. */
  id: string;
  /** Under which idempotency key of its payer it is bought; a payment signed anew under the same one is not needed. */
  idempotencyKeyHash?: string;
  requestId: string;
  fingerprint: string;
  signatureHash: string;
  /** Of what came with the payment that only its payer knows. */
  secretHash?: string;
  /** Nothing was known of it when it was looked for last. Should that have changed, the lease is not had and it is looked for again. */
  isNew: boolean;
  /** It came before its settlement was known: until then nobody but the payer has seen what was signed. */
  early: boolean;
  proven: boolean;
  validAfter?: number;
  validBefore?: number;
  payment: PaymentToSettle;
  /** How long the work may take. */
  workMs: number;
  /** How long what precedes the settlement may take, where that is not the work itself. */
  prepareMs?: number;
  /** Settled before the work: a result that fails is paid back whole. */
  prepaid?: boolean;
  /** What earlier credit pays for besides, in atomic units. */
  covered?: string;
  /** What its payer may still have done. */
  attempt: Pick<Attempt, "check" | "begin">;
  /** Aborted when the buyer leaves, who then waits for no twin. */
  signal?: AbortSignal | undefined;
}

export interface GuardOptions {
  records: Records;
  facilitator: FacilitatorClient;
  settler: Settler;
  leases: PaymentLeases;
  exposure: Exposure;
  kept: KeptReplies;
  own: OwnAccounts;
  now: () => number;
}

type Entry = { delivery: Delivery } | { lease: PaymentLease };

export interface Guard {
  /** A stored delivery of the same purchase, or the lease to make one. Rejects with PaymentRefused. */
  enter(purchase: Purchase): Promise<Entry>;
  /** What is known of a payment that was taken before, whatever became of it. */
  find(paymentId: string): Promise<PaymentRecord | undefined>;
}

export function createGuard(options: GuardOptions): Guard {
  const { records, facilitator, settler, leases, exposure, kept, own, now } = options;
  /** Copies of one message in this process queue here instead of polling the store. */
  const queues = new Map<string, Promise<unknown>>();

  /** Of a payment that was looked for just now in vain, only what its order bought is left to look for. */
  async function locateNew({ id, idempotencyKeyHash }: Purchase): Promise<Located> {
    return idempotencyKeyHash === undefined
      ? { key: keyOf(id), found: undefined }
      : records.locateByIdempotencyKey(idempotencyKeyHash);
  }
  const locate = ({ id, idempotencyKeyHash }: Purchase) => records.locate(id, idempotencyKeyHash);

  async function enter(purchase: Purchase, isNew = false): Promise<Entry> {
    const giveUpAt = now() + TWIN_WAIT_MS;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const entry = await attemptEntry(purchase, isNew && attempt === 1 ? locateNew : locate);
      if (typeof entry === "object") return entry;
      if (entry === "held" && now() > giveUpAt) break;
      await pause(attempt, purchase.signal);
    }
    throw pending("The same payment is being worked on.");
  }

  /** Where it is neither: somebody else holds the payment, or was faster just now. */
  async function attemptEntry(purchase: Purchase, look: typeof locate): Promise<Entry | "held" | "overtaken"> {
    const { key, found, secretHash } = await look(purchase);
    if (!found) {
      const lease = await leaseNew(key, purchase).catch(async (error: unknown) => {
        // Slower than a copy of the same payment, which is used up by now, and good for what it bought.
        if (error instanceof PaymentRefused && (await locate(purchase)).found) return undefined;
        throw error;
      });
      return lease ? { lease } : "overtaken";
    }
    const { record } = found;
    assertSamePurchase(key, record, purchase);
    const awaitsWork = isAwaitingWork(record);
    const isOver = record.state === "settled" && !awaitsWork;
    if (!isOver && record.leaseUntil > now()) return "held";
    // It was good when it came first, which its payer alone can repeat.
    const isKnown = secretHash !== undefined && secretHash === purchase.secretHash;
    if (record.id !== purchase.id && !isKnown) {
      await assertStillGood(purchase);
      await records.bind(purchase.id, key, purchase.secretHash);
    }
    if (isOver) return { delivery: deliveryOf(record) };
    if (record.state === "running") {
      // The run broke off. Whoever is about to take the payment over finds it gone, and it is judged anew.
      if (await records.remove(key, found.version)) await exposure.free(record.payment);
      return "overtaken";
    }
    // It may have money on its way to another host of this store, which alone knows how that ends.
    if (!own.has(record.payment.requirements)) throw pending("The payment is made out to another service.");
    const taken = { ...record, leaseUntil: leaseEnd(purchase), attempts: record.attempts + 1 };
    // If this process dies too, the background goes on when the lease ends.
    const version = await records.write(key, found.version, taken, taken.leaseUntil);
    if (version === undefined) return "overtaken";
    return record.state === "settled"
      ? { lease: leases.open(key, version, taken) }
      : settleTaken(key, version, { taken, purchase });
  }

  /**
   * A payment that opens what another one bought is its payer's word that it is there. One that was settled long ago, and
   * is forgotten here, stands on the chain for anybody to copy. That its payer has no money left takes nothing from it.
   */
  async function assertStillGood({ validAfter, validBefore, payment }: Purchase): Promise<void> {
    const isOver = untimelyAt(now() / 1000, { validAfter, validBefore });
    if (isOver) throw isOver;
    const verdict = await facilitator.verify(payment);
    if (verdict.kind === "invalid" && !saysPoor(verdict.reason))
      throw new PaymentRefused("PAYMENT_REFUSED", `The facilitator refused the payment: ${verdict.reason}`);
  }

  /** What was made before is settled now, by whoever came back for it. */
  async function settleTaken(
    key: string,
    version: number,
    { taken, purchase }: { taken: PaymentRecord; purchase: Purchase },
  ): Promise<Entry | "overtaken"> {
    try {
      const settled = await settler.finish(key, version, taken);
      if (taken.outcome !== undefined) return { delivery: deliveryOf(settled) };
    } catch (error) {
      if (!(error instanceof PaymentRefused) || taken.id === purchase.id) throw error;
      // The purchase was begun with another payment, which will never pay for it: this one begins it anew.
      const dead = await records.read(key);
      if (dead && dead.record.leaseUntil <= now()) await records.remove(key, dead.version);
      return "overtaken";
    }
    // Prepaid and settled at last: the work is still to be done, and the lease is ours.
    const paid = await records.read(key);
    return paid && isAwaitingWork(paid.record) ? { lease: leases.open(key, paid.version, paid.record) } : "overtaken";
  }

  /** Nobody holds the payment: it is verified first, so that only good money ever takes a lease. */
  async function leaseNew(key: string, purchase: Purchase): Promise<PaymentLease | undefined> {
    // What was begun at another host of this store comes with its terms.
    if (!own.has(purchase.payment.requirements))
      throw new PaymentRefused("PAYMENT_MISMATCH", "The payment is made out to another service.");
    kept.assertRoom(purchase.payment);
    await purchase.attempt.check();
    const untimely = objectionTo(purchase, now());
    if (untimely) throw untimely;
    const verdict = await facilitator.verify(purchase.payment);
    if (verdict.kind === "invalid")
      throw new PaymentRefused("PAYMENT_REFUSED", `The facilitator refused the payment: ${verdict.reason}`);
    // Bound before to another key, it stays so: whatever the key, one payment buys one thing.
    if (key !== keyOf(purchase.id) && !(await records.bind(purchase.id, key, purchase.secretHash))) return undefined;
    const { id, requestId, fingerprint, signatureHash, secretHash, validBefore } = purchase;
    const payment = { ...purchase.payment, since: Math.floor(now() / 1000) };
    const record: PaymentRecord = {
      state: "running",
      id,
      requestId,
      fingerprint,
      signatureHash,
      ...(secretHash === undefined ? {} : { secretHash }),
      leaseUntil: leaseEnd(purchase),
      ...(validBefore === undefined ? {} : { validBefore }),
      payment,
      ...(purchase.prepaid ? { prepaid: true } : {}),
      ...(purchase.covered === undefined ? {} : { covered: purchase.covered }),
      attempts: 0,
    };
    await exposure.take(payment);
    await purchase.attempt.begin().catch(async (error: unknown) => {
      await exposure.free(payment);
      throw error;
    });
    const version = await records.write(key, 0, record);
    if (version !== undefined) return leases.open(key, version, record);
    await exposure.free(payment);
    return undefined;
  }

  const leaseEnd = ({ workMs, prepareMs = 0 }: Purchase) => now() + prepareMs + workMs + 2 * SETTLE_BUDGET_MS;

  return {
    find: async (id) => (await records.locate(id)).found?.record,
    async enter(purchase) {
      // Keyed by the message, not only by the money: a stranger's copy with another signature blocks nobody.
      const key = `${purchase.id} ${purchase.signatureHash}`;
      const ahead = queues.get(key);
      const turn = ahead ? ahead.catch(() => {}).then(() => enter(purchase)) : enter(purchase, purchase.isNew);
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
  if (signal?.aborted) throw pending("The wait for the same payment was broken off.");
}

function assertSamePurchase(key: string, record: PaymentRecord, purchase: Purchase): void {
  // Nothing is told of what was bought, or for which request: this is what a stranger hears.
  if (!isPayersOwn(key, record, purchase))
    throw new PaymentRefused(
      "PAYMENT_ALREADY_USED",
      "This payment was already used. What it bought is delivered again only to who sends it with the same extra.retryKey, or Idempotency-Key, as before.",
    );
  if (record.fingerprint !== purchase.fingerprint)
    throw new PaymentRefused(
      "PAYMENT_ALREADY_USED",
      "This payment, or its idempotency key, was already used for another request.",
    );
}

/** Whether it is the payer who comes back, and not somebody who read the payment on the chain. */
function isPayersOwn(key: string, record: PaymentRecord, purchase: Purchase): boolean {
  // Where a contract judges the signature, another one may be anybody's.
  if (!purchase.proven && record.signatureHash !== purchase.signatureHash) return false;
  // Signed anew: by who knows under which key the purchase was begun.
  if (record.id !== purchase.id)
    return purchase.idempotencyKeyHash !== undefined && key.startsWith(purchase.idempotencyKeyHash);
  if (record.secretHash !== undefined) return record.secretHash === purchase.secretHash;
  return purchase.early || record.state !== "settled";
}

function untimelyAt(
  seconds: number,
  {
    validAfter = 0,
    validBefore = Number.POSITIVE_INFINITY,
  }: { validAfter?: number | undefined; validBefore?: number | undefined },
): PaymentRefused | undefined {
  if (validAfter > seconds)
    return new PaymentRefused("PAYMENT_NOT_YET_VALID", "The payment is not valid yet: validAfter is in the future.");
  if (validBefore < seconds + CLOCK_SLACK_SECONDS)
    return new PaymentRefused("PAYMENT_EXPIRED", "The payment has expired: validBefore is past.");
  return undefined;
}

/** The authorization must outlive the work and its settlement, or we would work for nothing. */
function objectionTo(purchase: Purchase, now: number): PaymentRefused | undefined {
  const { validBefore = Number.POSITIVE_INFINITY, prepaid, prepareMs = 0 } = purchase;
  const seconds = now / 1000;
  const workMs = prepaid ? prepareMs : purchase.workMs;
  const untimely = untimelyAt(seconds, purchase);
  if (untimely) return untimely;
  if (validBefore < seconds + (workMs + SETTLE_BUDGET_MS) / 1000)
    return new PaymentRefused(
      "PAYMENT_EXPIRED",
      "The payment expires too soon for this call to be done and settled. Sign one that is valid for maxTimeoutSeconds.",
    );
  return undefined;
}
