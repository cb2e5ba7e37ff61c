/**
 * The payments of a host behind an edge that takes them: no 402 of its own, no wallet, no trial. A token of the edge buys one
 * call, once. The edge settles after an answer below 400, so a failed call costs nothing.
 */
import { createHash } from "node:crypto";
import { CapabilityError } from "../errors.js";
import { lazy } from "../lib/lazy.js";
import { networkOf } from "../lib/network.js";
import { isInstalled, toInstall } from "../lib/packages/installed.js";
import { retry } from "../lib/retry.js";
import { WHILE_SILENT } from "../stores/fail-closed.js";
import { attempted } from "./checkout/attempt.js";
import type { EdgePayment } from "./edge-token.js";
import { createFailures, readLimits } from "./failures/failures.js";
import { type EdgePaymentOptions, edgeOptions } from "./options/edge.js";
import type { EdgeToken, Grant, Order } from "./order/order.js";
import { freePayments, type Payments, type PaymentsOptions, type PaymentsSources } from "./payments.js";
import { PaymentRefused } from "./x402/refusal.js";

const tokens = /* @__PURE__ */ lazy(() => import("./edge-token.js"));

/** Rows outlast their tokens by the skew of clocks. */
const SKEW_MS = 60_000;

/** Throws a TypeError for options that would take payments beside the edge. */
export function createEdgePayments(
  { edge }: EdgePaymentOptions,
  { trial, accounts, fetch = (...args) => globalThis.fetch(...args) }: PaymentsOptions,
  sources: PaymentsSources,
): Payments {
  const { store, ledger, own, admission, now } = sources;
  edgeOptions("payment.edge", edge);
  if (trial) throw beside("trial", "the edge answers whoever has not paid");
  if (accounts) throw beside("accounts", "every call that arrives is paid for already");
  if (!isInstalled("jose")) throw new TypeError(`payment.edge needs the package jose: ${toInstall("jose")}`);
  const reader = lazy(async () => (await tokens()).createReadToken(edge.cloudflare, fetch));
  const failures = createFailures(store, now, readLimits());

  /** Takes the token; each buys once, on whatever instance and however its signature is spelled. */
  async function take(token: string, { expiresAt }: EdgePayment): Promise<string> {
    const signed = token.slice(0, token.lastIndexOf("."));
    const id = `edge:${createHash("sha256").update(signed).digest("hex")}`;
    const ttlMs = Math.max(0, expiresAt * 1000 - now()) + SKEW_MS;
    // guard: edge: a token buys one answer | - ifVersion: 0, | edge
    if ((await store.put(id, "", { ifVersion: 0, ttlMs })) !== undefined) return id;
    throw new PaymentRefused("PAYMENT_ALREADY_USED", "The gateway's token has bought an answer before.");
  }

  /** Resolves to what a token promises, if that pays for the order. */
  async function checked(order: Order, { token, url }: EdgeToken): Promise<EdgePayment> {
    order.assertWithinLimit();
    const readToken = await reader();
    const paid = await readToken(token, url, now());
    assertPays(order, paid);
    // By "exact" the edge takes all that was signed, whatever the price is here.
    if (paid.scheme === "exact") order.assertWithinLimit(paid.amount);
    await admission?.admit(order, { via: "edge" });
    return paid;
  }

  /** `fail` counts the failure of a call, which has no other cost. */
  async function enter(order: Order, token: string, paid: EdgePayment, fail: () => Promise<void>): Promise<Grant> {
    const { capability, requestId } = order;
    const id = await take(token, paid);
    return {
      caller: "paid",
      unpaidIfFailed: true,
      ...(paid.scheme === "exact" ? { terms: { amount: paid.amount, byUsage: false }, indivisible: true } : {}),
      async settle(_outcome, { charge }) {
        const settlement = { "payment-settlement": JSON.stringify({ amount: String(charge) }) };
        if (paid.scheme === "upto") order.addHeaders(settlement, { unlessError: true });
        if (charge === 0n) return undefined;
        const at = now();
        const sale = {
          kind: "sale",
          payment: id,
          endpoint: capability.id,
          requestId,
          payer: "",
          transaction: "",
        } as const;
        const sums = { settled: charge, creditUsed: 0n, returned: 0n, credited: 0n, earned: charge };
        const entry = { ...sale, ...sums, account: own.on(undefined), at, soldAt: at };
        await retry(() => ledger.book([entry]), WHILE_SILENT);
        return undefined;
      },
      async release() {
        await fail();
        return undefined;
      },
    };
  }

  return {
    ...freePayments,
    charges: true,
    edge: { header: "payment-context", origin: new URL(edge.cloudflare.origin).origin },
    admission,
    quote: (prices, capability, input, ctx) => prices.quote(capability, input, ctx),
    dueOn: async ({ amount }) => ({ payable: amount }),
    async authorize(order, { edge: token }) {
      if (!token)
        throw new PaymentRefused("PAYMENT_NOT_OFFERED", "Payments are taken by the gateway in front of this service.");
      const paid = await checked(order, token);
      // The buyer is not known, so its network has the budget of failures; without an address no two calls have one payer.
      const { clientAddress, requestId } = order;
      const payer = `edge:${clientAddress === undefined ? requestId : networkOf(clientAddress)}`;
      const attempt = failures.attempt({ payer, quote: order.amount, signal: order.signal });
      return attempted(attempt, async () => {
        await attempt.begin();
        return enter(order, token.token, paid, attempt.fail);
      });
    },
    refundSale: () =>
      Promise.reject(
        new CapabilityError(
          "NOT_FOUND",
          "The edge took the payments of this service; give money back in its own console.",
        ),
      ),
  };
}

/** The edge has prices of its own, which may not be lower than those here. */
function assertPays(order: Order, { scheme, amount }: EdgePayment): void {
  const { capability, streamed } = order;
  if (amount < order.amount)
    throw new PaymentRefused(
      "PAYMENT_MISMATCH",
      `The gateway's token pays ${amount} units; the price is ${order.amount}.`,
    );
  // A header tells how much was used, and has left when a stream ends.
  if (scheme === "upto" && streamed)
    throw new PaymentRefused("PAYMENT_NOT_OFFERED", "A stream is paid for by the scheme exact: ask without a stream.");
  if (capability.walletUse(order))
    throw new PaymentRefused("WALLET_UNPROVEN", "The gateway names no wallet, so that state of one cannot be used.");
}

const beside = (option: string, why: string) =>
  new TypeError(`${option} cannot stand beside payment.edge: ${why}. Leave it out, or serve it by a second handler.`);
