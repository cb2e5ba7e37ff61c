/** Looks up on chain whether the host's own account took a payment through Permit2. */
import type { PaymentToSettle } from "../../x402/facilitator.js";
import { chargeTermsOf } from "../../x402/wire.js";
import type { ChainStatus } from "../rail.js";
import type { Rpc } from "../rpc.js";
import { findUse, takes } from "./chain/permit2-lookup.js";
import { readChargePayload, transfersOf } from "./charge-payload.js";

/** By the transfer to the payee: those to the others are of the same transaction. */
export async function findCharge(rpc: Rpc, payment: PaymentToSettle): Promise<ChainStatus> {
  const { payer, requirements } = payment;
  const sent = readChargePayload(payment.payload);
  const spender = chargeTermsOf(requirements)?.spender;
  const [first] = transfersOf(requirements);
  if (!sent || spender === undefined || !first) return { kind: "unreadable" };
  const { nonce, deadline } = sent.permit2Charge.permit;
  const wanted = { nonce: BigInt(nonce), payer, spender };
  const search = { deadline: BigInt(deadline), amount: first.amount };
  return findUse(rpc, payment, { ...wanted, ...search, isBy: (log) => takes(rpc, log, wanted) });
}
