/** Every code an answer can carry, with its HTTP status. Problem bodies, OpenAPI and the docs derive from this table. */
export const ERROR_CODES = {
  INVALID_INPUT: { status: 400, title: "Invalid input" },
  INCOMPATIBLE_UNITS: { status: 400, title: "Incompatible units" },
  RESULT_TOO_LARGE: { status: 400, title: "Result too large" },
  URL_NOT_ALLOWED: { status: 400, title: "URL not allowed" },
  SPENDING_LIMIT: { status: 400, title: "Above the spending limit" },
  /** Over HTTP a 402 is the payment's own envelope; clients throw it under this code. */
  PAYMENT_REQUIRED: { status: 402, title: "Payment required" },
  WALLET_REQUIRED: { status: 400, title: "Wallet required" },
  QUOTA_EXCEEDED: { status: 400, title: "Quota exceeded" },
  NOT_FOUND: { status: 404, title: "Not found" },
  METHOD_NOT_ALLOWED: { status: 405, title: "Method not allowed" },
  ANSWER_NOT_KEPT: { status: 410, title: "Answer not kept" },
  PAYLOAD_TOO_LARGE: { status: 413, title: "Payload too large" },
  UPSTREAM_RATE_LIMIT: { status: 429, title: "Upstream rate limit" },
  TOO_MANY_FAILURES: { status: 429, title: "Too many failures" },
  INTERNAL: { status: 500, title: "Internal server error" },
  UPSTREAM_ERROR: { status: 502, title: "Upstream provider error" },
  UPSTREAM_TIMEOUT: { status: 502, title: "Upstream timeout" },
  UPSTREAM_SCHEMA: { status: 502, title: "Unexpected upstream answer" },
  PROVIDER_NOT_CONFIGURED: { status: 502, title: "Provider not configured" },
  FACILITATOR_UNAVAILABLE: { status: 502, title: "Payment facilitator unavailable" },
  SETTLEMENT_PENDING: { status: 502, title: "Settlement pending" },
  LLM_BAD_OUTPUT: { status: 502, title: "Unusable model output" },
  OVERLOADED: { status: 502, title: "Overloaded" },
  BATCH_FAILED: { status: 502, title: "Batch failed" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** One thing wrong with an input: the dotted path of the field and what it should be. */
export interface Issue {
  path: string;
  message: string;
}

/** A sub-call of a batch that failed. */
export interface BatchFailure {
  index: number;
  endpoint: string;
  status: number;
  code: string;
  detail: string;
}

export interface CapabilityErrorOptions {
  issues?: Issue[];
  /** Seconds after which the same call may succeed. */
  retryAfter?: number;
  /** Overrides the code's own status: of BATCH_FAILED, and of what another service answered. */
  status?: number;
  failures?: BatchFailure[];
  /** The payer had no part in it: it is no failure of the budget that a payer has. */
  excused?: boolean;
  cause?: unknown;
}

// Two copies of this package in one host are common, so the class is recognised by a registered symbol.
const MARKER = Symbol.for("coinslot.CapabilityError");

/** What every capability rejects with. `message` is safe to show to the caller; `cause` is for the log only. */
export class CapabilityError extends Error {
  override readonly name = "CapabilityError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly issues?: Issue[];
  readonly retryAfter?: number;
  readonly failures?: BatchFailure[];
  readonly excused?: boolean;

  constructor(code: ErrorCode, message: string, options: CapabilityErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? ERROR_CODES[code].status;
    if (options.issues) this.issues = options.issues;
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
    if (options.failures) this.failures = options.failures;
    if (options.excused) this.excused = true;
    Object.defineProperty(this, MARKER, { value: true });
  }

  static is(error: unknown): error is CapabilityError {
    return typeof error === "object" && error !== null && MARKER in error;
  }

  static override [Symbol.hasInstance](error: unknown): boolean {
    return CapabilityError.is(error);
  }
}

/** A 400 that names one field: the usual way for a capability to refuse what a schema cannot express. */
export function invalid(path: string, message: string): CapabilityError {
  return new CapabilityError("INVALID_INPUT", path ? `${path}: ${message}` : message, { issues: [{ path, message }] });
}

/** As Node says it of a package, also where a thread's error arrives as text. A file of ours would be a relative path. */
const NO_PACKAGE = /Cannot find (?:package|module) '((?:@[\w.-]+\/)?\w[\w.-]*)/;

/**
 * For each import of an optional package, `import("openai").catch(without("openai"))`: every runtime says a missing one in
 * its own words, this says it in Node's. Bundlers read the catch as leave to go without.
 */
export const without =
  (name: string) =>
  (cause: unknown): never => {
    throw new Error(`Cannot find package '${name}'`, { cause });
  };

/** A package that an install without optional dependencies has left out; undefined for any other error. */
export function missingPackage(error: unknown): CapabilityError | undefined {
  const [, name] = (error instanceof Error && NO_PACKAGE.exec(error.message)) || [];
  if (!name) return undefined;
  const message = `The optional package ${name} is not installed here.`;
  return new CapabilityError("PROVIDER_NOT_CONFIGURED", message, { cause: error });
}

/** Whether an error is about such a package, which is no secret of the host's. */
export const isMissingPackage = ({ cause }: CapabilityError): boolean => missingPackage(cause) !== undefined;

/** Anything thrown, as a CapabilityError: what is not one already is our own fault and shows no detail. */
export function toCapabilityError(error: unknown): CapabilityError {
  if (CapabilityError.is(error)) return error;
  const missing = missingPackage(error);
  if (missing) return missing;
  return new CapabilityError(
    "INTERNAL",
    "Something went wrong on our side. Send us the request id to find the cause.",
    {
      cause: error,
    },
  );
}
