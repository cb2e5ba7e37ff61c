/**
 * One authorization buys one result. The guard keeps a record per payment in the store, which says how far it got:
 *
 *     (none) -> running -> settling -> settled
 *
 * `running` is a claim with a lease. `settling` is written together with the result before the facilitator is asked,
 * so that whatever dies afterwards, the next holder of the same payment settles and delivers that very result.
 * Each write names the version it replaces: a holder whose lease was taken over writes nothing any more.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Logger } from "../context.js";
import { CapabilityError } from "../errors.js";
import type { Store } from "../stores/store.js";
import type { FacilitatorClient, PaymentToSettle } from "./facilitator.js";
import { PaymentRefused, type Receipt } from "./refusal.js";

const HOUR_MS = 3600 * 1000;
const MIN_REPLY_TTL_MS = 24 * HOUR_MS;
/** A payment that is valid for years must not pin its reply for years. */
const MAX_REPLY_TTL_MS = 7 * 24 * HOUR_MS;
/** Time that a settlement may need, beside the work's own; also what the lease of a claim adds to it. */
export const SETTLE_BUDGET_MS = 30_000;
/** How long a copy of a payment waits for its twin before it is told to come back. */
const TWIN_WAIT_MS = 20_000;
/** Facilitators demand this much life of an authorization on top of ours. */
const CLOCK_SLACK_SECONDS = 6;

const ALREADY_SETTLED = /nonce_already_used|duplicate_settlement|authorization is used/i;

const paymentRecord = z.object({
  state: z.enum(["running", "settling", "settled"]),
  fingerprint: z.string(),
  signatureHash: z.string(),
  /** Until when the holder may work undisturbed (epoch milliseconds). */
  leaseUntil: z.number(),
  /** What was produced and is to be delivered, from `settling` on. */
  outcome: z.string().optional(),
  /** How often the facilitator was asked to settle, counted before it is asked. */
  attempts: z.number(),
  receipt: z.custom<Receipt>().optional(),
});
type PaymentRecord = z.infer<typeof paymentRecord>;

/** A checked payment for one request. */
export interface Purchase {
  /** The payment's id; see CheckedPayment. */
  id: string;
  fingerprint: string;
  signatureHash: string;
  proven: boolean;
  validAfter: number;
  validBefore: number;
  payment: PaymentToSettle;
  /** How long the work may take. */
  workMs: number;
}

export interface Delivery {
  outcome: string;
  receipt: Receipt;
}

/** The right to do the work for a payment, held by one caller at a time. */
export interface Claim {
  /** Saves what was produced, settles, and saves that. Rejects with SETTLEMENT_PENDING or PaymentRefused. */
  settle(outcome: string): Promise<Receipt>;
  /** The work failed: the payment is free for another try. */
  release(): Promise<void>;
}

export interface GuardOptions {
  store: Store;
  facilitator: FacilitatorClient;
  now: () => number;
  logger: Logger;
}

export interface Guard {
  /** A stored delivery of the same purchase, or the claim to make one. Rejects with PaymentRefused. */
  enter(purchase: Purchase): Promise<{ delivery: Delivery } | { claim: Claim }>;
}

export function createGuard({ store, facilitator, now, logger }: GuardOptions): Guard {
  /** Copies of one message in this process wait for each other here instead of polling the store. */
  const running = new Map<string, Promise<unknown>>();

  async function enter(purchase: Purchase): Promise<{ delivery: Delivery } | { claim: Claim }> {
    const key = `payment:${purchase.id}`;
    const giveUpAt = now() + TWIN_WAIT_MS;
    for (let waitMs = 25; ; waitMs = Math.min(waitMs * 2, 500)) {
      const found = await read(key);
      if (!found) {
        assertTimely(purchase, now());
        await verify(purchase);
        const version = await write(key, 0, newClaim(purchase), purchase);
        if (version !== undefined) return { claim: claimOf(key, version, purchase) };
        continue;
      }
      assertSamePurchase(found.record, purchase);
      const { state, outcome, receipt, leaseUntil } = found.record;
      if (state === "settled" && outcome !== undefined && receipt) return { delivery: { outcome, receipt } };
      if (leaseUntil > now()) {
        if (now() > giveUpAt) throw pending("The same payment is being worked on.");
        await sleep(waitMs);
        continue;
      }
      if (state === "running") assertTimely(purchase, now());
      const taken = { ...found.record, leaseUntil: leaseEnd(purchase), attempts: found.record.attempts + 1 };
      const version = await write(key, found.version, taken, purchase);
      if (version === undefined) continue;
      if (state === "running" || outcome === undefined) return { claim: claimOf(key, version, purchase) };
      return { delivery: { outcome, receipt: await finish(key, version, taken, purchase) } };
    }
  }

  function claimOf(key: string, claimed: number, purchase: Purchase): Claim {
    let version: number | undefined = claimed;
    return {
      async settle(outcome) {
        const record: PaymentRecord = { ...newClaim(purchase), state: "settling", outcome, attempts: 1 };
        version = await write(key, claimed, record, purchase);
        // Frozen past the lease: somebody else holds the payment now and will answer for it.
        if (version === undefined) throw pending("This payment was taken over by another attempt.");
        return finish(key, version, record, purchase);
      },
      async release() {
        if (version !== undefined) await store.remove(key, version);
      },
    };
  }

  /** Settles a saved result and records how that ended. */
  async function finish(key: string, version: number, record: PaymentRecord, purchase: Purchase): Promise<Receipt> {
    const { terms, payer } = purchase.payment;
    const end = await facilitator.settle(purchase.payment);
    const facts = { payment: purchase.id, endpoint: purchase.fingerprint.split(" ")[0] };
    const base = { network: terms.network, payer };

    // On a repeat of our own, "already used" is the answer to the settlement whose reply was lost.
    const repeated = record.attempts > 1 && end.kind === "refused" && ALREADY_SETTLED.test(end.reason);
    if (end.kind === "settled" || repeated) {
      const transaction = end.kind === "settled" ? end.transaction : (record.receipt?.transaction ?? "");
      const receipt: Receipt = { success: true, transaction, ...base, amount: terms.amount };
      const saved = await write(key, version, { ...record, state: "settled", receipt }, purchase).catch(
        () => undefined,
      );
      if (saved === undefined) throw pending("The payment was settled, but that could not be recorded yet.");
      return receipt;
    }
    const transaction = end.kind === "pending" ? (end.transaction ?? "") : "";
    const receipt: Receipt = { success: false, transaction, ...base, errorReason: end.reason };
    // The result stays saved: the same payment, sent again, is settled and delivered without a second run.
    await write(key, version, { ...record, leaseUntil: 0, receipt }, purchase);
    const unclear = end.kind === "pending" || ALREADY_SETTLED.test(end.reason);
    logger.warn({ ...facts, reason: end.reason }, unclear ? "payment: settlement pending" : "payment: refused");
    if (unclear) throw pending("Whether the payment was settled is not known yet.");
    throw new PaymentRefused("SETTLEMENT_REFUSED", `The payment could not be settled: ${end.reason}`, { receipt });
  }

  async function verify({ payment }: Purchase): Promise<void> {
    const outcome = await facilitator.verify(payment);
    if (outcome.kind === "invalid")
      throw new PaymentRefused("PAYMENT_REFUSED", `The facilitator refused the payment: ${outcome.reason}`);
  }

  async function read(key: string): Promise<{ record: PaymentRecord; version: number } | undefined> {
    const found = await store.get(key);
    return found && { record: paymentRecord.parse(JSON.parse(found.value)), version: found.version };
  }

  function write(key: string, ifVersion: number, record: PaymentRecord, { validBefore }: Purchase) {
    const untilExpiry = validBefore * 1000 + HOUR_MS - now();
    const ttlMs = Math.max(MIN_REPLY_TTL_MS, Math.min(untilExpiry, MAX_REPLY_TTL_MS));
    return store.put(key, JSON.stringify(record), { ifVersion, ttlMs });
  }

  function newClaim(purchase: Purchase): PaymentRecord {
    const { fingerprint, signatureHash } = purchase;
    return { state: "running", fingerprint, signatureHash, leaseUntil: leaseEnd(purchase), attempts: 0 };
  }

  const leaseEnd = ({ workMs }: Purchase) => now() + workMs + 2 * SETTLE_BUDGET_MS;

  return {
    async enter(purchase) {
      // Keyed by the message, not only by the money: a stranger's copy with another signature blocks nobody.
      const key = `${purchase.id} ${purchase.signatureHash}`;
      const ahead = running.get(key) ?? Promise.resolve();
      const turn = ahead.catch(() => {}).then(() => enter(purchase));
      running.set(key, turn);
      try {
        return await turn;
      } finally {
        if (running.get(key) === turn) running.delete(key);
      }
    },
  };
}

function assertSamePurchase(record: PaymentRecord, purchase: Purchase): void {
  // From and nonce become public on chain. Only who can sign with the payer's key, or repeats the very same bytes
  // where a contract judges the signature, gets what was bought.
  if (!purchase.proven && record.signatureHash !== purchase.signatureHash)
    throw new PaymentRefused("PAYMENT_ALREADY_USED", "This payment was already used with another signature.");
  if (record.fingerprint !== purchase.fingerprint)
    throw new PaymentRefused("PAYMENT_ALREADY_USED", "This payment was already used for another request.");
}

/** The authorization must outlive the work and its settlement, or we would work for nothing. */
function assertTimely({ validAfter, validBefore, workMs }: Purchase, now: number): void {
  const seconds = now / 1000;
  if (validAfter > seconds)
    throw new PaymentRefused("PAYMENT_NOT_YET_VALID", "The payment is not valid yet: validAfter is in the future.");
  if (validBefore < seconds + CLOCK_SLACK_SECONDS)
    throw new PaymentRefused("PAYMENT_EXPIRED", "The payment has expired: validBefore is past.");
  if (validBefore < seconds + (workMs + SETTLE_BUDGET_MS) / 1000)
    throw new PaymentRefused(
      "PAYMENT_EXPIRED",
      "The payment expires too soon for this call to be done and settled. Sign one that is valid for maxTimeoutSeconds.",
    );
}

function pending(why: string): CapabilityError {
  return new CapabilityError(
    "SETTLEMENT_PENDING",
    `${why} Do not sign a new payment: send the same one again to get the result without paying twice.`,
    { retryAfter: 5 },
  );
}
