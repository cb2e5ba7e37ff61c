/** The HTTP status of every error code. Their titles stand in error-codes.ts, which capabilities do without. */
export const STATUS_OF = {
  INVALID_INPUT: 400,
  INCOMPATIBLE_UNITS: 400,
  RESULT_TOO_LARGE: 400,
  URL_NOT_ALLOWED: 400,
  SPENDING_LIMIT: 400,
  /** Over HTTP a 402 is x402's own envelope; clients throw it under this code. */
  PAYMENT_REQUIRED: 402,
  /** Of an account: the code of a 402, whose body is a problem document as well. */
  ACCOUNT_LIMIT: 402,
  BALANCE_TOO_SMALL: 402,
  GRANT_EXPIRED: 402,
  INVALID_KEY: 401,
  SIGN_IN_REQUIRED: 401,
  WALLET_REQUIRED: 400,
  QUOTA_EXCEEDED: 400,
  NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  JOB_NOT_FOUND: 404,
  REFUND_NOT_ALLOWED: 409,
  METHOD_NOT_ALLOWED: 405,
  ANSWER_NOT_KEPT: 410,
  PAYLOAD_TOO_LARGE: 413,
  UPSTREAM_RATE_LIMIT: 429,
  RATE_LIMITED: 429,
  TOO_MANY_FAILURES: 429,
  INTERNAL: 500,
  UPSTREAM_ERROR: 502,
  UPSTREAM_TIMEOUT: 502,
  UPSTREAM_SCHEMA: 502,
  PROVIDER_NOT_CONFIGURED: 502,
  FACILITATOR_UNAVAILABLE: 502,
  SETTLEMENT_PENDING: 502,
  LLM_BAD_OUTPUT: 502,
  OVERLOADED: 502,
  STOPPED: 503,
  BUDGET_SPENT: 503,
  UPSTREAM_DRIFT: 503,
  POLICY_UNAVAILABLE: 503,
  BATCH_FAILED: 502,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof STATUS_OF;

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
    super(message, options.cause === undefined ? undefined : options);
    this.code = code;
    this.status = options.status ?? STATUS_OF[code];
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
  return Object.hasOwn(MAJOR_VERSIONS, name) ? `${name}@${MAJOR_VERSIONS[name]}` : name;
}

/** A CapabilityError for a package that was not installed; undefined for any other error. */
export function missingPackage(error: unknown): CapabilityError | undefined {
  const [, name] = (error instanceof Error && NO_PACKAGE.exec(error.message)) || [];
  if (!name) return undefined;
  const message = `The optional package ${name} is not installed here: npm install ${installable(name)}`;
  return new CapabilityError("PROVIDER_NOT_CONFIGURED", message, { cause: error });
}

/** The package that an error is about; undefined for any other error. */
export const packageMissingIn = ({ cause }: CapabilityError): string | undefined =>
  cause instanceof Error ? NO_PACKAGE.exec(cause.message)?.[1] : undefined;

/** For buyers, who install nothing: the command is for the host, in its log. */
export const needsPackage = (name: string): string =>
  `This needs the package ${name}, which is not installed on this service.`;

/** Converts anything thrown to a CapabilityError. Unknown errors become INTERNAL without details. */
export function toCapabilityError(error: unknown): CapabilityError {
  if (CapabilityError.is(error)) return error;
  const message = "Something went wrong here. Send us the request id to find the cause.";
  return missingPackage(error) ?? new CapabilityError("INTERNAL", message, { cause: error });
}
