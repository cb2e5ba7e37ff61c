/** The order that a request places. */
import { walletOf } from "../capability/context.js";
import { isUrl } from "../lib/url.js";
import type { Order } from "../payment/checkout/order.js";
import { type Call, publicPrefix, realmOf } from "./call.js";
import { resourceUrl } from "./quote.js";
import { accountBeside } from "./sign-in.js";

const withoutPrefix = (path: string, prefix: string): string =>
  path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;

type Sale = Pick<Order, "capability" | "input" | "query" | "judgeRest" | "amount">;

export function orderOf(call: Call, sale: Sale): Order {
  return new RequestOrder(call, sale);
}

/** Whether an `Accept` header prefers events to JSON; of equal weights the first counts. */
function accepts(accept: string | null): boolean {
  if (!accept?.includes("event-stream")) return false;
  const { weight, place } = preferenceFor(accept, "text/event-stream");
  const other = preferenceFor(accept, "application/json");
  return weight > other.weight || (weight > 0 && weight === other.weight && place < other.place);
}

/** Weight of a media type that an `Accept` header names, and its place; 0 if it is not named. */
function preferenceFor(accept: string, type: string): { weight: number; place: number } {
  // Without a pattern, which would take a time that grows with the square of the header's blanks.
  const ranges = accept
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";").map((part) => part.trim()));
  const place = ranges.findIndex(([name]) => name === type);
  const quality = ranges[place]?.find((parameter) => parameter.startsWith("q="));
  const weight = place < 0 ? 0 : quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  return { weight, place };
}

/** A class for speed: each call with an input makes one. */
class RequestOrder implements Order {
  readonly capability: Order["capability"];
  readonly input: unknown;
  readonly query: unknown;
  readonly judgeRest: Order["judgeRest"];
  readonly amount: Order["amount"];
  readonly idempotencyKey: string | undefined;
  readonly wallet: Order["wallet"];
  readonly requestId: string;
  readonly resourceUrl: string;
  readonly clientAddress: string | undefined;
  readonly streamed: boolean;
  readonly #call: Call;

  constructor(call: Call, { capability, input, query, judgeRest, amount }: Sale) {
    const { info, request } = call;
    this.capability = capability;
    this.input = input;
    this.query = query;
    this.judgeRest = judgeRest;
    this.amount = amount;
    this.idempotencyKey = request.headers.get("idempotency-key") ?? undefined;
    this.wallet = walletOf({ wallet: info.wallet, idempotencyKey: this.idempotencyKey });
    this.requestId = call.requestId;
    this.resourceUrl = resourceUrl(call);
    this.clientAddress = info.clientAddress;
    this.streamed =
      capability.executeStream !== undefined &&
      request.method !== "HEAD" &&
      !call.inner &&
      (call.streamed ?? accepts(request.headers.get("accept")));
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

  onPayer(payer: { payer: string; network?: string }): void {
    Object.assign(this.#call.event, payer);
  }
}
