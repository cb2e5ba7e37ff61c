/** Ties an attempt to its call: it ends when the call ends, in every case. */
import type { Micros } from "../../lib/money.js";
import type { Attempt } from "../failures/failures.js";
import { plainAnywhere } from "../networks/accounts.js";
import { type AccountCaller, walletOfAccount } from "../options/accounts.js";
import type { Grant, Order, Replay } from "../order/order.js";
import type { Bill } from "../pricing/usage.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { CheckoutDeps } from "./deps.js";

/** The attempt of an order's payer. Failures are counted per address, whatever the network or means of payment. */
export const attemptOf = ({ failures }: CheckoutDeps, payer: string, { amount, signal }: Order): Attempt =>
  failures.attempt({ payer: plainAnywhere(payer), quote: amount, signal });

/** The attempt of an account. A key has failures of its own, because it may be in other hands than the account. */
export function attemptOfAccount(
  { failures }: CheckoutDeps,
  { id, key }: AccountCaller,
  { amount, signal }: Order,
): Attempt {
  const account = walletOfAccount(id);
  const own = key === undefined ? { payer: account } : { payer: `${account} key:${key}`, account: `${account} keys` };
  return failures.attempt({ ...own, quote: amount, signal });
}

/**
 * Wraps the grant of `enter` so that settling or releasing it ends the attempt; a replay or a rejection ends it at
 * once.
 */
export async function attempted<Entry extends Grant | Replay>(
  attempt: Attempt,
  enter: () => Promise<Entry>,
): Promise<Entry> {
  try {
    const entry = await enter();
    if (!("delivery" in entry)) return ending(entry, attempt) as Entry;
    attempt.end();
    return entry;
  } catch (error) {
    attempt.end();
    throw error;
  }
}

function ending(grant: Grant, attempt: Attempt): Grant {
  const { prepay } = grant;
  const over = async <T>(work: Promise<T>, earned: Micros): Promise<T> => {
    let paid = 0n;
    try {
      const end = await work;
      paid = earned;
      return end;
    } finally {
      attempt.end(paid);
    }
  };
  const failOf = async ({ lost }: Bill) => (lost === undefined ? undefined : attempt.fail(lost));
  /** An answer that cannot be paid for is withheld, but threads have worked for it. */
  const unlessUnpaid = async (error: unknown): Promise<never> => {
    if (error instanceof PaymentRefused) await attempt.waste();
    throw error;
  };
  const unlessPrepaid = (error: unknown) => {
    attempt.end();
    throw error;
  };
  return {
    ...grant,
    payer: attempt.payer,
    ...(prepay ? { prepay: () => prepay().catch(unlessPrepaid) } : {}),
    async settle(outcome, bill) {
      const [paid] = await over(
        Promise.all([grant.settle(outcome, bill).catch(unlessUnpaid), failOf(bill)]),
        bill.charge,
      );
      return paid;
    },
    release(failure) {
      // guard: resale: a failure that the buyer did not cause does not count as the buyer's | gone | resell
      if (failure.excused) attempt.excuse();
      return over(grant.release(failure), 0n);
    },
  };
}
