/**
 * Credit of the wallet that signed a payment. It pays instead of the payment if it covers the price; the payment counts
 * as used then. What proves the wallet is a payment that could be settled: a settled one is public on chain, and anybody
 * could copy it.
 */
import type { Micros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import { type Rails, railFor } from "../networks/rails.js";
import type { ByCredit } from "../record/facts.js";
import { watchedUntil } from "../record/next-look.js";
import type { Credits } from "../refund/credit.js";
import type { Purchase } from "./purchase.js";

/** The record of a payment is kept for a week, and the payment is watched for as long as it could be settled. */
const MAX_LIFE_MS = 6 * DAY_MS;

export interface WalletCredit {
  /** The credit that could pay for a purchase; undefined if its payment has to. Proves nothing before the payment is verified. */
  find(purchase: Purchase): Promise<ByCredit | undefined>;
  /** Reserves it for an order; resolves to the rest, undefined if another call was faster. */
  hold(order: string, credit: ByCredit): Promise<Micros | undefined>;
}

export interface WalletCreditOptions {
  credits: Pick<Credits, "ofWallet" | "reserve">;
  rails: Rails;
  now: () => number;
}

export function createWalletCredit({ credits, rails, now }: WalletCreditOptions): WalletCredit {
  /** Whether nobody has used the payment, as far as it must be known beyond the facilitator's word. */
  async function isFresh({ payment }: Purchase): Promise<boolean> {
    const rail = railFor(rails, payment.requirements);
    // Facilitators confirm every copy of a payment that repeats, and a host that named its node relies on that.
    // guard: credit of a wallet is not spent by a message that is on chain | always | handler/wallet-credit
    if (!rail?.refundsRepeat && !rail?.ownNode) return true;
    return (await rail.lookup(payment)).kind === "absent";
  }

  return {
    async find(purchase) {
      const { price, payment, validBefore } = purchase;
      const { scheme, network } = payment.requirements;
      if (price === undefined || price === 0n || scheme !== "exact") return undefined;
      if (watchedUntil({ validBefore, settledAt: now() }) > now() + MAX_LIFE_MS) return undefined;
      const credit = await credits.ofWallet(network, payment.payer);
      if (!credit || credit.available < price || !(await isFresh(purchase))) return undefined;
      return { id: credit.id, amount: price.toString() };
    },
    hold: (order, { id, amount }) => credits.reserve(id, order, { amount: BigInt(amount), until: now() + DAY_MS }),
  };
}
