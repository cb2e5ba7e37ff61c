/** Every error code with its HTTP status. Problem documents, OpenAPI and the docs derive from this table. */
export const ERROR_CODES = {
  INVALID_INPUT: { status: 400, title: "Invalid input" },
  INCOMPATIBLE_UNITS: { status: 400, title: "Incompatible units" },
  RESULT_TOO_LARGE: { status: 400, title: "Result too large" },
  URL_NOT_ALLOWED: { status: 400, title: "URL not allowed" },
  SPENDING_LIMIT: { status: 400, title: "Above the spending limit" },
  /** Over HTTP a 402 is x402's own envelope; clients throw it under this code. */
  PAYMENT_REQUIRED: { status: 402, title: "Payment required" },
  /** Of an account: the code of a 402, whose body is a problem document as well. */
  ACCOUNT_LIMIT: { status: 402, title: "Account limit reached" },
  BALANCE_TOO_SMALL: { status: 402, title: "Balance too small" },
  INVALID_KEY: { status: 401, title: "Invalid key" },
  WALLET_REQUIRED: { status: 400, title: "Wallet required" },
  QUOTA_EXCEEDED: { status: 400, title: "Quota exceeded" },
  NOT_ALLOWED: { status: 403, title: "Not allowed" },
  NOT_FOUND: { status: 404, title: "Not found" },
  METHOD_NOT_ALLOWED: { status: 405, title: "Method not allowed" },
  ANSWER_NOT_KEPT: { status: 410, title: "Answer not kept" },
  PAYLOAD_TOO_LARGE: { status: 413, title: "Payload too large" },
  UPSTREAM_RATE_LIMIT: { status: 429, title: "Upstream rate limit" },
  RATE_LIMITED: { status: 429, title: "Rate limited" },
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
  STOPPED: { status: 503, title: "Stopped" },
  BUDGET_SPENT: { status: 503, title: "Budget spent" },
  UPSTREAM_DRIFT: { status: 503, title: "Upstream changed" },
  POLICY_UNAVAILABLE: { status: 503, title: "Policy unavailable" },
  BATCH_FAILED: { status: 502, title: "Batch failed" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** One problem of an input: the dotted path of the field, and the value that it should have. */
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
  /** Replaces the code's own status, for BATCH_FAILED and for errors of another service. */
  status?: number;
  failures?: BatchFailure[];
  /** The host's own code for a call that it does not allow. */
  reasonCode?: string;
  /** True if the payer did not cause the failure, so that it does not count against the payer's budget. */
  excused?: boolean;
  cause?: unknown;
}

// One process may load two copies of this package, so a registered symbol identifies the class.
const MARKER = Symbol.for("coinslot.CapabilityError");

/**
 * The error that every capability rejects with. `message` is safe to show to the caller; `cause` is for the log only.
 *
 * @example
 * ```ts
 * throw new CapabilityError("NOT_FOUND", "No US airframe has the registration N12345.");
 * ```
 */
export class CapabilityError extends Error {
  override readonly name = "CapabilityError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly issues?: Issue[];
  readonly retryAfter?: number;
  readonly failures?: BatchFailure[];
  readonly reasonCode?: string;
  readonly excused?: boolean;

  constructor(code: ErrorCode, message: string, options: CapabilityErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? ERROR_CODES[code].status;
    if (options.issues) this.issues = options.issues;
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
    if (options.failures) this.failures = options.failures;
    if (options.reasonCode !== undefined) this.reasonCode = options.reasonCode;
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

/** An INVALID_INPUT that names one field, for rules that a schema cannot express. */
export function invalid(path: string, message: string): CapabilityError {
  return new CapabilityError("INVALID_INPUT", path ? `${path}: ${message}` : message, { issues: [{ path, message }] });
}

/**
 * Node's message about a missing package, also when the error arrives from a thread as text. A file of ours would be a
 * relative path.
 */
const NO_PACKAGE = /Cannot find (?:package|module) '((?:@[\w.-]+\/)?\w[\w.-]*)/;

/**
 * Handler for a failed import of an optional package: `import("openai").catch(without("openai"))`. Runtimes word a
 * missing package differently; this repeats it in Node's words. Bundlers see the catch and allow the package to be
 * missing.
 */
export const without =
  (name: string) =>
  (cause: unknown): never => {
    throw new Error(`Cannot find package '${name}'`, { cause });
  };

/** Packages whose newest release is of another major version than the one that we work with. */
export const MAJOR_VERSIONS: Readonly<Record<string, number>> = {
  "@solana/kit": 5,
  "@solana/web3.js": 1,
  "@sparticuz/chromium": 143,
  openai: 6,
  "puppeteer-core": 24,
};

/** A package as `npm install` takes it: `openai@6`. */
export function installable(name: string): string {
  const major = Object.hasOwn(MAJOR_VERSIONS, name) ? MAJOR_VERSIONS[name] : undefined;
  return major === undefined ? name : `${name}@${major}`;
}

/** A CapabilityError for a package that was not installed; undefined for any other error. */
export function missingPackage(error: unknown): CapabilityError | undefined {
  const [, name] = (error instanceof Error && NO_PACKAGE.exec(error.message)) || [];
  if (!name) return undefined;
  const message = `The optional package ${name} is not installed here: npm install ${installable(name)}`;
  return new CapabilityError("PROVIDER_NOT_CONFIGURED", message, { cause: error });
}

/** Whether an error is about a missing package, which may be told to callers. */
export const isMissingPackage = ({ cause }: CapabilityError): boolean => missingPackage(cause) !== undefined;

/** Converts anything thrown to a CapabilityError. Unknown errors become INTERNAL without details. */
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
