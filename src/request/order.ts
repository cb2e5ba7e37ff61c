/** The order that a request places. */

import { walletOf } from "../capability/context.js";
import { isUrl } from "../lib/http/url.js";
import type { Order } from "../payment/order/order.js";
import { type Call, publicPrefix, realmOf } from "./call.js";
import { acceptsEvents } from "./http/accept.js";
import { assertWithinLimit } from "./limit.js";
import { resourceUrl } from "./quote.js";
import { accountBeside } from "./sign-in.js";

const withoutPrefix = (path: string, prefix: string): string =>
  path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;

type Sale = Pick<Order, "capability" | "input" | "query" | "judgeRest" | "amount" | "byUsage" | "prices">;

export function orderOf(call: Call, sale: Sale): Order {
  return new RequestOrder(call, sale);
}

/** A class for speed: each call with an input makes one. */
class RequestOrder implements Order {
  readonly capability: Order["capability"];
  readonly input: unknown;
  readonly query: unknown;
  readonly judgeRest: Order["judgeRest"];
  readonly amount: Order["amount"];
  readonly byUsage: boolean;
  readonly prices: Order["prices"];
  readonly idempotencyKey: string | undefined;
  readonly wallet: Order["wallet"];
  readonly requestId: string;
  readonly resourceUrl: string;
  readonly clientAddress: string | undefined;
  readonly agent: string | undefined;
  readonly country: string | undefined;
  readonly service: boolean;
  readonly streamed: boolean;
  readonly asJob: boolean;
  readonly #call: Call;

  constructor(call: Call, { capability, input, query, judgeRest, amount, byUsage, prices }: Sale) {
    const { info, request } = call;
    this.capability = capability;
    this.input = input;
    this.query = query;
    this.judgeRest = judgeRest;
    this.amount = amount;
    this.byUsage = byUsage;
    this.prices = prices;
    this.idempotencyKey = request.headers.get("idempotency-key") ?? undefined;
    this.wallet = walletOf({ wallet: info.wallet, idempotencyKey: this.idempotencyKey });
    this.requestId = call.requestId;
    this.resourceUrl = resourceUrl(call);
    this.clientAddress = info.clientAddress;
    this.agent = call.event.agent;
    this.country = info.country;
    this.service = call.inner;
    // guard: a tool's call gets no stream | - !call.inner && | handler/stream
    this.streamed =
      capability.executeStream !== undefined &&
      request.method !== "HEAD" &&
      !call.inner &&
      (call.streamed ?? acceptsEvents(request.headers.get("accept")));
    this.asJob = call.job !== undefined;
    this.#call = call;
  }

  get realm() {
    return realmOf(this.#call);
  }

  get signal() {
    return this.#call.request.signal;
  }

  /** Proxies rewrite hosts and queries, so only the path of the URL that a caller names is compared. */
  otherEndpoint(named: string): string | undefined {
    if (!isUrl(named)) return undefined;
    const { host, url } = this.#call;
    const pathname = withoutPrefix(new URL(named).pathname, publicPrefix(this.#call));
    return pathname !== url.pathname && host.routes.has(pathname) ? pathname : undefined;
  }

  signedIn(): Promise<string | undefined> {
    return accountBeside(this.#call);
  }

  onPayer(payer: Parameters<Order["onPayer"]>[0]): void {
    Object.assign(this.#call.event, payer);
  }

  assertWithinLimit(amount = this.amount): void {
    assertWithinLimit(this.#call, amount);
  }

  addHeaders(headers: Record<string, string>, { unlessError = false } = {}): void {
    const { added, addedUnlessError } = this.#call;
    Object.assign(unlessError ? addedUnlessError : added, headers);
  }
}
