export { defineCapability } from "./capability/define.js";
export { type BinaryResult, binary, legacy, type Normalized, one, rows, type Source } from "./capability/output.js";
export type {
  AnyCapability,
  Cache,
  CallOptions,
  Capability,
  Context,
  Definition,
  DynamicPrice,
  Facts,
  Input,
  Meter,
  OutboundOptions,
  Output,
} from "./capability/types.js";
export { type BatchFailure, CapabilityError, ERROR_CODES, type ErrorCode, type Issue } from "./errors.js";
export { createHandler, type Handler } from "./handler.js";
export type { Logger } from "./lib/logger.js";
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
export type { LedgerField, LedgerQuery, LedgerReport, LedgerRow, LedgerSums } from "./payment/ledger/report.js";
export type { CallMeta } from "./request/respond.js";
export { createMemoryStore, type MemoryStoreOptions } from "./stores/memory.js";
export type { ListedRecord, PutOptions, Store, StoredRecord } from "./stores/store.js";
