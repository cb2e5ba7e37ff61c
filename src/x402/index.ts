/**
 * Experimental: the words of the x402 protocol, and single rails, for who speaks it without a mounted handler. Names may
 * change with any minor version.
 *
 * @experimental
 * @example
 * ```ts
 * const sent = readPayment(request.headers);
 * if (!sent)
 *   return new Response("{}", {
 *     status: 402,
 *     headers: { "payment-required": encodeHeader({ x402Version: 2, error: "Payment required", resource, accepts }) },
 *   });
 * ```
 */

export { fromMicros, type Micros, multiply, toMicros } from "../lib/money.js";
export { accountId, familyOf, sameAccount } from "../payment/networks/accounts.js";
export { uptoRequirements } from "../payment/networks/requirements.js";
export type { EvmSigner } from "../payment/options/evm-signer.js";
export { type EvmRailOptions, evmRail } from "../payment/rails/evm/exact.js";
export { type UptoRailOptions, uptoRail } from "../payment/rails/evm/upto.js";
export { type SolanaRailOptions, solanaRail } from "../payment/rails/solana/exact.js";
export { PaymentRefused, type RefusalCode, type SettleResponse } from "../payment/x402/refusal.js";
export {
  type NetworkFamily,
  type Supported,
  type SupportedOptions,
  watchSupported,
} from "../payment/x402/supported.js";
export {
  encodeHeader,
  type PaymentPayload,
  type PaymentRequirements,
  readPayment,
  receiptHeaders,
  version1Body,
} from "../payment/x402/wire.js";
