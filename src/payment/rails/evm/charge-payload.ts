/** The payload of `evm/charge` by Permit2, as buyers of the Machine Payments Protocol send it. */
import { z } from "zod";
import { once } from "../../../lib/lazy.js";
import type { PaymentToSettle } from "../../x402/facilitator.js";
import { chargeTermsOf, type PaymentPayload, type PaymentRequirements } from "../../x402/wire.js";
import { address, signature, uint256 } from "./chain/signature.js";

/** Ten splits, and the payee. */
const MOST_TRANSFERS = 11;

const chargePayload = once(() =>
  z.object({
    permit2Charge: z.object({
      from: address(),
      permit: z.object({
        permitted: z
          .array(z.object({ token: address(), amount: uint256() }))
          .min(1)
          .max(MOST_TRANSFERS),
        nonce: uint256(),
        deadline: uint256(),
      }),
      transferDetails: z
        .array(z.object({ to: address(), requestedAmount: uint256() }))
        .min(1)
        .max(MOST_TRANSFERS),
      witness: z.object({
        challengeHash: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
        /** In the newer form of the witness; no challenge of ours names one. */
        externalId: z.literal("").optional(),
      }),
    }),
    signature: signature(),
  }),
);
export type ChargePayload = z.infer<ReturnType<typeof chargePayload>>;
export type Charge = ChargePayload["permit2Charge"];

const parsed = new WeakMap<object, ChargePayload>();

/** Cached, since a payment is identified first and checked later. Undefined for any other payload. */
export function readChargePayload(payload: PaymentPayload["payload"]): ChargePayload | undefined {
  if (!("permit2Charge" in payload)) return undefined;
  const known = parsed.get(payload);
  if (known) return known;
  const { data } = chargePayload().safeParse(payload);
  if (data) parsed.set(payload, data);
  return data;
}

/** Id and amount of such a payment; undefined for another payload. */
export function readCharge(network: string, payload: PaymentPayload["payload"]) {
  const sent = readChargePayload(payload);
  if (!sent) return undefined;
  const { from, permit, transferDetails } = sent.permit2Charge;
  const amount = transferDetails.reduce((sum, { requestedAmount }) => sum + BigInt(requestedAmount), 0n);
  // Permit2 takes a nonce once, whoever is permitted.
  return { id: ["permit2", network, from, permit.nonce].join(":").toLowerCase(), amount: String(amount) };
}

/** The payee first, then the others, in the order of the terms. */
export function transfersOf(requirements: PaymentRequirements): { to: string; amount: bigint }[] {
  const { splits = [] } = chargeTermsOf(requirements) ?? {};
  const others = splits.map(({ recipient, amount }) => ({ to: recipient, amount: BigInt(amount) }));
  const rest = others.reduce((left, { amount }) => left - amount, BigInt(requirements.amount));
  return [{ to: requirements.payTo, amount: rest }, ...others];
}

/** The payload of a payment that `checkCharge` accepted. Throws for any other. */
export const chargeOf = ({ payload }: Pick<PaymentToSettle, "payload">): ChargePayload =>
  chargePayload().parse(payload);
