/** Signed offers in the 402 and a signed receipt with the result, if the host has a key. */

import { lazy } from "../lib/lazy.js";
import type { Paid } from "../payment/order/order.js";
import type { SettleResponse } from "../payment/x402/refusal.js";
import { OFFER_RECEIPT, signOffers, signReceipt } from "../signing/offers.js";
import type { Signer } from "../signing/signer.js";
import { type Call, digestOf } from "./call.js";
import type { PlainResponse } from "./http/exchange.js";
import type { PaymentRequired } from "./payment-required.js";
import { resourceUrl } from "./quote.js";
import { type Outcome, statusOf } from "./respond.js";

const statement = (name: "offers" | "receipt", value: unknown) => ({
  [OFFER_RECEIPT]: { info: { [name]: value }, schema: { type: "object", required: [name] } },
});

const secondsNow = ({ host }: Call): number => Math.floor(host.now() / 1000);

/** Adds signed offers to a 402. */
export async function withSignedOffers(
  call: Call,
  signer: Signer,
  required: PaymentRequired,
): Promise<PaymentRequired> {
  const offers = await signOffers(signer, required.url, required.accepts, secondsNow(call));
  return { ...required, signedOffers: statement("offers", offers) };
}

/** The payment of an outcome, with a signed receipt if the host has a key. A failed call gets no receipt of service. */
export async function withSignedReceipt<Given extends Paid | undefined>(
  call: Call,
  outcome: Outcome,
  paid: Given,
): Promise<Given> {
  const { receipt } = paid?.delivery ?? {};
  if (!paid || !receipt || !call.host.signer || statusOf(outcome) >= 400) return paid;
  return { ...paid, delivery: { ...paid.delivery, receipt: await signedReceipt(call, receipt) } };
}

/** The receipt, signed if the host has a key and money moved. */
export async function signedReceipt(call: Call, receipt: SettleResponse): Promise<SettleResponse> {
  const { signer } = call.host;
  const { success, network, payer } = receipt;
  if (!signer || !success || !payer) return receipt;
  const signed = await signReceipt(signer, resourceUrl(call), { network, payer }, secondsNow(call));
  return { ...receipt, extensions: { ...receipt.extensions, ...statement("receipt", signed) } };
}

const deliveries = lazy(() => import("../signing/delivery.js"));

/** The statement of what a body delivers, if the host has a key and the call was paid for. */
export async function deliveryOf(
  call: Call,
  { status, body }: Pick<PlainResponse, "status" | "body">,
  { meta }: Outcome,
  paid: Paid | undefined,
): Promise<Record<string, string>> {
  const { host } = call;
  const { signer } = host;
  const { caller, endpoint, requestId, costUsd, quotedUsd, usage, account } = meta;
  if (!signer || body === null || status >= 400 || (caller !== "paid" && caller !== "account")) return {};
  const { DELIVERY, bodyDigest, signDelivery } = await deliveries();
  const { network, payer, transaction } = paid?.delivery.receipt ?? {};
  const signed = signDelivery(signer, {
    ...{ version: 1 as const, endpoint, requestId, status },
    ...{ request: call.requestDigest ?? digestOf(call, ""), body: bodyDigest(body) },
    ...{ chargedUsd: costUsd, quotedUsd },
    ...(usage ? { usage } : {}),
    ...(account === undefined ? { payer, network, transaction } : { account }),
    issuedAt: secondsNow(call),
  });
  // An answer that is paid for leaves without it, too.
  const statement = await signed.catch((error: unknown) => {
    host.options.logger.error({ requestId, error }, "signing: the statement of a delivery could not be signed");
    return undefined;
  });
  return statement === undefined ? {} : { [DELIVERY]: statement };
}

export async function withDelivery(
  call: Call,
  answer: PlainResponse,
  outcome: Outcome,
  paid: Paid | undefined,
): Promise<PlainResponse> {
  if (!call.host.signer) return answer;
  return { ...answer, headers: { ...answer.headers, ...(await deliveryOf(call, answer, outcome, paid)) } };
}
