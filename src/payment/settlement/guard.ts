/** One authorization buys one result: whoever holds the claim of a payment works, everybody else gets what it made. */
import { setTimeout as sleep } from "node:timers/promises";
import { isAwaitingWork, keyOf, type PaymentRecord, type Records } from "../record.js";
import type { FacilitatorClient, PaymentToSettle } from "../x402/facilitator.js";
import { PaymentRefused } from "../x402/refusal.js";
import { type Claim, type Claims, type Delivery, deliveryOf } from "./claim.js";
import type { Exposure } from "./exposure.js";
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
  /** Settled before the work: a result that fails is paid back whole. */
  prepaid?: boolean;
}

export interface GuardOptions {
  records: Records;
  facilitator: FacilitatorClient;
  settler: Settler;
  claims: Claims;
  exposure: Exposure;
  now: () => number;
}

export interface Guard {
  /** A stored delivery of the same purchase, or the claim to make one. Rejects with PaymentRefused. */
  enter(purchase: Purchase): Promise<{ delivery: Delivery } | { claim: Claim }>;
  /** Whether a payment was taken before, whatever became of it. */
  knows(paymentId: string): Promise<boolean>;
}

export function createGuard(options: GuardOptions): Guard {
  const { records, facilitator, settler, claims, exposure, now } = options;
  /** Copies of one message in this process queue here instead of polling the store. */
  const queues = new Map<string, Promise<unknown>>();

  async function locate({ id, order }: Pick<Purchase, "id" | "order">) {
    const key = (await records.resolve(id)) ?? order ?? keyOf(id);
    return { key, found: await records.read(key) };
  }

  async function enter(purchase: Purchase): Promise<{ delivery: Delivery } | { claim: Claim }> {
    const giveUpAt = now() + TWIN_WAIT_MS;
    for (let waitMs = 25; ; waitMs = Math.min(waitMs * 2, 500)) {
      const { key, found } = await locate(purchase);
      if (!found) {
        const claim = await claimNew(key, purchase).catch(async (error: unknown) => {
          // Slower than a copy of the same payment, which is used up by now, and good for what it bought.
          if (error instanceof PaymentRefused && (await locate(purchase)).found) return undefined;
          throw error;
        });
        if (claim) return { claim };
        continue;
      }
      assertSamePurchase(found.record, purchase);
      const { state, outcome, leaseUntil } = found.record;
      const awaitsWork = isAwaitingWork(found.record);
      if (state === "settled" && outcome === undefined && !awaitsWork) throw givenBack();
      if (state === "settled" && !awaitsWork) return { delivery: deliveryOf(found.record) };
      if (leaseUntil > now()) {
        if (now() > giveUpAt) throw pending("The same payment is being worked on.");
        await sleep(waitMs);
        continue;
      }
      const untimely = state === "running" ? objectionTo(purchase, now()) : undefined;
      if (untimely) {
        // After this refusal no money may move: whoever is about to take the payment over finds it gone.
        if (!(await records.remove(key, found.version))) continue;
        await exposure.free(found.record.payment);
        throw untimely;
      }
      const { attempts } = found.record;
      const taken = { ...found.record, leaseUntil: leaseEnd(purchase), attempts: attempts + 1 };
      // If this process dies too, the background goes on when the lease ends; a run that broke off is nobody's.
      const version = await records.write(
        key,
        found.version,
        taken,
        state === "running" ? undefined : taken.leaseUntil,
      );
      if (version === undefined) continue;
      if (state === "running" || state === "settled") return { claim: claims.open(key, version, taken) };
      const settled = await settler.finish(key, version, taken);
      if (outcome !== undefined) return { delivery: deliveryOf(settled) };
      // Prepaid and settled at last: the work is still to be done, and the lease is ours.
      const paid = await records.read(key);
      if (paid && isAwaitingWork(paid.record)) return { claim: claims.open(key, paid.version, paid.record) };
    }
  }

  /** Nobody holds the payment: it is verified first, so that only good money ever touches a claim. */
  async function claimNew(key: string, purchase: Purchase): Promise<Claim | undefined> {
    const untimely = objectionTo(purchase, now());
    if (untimely) throw untimely;
    const verdict = await facilitator.verify(purchase.payment);
    if (verdict.kind === "invalid")
      throw new PaymentRefused("PAYMENT_REFUSED", `The facilitator refused the payment: ${verdict.reason}`);
    if (purchase.order && !(await records.bind(purchase.id, purchase.order))) return undefined;
    const { id, requestId, fingerprint, signatureHash, validBefore } = purchase;
    const payment = { ...purchase.payment, since: Math.floor(now() / 1000) };
    const record: PaymentRecord = {
      state: "running",
      id,
      requestId,
      fingerprint,
      signatureHash,
      leaseUntil: leaseEnd(purchase),
      ...(validBefore === undefined ? {} : { validBefore }),
      payment,
      ...(purchase.prepaid ? { prepaid: true } : {}),
      attempts: 0,
    };
    await exposure.take(payment);
    const version = await records.write(key, 0, record);
    if (version !== undefined) return claims.open(key, version, record);
    await exposure.free(payment);
    return undefined;
  }

  const leaseEnd = ({ workMs }: Purchase) => now() + workMs + 2 * SETTLE_BUDGET_MS;

  return {
    knows: async (id) => (await locate({ id })).found !== undefined,
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

const givenBack = () =>
  new PaymentRefused("PAYMENT_ALREADY_USED", "This payment was settled for a call that failed, and was given back.");

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
function objectionTo(purchase: Purchase, now: number): PaymentRefused | undefined {
  const { validAfter = 0, validBefore = Number.POSITIVE_INFINITY, prepaid } = purchase;
  const seconds = now / 1000;
  const workMs = prepaid ? 0 : purchase.workMs;
  if (validAfter > seconds)
    return new PaymentRefused("PAYMENT_NOT_YET_VALID", "The payment is not valid yet: validAfter is in the future.");
  if (validBefore < seconds + CLOCK_SLACK_SECONDS)
    return new PaymentRefused("PAYMENT_EXPIRED", "The payment has expired: validBefore is past.");
  if (validBefore < seconds + (workMs + SETTLE_BUDGET_MS) / 1000)
    return new PaymentRefused(
      "PAYMENT_EXPIRED",
      "The payment expires too soon for this call to be done and settled. Sign one that is valid for maxTimeoutSeconds.",
    );
  return undefined;
}
