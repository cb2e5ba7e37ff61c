/** What entitles a call to its work: its free trial, a payment, earlier credit, or a host that bills elsewhere. */
import type { AnyCapability, Parsed } from "../../capability/types.js";
import type { Till } from "../../host/host.js";
import { fromMicros, least, type Micros } from "../../lib/money.js";
import type { Call } from "../../request/call.js";
import type { CallMeta, Outcome, Paid } from "../../request/respond.js";
import type { Bill } from "../pricing/usage.js";
import type { Credit } from "../refund/credit.js";
import type { Delivery } from "../settlement/claim.js";
import type { Trials } from "../trial/trial.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { Offer } from "./offer.js";
import { creditGrant, paidGrant, takenBefore } from "./paid-grant.js";

/** A validated request and its price. */
export interface Sale extends Parsed {
  capability: AnyCapability;
  amount: Micros;
}

/** A sale with what the caller's credit covers of it. */
export interface Purchase extends Sale {
  credit?: Credit;
  /** What is left to pay. */
  payable: Micros;
}

export interface Grant {
  caller: "trial" | "paid" | "free";
  trial?: NonNullable<CallMeta["trial"]>;
  /** Takes the money for a finished result; undefined where none is due. Rejects if it cannot be had. */
  settle(outcome: Outcome, bill: Bill): Promise<Paid | undefined>;
  /** The work failed: whatever was reserved is free again, and what was settled before goes back. */
  release(failure: { status: number }): Promise<Paid | undefined>;
}

/** What was bought earlier with the same payment: delivered again, not made again. */
export interface Replay {
  delivery: Delivery;
  paid: Paid;
}

export const freeGrant: Grant = { caller: "free", settle: async () => undefined, release: async () => undefined };

/** How much of a price the caller's credit covers. */
export async function withCredit(till: Till, sale: Sale, { creditToken }: Offer): Promise<Purchase> {
  const credit = creditToken === undefined ? undefined : await till.credits.find(creditToken);
  if (!credit) return { ...sale, payable: sale.amount };
  return { ...sale, credit, payable: sale.amount - least(credit.available, sale.amount) };
}

/** Reserves the trial, the credit or the payment. Rejects with PaymentRefused when none entitles to this call. */
export async function authorize(call: Call, till: Till, purchase: Purchase, offer: Offer): Promise<Grant | Replay> {
  const { trials } = call.host;
  let refused = offer.refused;
  if (offer.trial) {
    try {
      if (!trials) throw new PaymentRefused("TRIAL_USED", "This service gives no free trials.");
      return await trialGrant(call, trials, purchase);
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error;
      refused = error;
    }
  }
  // A payment or credit that came along with a spent trial is there for exactly this case.
  if (purchase.credit && purchase.payable === 0n) {
    const paid = offer.payment && (await takenBefore(call, till, purchase, offer.payment));
    if (!paid) return creditGrant(call, till, purchase, purchase.credit);
  }
  if (offer.payment) return paidGrant(call, till, purchase, offer.payment);
  throw refused ?? creditRefusal(purchase);
}

async function trialGrant({ host, info }: Call, trials: Trials, { capability, amount }: Sale): Promise<Grant> {
  const request = { endpoint: capability.id, address: info.clientAddress, quote: amount, now: host.now() };
  const trial = await trials.reserve(request);
  return {
    caller: "trial",
    trial: { remaining: trial.remaining, resetAt: trial.resetAt },
    settle: async () => undefined,
    // "No match" is a real answer; everything else that failed gives the trial back.
    async release({ status }) {
      if (status !== 404) await trial.giveBack();
      return undefined;
    },
  };
}

function creditRefusal({ credit, payable }: Purchase): PaymentRefused {
  if (!credit) return new PaymentRefused("CREDIT_UNKNOWN", "The credit is not known here, or used up.");
  const covered = fromMicros(credit.available);
  return new PaymentRefused(
    "CREDIT_INSUFFICIENT",
    `Your credit covers ${covered} USD; ${fromMicros(payable)} USD remain to be paid. Send the credit along with the payment.`,
  );
}
