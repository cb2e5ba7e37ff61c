/** Orders that a voucher of a payment channel pays for. */
import { once } from "../../lib/lazy.js";
import { least } from "../../lib/money.js";
import type { ChannelGuard } from "../channels/vouchers/guard.js";
import type { ChannelDelivery } from "../channels/vouchers/purchase.js";
import type { Attempt } from "../failures/failures.js";
import { accountId, sameAccount } from "../networks/accounts.js";
import { notReady } from "../networks/requirements.js";
import { type Due, type Grant, type Order, type Paid, type Replay, workMsOf } from "../order/order.js";
import type { ChannelMessage } from "../rails/channel.js";
import { type Part, partOf } from "../rails/channel-parts.js";
import { hashOf } from "../record/input-digest.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { PaymentPayload, PaymentRequirements } from "../x402/wire.js";
import { attempted, attemptOf } from "./attempt.js";
import { idempotencyKeyHashOf, isSecret } from "./buyers-key.js";
import type { CheckoutDeps } from "./deps.js";

/** The grant for an order, or the answer that the same voucher bought before. */
export async function channelGrant(
  deps: CheckoutDeps,
  guard: ChannelGuard,
  { order, payment, due }: { order: Order; payment: PaymentPayload; due: Due },
): Promise<Grant | Replay> {
  const { capability, amount, byUsage } = order;
  if (due.credit)
    throw new PaymentRefused(
      "CREDIT_INSUFFICIENT",
      "Credit cannot be combined with a payment channel: leave the credit out, or pay the rest with a separate payment.",
      { withoutChannels: true },
    );
  const requirements = deps
    .requirementsFor({ capability, amount, byUsage })
    .channel.find(({ network }) => network === payment.network);
  if (!requirements) throw notReady();
  const part = order.streamed ? partOf(requirements, payment.accepted?.amount) : undefined;
  assertCopy(payment.accepted, part ? { ...requirements, amount: part.amount.toString() } : requirements);
  const named = payment.resourceUrl && order.otherEndpoint(payment.resourceUrl);
  if (named) throw new PaymentRefused("PAYMENT_MISMATCH", `The payment names another endpoint, ${named}.`);

  const message = await guard.rail.read(payment);
  // Failures count for the signer of vouchers, because anybody may name any payer.
  const attempt = attemptOf(deps, message.terms.authorizer, order);
  return attempted(attempt, () => enter(deps, guard, { order, payment, requirements, part, message, attempt }));
}

interface Entering {
  order: Order;
  payment: PaymentPayload;
  requirements: PaymentRequirements;
  /** Set if the voucher pays for the first part of a stream. */
  part: Part | undefined;
  message: ChannelMessage;
  attempt: Attempt;
}

async function enter(
  deps: CheckoutDeps,
  guard: ChannelGuard,
  { order, payment, requirements, part, message, attempt }: Entering,
): Promise<Grant | Replay> {
  const { capability } = order;
  const { amount } = part ?? order;
  const { network } = payment;
  const { payer, authorizer } = message.terms;
  const use = capability.walletUse(order);
  order.onPayer({ payer: authorizer, network });
  let buyer = authorizer;
  // A sign-in proof works once, and the channel may be read several times.
  const signedIn = once(() => order.signedIn());
  /** A wallet's state requires proof of that wallet; a channel's opener may name any payer. */
  async function admit(proven: { id: string; isPayer: boolean }): Promise<void> {
    const payers = accountId(network, payer);
    // guard: channel: a wallet's state is for a payer that is proven | gone | channels/payers --channels
    if (use && !proven.isPayer && (await signedIn()) !== payers) throw unproven();
    buyer = use ? payer : proven.id;
    order.onPayer({ payer: buyer, network });
  }
  // The key is also bound to the channel, and so to the signer of its vouchers.
  const name = idempotencyKeyHashOf(order, payment, accountId(network, payer));
  const entry = await guard.enter({
    message,
    amount,
    fingerprint: `${capability.id} ${hashOf(order.input)}`,
    endpoint: capability.id,
    requestId: order.requestId,
    key: name,
    isSecret: isSecret(order, payment),
    isBrief: use?.effects === true && name === undefined,
    admit,
    permit: once(() =>
      deps.admission?.admit(order, { via: "voucher", payer: buyer, network, channel: { payer, authorizer } }),
    ),
    workMs: workMsOf(order),
    parts: part && { ...part, waitMs: deps.voucherWaitMs },
    attempt,
    signal: order.signal,
  });
  const paid = ({ receipt }: ChannelDelivery): Paid => ({ requirements, delivery: { receipt }, version: 2 });
  if ("delivery" in entry) return { delivery: entry.delivery, paid: paid(entry.delivery) };
  const { lease } = entry;
  // The deposit is settled first; the charge follows the change, which is made once per purchase.
  const effects = use?.effects === true;
  // guard: channel: a change is made once a purchase | - , callId: lease.id | wallets --channels
  const call = { id: accountId(network, buyer), callId: lease.id };
  const isDone = async (unknown: boolean) => effects && ((await deps.receipts?.(call).catch(() => unknown)) ?? false);
  return {
    caller: "paid",
    wallet: call,
    done: await isDone(true),
    ...(lease.parts ? { parts: lease.parts } : {}),
    advance: (charge, outcome) => lease.advance({ charge, outcome }),
    // Never more than the signed amount, even if the price has risen since.
    settle: async (outcome, { charge }) =>
      paid(await lease.settle(outcome(), least(charge, lease.parts?.covered ?? amount))),
    async release() {
      // Charges nothing while the outcome is unknown: the next attempt finds out.
      // guard: failures: a run paid by voucher that fails is counted | - , attempt.fail() | channels/failures
      // guard: channel: a change that cannot be answered is charged | never | wallets --channels
      if (await isDone(false)) await lease.keep(amount);
      else await Promise.all([lease.release(), attempt.fail()]);
      return undefined;
    },
  };
}

const unproven = () =>
  new PaymentRefused(
    "WALLET_UNPROVEN",
    "A voucher proves its signer, but this call needs proof of the channel's payer: pay this call with a separate payment, or sign in as the payer together with the voucher (SIGN-IN-WITH-X). A deposit that the payer signs and sends here is a permanent proof.",
    { withoutChannels: true, signIn: true },
  );

/** The other terms of an offer belong to the channel, and are checked with the voucher. */
function assertCopy(copy: Record<string, unknown> = {}, { network, amount, asset, payTo }: PaymentRequirements): void {
  const same = (mine: string, yours: unknown) => typeof yours === "string" && sameAccount(network, mine, yours);
  const wrong =
    copy.amount !== amount ? "amount" : !same(asset, copy.asset) ? "asset" : same(payTo, copy.payTo) ? "" : "payTo";
  if (wrong)
    throw new PaymentRefused("PAYMENT_MISMATCH", `The payment's ${wrong} is not the one offered for this request.`);
}
