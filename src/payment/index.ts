/** The x402 pieces on their own: quote, check, verify, settle. */
export { evmRail } from "./evm.js";
export {
  createFacilitatorClient,
  type Facilitator,
  type FacilitatorClient,
  type FacilitatorOptions,
  type PaymentToSettle,
  type SettleOutcome,
  type VerifyOutcome,
} from "./facilitator.js";
export { fromMicros, type Micros, multiply, toMicros } from "./money.js";
export { type Accepted, accept, offer } from "./offers.js";
export { type UptoRailOptions, uptoRail } from "./permit2.js";
export type { CheckedPayment, Rail } from "./rail.js";
export { createRails, type Rails } from "./rails.js";
export { PaymentRefused, type Receipt, type RefusalCode } from "./refusal.js";
export { type SolanaRailOptions, solanaRail } from "./solana.js";
export { type Supported, watchSupported } from "./supported.js";
export { encodeHeader, type OfferedPayment, readPayment, receiptHeaders, type Terms, version1Body } from "./wire.js";
