/** A call of a proxied route: one request to the origin, whose answer is the result. */
import { createHash, randomUUID } from "node:crypto";
import type { Context } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import { DAY_MS } from "../lib/time.js";
import type { WaitingLine } from "../upstream/line.js";
import { type Answering, assertSecret, mediaTypeOf, originAnswer, originRefusal } from "./answer.js";
import { comesInParts, readParts } from "./events.js";
import { broken, drop, isBeforeSending, sendTo } from "./exchange.js";
import { hasEffects, isOnce, type OriginOperation } from "./operation.js";
import { requestOf } from "./request.js";
import type { Secrets } from "./secrets.js";

/** A route as it is sold. */
export interface Plan extends Answering {
  id: string;
  base: URL;
  operation: OriginOperation;
  secrets: Secrets;
  line: WaitingLine;
  headers: Readonly<Record<string, string>>;
  /** True if the origin may get the request of one payment again. */
  repeatable: boolean;
  redirects: boolean;
  streamField: string | undefined;
}

type Input = Record<string, unknown>;

const PARTS = "text/event-stream, application/x-ndjson;q=0.9, application/json;q=0.8";

/** The whole answer, in the caller's turn. */
export const callOrigin = (plan: Plan, input: Input, ctx: Context): Promise<unknown> =>
  plan.line.run(() => wholeAnswer(plan, input, ctx), ctx);

async function wholeAnswer(plan: Plan, input: Input, ctx: Context): Promise<unknown> {
  const response = await open(plan, input, ctx, false);
  if (!plan.isValue || !comesInParts(mediaTypeOf(response))) return originAnswer(ctx, response, plan);
  const work = parts(plan, response, ctx);
  for (let step = await work.next(); ; step = await work.next()) if (step.done) return step.value;
}

/** The answer in parts, where the origin gives it so; it keeps its place until the last one. */
export async function* streamOrigin(plan: Plan, input: Input, ctx: Context): AsyncGenerator<unknown, unknown, void> {
  const leave = await placeIn(plan.line, ctx);
  try {
    return yield* answerInParts(plan, input, ctx);
  } finally {
    leave();
  }
}

/** Resolves in the caller's turn, to what ends it. */
function placeIn(line: WaitingLine, ctx: Context): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const held = () => new Promise<void>((leave) => resolve(leave));
    line.run(held, ctx).catch(reject);
  });
}

async function* answerInParts(plan: Plan, input: Input, ctx: Context): AsyncGenerator<unknown, unknown, void> {
  const response = await open(plan, input, ctx, true);
  if (comesInParts(mediaTypeOf(response))) return yield* parts(plan, response, ctx);
  const value = await originAnswer(ctx, response, plan);
  yield value;
  return value;
}

async function* parts(
  { maxBytes, secrets }: Plan,
  response: Response,
  ctx: Context,
): AsyncGenerator<unknown, { events: unknown[] }, void> {
  const events: unknown[] = [];
  try {
    const body = (response.body ?? []) as AsyncIterable<Uint8Array>;
    const onText = (text: string) => assertSecret(ctx, secrets, text);
    const begunIn = (text: string) => secrets.begunIn(ctx, text);
    for await (const part of readParts(body, { type: mediaTypeOf(response), maxBytes, onText, begunIn })) {
      events.push(part);
      yield part;
    }
    return { events };
  } catch (error) {
    throw broken(ctx, error, maxBytes);
  }
}

/** Asks the origin. Rejects unless it answers with 2xx. */
async function open(plan: Plan, input: Input, ctx: Context, isStreamed: boolean): Promise<Response> {
  const { base, operation, streamField, secrets, redirects } = plan;
  const extra = streamField === undefined ? {} : { [streamField]: isStreamed };
  const request = requestOf(base, operation, input, extra);
  for (const [name, value] of secrets.query(ctx)) request.url.searchParams.set(name, value);
  const key = keyOf(plan, ctx);
  const headers = {
    ...plan.headers,
    ...request.headers,
    accept: isStreamed ? PARTS : plan.isValue ? "application/json" : plan.answers.join(", "),
    "user-agent": ctx.userAgent,
    // Hosts that sell each other do not ask each other forever.
    "x-402-hops": String(ctx.hops + 1),
    ...(hasEffects(operation) ? { "idempotency-key": key } : {}),
    ...secrets.headers(ctx),
  };
  // guard: gateway: the request of a payment leaves once | = async () => {} | gateway/gateway
  const giveBack = await claimOf(plan, ctx, key);
  let response: Response;
  try {
    response = await sendTo(ctx, { ...request, headers }, { redirectsBelow: redirects ? base : undefined });
  } catch (error) {
    if (CapabilityError.is(error) && isBeforeSending(error.cause)) await giveBack();
    throw error;
  }
  if (response.status >= 200 && response.status < 300) return response;
  const refused = await originRefusal(ctx, response, plan).finally(() => drop(response));
  // The origin took nothing on. Of others nobody knows.
  if (response.status >= 400 && response.status < 500 && response.status !== 408) await giveBack();
  throw refused;
}

/** The same for each attempt of one payment, and a new one where nothing names the purchase. It tells nothing of the payment. */
function keyOf({ id }: Plan, { wallet }: Context): string {
  if (wallet?.callId === undefined) return randomUUID();
  // guard: gateway: attempts of one payment have one key | returns randomUUID() | gateway/gateway
  return createHash("sha256").update(`gateway ${id} ${wallet.id} ${wallet.callId}`).digest("base64url");
}

/** Longer than a payment, or an account's key for a purchase, can be sent again. */
const CLAIM_MS = 2 * DAY_MS;

/**
 * Notes that the request of a payment leaves, once: of one whose answer was lost nobody knows what it did. Resolves to what
 * takes the note back. Rejects with ANSWER_NOT_KEPT if it left before.
 */
async function claimOf({ operation, repeatable }: Plan, ctx: Context, key: string): Promise<() => Promise<unknown>> {
  const nothing = async () => {};
  if (repeatable || !isOnce(operation) || ctx.wallet?.callId === undefined || !ctx.claim) return nothing;
  const giveBack = await ctx.claim(key, CLAIM_MS);
  if (giveBack) return () => giveBack().catch(nothing);
  throw new CapabilityError(
    "ANSWER_NOT_KEPT",
    "The request of this payment was sent to the source of this endpoint before, and its answer did not arrive. It is not sent again, and nothing is charged for it: pay anew, or under another Idempotency-Key, to have it done once more.",
  );
}
