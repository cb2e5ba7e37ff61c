import { walletOf } from "../capability/context.js";
import { assertAvailable } from "../capability/define.js";
import type { AnyCapability, CallOptions, Input, Output } from "../capability/types.js";
import { type Directory, type DirectoryFilter, directory } from "../discovery/directory.js";
import { type OpenApiDocument, openapi } from "../discovery/openapi.js";
import { CapabilityError, toCapabilityError } from "../errors.js";
import type { CallInfo } from "../host/call-info.js";
import type { Catalogue } from "../host/catalogue.js";
import type { Host } from "../host/host.js";
import type { HandlerOptions } from "../host/options.js";
import { isBelow, type Service } from "../host/routes.js";
import { factsOf, measure, traced } from "../host/telemetry.js";
import type { Logger } from "../lib/logger.js";
import { fromMicros } from "../lib/money.js";
import type { Credentials, Grant, Order, Replay } from "../payment/checkout/order.js";
import { type LedgerQuery, type LedgerReport, reportLedger } from "../payment/ledger/report.js";
import { PaymentRefused } from "../payment/x402/refusal.js";
import { type Call, contextFor, openCall, publicOrigin } from "../request/call.js";
import { challenge } from "../request/challenge.js";
import { refundChannel } from "../request/channel-refund.js";
import { readCredentials } from "../request/credentials.js";
import {
  type AnyResponse,
  fromRequest,
  type LazyRequest,
  type PlainResponse,
  setHeader,
  toHandle,
  toResponse,
} from "../request/exchange.js";
import { baseHeaders, headOnly, preflight, serverTiming } from "../request/headers.js";
import { assertFewHops } from "../request/hops.js";
import { readInput } from "../request/input.js";
import { orderOf } from "../request/order.js";
import { page } from "../request/page.js";
import { FailedAfterPayment, problem } from "../request/problem.js";
import { paidHeaders, respond, respondAgain, writeOutcome } from "../request/respond.js";
import { prepare, run } from "../request/run.js";
import { signedIn } from "../request/sign-in.js";
import { assertSignable, signed } from "../request/signature.js";
import { withStatements } from "../request/statements.js";
import { createHost } from "./create-host.js";
import type { EarningsOptions } from "./earnings/earnings.js";
import { createWallets, type HostWallets } from "./wallet-admin.js";

/** A mounted service: a function from a standard Request to a standard Response, with the catalogue beside it. */
export interface Handler<C extends readonly AnyCapability[] = readonly AnyCapability[]> {
  (request: Request, info?: CallInfo): Promise<Response>;
  readonly basePath: string;
  /** What is mounted here: what every document and surface derives from. */
  readonly catalogue: Catalogue;
  /** Where errors and warnings go: the host's own, or the console. */
  readonly logger: Logger;
  /** Whether a path names an endpoint, document or service of ours, so that an adapter can leave others to the host's routes. */
  owns(pathname: string): boolean;
  /** The documents at the root of the origin, such as `/openapi.json`, which an app has to leave us before we own them. */
  readonly rootPaths: readonly string[];
  /**
   * Calls a mounted capability in-process, unpaid, with this host's options. Input and result have the types of the
   * capability that the id names. Rejects with NOT_FOUND where none of that id is mounted. `wallet` is whose state it works
   * on: a buyer's CAIP-10 account reaches that buyer's.
   *
   * @example
   * const { items } = await handle.call("convert.unit", { value: 1, from: "kg", to: "lb" });
   */
  call<Id extends C[number]["id"]>(
    id: Id,
    input: Input<Named<C, Id>>,
    options?: Pick<CallOptions, "wallet" | "idempotencyKey">,
  ): Promise<Output<Named<C, Id>>>;
  openapi(): OpenApiDocument;
  directory(filter?: DirectoryFilter): Directory;
  /** What was earned and what went back, by day, endpoint and payer. Rejects with a TypeError that names the field. */
  ledger(query?: LedgerQuery): Promise<LedgerReport>;
  /**
   * The ledger as a page for the host, with CSV and what is pending: mount it behind your own login. Reads `from`, `to`,
   * `format=csv` and `by` from the request's query.
   */
  earnings(request: Request, options?: EarningsOptions): Promise<Response>;
  /** What a wallet keeps here, for the host: taken out and erased without the wallet's own payment or signature. */
  readonly wallets: HostWallets;
  /** Loads ahead the bulk files of what is mounted, such as airports and sanctions lists. */
  warmUp(): Promise<void>;
  /**
   * One round of all work that happens beside calls, for platforms without timers: let a clock call it. Begins nothing
   * new after `budgetMs` (default 10 seconds). Resolves to how many things it looked at.
   */
  tick(options?: { budgetMs?: number }): Promise<number>;
  /** Settles what a crash or a silent facilitator left open; runs by itself where timers do. Resolves to a count. */
  reconcile(): Promise<number>;
  /** Waits for the calls under way, then ends what they left open, such as threads, and closes the store. */
  close(): Promise<void>;
}

/** The capability of an id; where ids are only known as text, any of them. */
type Named<C extends readonly AnyCapability[], Id extends string> = Extract<C[number], { readonly id: Id }>;

/**
 * Mounts capabilities behind one handler that quotes, takes payment, runs and answers.
 * Throws a TypeError naming the option when one is missing or cannot work.
 *
 * @example
 * const handle = createHandler({
 *   capabilities,
 *   payment: { treasury: { "eip155:8453": "0x…" }, facilitator: { url: "https://facilitator.example" } },
 * });
 * const response = await handle(new Request("https://api.example.com/api/convert/unit?value=1&from=kg&to=lb"));
 */
export function createHandler<const C extends readonly AnyCapability[]>(options: HandlerOptions<C>): Handler<C> {
  const host = createHost(options);
  const atRoot = host.routes.pages().flatMap(([path]) => (isBelow(host.basePath, path) ? [] : [path]));
  const underWay = new Set<Promise<unknown>>();

  const untilDone = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  };
  const handle = toHandle((incoming, info) => untilDone(answerOnce(host, incoming, info)));

  return Object.assign(handle, {
    basePath: host.basePath,
    catalogue: host as Catalogue,
    logger: host.options.logger,
    owns: (pathname: string) => host.routes.has(pathname) && !atRoot.includes(pathname),
    // An app has a front page of its own, and ours stands below the base path, too.
    rootPaths: atRoot.filter((path) => path !== "/"),
    async call(id: string, input: unknown, options: Pick<CallOptions, "wallet" | "idempotencyKey"> = {}) {
      const capability = host.byId.get(id);
      if (!capability) throw new CapabilityError("NOT_FOUND", `No capability "${id}" is mounted here.`);
      return untilDone(capability.invoke(input, contextFor(host, capability, { wallet: walletOf(options) })));
    },
    openapi: () => openapi(host),
    directory: (filter?: DirectoryFilter) => directory(host, filter),
    async ledger(query?: LedgerQuery) {
      const channels = await host.payments.channelSums();
      const report = await reportLedger(host.ledger, host.now(), query, await host.payments.unearned());
      const overdue = await host.payments.overdueRefunds();
      if (overdue.length > 0) report.overdue = overdue;
      return channels ? { ...report, channels } : report;
    },
    async earnings(request: Request, options?: EarningsOptions) {
      const { earnings } = await import("./earnings/earnings.js");
      return untilDone(earnings(host, request, options));
    },
    wallets: createWallets(host),
    async warmUp() {
      const available = host.capabilities.filter((capability) => host.missing(capability).length === 0);
      await Promise.all(available.map((capability) => capability.warmUp(contextFor(host, capability))));
    },
    async tick({ budgetMs = 10_000 } = {}) {
      const endsAt = performance.now() + budgetMs;
      const looked = await host.payments.reconcile(endsAt);
      const [cleaned, called = 0] = await Promise.all([
        untilDone(host.cleanUp(endsAt)),
        host.callbacks && untilDone(host.callbacks.run(endsAt)),
      ]);
      return looked + cleaned + called;
    },
    reconcile: () => host.payments.reconcile(),
    async close() {
      host.payments.close();
      await host.callbacks?.close();
      await Promise.allSettled(underWay);
      await host.resources.close();
      await host.store.close();
    },
  });
}

/** One call, one answer, one event. */
async function answerOnce(host: Host, request: LazyRequest, info: CallInfo): Promise<AnyResponse> {
  await host.payments.begin();
  const call = openCall(host, request, info);
  const { event, requestId } = call;
  const done = await traced(`${request.method} ${call.url.pathname}`, async (note) => {
    const answered = await signed(call, await withStatements(call, await answer(call)));
    note(() => factsOf(event, requestId, answered.status));
    return answered;
  });
  const { status } = done;
  // Only what concerns an endpoint is a call.
  if (event.id) {
    const facts = { id: event.id, requestId, status, durationMs: call.durationMs() };
    const whole = { outcome: "failed", caller: "none", ...event, ...facts } as const;
    host.emit(whole);
    await measure(whole);
    if (call.steps.size > 0) setHeader(done, "server-timing", serverTiming(call));
  }
  return done;
}

/** A protocol of its own: what it asks of us in turn is answered like any other request of the same caller. */
async function service(call: Call, { answer }: Service): Promise<Response> {
  const { host, request, url, info } = call;
  const ask = async (inner: Request) => toResponse(await answerOnce(host, fromRequest(inner), info));
  const response = await answer(request.toRequest(), {
    info,
    origin: url.origin,
    publicOrigin: publicOrigin(call),
    ask,
  });
  for (const [name, value] of Object.entries(baseHeaders(call)))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}

/** What a caller brings where nothing is asked for: it is enough. */
const NOTHING: Credentials = { trial: false };

/** The order of answers: unknown, unconfigured, unpaid, invalid, refused, failed, or done. */
async function answer(call: Call): Promise<AnyResponse> {
  const { host, request } = call;
  const { payments } = host;
  try {
    const target = host.routes.find(call.url.pathname, request.method);
    if (request.method === "OPTIONS") return preflight(call);
    if (target.kind === "page") return await page(call, target);
    if (target.kind === "service") return await service(call, target);

    const { capability } = target;
    call.event.id = capability.id;
    assertAvailable(capability, host.missing(capability));
    assertFewHops(request);
    if (request.method === "HEAD" && !payments.charges) return headOnly(call);
    const credentials = payments.charges ? readCredentials(call, capability) : NOTHING;
    const { payment } = credentials ?? {};
    if (payment && payments.isRefund(payment)) return await refundChannel(call, capability, payment);
    const sent = await readInput(call, capability);
    if (sent === undefined && payments.charges && !mayEntitle(credentials))
      return await challenge(call, { capability, amount: host.pricing.atLeast(capability) });
    assertSignable(call);

    const ctx = contextFor(host, capability);
    const parsed = await capability.parse(sent ?? {}, ctx);
    const amount = await payments.quote(capability, parsed.input, ctx);
    const order = orderOf(call, { capability, ...parsed, amount });
    if (!credentials) return await challenge(call, order);
    return await sell(call, order, credentials);
  } catch (error) {
    return problem(call, error);
  }
}

/** Whether it can pay for a call without input; credit alone asks for the price of what it is to pay for. */
const mayEntitle = (credentials: Credentials | undefined): boolean =>
  credentials !== undefined &&
  (credentials.trial || Boolean(credentials.payment ?? credentials.refused ?? credentials.signIn));

/** A call that brought something to pay with: refused payments are quoted anew. */
async function sell(call: Call, order: Order, credentials: Credentials): Promise<PlainResponse> {
  const { payments } = call.host;
  if (payments.charges) call.event.quotedUsd = fromMicros(order.amount);
  const due = await payments.dueOn(order, credentials);
  try {
    const grant = await call.step("authorize", async () =>
      credentials.signIn === undefined
        ? payments.authorize(order, credentials, due)
        : signedIn(call, order, credentials.signIn),
    );
    if ("delivery" in grant) return deliverAgain(call, grant);
    return await perform(call, order, grant);
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    // Covered by credit that is gone meanwhile: the whole price is due again.
    const amount = due.payable > 0n ? due.payable : order.amount;
    return await challenge(call, { capability: order.capability, amount, refused: error });
  }
}

/** What the same payment bought before, or, where that came to nothing, what became of the money. */
function deliverAgain(call: Call, { delivery, paid }: Replay): PlainResponse {
  const { failure } = delivery;
  if (!failure) return respondAgain(call, { delivery, paid });
  throw new FailedAfterPayment(new CapabilityError(failure.code, failure.message), paidHeaders(call, paid));
}

/** The work, then the money, then the answer; or the money first. A failed run frees what was reserved for it. */
async function perform(call: Call, order: Order, grant: Grant): Promise<PlainResponse> {
  call.event.caller = grant.caller;
  const giveBack = async (error: unknown): Promise<never> => {
    const givenBack = await grant.release(toCapabilityError(error));
    throw givenBack ? new FailedAfterPayment(error, paidHeaders(call, givenBack)) : error;
  };
  const prepared = grant.done
    ? undefined
    : await call.step("prepare", () => prepare(call, order, grant)).catch(giveBack);
  if (grant.prepay) await call.step("settle", grant.prepay);
  const { outcome, bill } = await call.step("run", () => run(call, order, grant, prepared)).catch(giveBack);
  const paid = await call.step("settle", () => grant.settle(() => writeOutcome(outcome), bill));
  return respond(call, outcome, paid);
}
