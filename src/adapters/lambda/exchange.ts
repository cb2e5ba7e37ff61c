/** Answers one event. Creating a Request in a new process costs more than the rest of a quote: see `LazyRequest`. */
import type { CallInfo } from "../../host/call-info.js";
import { once } from "../../lib/lazy.js";
import { type AnyResponse, answererOf, type LazyRequest } from "../../request/http/exchange.js";
import type { FetchHandler } from "../shared/mount.js";
import { refuseMethod, refuseUrl } from "../shared/refusal.js";
import { joinUrl } from "../shared/url.js";
import type { LambdaCall } from "./events.js";

type Asked = Pick<LambdaCall, "method" | "protocol" | "host" | "path" | "query" | "headers" | "body">;

/** The handler's answer, or an error for an event that cannot become a Request. */
export async function answerTo(handle: FetchHandler, call: Asked, info: CallInfo): Promise<AnyResponse> {
  const refused = refuseMethod(call.method);
  if (refused) return refused;
  const url = joinUrl(call.protocol, call.host, targetOf(call));
  if (!url) return refuseUrl();
  const request = incoming(call, url);
  const direct = answererOf(handle);
  return direct ? direct(request, info) : handle(request.toRequest(), info);
}

/**
 * The request target. HTTP APIs decode the path, and a decoded `?` or `#` would end it early, so characters that an
 * encoded path cannot contain are encoded. An already encoded path stays unchanged.
 */
function targetOf({ path, query }: Asked): string {
  const safe = path.replace(/[?#\s]/g, encodeURIComponent);
  return query === "" ? safe : `${safe}?${query}`;
}

function incoming({ method, headers, body }: Asked, url: URL): LazyRequest {
  const bytes = method === "GET" || method === "HEAD" || body.length === 0 ? null : body;
  const toRequest = once(() => new Request(url, { method, headers: [...headers], body: bytes }));
  return {
    method,
    url,
    headers: {
      get: (name) => headers.get(name.toLowerCase()) ?? null,
      has: (name) => headers.has(name.toLowerCase()),
    },
    get signal() {
      return toRequest().signal;
    },
    get body() {
      return toRequest().body;
    },
    toRequest,
  };
}
