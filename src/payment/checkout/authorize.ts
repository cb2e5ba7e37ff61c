/** Authorizes an order by a free trial, a payment, or earlier credit. */
import { CapabilityError, invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { fromMicros, least } from "../../lib/money.js";
import type { Attempt } from "../failures/failures.js";
import type { Credentials, Due, Grant, Order, Replay } from "../order/order.js";
import { PaymentRefused } from "../x402/refusal.js";
import { attempted } from "./attempt.js";
import { channelGrant } from "./channel-grant.js";
import { creditGrant } from "./credit-grant.js";
import type { CheckoutDeps } from "./deps.js";
import { paidGrant } from "./paid-grant.js";
import { wasTaken } from "./paid-terms.js";

const accountSales = lazy(() => import("./account-grant.js"));

/** The part of an order's price that the caller's credit leaves to pay. */
export async function dueOn(deps: CheckoutDeps, order: Order, { creditToken, payment }: Credentials): Promise<Due> {
  // guard: top-up: credit buys no balance | - || deps.accounts?.sells(order.capability.id) | accounts/top-up
  const isUnused = creditToken === undefined || deps.accounts?.sells(order.capability.id);
  const credit = isUnused ? undefined : await deps.credits.find(creditToken);
  if (!credit) return { payable: order.amount };
  const payable = order.amount - least(credit.available, order.amount);
  // Only a payment proves a wallet, so credit is not used if it would leave nothing to pay.
  if (payable === 0n && payment && order.capability.walletUse(order)) return { payable: order.amount };
  return { credit, payable };
}

/** Reserves the trial, the credit or the payment. Rejects with PaymentRefused if none covers the order. */
export async function authorize(
  deps: CheckoutDeps,
  order: Order,
  credentials: Credentials,
  due: Due,
): Promise<Grant | Replay> {
  await deps.ledger.remember();
  const isBalance = deps.accounts?.sells(order.capability.id);
  return isBalance ? buyBalance(deps, order, credentials, due) : entitle(deps, order, credentials, due);
}

async function entitle(deps: CheckoutDeps, order: Order, credentials: Credentials, due: Due): Promise<Grant | Replay> {
  const tried = credentials.trial ? await trialOrRefusal(deps, order) : credentials.refused;
  if (tried && "settle" in tried) return tried;
  const { payment } = credentials;
  // A payment or credit sent along with a spent trial is meant for this case.
  const { account } = credentials;
  if (due.credit && due.payable === 0n && !(payment && (await wasTaken(deps, payment)))) {
    if (mayUseCredit(order, credentials)) return creditGrant(deps, order, due.credit);
    if (!account) throw unproven();
  }
  const guard = payment?.scheme === "batch-settlement" ? deps.channels?.guard(payment.network) : undefined;
  if (payment && guard) return channelGrant(deps, guard, { order, payment, due });
  if (payment) return paidGrant(deps, order, payment, due);
  return byAccount(deps, order, { credentials, otherwise: tried ?? creditRefusal(due) });
}

/** A balance is bought by a wallet's own payment, for the account whose key comes with it, or for the wallet. */
async function buyBalance(
  deps: CheckoutDeps,
  order: Order,
  { payment, account }: Credentials,
  due: Due,
): Promise<Grant | Replay> {
  // guard: top-up: no trial, credit, balance or voucher buys a balance | gone | accounts/top-up
  if (!payment || payment.scheme === "batch-settlement")
    throw new PaymentRefused(
      "PAYMENT_NOT_OFFERED",
      "A balance is bought by a wallet's own payment: by no trial, credit, channel or balance.",
    );
  // A limited key, or a login, would come to a key without limits.
  // guard: top-up: no key makes another one | gone | accounts/top-up
  if (account && (order.input as { key?: boolean }).key === true)
    throw invalid("key", "must be false beside a key or a login: a new key is given to a wallet that pays for itself");
  return paidGrant(deps, order, payment, { ...due, account: account?.id });
}

/**
 * Credit proves no wallet. Under an Idempotency-Key the account pays, which keeps its answers: a copy that came after
 * the credit was used up would be charged to the account.
 */
// guard: accounts: under an Idempotency-Key credit pays nothing |
//   - && !(account && !payment && order.idempotencyKey !== undefined) | book
const mayUseCredit = (order: Order, { account, payment }: Credentials): boolean =>
  !order.capability.walletUse(order) && !(account && !payment && order.idempotencyKey !== undefined);

/** Beside a payment that cannot be read, no account is charged. */
async function byAccount(
  deps: CheckoutDeps,
  order: Order,
  { credentials: { account, refused }, otherwise }: { credentials: Credentials; otherwise: Error },
): Promise<Grant | Replay> {
  if (!account || !deps.accounts || refused) throw otherwise;
  const { accountGrant } = await accountSales();
  return accountGrant(deps, deps.accounts, { order, caller: account });
}

/** Too many trials, or none for this caller, as opposed to a refusal of a payment, which may come along. */
const isNoTrial = (error: unknown): error is CapabilityError =>
  CapabilityError.is(error) && (error.code === "TOO_MANY_FAILURES" || error.code === "NOT_ALLOWED");

/** A trial's grant, or why there is none for this caller. */
async function trialOrRefusal(deps: CheckoutDeps, order: Order): Promise<Grant | PaymentRefused | CapabilityError> {
  try {
    return await trialGrant(deps, order);
  } catch (error) {
    if (error instanceof PaymentRefused || isNoTrial(error)) return error;
    throw error;
  }
}

async function trialGrant({ trials, failures, admission, now }: CheckoutDeps, order: Order): Promise<Grant> {
  const { capability, amount, clientAddress, signal } = order;
  if (!trials) throw new PaymentRefused("TRIAL_USED", "This service gives no free trials.");
  // guard: trial: an endpoint may have none | never | gateway/gateway
  if ([capability, ...(capability.parts?.(order) ?? [])].some(({ trial }) => trial === false))
    throw new PaymentRefused("TRIAL_USED", "This endpoint gives no free trials.");
  // guard: policy: asked before a trial is used | gone | handler/policy
  await admission?.admit(order, { via: "trial" });
  let attempt: Attempt | undefined;
  const begin = (caller: string) => {
    attempt = failures.attempt({ payer: `trial:${caller}`, quote: amount, signal, isFree: true });
    return attempt.begin();
  };
  const request = { endpoint: capability.id, address: clientAddress, quote: amount, now: now(), begin };
  const trial = await trials.reserve(request).catch((error: unknown) => {
    attempt?.end();
    throw error;
  });
  const grant: Grant = {
    caller: "trial",
    ...(capability.walletUse(order) ? { wallet: { id: "trial", trial: true } } : {}),
    trial: { remaining: trial.remaining, resetAt: trial.resetAt },
    settle: async () => undefined,
    // NOT_FOUND is a proper answer and uses the trial up; any other failure returns it.
    async release({ status }) {
      // guard: failures: a run of a trial that fails is counted | - , attempt?.fail() | handler/failures
      if (status !== 404) await Promise.all([trial.giveBack(), attempt?.fail()]);
      return undefined;
    },
  };
  return attempt ? attempted(attempt, async () => grant) : grant;
}

/** Anybody may hold a bearer token, so it proves no wallet. */
const unproven = () =>
  new PaymentRefused(
    "WALLET_UNPROVEN",
    "Credit alone does not prove the wallet: send a payment, with or without the credit.",
  );

function creditRefusal({ credit, payable }: Due): PaymentRefused {
  if (!credit) return new PaymentRefused("CREDIT_UNKNOWN", "The credit is not known here, or used up.");
  const covered = fromMicros(credit.available);
  return new PaymentRefused(
    "CREDIT_INSUFFICIENT",
    `Your credit covers ${covered} USD; ${fromMicros(payable)} USD remain to be paid. Send the credit along with the payment.`,
  );
}
