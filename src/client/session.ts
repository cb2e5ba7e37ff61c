/** State shared by the calls of a client: limits, credit, trials, open purchases, and sending. */
import { CapabilityError } from "../errors.js";
import { fromMicros, type Micros, toMicros } from "../lib/money.js";
import { type Budget, createBudget, type Hold } from "./budget.js";
import type { Guard, GuardOptions } from "./buyer-limits.js";
import { type Credit, type Credits, createCredits } from "./credits.js";
import type { EndpointFacts } from "./find-endpoint.js";
import { type ClientOptions, readBaseUrl, readUsd } from "./options.js";
import { type Count, inDollars, type PartPayer, type Payment } from "./payment.js";
import { readMaxBytes } from "./read-response.js";
import { repeat } from "./repeat.js";
import { jsonOf, type OutgoingCall, type Reply, retryAfterOf, roundTrip } from "./reply.js";
import { resultOfReply } from "./result.js";
import type { Vouchers } from "./signed.js";
import type { Answer, Job } from "./types.js";
import { createUnanswered, type Unanswered } from "./unanswered.js";

export interface PendingCall {
  endpoint: EndpointFacts;
  outgoing: OutgoingCall;
  /** Whether there is any input: a request without one gets the listed price, whatever credit there is. */
  hasInput: boolean;
  signal: AbortSignal | undefined;
  /** The most that it may cost. */
  most: Micros | undefined;
  /** For a stream, which a channel may pay in parts. */
  parts?: PartPayer;
  /** The caller's own name for the purchase. */
  name: string | undefined;
  /** Told of the job that a 202 names. */
  isLater?: (job: Job) => void;
}

export interface ClientSession {
  readonly budget: Budget;
  /** The buyer's limits at work; undefined if it has none. */
  guard(): Promise<Guard | undefined>;
  /** The budget within the buyer's limits. */
  budgetNow(): Promise<Budget>;
  readonly credits: Credits;
  readonly vouchers: Vouchers;
  /** The measure of offers in dollars. */
  count(): Count | Promise<Count>;
  readonly unanswered: Unanswered;
  /** The credit to send with a call. */
  creditFor(pending: PendingCall): Credit | undefined;
  /** Sends until the outcome is known. Rejects with the error of the last request. */
  send(pending: PendingCall, headers: Record<string, string>): Promise<Reply>;
  /** The call as a request for its free trial, if one may be left. */
  onTrial(pending: PendingCall): PendingCall;
  /** Records when the next trial is available. */
  noteTrial(pending: PendingCall, reply: Reply): void;
  /** The result; records its credit. */
  deliver(pending: PendingCall, reply: Reply, credit: Credit | undefined): Answer<unknown>;
  /** The answer with its checked statement. Rejects with UPSTREAM_ERROR if a right one is required and not there. */
  checked(pending: PendingCall, answer: Answer<unknown>): Promise<Answer<unknown>>;
  /** Keeps a purchase with an unknown outcome for the next call with the same request. */
  leaveOpen(pending: PendingCall, purchase: Payment | string): void;
  resumeOpen(pending: PendingCall): Payment | string | undefined;
  /** Whether a payment was sent for the same request whose outcome is unknown. */
  hasOpenPayment(pending: PendingCall): boolean;
}

const HOUR_SECONDS = 3600;
/** Beyond this number the oldest open purchases are forgotten. */
const MAX_OPEN = 1000;

export function createClientSession(options: ClientOptions, fetch: typeof globalThis.fetch): ClientSession {
  const { trial = false, retries = 3, maxWaitMs = 60_000, tokens, receipts = {} } = options;
  const maxBytes = readMaxBytes(options.maxResponseBytes);
  const credits = createCredits(options.credits ?? []);
  const open = new Map<string, Payment | string>();
  const trialsDue = new Map<string, number>();
  const replies = new WeakMap<object, Reply>();
  const signers = new Map<string, string>();
  const keyOf = ({ outgoing: { method, url, body = "" }, name = "" }: PendingCall) =>
    `${name} ${method} ${url} ${body}`;

  const budget = createBudget({
    perCall: readUsd("maxPerCallUsd", options.maxPerCallUsd),
    total: readUsd("maxTotalUsd", options.maxTotalUsd),
  });
  const { limits } = options;
  let guarded: Promise<Guard> | undefined;
  const guard = async () => {
    guarded ??= limits && openGuard({ limits, budget, fetch, maxBytes, baseUrl: readBaseUrl(options.baseUrl) });
    return guarded;
  };

  return {
    budget,
    guard,
    budgetNow: async () => (await guard())?.budget ?? budget,
    unanswered: createUnanswered(),
    credits,
    vouchers: new Map(),
    count: () => (tokens ? import("./tokens.js").then(({ countedBy }) => countedBy(tokens)) : inDollars),
    creditFor: ({ hasInput }) => (hasInput ? credits.current() : undefined),
    send({ outgoing, signal }, headers) {
      return repeat(() => roundTrip(fetch, outgoing, { headers, signal, maxBytes }), { retries, maxWaitMs }, signal);
    },
    onTrial(pending) {
      const { endpoint, outgoing } = pending;
      if (!trial || (trialsDue.get(endpoint.id) ?? 0) > Date.now()) return pending;
      // Uses the query, because the header's name depends on the host.
      const url = `${outgoing.url}${outgoing.url.includes("?") ? "&" : "?"}trial=1`;
      return { ...pending, outgoing: { ...outgoing, url } };
    },
    noteTrial({ endpoint }, reply) {
      if (!trial || reply.status !== 402) return;
      trialsDue.set(endpoint.id, Date.now() + (retryAfterOf(reply) ?? HOUR_SECONDS) * 1000);
    },
    deliver({ endpoint, isLater }, reply, credit) {
      if (isLater && reply.status === 202) isLater(jsonOf<Job>(reply) as Job);
      if (reply.events) {
        reply.events.credit = credit;
        // Its facts come with its last event.
        return { data: reply, meta: undefined as never };
      }
      const answer = resultOfReply(reply, endpoint);
      credits.note(reply.headers, answer.meta, credit);
      replies.set(answer, reply);
      return answer;
    },
    async checked({ endpoint: { id }, outgoing }, answer) {
      const reply = replies.get(answer);
      if (!reply || !(receipts.required || reply.headers.has("delivery-statement"))) return answer;
      const { withDelivery } = await import("./receipts/delivery.js");
      return withDelivery(answer, reply, { endpoint: id, outgoing, options: receipts, known: signers });
    },
    leaveOpen(pending, purchase) {
      const [oldest] = open.keys();
      if (oldest !== undefined && open.size >= MAX_OPEN) open.delete(oldest);
      open.set(keyOf(pending), purchase);
    },
    hasOpenPayment: (pending) => typeof open.get(keyOf(pending)) === "object",
    resumeOpen(pending) {
      const purchase = open.get(keyOf(pending));
      open.delete(keyOf(pending));
      return purchase;
    },
  };
}

/** Loaded by the first call of a client whose buyer has limits. */
const openGuard = async (options: GuardOptions) => (await import("./limits/guarded.js")).createGuard(options);

/** Reserves the most that a call may cost, for a payment that this client does not sign; undefined without a limit. */
export async function reserveLimit(session: ClientSession, pending: PendingCall): Promise<Hold | undefined> {
  const budget = await session.budgetNow();
  return budget.limits(pending) || pending.most !== undefined ? budget.reserveMost(pending) : undefined;
}

export const limitHeader = (hold: Hold | undefined): Record<string, string> =>
  hold ? { "x-402-max-usd": fromMicros(hold.amount) } : {};

/** The amount that an answer took from an account. */
export const chargedIn = ({ meta }: Pick<Answer<unknown>, "meta">): Micros =>
  meta.caller === "account" ? toMicros(meta.costUsd) : 0n;

/** A name that cannot be guessed, created without APIs that need a secure context. */
export const newName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export const creditHeader = (credit: Credit | undefined): Record<string, string> =>
  credit ? { [credit.header]: credit.token } : {};

/** Why a 402 refused the credit, if it did. */
export function creditRefusal(reply: Reply): string | undefined {
  const code = jsonOf<{ extensions: { code?: string } }>(reply).extensions?.code;
  return code?.startsWith("CREDIT_") ? code : undefined;
}

/** The error of a failed request, unless its caller has left. */
export function unreachable({ outgoing, signal }: PendingCall, cause: unknown): unknown {
  if (signal?.aborted || CapabilityError.is(cause)) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CapabilityError("UPSTREAM_ERROR", `${new URL(outgoing.url).origin} could not be reached: ${why}`, {
    cause,
  });
}
