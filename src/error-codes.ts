import { type ErrorCode, STATUS_OF } from "./errors.js";

const TITLES = {
  INVALID_INPUT: "Invalid input",
  INCOMPATIBLE_UNITS: "Incompatible units",
  RESULT_TOO_LARGE: "Result too large",
  URL_NOT_ALLOWED: "URL not allowed",
  SPENDING_LIMIT: "Above the spending limit",
  PAYMENT_REQUIRED: "Payment required",
  ACCOUNT_LIMIT: "Account limit reached",
  BALANCE_TOO_SMALL: "Balance too small",
  GRANT_EXPIRED: "Grant expired",
  INVALID_KEY: "Invalid key",
  SIGN_IN_REQUIRED: "Sign-in required",
  WALLET_REQUIRED: "Wallet required",
  QUOTA_EXCEEDED: "Quota exceeded",
  NOT_ALLOWED: "Not allowed",
  NOT_FOUND: "Not found",
  METHOD_NOT_ALLOWED: "Method not allowed",
  ANSWER_NOT_KEPT: "Answer not kept",
  PAYLOAD_TOO_LARGE: "Payload too large",
  UPSTREAM_RATE_LIMIT: "Upstream rate limit",
  RATE_LIMITED: "Rate limited",
  TOO_MANY_FAILURES: "Too many failures",
  INTERNAL: "Internal server error",
  UPSTREAM_ERROR: "Upstream provider error",
  UPSTREAM_TIMEOUT: "Upstream timeout",
  UPSTREAM_SCHEMA: "Unexpected upstream answer",
  PROVIDER_NOT_CONFIGURED: "Provider not configured",
  FACILITATOR_UNAVAILABLE: "Payment facilitator unavailable",
  SETTLEMENT_PENDING: "Settlement pending",
  LLM_BAD_OUTPUT: "Unusable model output",
  OVERLOADED: "Overloaded",
  STOPPED: "Stopped",
  BUDGET_SPENT: "Budget spent",
  UPSTREAM_DRIFT: "Upstream changed",
  POLICY_UNAVAILABLE: "Policy unavailable",
  BATCH_FAILED: "Batch failed",
} as const satisfies Record<ErrorCode, string>;

/** Every error code with its HTTP status and title. Problem documents, OpenAPI and the docs derive from this table. */
export const ERROR_CODES = Object.fromEntries(
  Object.entries(STATUS_OF).map(([code, status]) => [code, { status, title: TITLES[code as ErrorCode] }]),
) as { readonly [Code in ErrorCode]: { readonly status: (typeof STATUS_OF)[Code]; readonly title: string } };
