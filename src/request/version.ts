import type { Host } from "../host/host.js";
import type { LazyRequest } from "./http/exchange.js";

interface Asking {
  host: Pick<Host, "payments">;
  request: Pick<LazyRequest, "headers">;
  url: URL;
}

/** Version-1 clients read only the body, in their own shape. They ask for it, or the host makes it the default. */
export function wantsVersion1({ host, request, url }: Asking): boolean {
  const asked =
    request.headers.get("x-402-version") ?? (url.search === "" ? null : url.searchParams.get("x402Version"));
  return asked === null ? host.payments.v1Body : asked === "1";
}
