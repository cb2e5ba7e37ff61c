/** The x402 pieces on their own: quote, check, verify, settle. */

export { fromMicros, type Micros, multiply, toMicros } from "../lib/money.js";
export { accountId, sameAccount } from "./rails/accounts.js";
export { evmRail } from "./rails/evm/exact.js";
export { type UptoRailOptions, uptoRail } from "./rails/evm/upto.js";
export type { CheckedPayment, Rail } from "./rails/rail.js";
export { createRails, type Rails } from "./rails/rails.js";
export { type Accepted, accept, offer } from "./rails/requirements.js";
export { type SolanaRailOptions, solanaRail } from "./rails/solana/exact.js";
export {
  createFacilitatorClient,
  type Facilitator,
  type FacilitatorClient,
  type FacilitatorOptions,
  type PaymentToSettle,
  type SettleOutcome,
  type VerifyOutcome,
} from "./x402/facilitator.js";
export { PaymentRefused, type Receipt, type RefusalCode } from "./x402/refusal.js";
export { type Supported, watchSupported } from "./x402/supported.js";
export {
  encodeHeader,
  type PaymentRequirements,
  type PresentedPayment,
  readPayment,
  receiptHeaders,
  version1Body,
} from "./x402/wire.js";
