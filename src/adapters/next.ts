import { isBelow } from "../host/routes.js";
import { createForwardedReader, type ProxyOptions } from "./shared/forwarded.js";
import type { MountableHandler } from "./shared/mount.js";
import { assertMountable, nextOptions } from "./shared/option-checks.js";
import { refuseMethod, refuseUrl } from "./shared/refusal.js";
import { joinUrl } from "./shared/url.js";

export interface NextOptions extends ProxyOptions {
  /**
   * Number of proxies in front that append the caller to X-Forwarded-For: 1 on Vercel. Next shows no connection, so without
   * one all callers share one free trial.
   */
  trustProxyHops?: number;
}

/** The parts of Next's request that are read: it is a standard one with the app's own paths beside it. */
export interface NextRequest extends Request {
  nextUrl?: { basePath?: string };
}

export type NextRouteHandler = (request: NextRequest) => Promise<Response>;

/** One export of a route file for each method. */
export type NextRoute = Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", NextRouteHandler>;

/**
 * The exports of a route of Next's App Router, for `app/api/[...path]/route.ts` and the base path `/api`. A route in another
 * folder needs that folder as base path. Set `serverExternalPackages: ["coinslot"]` in the configuration.
 *
 * @example
 * ```ts
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = next(handle, { trustProxyHops: 1 });
 * ```
 */
export function next(handle: MountableHandler, options: NextOptions = {}): NextRoute {
  assertMountable("next", handle);
  nextOptions("next options", options);
  const readForwarded = createForwardedReader(options, handle.logger);
  const warnOfFolder = createFolderWarning(handle);

  const answer: NextRouteHandler = async (request) => {
    const refused = refuseMethod(request.method);
    if (refused) return refused;
    const forwarded = readForwarded(undefined, (name) => request.headers.get(name));
    // Next names its own listening address in the URL, such as localhost:3000; the Host header has the public one.
    const { protocol: own, host: listening, pathname, search } = new URL(request.url);
    const { protocol = own === "https:" ? "https" : "http", clientAddress } = forwarded;
    const prefix = (forwarded.prefix ?? "") + (request.nextUrl?.basePath ?? "");
    const host = forwarded.host ?? request.headers.get("host") ?? listening;
    const url = joinUrl(protocol, host, pathname + search);
    if (!url) return refuseUrl();
    warnOfFolder(pathname);
    return handle(new Request(url, request), prefix ? { clientAddress, prefix } : { clientAddress });
  };
  return { GET: answer, HEAD: answer, POST: answer, PUT: answer, PATCH: answer, DELETE: answer, OPTIONS: answer };
}

/** A route in a folder that the base path does not lie below never reaches an endpoint. */
function createFolderWarning({ basePath, logger }: MountableHandler) {
  let warned = false;
  return (pathname: string) => {
    if (warned || isBelow(basePath, pathname)) return;
    warned = true;
    logger?.warn(
      { pathname, basePath },
      `asked for ${pathname}, which is not below its base path ${basePath}. Move the route to app${basePath}/[...path]/route.ts, or give createHandler the path of its folder as basePath`,
    );
  };
}
