/** One authorization buys one result: whoever holds the claim of a payment works, everybody else gets what it made. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Exposure } from "./exposure.js";
import type { FacilitatorClient, PaymentToSettle } from "./facilitator.js";
import type { Micros } from "./money.js";
import { keyOf, type PaymentRecord, type Records, type Remainder } from "./record.js";
import { PaymentRefused, type Receipt } from "./refusal.js";
import type { Remainders } from "./remainder.js";
import { pending, type Settler } from "./settlement.js";

/** Time that a settlement may need, on top of the work's own. */
const SETTLE_BUDGET_MS = 30_000;
/** How long a copy of a payment waits for its twin before it is told to come back. */
const TWIN_WAIT_MS = 20_000;
/** Facilitators demand this much life of an authorization on top of ours. */
const CLOCK_SLACK_SECONDS = 6;

/** A checked payment for one request. */
export interface Purchase {
  /** The payment's id; see CheckedPayment. */
  id: string;
  /** Under which idempotency key of its payer it is bought; a payment signed anew under the same one is not needed. */
  order?: string;
  requestId: string;
  fingerprint: string;
  signatureHash: string;
  proven: boolean;
  validAfter?: number;
  validBefore?: number;
  payment: PaymentToSettle;
  /** How long the work may take. */
  workMs: number;
}

/** What was bought and how it was paid; without a receipt where it cost nothing in the end. */
export interface Delivery {
  outcome: string;
  receipt?: Receipt;
  remainder?: Remainder;
}

/** How a finished run is paid for. */
export interface Dues {
  /** Of what was authorized, in atomic units. Zero: nothing is settled. */
  charge: Micros;
  /** Earlier credit that pays for the rest of the price. */
  credit?: { id: string; used: Micros };
}

/** The right to do the work for a payment, held by one caller at a time. */
export interface Claim {
  /** Under what the claim is kept. */
  readonly key: string;
  /** Saves what was produced, settles, and saves that. Rejects with SETTLEMENT_PENDING or PaymentRefused. */
  settle(outcome: string, dues: Dues): Promise<Delivery>;
  /** The work failed: the payment is free for another try. */
  release(): Promise<void>;
}

export interface GuardOptions {
  records: Records;
  facilitator: FacilitatorClient;
  settler: Settler;
  remainders: Remainders;
  exposure: Exposure;
  now: () => number;
}

export interface Guard {
  /** A stored delivery of the same purchase, or the claim to make one. Rejects with PaymentRefused. */
  enter(purchase: Purchase): Promise<{ delivery: Delivery } | { claim: Claim }>;
}

export function createGuard(options: GuardOptions): Guard {
  const { records, facilitator, settler, remainders, exposure, now } = options;
  /** Copies of one message in this process queue here instead of polling the store. */
  const queues = new Map<string, Promise<unknown>>();

  async function enter(purchase: Purchase): Promise<{ delivery: Delivery } | { claim: Claim }> {
    const giveUpAt = now() + TWIN_WAIT_MS;
    for (let waitMs = 25; ; waitMs = Math.min(waitMs * 2, 500)) {
      const key = (await records.resolve(purchase.id)) ?? purchase.order ?? keyOf(purchase.id);
      const found = await records.read(key);
      if (!found) {
        const claim = await claimNew(key, purchase);
        if (claim) return { claim };
        continue;
      }
      assertSamePurchase(found.record, purchase);
      const { state, outcome, leaseUntil } = found.record;
      if (state === "settled") return { delivery: deliveryOf(found.record) };
      if (leaseUntil > now()) {
        if (now() > giveUpAt) throw pending("The same payment is being worked on.");
        await sleep(waitMs);
        continue;
      }
      if (state === "running") assertTimely(purchase, now());
      const { attempts } = found.record;
      const taken = { ...found.record, leaseUntil: leaseEnd(purchase), attempts: attempts + 1 };
      const version = await records.write(key, found.version, taken);
      if (version === undefined) continue;
      if (state === "running" || outcome === undefined) return { claim: claimOf(key, version, taken) };
      return { delivery: deliveryOf(await settler.finish(key, version, taken)) };
    }
  }

  /** Nobody holds the payment: it is verified first, so that only good money ever touches a claim. */
  async function claimNew(key: string, purchase: Purchase): Promise<Claim | undefined> {
    assertTimely(purchase, now());
    const verdict = await facilitator.verify(purchase.payment);
    if (verdict.kind === "invalid")
      throw new PaymentRefused("PAYMENT_REFUSED", `The facilitator refused the payment: ${verdict.reason}`);
    if (purchase.order && !(await records.bind(purchase.id, purchase.order))) return undefined;
    const { id, requestId, fingerprint, signatureHash, validBefore, payment } = purchase;
    const record: PaymentRecord = {
      state: "running",
      id,
      requestId,
      fingerprint,
      signatureHash,
      leaseUntil: leaseEnd(purchase),
      ...(validBefore === undefined ? {} : { validBefore }),
      payment,
      attempts: 0,
    };
    await exposure.take(payment.payer, BigInt(payment.terms.amount));
    const version = await records.write(key, 0, record);
    if (version !== undefined) return claimOf(key, version, record);
    await exposure.free(payment.payer, BigInt(payment.terms.amount));
    return undefined;
  }

  function claimOf(key: string, claimed: number, record: PaymentRecord): Claim {
    let version: number | undefined = claimed;
    return {
      key,
      async settle(outcome, { charge, credit }) {
        const saved: PaymentRecord = { ...record, state: "settling", outcome, attempts: 1 };
        if (charge === 0n) Object.assign(saved, { state: "settled", settledAt: now() });
        const { payment } = record;
        const remainder = BigInt(payment.terms.amount) - charge;
        if (charge < 0n || remainder < 0n) throw new Error("a call is charged at most what was authorized");
        if (payment.terms.scheme === "upto") saved.payment = { ...payment, amount: charge.toString() };
        else if (charge > 0n && remainder > 0n)
          saved.remainder = { amount: remainder.toString(), state: "owed", attempts: 0 };
        if (credit) saved.credit = { id: credit.id, used: credit.used.toString(), captured: false };
        version = await records.write(key, claimed, saved, saved.leaseUntil);
        // Frozen past the lease: somebody else holds the payment now and will answer for it.
        if (version === undefined) throw pending("This payment was taken over by another attempt.");
        if (charge > 0n) return deliveryOf(await settler.finish(key, version, saved));
        await exposure.free(record.payment.payer, BigInt(record.payment.terms.amount));
        return deliveryOf(await remainders.complete(key, version, saved));
      },
      async release() {
        if (version === undefined || !(await records.remove(key, version))) return;
        await exposure.free(record.payment.payer, BigInt(record.payment.terms.amount));
      },
    };
  }

  const leaseEnd = ({ workMs }: Purchase) => now() + workMs + 2 * SETTLE_BUDGET_MS;

  return {
    async enter(purchase) {
      // Keyed by the message, not only by the money: a stranger's copy with another signature blocks nobody.
      const key = `${purchase.id} ${purchase.signatureHash}`;
      const ahead = queues.get(key) ?? Promise.resolve();
      const turn = ahead.catch(() => {}).then(() => enter(purchase));
      queues.set(key, turn);
      try {
        return await turn;
      } finally {
        if (queues.get(key) === turn) queues.delete(key);
      }
    },
  };
}

function deliveryOf({ outcome = "", receipt, remainder }: PaymentRecord): Delivery {
  return { outcome, ...(receipt ? { receipt } : {}), ...(remainder ? { remainder } : {}) };
}

function assertSamePurchase(record: PaymentRecord, purchase: Purchase): void {
  // From and nonce become public on chain. Only who can sign with the payer's key, or repeats the very same bytes
  // where a contract judges the signature, gets what was bought.
  if (!purchase.proven && record.signatureHash !== purchase.signatureHash)
    throw new PaymentRefused("PAYMENT_ALREADY_USED", "This payment was already used with another signature.");
  if (record.fingerprint !== purchase.fingerprint)
    throw new PaymentRefused(
      "PAYMENT_ALREADY_USED",
      "This payment, or its idempotency key, was already used for another request.",
    );
}

/** The authorization must outlive the work and its settlement, or we would work for nothing. */
function assertTimely({ validAfter = 0, validBefore = Number.POSITIVE_INFINITY, workMs }: Purchase, now: number): void {
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
