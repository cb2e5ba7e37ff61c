export {
  type AnyCapability,
  type BinaryResult,
  binary,
  type Capability,
  type Definition,
  type DynamicPrice,
  defineCapability,
  type Facts,
  type Input,
  legacy,
  type Normalized,
  type Output,
  one,
  rows,
  type Source,
} from "./capability.js";
export type { Cache, CallOptions, Context, Logger, Meter, OutboundOptions } from "./context.js";
export { type BatchFailure, CapabilityError, ERROR_CODES, type ErrorCode, type Issue } from "./errors.js";
export { createHandler, type Handler } from "./handler.js";
export type {
  Brand,
  CallEvent,
  CallInfo,
  CallOutcome,
  HandlerOptions,
  PaymentOptions,
  PricingOptions,
  TrialOptions,
} from "./options.js";
export type { LedgerField, LedgerQuery, LedgerReport, LedgerRow, LedgerSums } from "./payment/ledger-report.js";
export type { CallMeta } from "./request/respond.js";
export { createMemoryStore, type MemoryStoreOptions } from "./stores/memory.js";
export type { ListedRecord, PutOptions, Store, StoredRecord } from "./stores/store.js";
