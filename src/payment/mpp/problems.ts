/** Refusals in the words of the Machine Payments Protocol: its problem types, for its buyers alone. */
import type { PaymentAuthProblem, PaymentRefused, RefusalCode } from "../x402/refusal.js";
import type { Preference } from "./accept-payment.js";
import { presentsCredential } from "./credential.js";

const BASE = "https://paymentauth.org/problems/";

const PROBLEMS: Readonly<Record<PaymentAuthProblem, { title: string; status: 400 | 402 }>> = {
  "payment-required": { title: "Payment Required", status: 402 },
  "payment-insufficient": { title: "Payment Insufficient", status: 402 },
  "payment-expired": { title: "Payment Expired", status: 402 },
  "verification-failed": { title: "Verification Failed", status: 402 },
  "malformed-credential": { title: "Malformed Credential", status: 402 },
  "invalid-challenge": { title: "Invalid Challenge", status: 402 },
  "invalid-payload": { title: "Invalid Payload", status: 402 },
  "method-unsupported": { title: "Method Unsupported", status: 400 },
};

/** Of a refusal that names no type of its own; for all others a payment is still required. */
const BY_CODE: Readonly<Partial<Record<RefusalCode, PaymentAuthProblem>>> = {
  PAYMENT_MALFORMED: "malformed-credential",
  PAYMENT_NOT_OFFERED: "invalid-challenge",
  PAYMENT_MISMATCH: "verification-failed",
  PAYMENT_EXPIRED: "payment-expired",
  PAYMENT_NOT_YET_VALID: "verification-failed",
  PAYMENT_SIGNATURE_INVALID: "verification-failed",
  PAYMENT_ALREADY_USED: "invalid-challenge",
  PAYMENT_REFUSED: "verification-failed",
  SETTLEMENT_REFUSED: "verification-failed",
};

/** Members of a problem document, RFC 9457. */
export interface PaymentProblem {
  type: string;
  title: string;
  status: 400 | 402;
  detail: string;
  /** The id of the first new challenge. */
  challengeId?: string;
  /** Our own code of the refusal. */
  code?: RefusalCode;
  requestId: string;
}

interface Unpaid {
  headers: Pick<Headers, "get">;
  /** As read from `Accept-Payment`. */
  preference: Preference | undefined;
  refused: PaymentRefused | undefined;
  /** The header with the new challenges. */
  challenges: string | undefined;
  requestId: string;
}

/** Undefined for buyers of another protocol. */
export function paymentProblem({ headers, preference, refused, challenges, requestId }: Unpaid) {
  const presented = refused && presentsCredential(headers) ? refused : undefined;
  if (!presented && !preference) return undefined;
  const name = (presented && (presented.options.problemType ?? BY_CODE[presented.code])) ?? "payment-required";
  const [, challengeId] = /\bid="([^"]+)"/.exec(challenges ?? "") ?? [];
  const problem: PaymentProblem = {
    type: BASE + name,
    ...PROBLEMS[name],
    detail: refused?.message ?? "Payment is required for this resource: see the challenges.",
    ...(challengeId === undefined ? {} : { challengeId }),
    ...(refused ? { code: refused.code } : {}),
    requestId,
  };
  return problem;
}
