import { walletOf } from "../capability/context.js";
import { assertAvailable } from "../capability/define.js";
import type { AnyCapability, CallOptions, Input, Output } from "../capability/types.js";
import { listed } from "../discovery/availability.js";
import { type Directory, type DirectoryFilter, directory } from "../discovery/directory.js";
import { type OpenApiDocument, openapi } from "../discovery/openapi.js";
import { CapabilityError, toCapabilityError } from "../errors.js";
import type { CallInfo } from "../host/call-info.js";
import type { Catalogue } from "../host/catalogue.js";
import type { Host } from "../host/host.js";
import type { HandlerOptions } from "../host/options.js";
import { isBelow, type Service } from "../host/routes.js";
import { factsOf, isTracing, measure, traced } from "../host/telemetry.js";
import { lazy } from "../lib/lazy.js";
import type { Logger } from "../lib/logger.js";
import { fromMicros } from "../lib/money.js";
import type { Credentials, Grant, Order, Replay } from "../payment/checkout/order.js";
import { type LedgerQuery, type LedgerReport, reportLedger } from "../payment/ledger/report.js";
import type { Statement, StatementOf, StatementQuery } from "../payment/ledger/statement.js";
import type { Refunded } from "../payment/refund/host-refund.js";
import { PaymentRefused } from "../payment/x402/refusal.js";
import type { PaymentPayload } from "../payment/x402/wire.js";
import { withAccount } from "../request/account.js";
import { authorized, type Requote, requotedBy } from "../request/authorized.js";
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
import { baseHeaders, endingHeaders, headOnly, preflight, serverTiming } from "../request/headers.js";
import { assertFewHops } from "../request/hops.js";
import { readInput } from "../request/input.js";
import { orderOf } from "../request/order.js";
import { page } from "../request/page.js";
import { FailedAfterPayment, problem } from "../request/problem.js";
import { paidHeaders, readOutcome, respond, respondAgain, writeOutcome } from "../request/respond.js";
import { prepare, run } from "../request/run.js";
import { assertSignable, signed } from "../request/signature.js";
import { withSignedReceipt } from "../request/statements.js";
import { STREAM_HEADER, takeVoucher } from "../request/stream/take-voucher.js";
import { createAccountAdmin, type HostAccounts } from "./account-admin.js";
import type { HostRefund } from "./books.js";
import { createHost } from "./create-host.js";
import type { EarningsOptions } from "./earnings/earnings.js";
import { createWallets, type HostWallets } from "./wallet-admin.js";

/** A mounted service: a function from a standard Request to a standard Response, with the catalogue beside it. */
export interface Handler<C extends readonly AnyCapability[] = readonly AnyCapability[]> {
  (request: Request, info?: CallInfo): Promise<Response>;
  readonly basePath: string;
  /** The mounted capabilities with their paths and prices; every document derives from it. */
  readonly catalogue: Catalogue;
  /** Receives errors and warnings: the host's logger, or the console. */
  readonly logger: Logger;
  /**
   * Whether a path belongs to an endpoint, document or service of this handler, so that an adapter can leave other
   * paths to the host.
   */
  owns(pathname: string): boolean;
  /**
   * Paths of documents at the root of the origin, such as `/openapi.json`. An app has to route them here before the
   * handler serves them.
   */
  readonly rootPaths: readonly string[];
  /**
   * Calls a mounted capability in-process, without payment, with this host's options. Input and result have the types
   * of the capability with that id. Rejects with NOT_FOUND if no capability with that id is mounted. `wallet` names the
   * wallet whose state the call uses: a buyer's CAIP-10 account reaches that buyer's data.
   *
   * @example
   * ```ts
   * const { items } = await handle.call("convert.unit", { value: 1, from: "kg", to: "lb" });
   * ```
   */
  call<Id extends C[number]["id"]>(
    id: Id,
    input: Input<Named<C, Id>>,
    options?: Pick<CallOptions, "wallet" | "idempotencyKey">,
  ): Promise<Output<Named<C, Id>>>;
  /** The OpenAPI document of the endpoints that can be sold here; with `all`, of everything mounted. */
  openapi(options?: { all?: boolean }): OpenApiDocument;
  directory(filter?: DirectoryFilter): Directory;
  /**
   * Income and refunds by day, endpoint and payer. Rejects with a TypeError that names a wrong field.
   *
   * @example
   * ```ts
   * const { rows, total } = await handle.ledger({ from: "2026-05-01", to: "2026-05-31", by: ["endpoint"] });
   * ```
   */
  ledger(query?: LedgerQuery): Promise<LedgerReport>;
  /**
   * The ledger as a page for the host, with CSV and pending payments: mount it behind your own login. Reads `from`,
   * `to`, `format=csv` and `by` from the request's query.
   */
  earnings(request: Request, options?: EarningsOptions): Promise<Response>;
  /**
   * Gives back what a sale earned, or a part of it, once: on chain from `payment.refunds`, else as credit, whose token is
   * for the buyer; to an account's balance, if an account paid. Rejects with NOT_FOUND for an unknown sale, and with
   * INVALID_INPUT for an amount beyond it or another amount than the first.
   *
   * @example
   * ```ts
   * const { state, usd } = await handle.refund({ requestId: meta.requestId }, { usd: "0.005" });
   * ```
   */
  refund(of: Refunded, options?: { usd?: string }): Promise<HostRefund>;
  /**
   * The purchases of a wallet or an account: lines by endpoint and price, with references, as an object or as CSV. Rejects
   * with a TypeError that names a wrong field.
   *
   * @example
   * ```ts
   * const csv = await handle.statement({ account: "acme" }, { from: "2026-05-01", to: "2026-05-31", format: "csv" });
   * ```
   */
  statement(of: StatementOf, query: StatementQuery & { format: "csv" }): Promise<string>;
  statement(of: StatementOf, query: StatementQuery & { format?: "json" }): Promise<Statement>;
  /** Accounts of the host's own users: keys, balances, limits. Rejects with PROVIDER_NOT_CONFIGURED without the option `accounts`. */
  readonly accounts: HostAccounts;
  /** The host's access to the state of wallets: export and erasure without the wallet's payment or signature. */
  readonly wallets: HostWallets;
  /**
   * Stops an endpoint on all instances of the store: within seconds it answers 503 STOPPED, with the reason, before any
   * price. Rejects with NOT_FOUND for an unknown id.
   */
  stop(id: C[number]["id"], reason: string): Promise<void>;
  /** Ends a stop. */
  resume(id: C[number]["id"]): Promise<void>;
  /**
   * Sets the price of an endpoint on all instances of the store, now or from a time on. A payment that was signed for
   * the former quote is honoured while that quote is valid. Rejects with a TypeError for a price that is none.
   *
   * @example
   * ```ts
   * await handle.setPrice("convert.unit", "0.002", { from: "2026-07-01T00:00:00Z" });
   * ```
   */
  setPrice(id: C[number]["id"], usd: string, options?: { from?: Date | string }): Promise<void>;
  /** Loads the bulk files of the mounted capabilities ahead, such as airports and sanctions lists. */
  warmUp(): Promise<void>;
  /**
   * Runs one round of all background work, for platforms without timers: let a scheduler call it. Starts no new work
   * after `budgetMs` (default 10 seconds). Resolves to the number of items that it handled.
   */
  tick(options?: { budgetMs?: number }): Promise<number>;
  /**
   * Settles payments that a crash or an unresponsive facilitator left open; runs by itself if the platform has timers.
   * Resolves to a count.
   */
  reconcile(): Promise<number>;
  /** Waits for running calls, ends their resources, such as threads, and closes the store. */
  close(): Promise<void>;
}

/** The type of the capability with this id; if ids are known only as strings, the union of all. */
type Named<C extends readonly AnyCapability[], Id extends string> = Extract<C[number], { readonly id: Id }>;

/**
 * Mounts capabilities behind one handler that quotes, takes payment, runs and answers. Throws a TypeError that names
 * the option if one is missing or invalid.
 *
 * @example
 * ```ts
 * const handle = createHandler({
 *   capabilities,
 *   payment: {
 *     treasury: { "eip155:8453": "0x…" },
 *     facilitator: { url: "https://facilitator.example" },
 *   },
 * });
 * const response = await handle(new Request("https://api.example.com/api/convert/unit?value=1&from=kg&to=lb"));
 * ```
 */
export function createHandler<const C extends readonly AnyCapability[]>(options: HandlerOptions<C>): Handler<C> {
  const host = createHost(options);
  const atRoot = host.routes.pages().flatMap(([path]) => (isBelow(host.basePath, path) ? [] : [path]));
  const { underWay } = host;
  const untilDone = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    const done = () => underWay.delete(work);
    work.then(done, done);
    return work;
  };
  const handle = toHandle((incoming, info) => untilDone(answerOnce(host, incoming, info)));

  return Object.assign(handle, {
    basePath: host.basePath,
    catalogue: host as Catalogue,
    logger: host.options.logger,
    owns: (pathname: string) => host.routes.has(pathname) && !atRoot.includes(pathname),
    // An app has its own front page; ours also exists below the base path.
    rootPaths: atRoot.filter((path) => path !== "/"),
    async call(id: string, input: unknown, options: Pick<CallOptions, "wallet" | "idempotencyKey"> = {}) {
      const capability = host.byId.get(mounted(host, id)) as AnyCapability;
      return untilDone(capability.invoke(input, contextFor(host, capability, { wallet: walletOf(options) })));
    },
    async stop(id: string, reason: string) {
      await host.switches.stop(mounted(host, id), reason);
    },
    async resume(id: string) {
      await host.switches.resume(mounted(host, id));
    },
    async setPrice(id: string, usd: string, options?: { from?: Date | string }) {
      if (!host.payments.charges) throw new TypeError("setPrice: every call is free here (payment: false).");
      await host.switches.setPrice(mounted(host, id), usd, options);
    },
    openapi: ({ all }: { all?: boolean } = {}) => openapi(host, { all }),
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
    accounts: createAccountAdmin(host),
    async refund(of: Refunded, options?: { usd?: string }) {
      const { refundOf } = await import("./books.js");
      return untilDone(refundOf(host, of, options));
    },
    async statement(of: StatementOf, query: StatementQuery) {
      const { statementFor } = await import("./books.js");
      return untilDone(statementFor(host, of, query)) as Promise<never>;
    },
    wallets: createWallets(host),
    async warmUp() {
      const files = listed(host).map((capability) => capability.warmUp(contextFor(host, capability)));
      await Promise.all([host.warmSanctions(), ...files]);
    },
    async tick({ budgetMs = 10_000 } = {}) {
      const endsAt = performance.now() + budgetMs;
      const looked = await host.payments.reconcile(endsAt);
      const [cleaned, called = 0, told = 0, checked = 0] = await Promise.all([
        untilDone(host.cleanUp(endsAt)),
        host.callbacks && untilDone(host.callbacks.run(endsAt)),
        host.webhooks && untilDone(host.webhooks.run(endsAt)),
        host.live && untilDone(host.live.run(endsAt)),
        host.counts?.flush(),
      ]);
      return looked + cleaned + called + told + checked;
    },
    reconcile: () => host.payments.reconcile(),
    async close() {
      host.payments.close();
      await host.callbacks?.close();
      await host.live?.close();
      await Promise.allSettled(underWay);
      await Promise.all([host.webhooks?.close(), host.counts?.flush()]);
      await host.resources.close();
      await host.store.close();
    },
  });
}

function mounted(host: Host, id: string): string {
  if (host.byId.has(id)) return id;
  throw new CapabilityError("NOT_FOUND", `No capability "${id}" is mounted here.`);
}

/** One call gives one answer and one event. Awaits only what there is to wait for, since most answers are quotes. */
async function answerOnce(host: Host, request: LazyRequest, info: CallInfo, outer?: LazyRequest): Promise<AnyResponse> {
  const begun = host.payments.begin();
  if (begun) await begun;
  host.webhooks?.begin();
  const call = openCall(host, request, info, outer);
  const done = isTracing() ? await answerInSpan(call) : await answerSigned(call);
  for (const [name, value] of Object.entries(call.added)) setHeader(done, name, value);
  // Only requests to an endpoint count as calls.
  if (call.event.id === undefined) return done;
  const { deprecation, sunset } = host.byId.get(call.event.id) ?? {};
  if (deprecation ?? sunset)
    for (const [name, value] of endingHeaders({ deprecation, sunset })) setHeader(done, name, value);
  const measured = ended(call, done.status);
  if (measured) await measured;
  if (call.steps.size > 0) setHeader(done, "server-timing", serverTiming(call));
  return done;
}

/** Tells the host of the end of a call, which for a streamed answer is later. */
function ended(call: Call, status: number): Promise<void> | undefined {
  if (!call.ending) return tellEnd(call, status);
  void call.ending.then(() => tellEnd(call, status));
  return undefined;
}

const answerInSpan = (call: Call): Promise<AnyResponse> => {
  const { event, inner, request, requestId, url } = call;
  return traced(
    `${request.method} ${url.pathname}`,
    async (note) => {
      const answered = await answerSigned(call);
      note(() => factsOf(event, requestId, answered.status));
      return answered;
    },
    { traceparent: request.headers.get("traceparent"), first: inner },
  );
};

const answerSigned = (call: Call): Promise<AnyResponse> =>
  call.host.signer ? answer(call).then((answered) => signed(call, answered)) : answer(call);

/** The promise is of the host's metrics; undefined if it has none. */
function tellEnd({ host, event, requestId, durationMs }: Call, status: number): Promise<void> | undefined {
  const facts = { kind: "call", id: event.id ?? "", requestId, status, durationMs: durationMs() } as const;
  const whole = { outcome: "failed", caller: "none", ...event, ...facts } as const;
  host.emit(whole);
  host.live?.note(whole);
  host.counts?.note(whole);
  return measure(whole);
}

/**
 * A service speaks a protocol of its own. Its inner requests are answered like any other request of the same caller.
 */
async function service(call: Call, { answer }: Service): Promise<Response> {
  const { host, request, url, info } = call;
  const ask = async (inner: Request) => toResponse(await answerOnce(host, fromRequest(inner), info, request));
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

/** Loaded by the first answer that leaves as a stream. */
const stream = lazy(() => import("../request/stream/sell.js"));

/** Credentials of a request to a free endpoint, which needs none. */
const NOTHING: Credentials = { trial: false };

/** The order of answers: unknown, unconfigured, unpaid, invalid, refused, failed, or done. */
async function answer(call: Call): Promise<AnyResponse> {
  const { host, request } = call;
  const { payments } = host;
  try {
    const target = host.routes.find(call.url.pathname, request.method);
    if (request.method === "OPTIONS") return preflight(call);
    const reading = switchesRead(host);
    if (reading) await reading;
    if (target.kind === "page") return await page(call, target);
    if (target.kind === "service") return await service(call, target);

    const { capability } = target;
    call.event.id = capability.id;
    assertAvailable(capability, host.missing(capability));
    assertFewHops(request);
    if (request.method === "HEAD" && !payments.charges) return headOnly(call);
    const credentials = await presented(call, capability);
    const payment = credentials?.payment;
    const taken = payment && (await channelMessage(call, capability, payment));
    if (taken) return taken;
    host.switches.assertRunning(capability.id);
    host.live?.assertSound(capability.id);
    await host.budgets?.assertLeft(capability);
    const sent = await readInput(call, capability);
    if (sent === undefined && payments.charges && !mayEntitle(credentials))
      return await challenge(call, {
        capability,
        amount: host.pricing.atLeast(capability),
        refused: credentials?.refused,
      });
    assertSignable(call);

    const ctx = contextFor(host, capability);
    const parsed = await capability.parse(sent ?? {}, ctx);
    const amount = await payments.quote(capability, parsed.input, ctx);
    const order = orderOf(call, { capability, ...parsed, amount });
    if (!credentials) return await challenge(call, order);
    return await sell(call, order, credentials, requotedBy(call, capability, sent ?? {}));
  } catch (error) {
    return problem(call, error);
  }
}

/** Reads the switches and checks of other instances, if the last reading is old. */
function switchesRead({ live, switches }: Host): Promise<unknown> | undefined {
  const reading = switches.fresh();
  return live ? Promise.all([reading, live.fresh()]) : reading;
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
  (credentials.trial || Boolean(credentials.payment ?? credentials.signIn ?? credentials.account));

/** Answers a call with credentials. A refused payment gets a new quote. */
async function sell(call: Call, order: Order, credentials: Credentials, requote: Requote): Promise<AnyResponse> {
  const { payments } = call.host;
  if (payments.charges) call.event.quotedUsd = fromMicros(order.amount);
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
    return respondAgain(call, outcome, await withSignedReceipt(call, outcome, paid));
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
  const prepared = grant.done
    ? undefined
    : await call.step("prepare", () => prepare(call, order, grant)).catch(giveBack);
  if (order.streamed) return (await stream()).sellStream(call, { order, grant, prepared, giveBack });
  if (grant.prepay) await call.step("settle", grant.prepay);
  const { outcome, bill } = await call.step("run", () => run(call, order, grant, prepared)).catch(giveBack);
  const paid = await call.step("settle", () => grant.settle(() => writeOutcome(outcome), bill));
  return respond(call, outcome, await withSignedReceipt(call, outcome, paid));
}
