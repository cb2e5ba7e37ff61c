/** Why a call was answered 402 although a payment or a trial came with it. */
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
  | "TRIAL_BUDGET_SPENT";

/** The receipt of a settlement, or of its refusal, as it travels in PAYMENT-RESPONSE. */
export interface SettleResponse {
  success: boolean;
  network: string;
  /** The transaction's hash; empty when nothing was settled, or paid by voucher. */
  transaction: string;
  payer?: string;
  amount?: string;
  errorReason?: string;
  /** Of a channel: where it stands, and what the call was charged. */
  extra?: Record<string, unknown>;
}

/** What a stock buyer is told so that it signs again, and rightly: the header's `error`, and more in its offer's `extra`. */
export interface Correction {
  error: string;
  scheme: string;
  network: string;
  extra: Record<string, unknown>;
}

/** No valid payment: always answered with a fresh 402, whose `error` is this message. */
export class PaymentRefused extends Error {
  override readonly name = "PaymentRefused";
  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly options: {
      retryAfter?: number;
      receipt?: SettleResponse;
      correction?: Correction;
      /** Nothing can be bought through this channel now: the offers are those that need none. */
      withoutChannels?: boolean;
      /** An account that signs in beside what it sent is served: the answer offers it. */
      signIn?: boolean;
    } = {},
  ) {
    super(message);
  }
}
