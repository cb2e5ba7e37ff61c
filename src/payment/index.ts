/**
 * The x402 parts for sellers of other things than capabilities: ask, read, check, verify, settle. A mounted handler
 * adds the rest: one result per payment, unclear settlements, refunds.
 *
 * @example
 * ```ts
 * const rails = createRails({ treasury: { "eip155:8453": "0x…" }, facilitator: { url } });
 * const facilitator = createFacilitatorClient({ url }, { fetch, sameAccount, logger });
 * const accepts = exactRequirements(rails, toMicros("0.01"), { maxTimeoutSeconds: 60, workMs: 5000 });
 *
 * const sent = readPayment(request.headers);
 * if (!sent)
 *   return new Response("{}", {
 *     status: 402,
 *     headers: { "payment-required": encodeHeader({ x402Version: 2, error: "Payment required", resource, accepts }) },
 *   });
 * const { requirements, checked } = await accept(sent, accepts, rails); // throws PaymentRefused
 * const payment = { payload: sent.payload, requirements, payer: checked.payer };
 * const verdict = await facilitator.verify(payment);
 * const end = verdict.kind === "valid" ? await facilitator.settle(payment) : undefined;
 * ```
 */

export { fromMicros, type Micros, multiply, toMicros } from "../lib/money.js";
export type { PaymentOptions } from "./options.js";
export { accountId, familyOf, sameAccount } from "./rails/accounts.js";
export { type EvmRailOptions, evmRail } from "./rails/evm/exact.js";
export type { EvmSigner } from "./rails/evm/signer.js";
export { type UptoRailOptions, uptoRail } from "./rails/evm/upto.js";
export type { ChainStatus, CheckedPayment, Rail, RailFamily, RefundOrder } from "./rails/rail.js";
export { createRails, type Rails } from "./rails/rails.js";
export { type Accepted, accept, exactRequirements, uptoRequirements } from "./rails/requirements.js";
export { type SolanaRailOptions, solanaRail } from "./rails/solana/exact.js";
export {
  type ClientOptions,
  createFacilitatorClient,
  type FacilitatorClient,
  type PaymentToSettle,
  type SettleOutcome,
  type VerifyOutcome,
} from "./x402/facilitator.js";
export type { FacilitatorOptions } from "./x402/facilitator-options.js";
export { PaymentRefused, type RefusalCode, type SettleResponse } from "./x402/refusal.js";
export { type NetworkFamily, type Supported, type SupportedOptions, watchSupported } from "./x402/supported.js";
export type { Facilitator } from "./x402/transport.js";
export {
  encodeHeader,
  type PaymentPayload,
  type PaymentRequirements,
  readPayment,
  receiptHeaders,
  version1Body,
} from "./x402/wire.js";
