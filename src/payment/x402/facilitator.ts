/** The facilitator: the service that judges payments and puts them on chain. Nothing it says is taken on trust. */
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import type { Logger } from "../../lib/logger.js";
import { networkId } from "./networks.js";
import {
  createTransport,
  type Facilitator,
  type FacilitatorAnswer,
  type FacilitatorOptions,
  unavailable,
} from "./transport.js";
import type { PaymentRequirements } from "./wire.js";

export type VerifyOutcome = { kind: "valid" } | { kind: "invalid"; reason: string };

/** A settlement has three ends. What cannot be told apart from success or refusal is pending, never a refusal. */
export type SettleOutcome =
  | { kind: "settled"; transaction: string; payer: string; amount?: string }
  | { kind: "refused"; reason: string }
  | { kind: "pending"; reason: string; transaction?: string };

/** What a payment is for, in as few words as its record should keep. */
export interface PaidFor {
  /** Its id. */
  endpoint: string;
  url: string;
}

/** What is sent: the version-2 payload with our own requirements in it, never the caller's copy of them. */
export interface PaymentToSettle {
  payload: Record<string, unknown>;
  /** As offered and signed for. */
  requirements: PaymentRequirements;
  payer: string;
  /** Absent where nothing is bought, as when money goes back. */
  paidFor?: PaidFor;
  /** What is settled where that is less than the requirements' amount, under `upto`. Atomic units. */
  amount?: string;
  /** The answer names what a channel moved, which no requirement knows; the chain is asked whether it is so. */
  unlikeAmount?: boolean;
  /** Extensions of the protocol that the payer signed something for. */
  extensions?: Record<string, unknown>;
  /** Epoch seconds when it was taken: the chain shows nothing of it before. */
  since?: number;
}

/** How much is to be settled, in atomic units. */
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

/** Reasons that leave open whether money moved: a lost answer of the node is told as a failed transaction. */
const leavesOpen = (reason: string): boolean =>
  /^(?:settlement_pending|unexpected_.*|.*transaction_failed|.*timeout.*)$/.test(reason);

/** The money moved before: by a settlement of our own whose answer was lost, or by somebody else's. */
export const saysAlreadySettled = (reason: string): boolean =>
  /nonce_already_used|duplicate_settlement|authorization is used/i.test(reason);

/** It looked again before it sent anything, and found what its signature or its payer's account lacks. */
export const saysNeverSent = (reason: string): boolean =>
  /insufficient_(?:funds|balance|allowance)|_payload_|_signature$|_mismatch$|allowance_required/.test(reason);

/** It found nothing wrong with a payment but what its payer owns. */
export const saysPoor = (reason: string): boolean => /insufficient_(?:funds|balance)/.test(reason);

export interface FacilitatorClient {
  /** Rejects with FACILITATOR_UNAVAILABLE when no clear answer came. */
  verify(payment: PaymentToSettle): Promise<VerifyOutcome>;
  /** Never rejects. */
  settle(payment: PaymentToSettle): Promise<SettleOutcome>;
  /**
   * What the facilitator says of itself, unread. Rejects with FACILITATOR_UNAVAILABLE when it says nothing;
   * `retryAfter` is then its own, where it asked for patience.
   */
  supported(): Promise<unknown>;
}

export interface ClientOptions {
  fetch: typeof globalThis.fetch;
  /** Whether two texts name the same account of a network: its answers must be about the payer that was sent. */
  sameAccount(network: string, a: string, b: string): boolean;
  logger: Logger;
  /** Our own words on what is paid for, by which facilitators list it: never the caller's copy of them. */
  listing?: (paidFor: PaidFor) => { resource: object; extensions: object } | undefined;
}

export function createFacilitatorClient(
  from: FacilitatorOptions | Facilitator,
  { fetch, sameAccount, logger, listing = () => undefined }: ClientOptions,
): FacilitatorClient {
  const transport = createTransport(from, fetch);
  const ask = (path: "verify" | "settle", payment: PaymentToSettle) =>
    transport.ask(path, payloadOf(described(payment, listing)), requirementsOf(path, payment));
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
        return { kind: "pending", reason: reasonOf(error) };
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

/** Success only when everything in the answer agrees with the payment; refusal only when it clearly says so. */
function judgeSettlement(
  answer: z.infer<ReturnType<typeof settleAnswer>>,
  status: number,
  { payment, sameAccount }: Pick<ClientOptions, "sameAccount"> & { payment: PaymentToSettle },
): SettleOutcome {
  const { requirements, payer } = payment;
  const amount = amountOf(payment);
  const transaction = answer.transaction || undefined;
  if (!answer.success) {
    const reason = codeOf(answer.errorReason, answer.errorMessage);
    const unknown = status >= 500 || leavesOpen(reason);
    return unknown ? { kind: "pending", reason, ...(transaction ? { transaction } : {}) } : { kind: "refused", reason };
  }
  const doubt =
    status >= 300
      ? `success with status ${status}`
      : !transaction
        ? "success without a transaction"
        : answer.network && networkId(answer.network) !== requirements.network
          ? "success on another network"
          : answer.payer && !payment.unlikeAmount && !sameAccount(requirements.network, answer.payer, payer)
            ? "success for another payer"
            : answer.amount && !payment.unlikeAmount && answer.amount !== amount
              ? "success for another amount"
              : undefined;
  if (doubt || !transaction) return { kind: "pending", reason: doubt ?? "no transaction" };
  return { kind: "settled", transaction, payer, amount };
}

/** A facilitator's reason where it is a code of the protocol's kind. Its own sentences may quote anything, keys included. */
function codeOf(reason: string | null | undefined, message: string | null | undefined): string {
  if (reason && /^[a-z][a-z0-9_]{0,79}$/.test(reason)) return reason;
  // Some facilitators say it in words alone.
  return saysAlreadySettled(`${reason} ${message}`) ? "nonce_already_used" : "refused";
}

/** For the log: an error's own words without what it may quote of a payment. */
const reasonOf = (error: unknown) =>
  error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : "unknown";

/** The x402 payload of a payment; version 1 payments become version 2, whose signed part is the same. */
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

/** A payment together with what it is for, as it is listed at this moment. */
function described(payment: PaymentToSettle, listing: NonNullable<ClientOptions["listing"]>): DescribedPayment {
  const listed = payment.paidFor && listing(payment.paidFor);
  if (!listed) return payment;
  return { ...payment, resource: listed.resource, extensions: { ...listed.extensions, ...payment.extensions } };
}

/** A payment is verified for all that it allows, and settled for what is due. */
function requirementsOf(path: "verify" | "settle", payment: PaymentToSettle): PaymentRequirements {
  return path === "verify" ? payment.requirements : { ...payment.requirements, amount: amountOf(payment) };
}
