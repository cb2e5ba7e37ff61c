/** The facilitator: the service that judges payments and puts them on chain. Nothing it says is taken on trust. */
import { z } from "zod";
import { CapabilityError } from "../../errors.js";
import { within } from "../../lib/abort.js";
import type { Logger } from "../../lib/logger.js";
import { readText } from "../../lib/read-limited.js";
import { networkId } from "./networks.js";
import type { PaymentRequirements } from "./wire.js";

type FacilitatorPath = "verify" | "settle" | "supported";

/** A facilitator by its address, as the configurations of `@coinbase/x402` and others have it too. */
export interface FacilitatorOptions {
  url: string;
  /** Headers of each call, such as an authorization made anew every time. */
  headers?: (path: FacilitatorPath) => Record<string, string> | Promise<Record<string, string>>;
  /** The same as the ecosystem's packages give it: the headers of all calls, asked for before each. */
  createAuthHeaders?: () => Promise<{ [path in FacilitatorPath]?: Record<string, string> }>;
  /** The longest a call may take. Default 10 s to verify, 45 s to settle. */
  timeoutMs?: number;
}

/**
 * A facilitator in the host's own process, with the answers of the HTTP API; or a client of one, as the
 * `HTTPFacilitatorClient` of `@x402/core`, whose own `verify` and `settle` are used and not its address.
 */
export interface Facilitator {
  verify(payload: object, requirements: object): Promise<unknown>;
  settle(payload: object, requirements: object): Promise<unknown>;
  supported?(): Promise<unknown>;
  /** What `supported` is called in the official packages. */
  getSupported?(): Promise<unknown>;
}

const isInProcess = (from: FacilitatorOptions | Facilitator): from is Facilitator =>
  "verify" in from && typeof from.verify === "function";

/** One that cannot say what it supports is asked for nothing that depends on it. */
const supportedOf = (facilitator: Facilitator): Promise<unknown> =>
  within(
    SUPPORTED_TIMEOUT_MS,
    async () => (await (facilitator.supported?.() ?? facilitator.getSupported?.())) ?? { kinds: [] },
  );

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

const VERIFY_TIMEOUT_MS = 10_000;
const SETTLE_TIMEOUT_MS = 45_000;
const SUPPORTED_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

const verifyAnswer = z.object({
  isValid: z.boolean(),
  invalidReason: z.string().nullish(),
  invalidMessage: z.string().nullish(),
  payer: z.string().nullish(),
});
const settleAnswer = z.object({
  success: z.boolean(),
  errorReason: z.string().nullish(),
  errorMessage: z.string().nullish(),
  transaction: z.string().max(256).nullish(),
  network: z.string().nullish(),
  payer: z.string().nullish(),
  amount: z.string().nullish(),
});

/** Reasons that leave open whether money moved: a lost answer of the node is told as a failed transaction. */
const leavesOpen = (reason: string): boolean =>
  /^(?:settlement_pending|unexpected_.*|.*transaction_failed|.*timeout.*)$/.test(reason);

/** The money moved before: by a settlement of our own whose answer was lost, or by somebody else's. */
export const saysAlreadySettled = (reason: string): boolean =>
  /nonce_already_used|duplicate_settlement|authorization is used/i.test(reason);

/** It looked again before it sent anything, and found what its signature or its payer's account lacks. */
export const saysNeverSent = (reason: string): boolean =>
  /insufficient_(?:funds|balance|allowance)|_payload_|_signature$|_mismatch$|allowance_required/.test(reason);

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
  const send = isInProcess(from) ? inProcess(from) : overHttp(from, fetch);
  const ask: Ask = (path, payment) => send(path, described(payment, listing));
  return {
    async verify(payment) {
      let answer: Answer;
      try {
        answer = await ask("verify", payment);
      } catch (error) {
        logger.warn({ error: reasonOf(error) }, "facilitator: verify failed");
        throw unavailable();
      }
      const parsed = verifyAnswer.safeParse(answer.body);
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
      let answer: Answer;
      try {
        answer = await ask("settle", payment);
      } catch (error) {
        return { kind: "pending", reason: reasonOf(error) };
      }
      const parsed = settleAnswer.safeParse(answer.body);
      if (!parsed.success) return { kind: "pending", reason: `unreadable answer, status ${answer.status}` };
      const { errorReason, errorMessage } = parsed.data;
      if (errorMessage) logger.info({ errorReason, errorMessage }, "facilitator: a settlement was not clear");
      return judgeSettlement(parsed.data, answer.status, { payment, sameAccount });
    },

    supported: () => (isInProcess(from) ? supportedOf(from) : readSupported(from, fetch)),
  };
}

/** Success only when everything in the answer agrees with the payment; refusal only when it clearly says so. */
function judgeSettlement(
  answer: z.infer<typeof settleAnswer>,
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

const unavailable = (retryAfter = 5) =>
  new CapabilityError(
    "FACILITATOR_UNAVAILABLE",
    "The payment facilitator gave no answer. Nothing was charged; the same payment can be sent again.",
    { retryAfter },
  );

/** A facilitator's reason where it is a code of the protocol's kind. Its own sentences may quote anything, keys included. */
function codeOf(reason: string | null | undefined, message: string | null | undefined): string {
  if (reason && /^[a-z][a-z0-9_]{0,79}$/.test(reason)) return reason;
  // Some facilitators say it in words alone.
  return saysAlreadySettled(`${reason} ${message}`) ? "nonce_already_used" : "refused";
}

/** For the log: an error's own words without what it may quote of a payment. */
const reasonOf = (error: unknown) =>
  error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : "unknown";

interface Answer {
  status: number;
  body: unknown;
}
type Ask = (path: "verify" | "settle", payment: DescribedPayment) => Promise<Answer>;

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

function inProcess(facilitator: Facilitator): Ask {
  return async (path, payment) => {
    const timeoutMs = path === "verify" ? VERIFY_TIMEOUT_MS : SETTLE_TIMEOUT_MS;
    const ask = () => facilitator[path](payloadOf(payment), requirementsOf(path, payment));
    return { status: 200, body: await within(timeoutMs, ask) };
  };
}

/** Made anew for each request: what authorizes one is often good for that one alone, and for a minute. */
async function headersFor(options: FacilitatorOptions, path: FacilitatorPath) {
  const [own, auth] = [await options.headers?.(path), await options.createAuthHeaders?.()];
  return { accept: "application/json", ...own, ...auth?.[path] };
}

interface Exchange {
  path: FacilitatorPath;
  timeoutMs: number;
  body?: object;
}

function exchange(options: FacilitatorOptions, fetch: typeof globalThis.fetch, { path, timeoutMs, body }: Exchange) {
  const ask = async (signal: AbortSignal) => {
    const headers = await headersFor(options, path);
    const post = { method: "POST", headers: { "content-type": "application/json", ...headers } };
    const response = await fetch(`${options.url.replace(/\/+$/, "")}/${path}`, {
      ...(body ? { ...post, body: JSON.stringify(body) } : { headers }),
      // A redirected settlement could reach somebody else, or be sent twice.
      redirect: "manual",
      signal,
    });
    return { response, text: await readText(response.body, MAX_ANSWER_BYTES) };
  };
  return within(options.timeoutMs ?? timeoutMs, ask);
}

async function readSupported(options: FacilitatorOptions, fetch: typeof globalThis.fetch): Promise<unknown> {
  const { response, text } = await exchange(options, fetch, { path: "supported", timeoutMs: SUPPORTED_TIMEOUT_MS });
  if (!response.ok) throw unavailable(Number(response.headers.get("retry-after")) || 0);
  return JSON.parse(text);
}

function overHttp(options: FacilitatorOptions, fetch: typeof globalThis.fetch): Ask {
  return async (path, payment) => {
    const body = {
      x402Version: 2,
      paymentPayload: payloadOf(payment),
      paymentRequirements: requirementsOf(path, payment),
    };
    const timeoutMs = path === "verify" ? VERIFY_TIMEOUT_MS : SETTLE_TIMEOUT_MS;
    const { response, text } = await exchange(options, fetch, { path, timeoutMs, body });
    return { status: response.status, body: JSON.parse(text) };
  };
}
