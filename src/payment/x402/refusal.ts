/** Reason for a 402 although the call had a payment or a trial. */
export type RefusalCode =
  | "PAYMENT_MALFORMED"
  | "PAYMENT_NOT_OFFERED"
  | "PAYMENT_MISMATCH"
  | "PAYMENT_EXPIRED"
  | "PAYMENT_NOT_YET_VALID"
  | "PAYMENT_SIGNATURE_INVALID"
  | "PAYMENT_ALREADY_USED"
  | "PAYMENT_REFUSED"
  | "SETTLEMENT_REFUSED"
  | "CREDIT_UNKNOWN"
  | "CREDIT_INSUFFICIENT"
  | "UNSETTLED_LIMIT"
  | "CHANNEL_OUT_OF_STEP"
  | "CHANNEL_CLOSING"
  | "DEPOSIT_TOO_SMALL"
  | "REFUND_REFUSED"
  | "WALLET_UNPROVEN"
  | "SIGN_IN_REFUSED"
  | "TRIAL_USED"
  | "TRIAL_TOO_COSTLY"
  | "TRIAL_BUDGET_SPENT"
  | "ACCOUNT_LIMIT"
  | "BALANCE_TOO_SMALL"
  | "GRANT_EXPIRED";

/** A problem type of the Machine Payments Protocol. */
export type PaymentAuthProblem =
  | "payment-required"
  | "payment-insufficient"
  | "payment-expired"
  | "verification-failed"
  | "malformed-credential"
  | "invalid-challenge"
  | "invalid-payload"
  | "method-unsupported";

/** The receipt of a settlement or of its refusal, sent in PAYMENT-RESPONSE. */
export interface SettleResponse {
  success: boolean;
  network: string;
  /** The transaction's hash; empty if nothing was settled, or paid by voucher. */
  transaction: string;
  payer?: string;
  amount?: string;
  errorReason?: string;
  /** For a channel: its state, and the charge of the call. */
  extra?: Record<string, unknown>;
  /** Extensions of the protocol, such as a signed receipt. */
  extensions?: Record<string, unknown>;
}

/**
 * Correction for a stock buyer, so that it signs again with the right values: the header's `error`, and fields for its
 * offer's `extra`.
 */
export interface Correction {
  error: string;
  scheme: string;
  network: string;
  extra: Record<string, unknown>;
}

/**
 * The payment is invalid: always answered with a fresh 402, whose `error` is this message.
 *
 * @example
 * ```ts
 * throw new PaymentRefused("PAYMENT_EXPIRED", "The authorization has expired.");
 * ```
 */
export class PaymentRefused extends Error {
  override readonly name = "PaymentRefused";
  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly options: {
      retryAfter?: number;
      receipt?: SettleResponse;
      correction?: Correction;
      /** True if this channel can buy nothing now: the new 402 offers only payments without a channel. */
      withoutChannels?: boolean;
      /** True if signing in with the same payment would succeed: the answer offers it. */
      signIn?: boolean;
      /** For a buyer of the Machine Payments Protocol, if its code alone does not say it. */
      problemType?: PaymentAuthProblem;
      /** For a caller with an account: the body is a problem document, too, with these members. */
      problem?: Record<string, unknown>;
    } = {},
  ) {
    super(message);
  }
}
