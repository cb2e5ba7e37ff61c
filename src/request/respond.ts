/**
 * Turns a result into an answer in two steps: the outcome that is saved before money moves, and the response sent
 * after.
 */
import { z } from "zod";
import { isBinary } from "../capability/json-schema.js";
import type { BinaryResult } from "../capability/output.js";
import type { AnyCapability } from "../capability/types.js";
import { once } from "../lib/lazy.js";
import { fromMicros, type Micros } from "../lib/money.js";
import { writeJson } from "../lib/text/written-json.js";
import { paymentReceipt } from "../payment/mpp/credential.js";
import type { PaidByGrant } from "../payment/options/accounts.js";
import type { Paid } from "../payment/order/order.js";
import type { Refund } from "../payment/record/facts.js";
import type { SettleResponse } from "../payment/x402/refusal.js";
import { isRated, usdOf } from "../payment/x402/usd.js";
import { receiptHeaders } from "../payment/x402/wire.js";
import type { Call } from "./call.js";
import { serviceHeader, sharedHeaders } from "./headers.js";
import type { PlainResponse } from "./http/exchange.js";

/** Facts about the call that accompany a result (CallMeta). Money is decimal USD. */
export interface CallMeta {
  endpoint: string;
  version: null;
  requestId: string;
  caller: "trial" | "paid" | "account" | "free" | "batch";
  costUsd: string;
  quotedUsd: string;
  durationMs: number;
  cached: boolean;
  payment?: { scheme: string; network: string; asset: string; amount: string; payer: string; transaction: string };
  /** The account that was charged. */
  account?: string;
  /** The grants of the account that paid, wholly or in part; the balance paid the rest. */
  grants?: PaidByGrant[];
  trial?: { remaining: number; resetAt: string };
  /** Present for calls with up-to billing and calls paid with credit. */
  usage?: Usage;
}

/** Authorized, used, settled and returned amounts, in decimal USD. */
export interface Usage {
  authorizedUsd: string;
  usedUsd: string;
  settledUsd: string;
  /** Returned to the payer on chain. */
  returnedUsd?: string;
  /** Kept for the payer's next call; the token is in the credit header. */
  creditedUsd?: string;
  /** Owed to the payer, and returned as soon as possible. */
  owedUsd?: string;
  /** For a call that the wallet's credit paid instead of its payment: taken from the credit, and left of it then. */
  creditUsedUsd?: string;
  creditLeftUsd?: string;
  /**
   * How usage was settled: `exact` takes the maximum and returns the rest, `upto` takes the used amount, `channel`
   * charges it by voucher, `account` takes it from a balance.
   */
  method: "exact" | "upto" | "channel" | "credit" | "account" | "none";
  /** True if the provider reported no usage and this is our estimate. */
  estimated?: boolean;
}

/** A finished result, ready to be saved and delivered. Every delivery sends the same bytes. */
export type Outcome =
  | { kind: "normalized"; data: string; meta: CallMeta }
  | {
      kind: "legacy";
      contentType: string;
      headers: Record<string, string>;
      body: string | Uint8Array;
      meta: CallMeta;
      /** Status other than 200, for a call that failed in part. */
      status?: number | undefined;
      /** The last event of a stream, which gets the facts of the call in its member `usage`. */
      last?: LastEvent | undefined;
    };

/** The last event of a stream before its facts are known: a chunk, or the error that it ended with, as JSON. */
export interface LastEvent {
  event?: "error" | undefined;
  data: string;
}

export function toOutcome(capability: AnyCapability, result: unknown, meta: CallMeta): Outcome {
  if (capability.shape === "normalized") return { kind: "normalized", data: writeJson(result), meta };
  if (isBinary(capability)) return { kind: "legacy", headers: {}, ...(result as BinaryResult), meta };
  return { kind: "legacy", contentType: "application/json", headers: {}, body: writeJson(result), meta };
}

const savedOutcome = once(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("normalized"), data: z.string(), meta: z.custom<CallMeta>() }),
    z.object({
      kind: z.literal("legacy"),
      contentType: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.union([z.string(), z.object({ base64: z.string() }).transform(({ base64 }) => fromBase64(base64))]),
      meta: z.custom<CallMeta>(),
      status: z.number().optional(),
      last: z.object({ event: z.literal("error").optional(), data: z.string() }).optional(),
    }),
  ]),
);

const fromBase64 = (text: string): Uint8Array => Buffer.from(text, "base64");

/** An outcome as text for the store; a file's bytes in base64. */
export function writeOutcome(outcome: Outcome): string {
  if (outcome.kind === "normalized" || typeof outcome.body === "string") return JSON.stringify(outcome);
  // A Buffer writes itself as a list of numbers, before any function that is given to JSON.stringify sees it.
  return JSON.stringify({ ...outcome, body: { base64: Buffer.from(outcome.body).toString("base64") } });
}

export const readOutcome = (text: string): Outcome => savedOutcome().parse(JSON.parse(text));

export const statusOf = (outcome: Outcome): number => (outcome.kind === "legacy" && outcome.status) || 200;

/** Size of the answer's body, for platforms with a limit. */
export function bodyBytes(outcome: Outcome): number {
  const body = outcome.kind === "normalized" ? outcome.data : outcome.body;
  return typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
}

/** The 200. The same outcome and receipt always give the same body. */
export function respond(call: Call, outcome: Outcome, paid?: Paid, extra: Record<string, string> = {}): PlainResponse {
  const meta = paid ? withPayment(outcome.meta, paid) : outcome.meta;
  const { slug } = call.host.brand;
  const common = sharedHeaders(call);
  const own = { "x-request-id": call.requestId };
  const headers: Record<string, string> = { ...own, ...(paid && paidHeaders(call, paid)), ...extra };
  noteEvent(call, meta);
  if (outcome.kind === "normalized") {
    headers["content-type"] = "application/json";
    return { status: 200, headers, common, body: `{"data":${outcome.data},"meta":${JSON.stringify(meta)}}` };
  }
  headers["content-type"] = outcome.contentType;
  if (outcome.contentType === EVENTS_TYPE)
    return { status: 200, headers, common, body: outcome.body + lastEvent(call, outcome, paid) };
  for (const [name, value] of metaHeaders(meta)) headers[serviceHeader(slug, name)] = value;
  // A capability's header in lower case is a standard one; "Render-Ms" becomes X-<SLUG>-Render-Ms.
  for (const [name, value] of Object.entries(outcome.headers))
    headers[name === name.toLowerCase() ? name : serviceHeader(slug, name)] = value;
  return { status: statusOf(outcome), headers, common, body: outcome.body };
}

/** Media type of server-sent events. */
export const EVENTS_TYPE = "text/event-stream";

/** The last event of a stream: facts that were not known when its headers left, and the headers that they would be. */
export function lastEvent(
  call: Call,
  outcome: Outcome,
  paid: Paid | undefined,
  statement: Record<string, string> = {},
): string {
  const { meta } = outcome;
  const complete = paid ? withPayment(meta, paid) : meta;
  noteEvent(call, complete);
  const facts = { meta: complete, headers: { ...(paid && paidHeaders(call, paid)), ...statement } };
  const last = outcome.kind === "legacy" ? outcome.last : undefined;
  if (!last) return `event: meta\ndata: ${JSON.stringify(facts)}\n\n`;
  const { usage, ...rest } = JSON.parse(last.data) as { usage?: object };
  const data = JSON.stringify({ ...rest, usage: { ...usage, ...facts } });
  return last.event ? `event: ${last.event}\ndata: ${data}\n\n` : `data: ${data}\n\n${DONE}`;
}

/** Ends the chunks of a stream, as readers of OpenAI's API expect. */
export const DONE = "data: [DONE]\n\n";

/** The receipt of a payment, and the token of the credit that is left of it. */
export function paidHeaders(call: Call, { delivery: { receipt, refund }, version }: Paid): Record<string, string> {
  const credit = serviceHeader(call.host.brand.slug, "Credit");
  return {
    ...(receipt && receiptHeaders(receipt, version)),
    ...(receipt && call.host.payments.mpp ? paymentReceipt(call.request.headers, receipt, call.host.now()) : {}),
    ...(refund?.token ? { [credit]: refund.token } : {}),
  };
}

/** Repeats the answer that the same payment bought before, and marks it as a repetition. */
export function respondAgain(call: Call, outcome: Outcome, paid: Paid | undefined): PlainResponse {
  const reply = respond(call, outcome, paid, { [serviceHeader(call.host.brand.slug, "Replay")]: "1" });
  call.event.outcome = "replayed";
  call.event.chargedUsd = "0";
  return reply;
}

function noteEvent({ event }: Call, meta: CallMeta): void {
  event.caller = meta.caller === "batch" ? "free" : meta.caller;
  event.outcome = event.caller;
  event.chargedUsd = meta.costUsd;
  if (meta.payment) {
    event.transaction = meta.payment.transaction;
    event.scheme = meta.payment.scheme;
  }
}

function withPayment(meta: CallMeta, { requirements, delivery: { receipt, refund } }: Paid): CallMeta {
  const { scheme, asset } = requirements;
  const complete = { ...meta };
  const settled = receipt && isRated(requirements) ? usdOf(requirements) : BigInt(receipt ? paidBy(receipt) : "0");
  if (meta.usage) complete.usage = withSettlement(meta.usage, settled, refund);
  const credit = receipt && creditIn(receipt);
  if (credit) complete.usage = paidByCredit(meta, credit);
  if (complete.usage?.method === "exact") complete.usage.method = scheme === "batch-settlement" ? "channel" : scheme;
  if (receipt) {
    const { network, payer = "", transaction } = receipt;
    complete.payment = { scheme, network, asset, amount: paidBy(receipt), payer, transaction };
  }
  return complete;
}

/** The wallet's credit that paid instead of a payment. */
const creditIn = ({ extensions }: SettleResponse) =>
  extensions?.credit as { usedUsd: string; leftUsd: string } | undefined;

function paidByCredit(
  { quotedUsd, costUsd, usage }: CallMeta,
  { usedUsd, leftUsd }: { usedUsd: string; leftUsd: string },
): Usage {
  const credit = { creditUsedUsd: usedUsd, creditLeftUsd: leftUsd };
  return { authorizedUsd: quotedUsd, usedUsd: costUsd, ...usage, settledUsd: "0", ...credit, method: "credit" };
}

/** Price of a call by its receipt, in atomic units; the receipt of a channel also contains the deposit. */
const paidBy = ({ amount = "0", extra }: SettleResponse): string =>
  typeof extra?.chargedAmount === "string" ? extra.chargedAmount : amount;

/**
 * "Settled" is the amount that moved, "returned" and "credited" are the parts given back; "charged" is only the amount
 * kept.
 */
function withSettlement(usage: Usage, amount: Micros, refund: Refund | undefined): Usage {
  const settled = { ...usage, settledUsd: fromMicros(amount) };
  if (!refund || refund.state === "void") return settled;
  const usd = fromMicros(BigInt(refund.amount));
  if (refund.state === "returned") return { ...settled, returnedUsd: usd };
  return refund.state === "credited" ? { ...settled, creditedUsd: usd } : { ...settled, owedUsd: usd };
}

/** The same facts as headers, for answers without an envelope. */
function metaHeaders(meta: CallMeta): [string, string][] {
  const facts: [string, string | undefined][] = [
    ["Endpoint", meta.endpoint],
    ["Caller", meta.caller],
    ["Account", meta.account],
    ["Grants", meta.grants?.map(({ id }) => id).join(", ")],
    ["Cost-Usd", meta.costUsd],
    ["Quoted-Usd", meta.quotedUsd],
    ["Duration-Ms", String(meta.durationMs)],
    ["Cached", String(meta.cached)],
    ["Payer", meta.payment?.payer],
    ["Transaction", meta.payment?.transaction],
    ["Trial-Remaining", meta.trial && String(meta.trial.remaining)],
    ["Trial-Reset-At", meta.trial?.resetAt],
    ["Authorized-Usd", meta.usage?.authorizedUsd],
    ["Used-Usd", meta.usage?.usedUsd],
    ["Settled-Usd", meta.usage?.settledUsd],
    ["Returned-Usd", meta.usage?.returnedUsd],
    ["Credited-Usd", meta.usage?.creditedUsd],
    ["Owed-Usd", meta.usage?.owedUsd],
    ["Credit-Used-Usd", meta.usage?.creditUsedUsd],
    ["Credit-Left-Usd", meta.usage?.creditLeftUsd],
    ["Usage-Method", meta.usage?.method],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}
