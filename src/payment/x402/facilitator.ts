/** Client of the facilitator, the service that verifies and settles payments. Its answers are checked. */
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import type { Logger } from "../../lib/logger.js";
import { createExtensionLog, type ToldExtension } from "./extension-responses.js";
import type { FacilitatorOptions } from "./facilitator-options.js";
import { networkId } from "./networks.js";
import { createTransport, type Facilitator, type FacilitatorAnswer, NeverSent, unavailable } from "./transport.js";
import type { PaymentRequirements } from "./wire.js";

/** `by` names the facilitator, if there are several. */
export type VerifyOutcome = { kind: "valid"; by?: string } | { kind: "invalid"; reason: string };

/**
 * A settlement has three outcomes. An outcome that cannot be told from a success or a refusal is pending, never a
 * refusal. `unsent` is true if the request certainly never reached the facilitator; `next` then names another one.
 */
export type SettleOutcome =
  | { kind: "settled"; transaction: string; payer: string; amount?: string }
  | { kind: "refused"; reason: string }
  | { kind: "pending"; reason: string; transaction?: string; unsent?: true; next?: string };

/** The purchase of a payment, in the few words that its record stores. */
export interface PaidFor {
  /** Id of the endpoint. */
  endpoint: string;
  url: string;
}

/** The payment as it is sent: the version-2 payload with our own requirements, never the caller's copy of them. */
export interface PaymentToSettle {
  payload: Record<string, unknown>;
  /** As offered and signed for. */
  requirements: PaymentRequirements;
  payer: string;
  /** Absent if nothing is bought, as for a refund. */
  paidFor?: PaidFor;
  /** The amount to settle if it is less than the requirements', under `upto`. Atomic units. */
  amount?: string;
  /** True for channels, whose answer names an amount that no requirement contains; the chain is asked to confirm it. */
  unlikeAmount?: boolean;
  /** Extensions of the protocol that the payer signed. */
  extensions?: Record<string, unknown>;
  /** The facilitator that verified it, if there are several: no other is asked once this one may have sent it. */
  via?: string;
  /** How many settlement requests certainly moved nothing: they never arrived, or were refused before anything was sent. */
  unsent?: number;
  /** Epoch seconds of the payment's arrival: the chain cannot show it earlier. */
  since?: number;
}

/** The amount to settle, in atomic units. */
export const amountOf = ({ requirements, amount }: PaymentToSettle): string => amount ?? requirements.amount;

const verifyAnswer = once(() =>
  z.object({
    isValid: z.boolean(),
    invalidReason: z.string().nullish(),
    invalidMessage: z.string().nullish(),
    payer: z.string().nullish(),
  }),
);
const settleAnswer = once(() =>
  z.object({
    success: z.boolean(),
    errorReason: z.string().nullish(),
    errorMessage: z.string().nullish(),
    transaction: z.string().max(256).nullish(),
    network: z.string().nullish(),
    payer: z.string().nullish(),
    amount: z.string().nullish(),
  }),
);

/**
 * Reasons that leave open whether money moved: facilitators report a lost answer of the node as a failed transaction.
 */
const leavesOpen = (reason: string): boolean =>
  /^(?:settlement_pending|unexpected_.*|.*transaction_failed|.*timeout.*)$/.test(reason);

/** The same settlement is under way at the facilitator, or is over: it remembers each for a while. */
export const saysUnderWay = (reason: string): boolean => /duplicate_settlement/i.test(reason);

/** The money moved before: by our own settlement whose answer was lost, or by another. */
export const saysAlreadySettled = (reason: string): boolean =>
  /nonce_already_used|duplicate_settlement|authorization is used/i.test(reason);

/**
 * The facilitator checked again before it submitted anything, and found a defect of the signature or the payer's
 * account.
 */
export const saysNeverSent = (reason: string): boolean =>
  /insufficient_(?:funds|balance|allowance)|_payload_|_signature$|_mismatch$|allowance_required/.test(reason);

/** Only the payer's balance is missing. */
export const saysPoor = (reason: string): boolean => /insufficient_(?:funds|balance)/.test(reason);

export interface FacilitatorClient {
  /** Rejects with FACILITATOR_UNAVAILABLE without a clear answer. */
  verify(payment: PaymentToSettle): Promise<VerifyOutcome>;
  /** Never rejects. */
  settle(payment: PaymentToSettle): Promise<SettleOutcome>;
  /**
   * The facilitator's supported kinds, not yet validated. Rejects with FACILITATOR_UNAVAILABLE without an answer; its
   * `retryAfter` is the facilitator's own.
   */
  supported(): Promise<unknown>;
}

export interface ClientOptions {
  /** The host's own, which sees every request. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Whether two texts name the same account of a network: an answer must be about the payer that was sent. */
  sameAccount(network: string, a: string, b: string): boolean;
  logger: Logger;
  /** Told how a facilitator took the extensions of a payment, when that changes. Must not throw. */
  keepExtension?: (told: ToldExtension) => void;
  /** Our own description of the purchase, for the facilitator's catalogue: never the caller's copy. */
  listing?: (paidFor: PaidFor) => { resource: object; extensions: object } | undefined;
}

/**
 * A client of a facilitator, over HTTP or in this process. Throws a TypeError for an invalid one.
 *
 * @example
 * ```ts
 * const facilitator = createFacilitatorClient({ url: "https://facilitator.example" }, { fetch, sameAccount, logger });
 * const verdict = await facilitator.verify({ payload, requirements, payer });
 * ```
 */
export function createFacilitatorClient(
  from: FacilitatorOptions | Facilitator,
  { fetch, sameAccount, logger, listing = () => undefined, keepExtension }: ClientOptions,
): FacilitatorClient {
  const transport = createTransport(from, fetch);
  const tellExtensions = createExtensionLog(logger, undefined, keepExtension);
  const ask = async (path: "verify" | "settle", payment: PaymentToSettle) => {
    const answer = await transport.ask(path, payloadOf(described(payment, listing)), requirementsOf(path, payment));
    tellExtensions({ path, endpoint: payment.paidFor?.endpoint }, answer.extensions);
    return answer;
  };
  return {
    async verify(payment) {
      let answer: FacilitatorAnswer;
      try {
        answer = await ask("verify", payment);
      } catch (error) {
        logger.warn({ error: reasonOf(error) }, "facilitator: verify failed");
        throw unavailable();
      }
      const parsed = verifyAnswer().safeParse(answer.body);
      if (!parsed.success || answer.status >= 500) {
        logger.warn({ status: answer.status }, "facilitator: verify gave no clear answer");
        throw unavailable();
      }
      const { isValid, invalidReason, invalidMessage, payer } = parsed.data;
      if (!isValid) return { kind: "invalid", reason: codeOf(invalidReason, invalidMessage) };
      if (answer.status >= 300) throw unavailable();
      if (payer && !sameAccount(payment.requirements.network, payer, payment.payer))
        return { kind: "invalid", reason: "payer differs" };
      return { kind: "valid" };
    },

    async settle(payment) {
      let answer: FacilitatorAnswer;
      try {
        answer = await ask("settle", payment);
      } catch (error) {
        return { kind: "pending", reason: reasonOf(error), ...(error instanceof NeverSent ? { unsent: true } : {}) };
      }
      const parsed = settleAnswer().safeParse(answer.body);
      if (!parsed.success) return { kind: "pending", reason: `unreadable answer, status ${answer.status}` };
      const { errorReason, errorMessage } = parsed.data;
      if (errorMessage) logger.info({ errorReason, errorMessage }, "facilitator: a settlement was not clear");
      return judgeSettlement(parsed.data, answer.status, { payment, sameAccount });
    },

    supported: transport.supported,
  };
}

/** Success only if everything in the answer matches the payment; refusal only if the answer clearly says so. */
function judgeSettlement(
  answer: z.infer<ReturnType<typeof settleAnswer>>,
  status: number,
  { payment, sameAccount }: Pick<ClientOptions, "sameAccount"> & { payment: PaymentToSettle },
): SettleOutcome {
  // guard: the facilitator's yes must come with a transaction | undefined -> '0x0' | PAYMENT
  const transaction = answer.transaction || undefined;
  if (!answer.success) {
    const reason = codeOf(answer.errorReason, answer.errorMessage);
    const unknown = status >= 500 || leavesOpen(reason);
    return unknown ? { kind: "pending", reason, ...(transaction ? { transaction } : {}) } : { kind: "refused", reason };
  }
  if (status >= 300) return { kind: "pending", reason: `success with status ${status}` };
  if (!transaction) return { kind: "pending", reason: "success without a transaction" };
  const doubt = doubtOf(answer, payment, sameAccount);
  if (doubt) return { kind: "pending", reason: doubt };
  return { kind: "settled", transaction, payer: payment.payer, amount: amountOf(payment) };
}

/** Why a success may be that of another payment. */
function doubtOf(
  { network, payer, amount }: z.infer<ReturnType<typeof settleAnswer>>,
  payment: PaymentToSettle,
  sameAccount: ClientOptions["sameAccount"],
): string | undefined {
  const { requirements, unlikeAmount } = payment;
  if (network && networkId(network) !== requirements.network) return "success on another network";
  if (unlikeAmount) return undefined;
  // guard: the facilitator's yes must name the payer | gone | PAYMENT
  if (payer && !sameAccount(requirements.network, payer, payment.payer)) return "success for another payer";
  return amount && amount !== amountOf(payment) ? "success for another amount" : undefined;
}

/**
 * The facilitator's reason if it is a code of the protocol. Free text is dropped, because it may quote anything, keys
 * included.
 */
function codeOf(reason: string | null | undefined, message: string | null | undefined): string {
  if (reason && /^[a-z][a-z0-9_]{0,79}$/.test(reason)) return reason;
  // Some facilitators report it only in free text.
  return saysAlreadySettled(`${reason} ${message}`) ? "nonce_already_used" : "refused";
}

/** For the log: an error's message without any part of a payment that it may quote. */
const reasonOf = (error: unknown) =>
  error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : "unknown";

/** The x402 payload of a payment. Version 1 payments become version 2, whose signed part is the same. */
function payloadOf({ payload, requirements, resource, extensions }: DescribedPayment): object {
  return {
    x402Version: 2,
    ...(resource ? { resource } : {}),
    accepted: requirements,
    payload,
    ...(extensions ? { extensions } : {}),
  };
}

interface DescribedPayment extends PaymentToSettle {
  resource?: object;
}

/** A payment with the current description of its purchase. */
function described(payment: PaymentToSettle, listing: NonNullable<ClientOptions["listing"]>): DescribedPayment {
  const listed = payment.paidFor && listing(payment.paidFor);
  if (!listed) return payment;
  return { ...payment, resource: listed.resource, extensions: { ...listed.extensions, ...payment.extensions } };
}

/** A payment is verified for its maximum, and settled for the amount due. */
function requirementsOf(path: "verify" | "settle", payment: PaymentToSettle): PaymentRequirements {
  return path === "verify" ? payment.requirements : { ...payment.requirements, amount: amountOf(payment) };
}
