/** Signed offers in the 402 and a signed receipt with the result, if the host has a key. */

import type { Paid } from "../payment/order/order.js";
import type { SettleResponse } from "../payment/x402/refusal.js";
import { OFFER_RECEIPT, signOffers, signReceipt } from "../signing/offers.js";
import type { Signer } from "../signing/signer.js";
import type { Call } from "./call.js";
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
