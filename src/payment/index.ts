/**
 * The x402 parts for sellers of other things than capabilities: options, facilitators and rails, to quote, check, verify
 * and settle. A mounted handler adds the rest: one result per payment, unclear settlements, refunds. The words of the
 * protocol stand in `coinslot/x402`.
 *
 * @example
 * ```ts
 * const rails = createRails({ treasury: { "eip155:8453": "0x…" }, facilitator: { url } });
 * const facilitator = createFacilitatorClient({ url }, { fetch, sameAccount, logger });
 * const accepts = exactRequirements(rails, 10_000n, { maxTimeoutSeconds: 60, workMs: 5000 });
 * const { requirements, checked } = await accept(sent, accepts, rails); // throws PaymentRefused
 * const payment = { payload: sent.payload, requirements, payer: checked.payer };
 * const verdict = await facilitator.verify(payment);
 * const end = verdict.kind === "valid" ? await facilitator.settle(payment) : undefined;
 * ```
 */

export { createRails, type Rails } from "./networks/rails.js";
export { type Accepted, accept, exactRequirements } from "./networks/requirements.js";
export type { PaymentOptions } from "./options/options.js";
export type { ChainStatus, CheckedPayment, Rail, RailFamily, RefundOrder } from "./rails/rail.js";
export {
  type ClientOptions,
  createFacilitatorClient,
  type FacilitatorClient,
  type PaymentToSettle,
  type SettleOutcome,
  type VerifyOutcome,
} from "./x402/facilitator.js";
export type { FacilitatorOptions } from "./x402/facilitator-options.js";
export type { Facilitator } from "./x402/transport.js";
