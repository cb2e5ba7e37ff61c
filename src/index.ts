export type { AuditEntry, AuditQuery } from "./audit/entry.js";
export type { Definition, DynamicPrice } from "./capability/definition.js";
export type { OutboundOptions } from "./capability/outbound-options.js";
export { type BinaryResult, binary, legacy, type Normalized, one, rows, type Source } from "./capability/output.js";
export { defineOwnCapability as defineCapability } from "./capability/own/own.js";
export type { PublishedContext as Context, PublishedFacts as Facts } from "./capability/published.js";
export { renamed } from "./capability/renamed.js";
export type {
  AnyCapability,
  Cache,
  CallOptions,
  Capability,
  Input,
  LiveExample,
  Output,
} from "./capability/types.js";
export type { Meter } from "./capability/usage.js";
export type { WalletOptions } from "./capability/wallets.js";
export type { OpenApiDocument } from "./discovery/openapi.js";
export type { DriftClass } from "./drift/classify.js";
export type { Difference } from "./drift/compare.js";
export type { DriftEvent, LiveOptions } from "./drift/options.js";
export { ERROR_CODES } from "./error-codes.js";
export { type BatchFailure, CapabilityError, type ErrorCode, type Issue } from "./errors.js";
export type { Administration, HostRefundRequests } from "./handler/administration/administration.js";
export type { Acting, Desk, Role } from "./handler/administration/desk.js";
export type { EarningsOptions } from "./handler/administration/earnings/earnings.js";
export { createHandler, type Handler } from "./handler/handler.js";
export type { CallInfo } from "./host/call-info.js";
export type { AgentsOptions, Brand, HandlerOptions, McpOptions } from "./host/options.js";
export type { HostWebhook } from "./host-webhooks/options.js";
export type { Logger } from "./lib/logger.js";
export type { Resources } from "./lib/resources.js";
export type { MetricsOptions } from "./metrics/options.js";
export type { HostAccounts } from "./payment/accounts/admin.js";
export type { PolicyAnswer, PolicyRequest } from "./payment/admission/options.js";
export type {
  CallEvent,
  CallOutcome,
  ChannelEvent,
  EndedCallEvent,
  LossEvent,
  OverdueRefundEvent,
  RefundedEvent,
  SpentEvent,
} from "./payment/events/events.js";
export type { LedgerField, LedgerQuery, LedgerReport, LedgerRow, LedgerSums } from "./payment/ledger/report.js";
export type { Statement, StatementLine, StatementQuery } from "./payment/ledger/statement.js";
export type { AccountsOptions } from "./payment/options/accounts.js";
export type { EdgePaymentOptions } from "./payment/options/edge.js";
export type { PaymentOptions } from "./payment/options/options.js";
export type { RefundPolicy } from "./payment/options/refund-policy.js";
export type { SignInOptions } from "./payment/options/sign-in.js";
export type { TreasuryShare } from "./payment/options/treasury.js";
export type { HostPayouts, PayOptions } from "./payment/payouts/payouts.js";
export type { Payout } from "./payment/payouts/record.js";
export type { ReceiverShare } from "./payment/payouts/report.js";
export type { PricingOptions } from "./payment/pricing/pricing.js";
export type { RequestedRefund } from "./payment/refund-requests/record.js";
export type { RequestsQuery } from "./payment/refund-requests/requests.js";
export type { TrialOptions } from "./payment/trial/trial.js";
export type { CallMeta } from "./request/respond.js";
export type { SigningOptions } from "./signing/options.js";
export { createMemoryStore, type MemoryStoreOptions } from "./stores/memory/memory.js";
export type { ListedRecord, PutOptions, Store, StoredRecord } from "./stores/store.js";
