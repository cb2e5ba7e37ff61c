/** The order that a request places. */
import { walletOf } from "../capability/context.js";
import type { Order } from "../payment/checkout/order.js";
import type { Call } from "./call.js";
import { resourceUrl } from "./quote.js";

const withoutPrefix = (path: string, prefix: string): string =>
  path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;

export function orderOf(call: Call, sale: Pick<Order, "capability" | "input" | "query" | "amount">): Order {
  const { host, info, request, url } = call;
  const idempotencyKey = request.headers.get("idempotency-key") ?? undefined;
  return {
    ...sale,
    idempotencyKey,
    wallet: walletOf({ wallet: info.wallet, idempotencyKey }),
    requestId: call.requestId,
    resourceUrl: resourceUrl(call),
    clientAddress: info.clientAddress,
    get signal() {
      return request.signal;
    },
    // Proxies rewrite hosts and queries, so of the URL that the caller names only our own paths mean anything.
    otherEndpoint(named) {
      if (!URL.canParse(named)) return undefined;
      const pathname = withoutPrefix(new URL(named).pathname, info.prefix ?? host.publicPath(""));
      return pathname !== url.pathname && host.routes.has(pathname) ? pathname : undefined;
    },
    onPayer: (payer) => Object.assign(call.event, payer),
  };
}
