import { notConfigured } from "./capability/define.js";
import type { AnyCapability } from "./capability/types.js";
import { type Directory, type DirectoryFilter, directory } from "./discovery/directory.js";
import { type OpenApiDocument, openapi } from "./discovery/openapi.js";
import { CapabilityError, toCapabilityError } from "./errors.js";
import { createHost, type Host, type Till } from "./host/host.js";
import type { CallInfo } from "./host/options.js";
import { fromMicros } from "./lib/money.js";
import type { HandlerOptions } from "./options.js";
import { authorize, freeGrant, type Grant, type Sale, withCredit } from "./payment/checkout/authorize.js";
import { type Offer, readOffer } from "./payment/checkout/offer.js";
import { type LedgerQuery, type LedgerReport, reportLedger } from "./payment/ledger/report.js";
import { PaymentRefused } from "./payment/x402/refusal.js";
import { type Call, contextFor, openCall } from "./request/call.js";
import { challenge } from "./request/challenge.js";
import { headOnly, preflight } from "./request/headers.js";
import { readInput } from "./request/input.js";
import { page } from "./request/page.js";
import { FailedAfterPayment, problem } from "./request/problem.js";
import { paidHeaders, respond, respondAgain } from "./request/respond.js";
import { run } from "./request/run.js";

/** A mounted service: a function from a standard Request to a standard Response, with the catalogue beside it. */
export interface Handler {
  (request: Request, info?: CallInfo): Promise<Response>;
  readonly basePath: string;
  /** Whether a path names an endpoint, document or service of ours, so that an adapter can leave others to the host's routes. */
  owns(pathname: string): boolean;
  /** Calls a mounted capability in-process, unpaid, with this host's options. */
  call(id: string, input: unknown): Promise<unknown>;
  openapi(): OpenApiDocument;
  directory(filter?: DirectoryFilter): Directory;
  /** What was earned and what went back, by day, endpoint and payer. Rejects with a TypeError that names the field. */
  ledger(query?: LedgerQuery): Promise<LedgerReport>;
  /** Loads ahead the bulk files of what is mounted, such as airports and sanctions lists. */
  warmUp(): Promise<void>;
  /** Settles what a crash or a silent facilitator left open; runs by itself where timers do. Resolves to a count. */
  reconcile(): Promise<number>;
  /** Waits for the calls under way, then ends what they left open, such as threads, and closes the store. */
  close(): Promise<void>;
}

/**
 * Mounts capabilities behind one handler that quotes, takes payment, runs and answers.
 * Throws a TypeError naming the option when one is missing or cannot work.
 */
export function createHandler(options: HandlerOptions): Handler {
  const host = createHost(options);
  const underWay = new Set<Promise<unknown>>();

  const untilDone = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  };
  const handle = (request: Request, info: CallInfo = {}) => untilDone(answerOnce(host, request, info));

  return Object.assign(handle, {
    basePath: host.basePath,
    owns: (pathname: string) => host.routes.has(pathname),
    async call(id: string, input: unknown) {
      const capability = host.byId.get(id);
      if (!capability) throw new CapabilityError("NOT_FOUND", `No capability "${id}" is mounted here.`);
      return untilDone(capability.invoke(input, contextFor(host, capability)));
    },
    openapi: () => openapi(host),
    directory: (filter?: DirectoryFilter) => directory(host, filter),
    ledger: (query?: LedgerQuery) => reportLedger(host.ledger, host.now(), query),
    async warmUp() {
      const available = host.capabilities.filter((capability) => host.missing(capability).length === 0);
      await Promise.all(available.map((capability) => capability.warmUp(contextFor(host, capability))));
    },
    reconcile: async () => host.till?.reconciler.run() ?? 0,
    async close() {
      host.till?.reconciler.stop();
      host.till?.supported?.stop();
      await Promise.allSettled(underWay);
      await host.resources.close();
      await host.store.close();
    },
  });
}

/** One call, one answer, one event. */
async function answerOnce(host: Host, request: Request, info: CallInfo): Promise<Response> {
  const call = openCall(host, request, info);
  const response = await answer(call);
  const { event, requestId } = call;
  const { status } = response;
  // Only what concerns an endpoint is a call.
  if (event.id) {
    const facts = { id: event.id, requestId, status, durationMs: call.durationMs() };
    host.emit({ outcome: "failed", caller: "none", ...event, ...facts });
  }
  return response;
}

/** The order of answers: unknown, unconfigured, unpaid, invalid, refused, failed, or done. */
async function answer(call: Call): Promise<Response> {
  const { host, request } = call;
  try {
    const target = host.routes.find(call.url.pathname, request.method);
    if (request.method === "OPTIONS") return preflight(call);
    if (target.kind === "page") return await page(call, target);
    if (target.kind === "service") return await target.answer(call);

    const { capability } = target;
    call.event.id = capability.id;
    requireConfigured(host, capability);
    if (request.method === "HEAD" && !host.till) return headOnly(call);
    // HEAD tells what GET would ask, and never runs or charges.
    const offer = host.till && request.method !== "HEAD" ? readOffer(call) : undefined;
    const sent = await readInput(call, capability);
    const unpaid = !offer || (offer.creditToken && !offer.trial && !offer.payment && !offer.refused);
    if (host.till && unpaid && sent === undefined)
      return challenge(call, host.till, { capability, amount: host.pricing.atLeast(capability) });

    const ctx = contextFor(host, capability);
    const parsed = await capability.parse(sent ?? {}, ctx);
    const amount = host.till ? await host.pricing.quote(capability, parsed.input, ctx) : 0n;
    const sale = { capability, ...parsed, amount };
    if (!host.till) return await perform(call, sale, freeGrant);
    if (!offer) return challenge(call, host.till, sale);
    return await sell(call, host.till, sale, offer);
  } catch (error) {
    return problem(call, error);
  }
}

/** A call that brought something to pay with: refused payments are quoted anew. */
async function sell(call: Call, till: Till, sale: Sale, offer: Offer): Promise<Response> {
  call.event.quotedUsd = fromMicros(sale.amount);
  const purchase = await withCredit(till, sale, offer);
  try {
    const grant = await authorize(call, till, purchase, offer);
    if ("delivery" in grant) return respondAgain(call, grant);
    return await perform(call, sale, grant);
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    // Covered by credit that is gone meanwhile: the whole price is due again.
    const amount = purchase.payable > 0n ? purchase.payable : sale.amount;
    return challenge(call, till, { capability: sale.capability, amount, refused: error });
  }
}

/** The work, then the money, then the answer. A failed run frees what was reserved for it. */
async function perform(call: Call, sale: Sale, grant: Grant): Promise<Response> {
  call.event.caller = grant.caller;
  const { outcome, bill } = await run(call, sale, grant).catch(async (error: unknown) => {
    const givenBack = await grant.release(toCapabilityError(error));
    throw givenBack ? new FailedAfterPayment(error, paidHeaders(call, givenBack)) : error;
  });
  return respond(call, outcome, await grant.settle(outcome, bill));
}

function requireConfigured(host: Host, capability: AnyCapability): void {
  const missing = host.missing(capability);
  if (missing.length > 0) throw notConfigured(capability.id, missing);
}
