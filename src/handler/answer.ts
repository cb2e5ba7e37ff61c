/** The way of a request to its answer: `answer` has the order of answers, `perform` the order of a sale. */
import type { AnyCapability } from "../capability/types.js";
import { CapabilityError, toCapabilityError } from "../errors.js";
import { assertCallable, assertOpen, gateRead } from "../gate/gate.js";
import type { CallInfo } from "../host/call-info.js";
import type { Host } from "../host/host.js";
import { answeredFacts, askedFacts, isServerError, spanName } from "../host/http-span.js";
import type { Service } from "../host/routes.js";
import { isTracing, tracedRequest } from "../host/telemetry.js";
import { lazy } from "../lib/lazy.js";
import { fromMicros } from "../lib/money.js";
import type { Credentials, Grant, Order, Replay } from "../payment/order/order.js";
import { PaymentRefused } from "../payment/x402/refusal.js";
import type { PaymentPayload } from "../payment/x402/wire.js";
import { accountOf, withAccount } from "../request/account.js";
import { authorized, quotedBy, type Requote } from "../request/authorized.js";
import { type Call, type CallAsJob, openCall, publicOrigin } from "../request/call.js";
import { challenge } from "../request/challenge.js";
import { refundChannel } from "../request/channel-refund.js";
import { readCredentials } from "../request/credentials.js";
import { baseHeaders, endingHeaders, headOnly, preflight, serverTiming } from "../request/headers.js";
import {
  type AnyResponse,
  fromRequest,
  type LazyRequest,
  type PlainResponse,
  setHeader,
  toResponse,
} from "../request/http/exchange.js";
import { readInput } from "../request/input.js";
import { page } from "../request/page.js";
import { FailedAfterPayment, problem } from "../request/problem.js";
import { paidHeaders, readOutcome, respond, respondAgain, writeOutcome } from "../request/respond.js";
import { prepare, run } from "../request/run.js";
import { assertSignable, signed } from "../request/signature.js";
import { withDelivery, withSignedReceipt } from "../request/statements.js";
import { STREAM_HEADER, takeVoucher } from "../request/stream/take-voucher.js";

/** Loaded by the first request whose answer may be fetched later. */
const later = lazy(() => import("../request/jobs/answer-later.js"));

const mayBeLater = ({ jobs }: Host, { headers, url }: LazyRequest): boolean =>
  jobs !== undefined && (headers.has("prefer") || jobs.always.has(url.pathname));

/**
 * The answer to a request, or that it will be there later. A call within a call is a job only if that is asked for: its own
 * answer is wanted, however long it takes.
 */
export async function answerRequest(
  host: Host,
  request: LazyRequest,
  info: CallInfo,
  outer?: LazyRequest,
): Promise<AnyResponse> {
  if (!mayBeLater(host, request) || (outer && !request.headers.has("prefer")))
    return answerOnce(host, request, info, outer && { outer });
  return (await later()).answerLater(host, request, info, answerOnce, outer);
}

/** Goes on with a job that another process began; false if it is another host's. */
export const continueJob = async (host: Host, key: string): Promise<boolean> =>
  (await later()).goOn(host, key, answerOnce);

/** One call gives one answer and one event. Awaits only what there is to wait for, since most answers are quotes. */
async function answerOnce(
  host: Host,
  request: LazyRequest,
  info: CallInfo,
  as: { outer?: LazyRequest; job?: CallAsJob } = {},
): Promise<AnyResponse> {
  const begun = host.payments.begin();
  if (begun) await begun;
  host.webhooks?.begin();
  const call = openCall(host, request, info, as);
  const done = isTracing() ? await answerInSpan(call) : await finished(call);
  // Only requests to an endpoint count as calls.
  if (call.event.id === undefined) return done;
  const told = ended(call, done.status);
  if (told) await told;
  if (call.steps.size > 0) setHeader(done, "server-timing", serverTiming(call));
  return done;
}

/** Tells the host of the end of a call, which for a streamed answer is later. */
function ended(call: Call, status: number): Promise<unknown> | undefined {
  if (!call.ending) return tellEnd(call, status);
  void call.ending.then(() => tellEnd(call, status));
  return undefined;
}

function answerInSpan(call: Call): Promise<AnyResponse> {
  const { event, host, info, inner, request, requestId, url } = call;
  const asked = {
    method: request.method,
    url,
    route: host.routes.has(url.pathname) ? url.pathname : undefined,
    clientAddress: info.clientAddress,
    userAgent: request.headers.get("user-agent"),
  };
  return tracedRequest<AnyResponse>(
    {
      name: spanName(asked),
      facts: askedFacts(asked),
      remote: { traceparent: request.headers.get("traceparent"), first: inner },
      answered: ({ status }) => answeredFacts(event, requestId, status),
      isError: ({ status }) => isServerError(status),
      ending: () => call.ending,
    },
    () => finished(call),
  );
}

/** The answer with all its headers, and signed as the last step. */
async function finished(call: Call): Promise<AnyResponse> {
  const { host, event, added, addedUnlessError } = call;
  const done = await answer(call);
  if (done.status < 400) Object.assign(added, addedUnlessError);
  for (const [name, value] of Object.entries(added)) setHeader(done, name, value);
  const { deprecation, sunset } = (event.id !== undefined && host.byId.get(event.id)) || {};
  if (deprecation ?? sunset)
    for (const [name, value] of endingHeaders({ deprecation, sunset })) setHeader(done, name, value);
  return host.signer ? signed(call, done) : done;
}

/** Undefined if there is nothing to wait for. */
function tellEnd(call: Call, status: number): Promise<unknown> | undefined {
  const { host, event, requestId, durationMs, steps, url, request } = call;
  host.metrics.steps(steps);
  const facts = { kind: "call", id: event.id ?? "", requestId, status, durationMs: durationMs() } as const;
  const whole = { outcome: "failed", caller: "none", ...event, ...facts } as const;
  call.charge?.(whole.outcome, url.search !== "" || request.method === "POST");
  const waits = host.ended.map((tell) => tell(whole)).filter((told) => told instanceof Promise);
  return waits.length > 0 ? Promise.all(waits) : undefined;
}

/**
 * A service speaks a protocol of its own. Its inner requests are answered like any other request of the same caller.
 */
async function service(call: Call, { answer }: Service): Promise<Response> {
  const { host, request, url, info } = call;
  const { accounts } = host.payments;
  const ask = async (inner: Request) => toResponse(await answerRequest(host, fromRequest(inner), info, request));
  const response = await answer(request.toRequest(), {
    info,
    origin: url.origin,
    publicOrigin: publicOrigin(call),
    ask,
    inner: call.inner,
    account: async () => accounts && (await accountOf(call, accounts, undefined))?.id,
  });
  for (const [name, value] of Object.entries(baseHeaders(call)))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}

/** Loaded by the first answer that leaves as a stream. */
const stream = lazy(() => import("../request/stream/sell.js"));

/** Loaded by the first request of an agent, where the host knows some. */
const agents = lazy(() => import("../request/agents/agents.js"));

const isAgents = ({ host, caller }: Call): boolean =>
  host.options.agents !== undefined && caller.headers.get("signature-agent") !== null;

/** Who asks too much for nothing, and which agent asks; undefined if nobody wants to know. */
function beforehand(call: Call): Promise<void> | undefined {
  const { floods } = call.host;
  if (!floods) return isAgents(call) ? nameAgent(call) : undefined;
  return floods().then((bounds) => {
    call.charge = bounds.admitCall(call);
    return isAgents(call) ? nameAgent(call) : undefined;
  });
}

async function nameAgent(call: Call): Promise<void> {
  const agent = await (await agents()).agentOf(call);
  if (agent !== undefined) call.event.agent = agent;
}

/** Credentials of a request to a free endpoint, which needs none. */
const NOTHING: Credentials = { trial: false };

/** The order of answers: unknown, unconfigured, unpaid, invalid, refused, failed, or done. */
async function answer(call: Call): Promise<AnyResponse> {
  const { host, request } = call;
  const { payments } = host;
  try {
    const target = host.routes.find(call.url.pathname, request.method);
    if (request.method === "OPTIONS") return preflight(call);
    const reading = gateRead(host);
    if (reading) await reading;
    if (target.kind === "page") return await page(call, target);
    if (target.kind === "service") return await service(call, target);

    const { capability } = target;
    call.event.id = capability.id;
    assertCallable(host, capability, request);
    if (request.method === "HEAD" && !payments.charges) return headOnly(call);
    const judged = beforehand(call);
    if (judged) await judged;
    if (capability.ownersOnly) return await toOwner(call, capability);
    const credentials = await presented(call, capability);
    const payment = credentials?.payment;
    const taken = payment && (await channelMessage(call, capability, payment));
    if (taken) return taken;
    await assertOpen(host, capability, { isQuote: !credentials });
    const sent = await readInput(call, capability, credentials === undefined);
    if (sent === undefined && payments.charges && !mayEntitle(credentials))
      return await challenge(call, {
        capability,
        amount: host.pricing.atLeast(capability),
        refused: credentials?.refused,
      });
    assertSignable(call);

    const quoted = quotedBy(call, capability, sent ?? {});
    const order = await quoted();
    if (!credentials) return await challenge(call, order);
    return await sell(call, order, credentials, quoted);
  } catch (error) {
    return problem(call, error);
  }
}

const owners = lazy(() => import("./customers/serve.js"));

/** The answer to the owner of an account, for nothing. */
async function toOwner(call: Call, capability: AnyCapability): Promise<AnyResponse> {
  if (call.request.method === "HEAD") return headOnly(call);
  const asked = await (await owners()).askedBy(call, capability);
  return "status" in asked ? asked : perform(call, asked.order, asked.grant);
}

/** The credentials of a request; undefined for none. */
function presented(call: Call, capability: AnyCapability): Credentials | undefined | Promise<Credentials | undefined> {
  const { payments } = call.host;
  const credentials = payments.charges ? readCredentials(call, capability) : NOTHING;
  return payments.accounts ? withAccount(call, payments.accounts, credentials) : credentials;
}

/** The answer to a payment that buys nothing by itself: a channel's refund, or the next voucher of a stream. */
async function channelMessage(
  call: Call,
  capability: AnyCapability,
  payment: PaymentPayload,
): Promise<AnyResponse | undefined> {
  const stream = call.request.headers.get(STREAM_HEADER);
  if (stream !== null) return takeVoucher(call, capability, { payment, stream });
  return call.host.payments.isRefund(payment) ? refundChannel(call, capability, payment) : undefined;
}

/**
 * Whether the credentials can pay for a call without input. Credit alone cannot, because the price depends on the
 * input. A payment that cannot be read pays for nothing, so validators that send one get a new quote.
 */
const mayEntitle = (credentials: Credentials | undefined): boolean =>
  credentials !== undefined &&
  (credentials.trial || Boolean(credentials.payment ?? credentials.edge ?? credentials.signIn ?? credentials.account));

/** Answers a call with credentials. A refused payment gets a new quote. */
async function sell(call: Call, order: Order, credentials: Credentials, requote: Requote): Promise<AnyResponse> {
  const { payments } = call.host;
  if (payments.charges) call.event.quotedUsd = fromMicros(order.amount);
  const taken = await call.job?.known(call, order, credentials);
  if (taken) return taken;
  const due = await payments.dueOn(order, credentials);
  try {
    const { grant, order: sold } = await call.step("authorize", () =>
      authorized(call, order, { credentials, due, requote }),
    );
    if ("delivery" in grant) return await deliverAgain(call, grant);
    return await perform(call, sold, grant);
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    // The credit that covered the call is spent meanwhile, so the whole price is due again.
    const amount = due.payable > 0n ? due.payable : order.amount;
    return await challenge(call, { capability: order.capability, amount, refused: error });
  }
}

/** Repeats the result that the same payment bought before, or without a result tells what became of the money. */
async function deliverAgain(call: Call, { delivery, paid }: Replay): Promise<PlainResponse> {
  const { failure } = delivery;
  if (!failure) {
    const outcome = readOutcome(delivery.outcome);
    return withDelivery(call, respondAgain(call, outcome, await withSignedReceipt(call, outcome, paid)), outcome, paid);
  }
  throw new FailedAfterPayment(new CapabilityError(failure.code, failure.message), paid ? paidHeaders(call, paid) : {});
}

/** Runs, settles and answers, or settles first. A failed run releases the reservation. */
async function perform(call: Call, order: Order, grant: Grant): Promise<AnyResponse> {
  call.event.caller = grant.caller;
  const giveBack = async (error: unknown): Promise<never> => {
    const givenBack = await grant.release(toCapabilityError(error));
    throw givenBack ? new FailedAfterPayment(error, paidHeaders(call, givenBack)) : error;
  };
  await call.job?.begin(call, order, grant).catch(giveBack);
  const prepared = grant.done
    ? undefined
    : await call.step("prepare", () => prepare(call, order, grant)).catch(giveBack);
  if (order.streamed) return (await stream()).sellStream(call, { order, grant, prepared, giveBack });
  if (grant.prepay) await call.step("settle", grant.prepay);
  const { outcome, bill } = await call.step("run", () => finishedRun(call, order, grant, prepared)).catch(giveBack);
  const paid = await call.step("settle", () => grant.settle(() => writeOutcome(outcome), bill));
  const answered = await respond(call, outcome, await withSignedReceipt(call, outcome, paid));
  const shown = showsKey(call, order) ? await withNewKey(call, answered) : answered;
  return withDelivery(call, shown, outcome, paid);
}

/** A run that may be charged: a job can be cancelled until then. */
async function finishedRun(...[call, ...sale]: Parameters<typeof run>): ReturnType<typeof run> {
  const done = await run(call, ...sale);
  await call.job?.finish();
  return done;
}

/** Whether the first answer has a key, which is kept nowhere. */
const showsKey = ({ host: { payments } }: Call, { capability, input }: Order): boolean =>
  payments.accounts?.sells(capability.id) === true && (input as { key?: boolean }).key === true;

const topUps = lazy(() => import("./customers/top-up.js"));

/** An answer that is paid for is delivered, too, if its key could not be made. */
async function withNewKey(call: Call, answered: PlainResponse): Promise<PlainResponse> {
  const { accounts } = call.host.payments;
  if (!accounts || typeof answered.body !== "string") return answered;
  const { body } = answered;
  const keyed = await (await topUps()).withKey(accounts, body).catch((error: unknown) => {
    call.host.options.logger.error({ requestId: call.requestId, error }, "accounts: a key could not be made");
    return body;
  });
  return { ...answered, body: keyed };
}
