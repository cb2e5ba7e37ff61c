/** What entitles a call to its work: its free trial, a payment, or a host that bills elsewhere. */
import { createHash } from "node:crypto";
import type { AnyCapability } from "../capability.js";
import { invalid } from "../errors.js";
import type { Till } from "../host.js";
import type { Delivery } from "../payment/guard.js";
import type { Micros } from "../payment/money.js";
import { accept } from "../payment/offers.js";
import { PaymentRefused } from "../payment/refusal.js";
import type { Trials } from "../payment/trial.js";
import type { OfferedPayment } from "../payment/wire.js";
import type { Call } from "./call.js";
import { termsFor } from "./challenge.js";
import type { Offer } from "./offer.js";
import { type CallMeta, type Outcome, type Paid, writeOutcome } from "./respond.js";

/** A validated request and its price. */
export interface Sale {
  capability: AnyCapability;
  input: unknown;
  amount: Micros;
}

export interface Grant {
  caller: "trial" | "paid" | "free";
  trial?: NonNullable<CallMeta["trial"]>;
  /** Takes the money for a saved result; undefined where none is due. Rejects if it cannot be had. */
  settle(outcome: Outcome): Promise<Paid | undefined>;
  /** The work failed: whatever was reserved is free again. */
  release(failure: { status: number }): Promise<void>;
}

/** What was bought earlier with the same payment: delivered again, not made again. */
export interface Replay {
  delivery: Delivery;
  paid: Paid;
}

export const freeGrant: Grant = { caller: "free", settle: async () => undefined, release: async () => {} };

/** Reserves the trial or claims the payment. Rejects with PaymentRefused when neither entitles to this call. */
export async function authorize(call: Call, till: Till, sale: Sale, offer: Offer): Promise<Grant | Replay> {
  const { trials } = call.host;
  let refused = offer.refused;
  if (offer.trial) {
    try {
      if (!trials) throw new PaymentRefused("TRIAL_USED", "This service gives no free trials.");
      return await trialGrant(call, trials, sale);
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error;
      refused = error;
    }
  }
  // A payment that came along with a spent trial is there for exactly this case.
  if (offer.payment) return paidGrant(call, till, sale, offer.payment);
  throw refused ?? new PaymentRefused("PAYMENT_MALFORMED", "There is no payment.");
}

async function trialGrant({ host, info }: Call, trials: Trials, { capability, amount }: Sale): Promise<Grant> {
  const request = { endpoint: capability.id, address: info.clientAddress, quote: amount, now: host.now() };
  const trial = await trials.reserve(request);
  return {
    caller: "trial",
    trial: { remaining: trial.remaining, resetAt: trial.resetAt },
    settle: async () => undefined,
    // "No match" is a real answer; everything else that failed gives the trial back.
    release: async ({ status }) => (status === 404 ? undefined : trial.giveBack()),
  };
}

async function paidGrant(call: Call, till: Till, sale: Sale, payment: OfferedPayment): Promise<Grant | Replay> {
  const { capability, amount, input } = sale;
  const { terms, checked } = await accept(payment, termsFor(till, capability, amount), till.rails);
  assertSameEndpoint(call, payment);
  call.event.payer = checked.payer;
  call.event.network = terms.network;

  const order = checked.proven ? orderOf(call, payment, checked.payer) : undefined;
  const entry = await till.guard.enter({
    ...checked,
    ...(order ? { order } : {}),
    fingerprint: `${capability.id} ${hashOf(input)}`,
    payment: { payload: payment.payload, terms, payer: checked.payer },
    workMs: capability.timeoutMs,
  });
  const paidWith = (receipt: Paid["receipt"]): Paid => ({ ...terms, receipt, version: payment.version });
  if ("delivery" in entry) return { delivery: entry.delivery, paid: paidWith(entry.delivery.receipt) };
  const { claim } = entry;
  return {
    caller: "paid",
    settle: async (outcome) => paidWith(await claim.settle(writeOutcome(outcome))),
    release: () => claim.release(),
  };
}

/**
 * A buyer that signs anew for a purchase it already paid names it by the same key, and gets what it bought. The key
 * counts only beside a signature of the payer's own, or a stranger could fetch somebody's purchase with it.
 */
function orderOf({ request }: Call, { identifier }: OfferedPayment, payer: string): string | undefined {
  const key = identifier ?? request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (key.length > 255) throw invalid("idempotency-key", "must be at most 255 characters long");
  return `order:${createHash("sha256").update(`${payer.toLowerCase()} ${key}`).digest("hex")}`;
}

/** Proxies rewrite hosts and queries, so of the URL that the caller names only our own paths mean anything. */
function assertSameEndpoint({ host, url }: Call, { resourceUrl }: OfferedPayment): void {
  if (!resourceUrl || !URL.canParse(resourceUrl)) return;
  const { pathname } = new URL(resourceUrl);
  if (pathname !== url.pathname && host.routes.has(pathname))
    throw new PaymentRefused("PAYMENT_MISMATCH", `The payment names another endpoint, ${pathname}.`);
}

/** A fingerprint of a validated input: equal for equal inputs, whatever the order of their members. */
function hashOf(input: unknown): string {
  const sorted = JSON.stringify(input, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash("sha256").update(sorted).digest("hex");
}
