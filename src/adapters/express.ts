import type { ServerResponse } from "node:http";
import { CapabilityError } from "../errors.js";
import { isBelow } from "../host/routes.js";
import { exchange, headersOf, requestUrl } from "./node/exchange.js";
import { consumedBody, type ParsedRequest } from "./node/parsed-body.js";
import { send } from "./node/send.js";
import { normalizeAddress } from "./shared/client-address.js";
import { createForwardedReader, type ProxyOptions } from "./shared/forwarded.js";
import { isInFront, type MountableHandler, type MountOptions, takes } from "./shared/mount.js";
import { assertMountable, expressOptions } from "./shared/option-checks.js";
import { refusalResponse } from "./shared/refusal.js";

export interface ExpressOptions extends ProxyOptions, MountOptions {
  /**
   * Number of the host's own proxies. Default: the app's `trust proxy`, unless that is `true`, which would let callers
   * choose their address.
   */
  trustProxyHops?: number;
}

/** The parts of an Express request that are read; versions 4 and 5 agree on them. */
export interface ExpressRequest extends ParsedRequest {
  originalUrl?: string;
  /** The path that the app or router is mounted at. */
  baseUrl?: string;
  /** Follows X-Forwarded-Proto if the app's `trust proxy` allows it. */
  protocol?: string;
  /** The caller's address according to the app's `trust proxy`. */
  ip?: string | undefined;
  app?: { get(setting: string): unknown };
}

export type ExpressMiddleware = (
  req: ExpressRequest,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>;

/**
 * Express middleware. Paths that do not belong to the handler go on to the app's other routes. Behind
 * `app.use("/shop", ...)` the endpoints are below both, `/shop/api`; a base path that begins with the mount, `/shop/api`, is
 * the whole public path.
 *
 * Mount it before `express.json()` if you can: behind it an invalid body gets Express's own error page, and bodies are
 * limited to its 100 KB. Behind proxies, set the app's `trust proxy` to their number or addresses, or set
 * `trustProxyHops`. Long texts in a query need `http.createServer({ maxHeaderSize: 65536 }, app)`, since `app.listen`
 * allows 16 KiB.
 *
 * @example
 * ```ts
 * const app = createExpress(); // the default export of "express"
 * app.use(express(handle));
 * http.createServer({ maxHeaderSize: 65_536 }, app).listen(8402);
 * ```
 */
export function express(handle: MountableHandler, options: ExpressOptions = {}): ExpressMiddleware {
  assertMountable("express", handle);
  expressOptions("express options", options);
  const readForwarded = createForwardedReader(options, handle.logger);
  const { trustProxyHops } = options;
  const warnOfMount = createMountWarning(handle);
  const forwardedOf = (req: ExpressRequest) => {
    const trust = trustProxyHops === undefined ? trustOf(req) : {};
    const forwarded = readForwarded(req.socket.remoteAddress, headersOf(req), trust.hops);
    if (trust.byAddress) forwarded.clientAddress = normalizeAddress(req.ip);
    return forwarded;
  };
  return async (req, res, next) => {
    try {
      warnOfMount(req.baseUrl);
      const forwarded = forwardedOf(req);
      const protocol = req.protocol === "https" ? "https" : "http";
      // A mounted router shortens req.url; originalUrl keeps the client's path.
      const url = requestUrl(req, { protocol, ...forwarded, target: req.originalUrl });
      const mount = url && mountOf(handle, { pathname: url.pathname, mountedAt: req.baseUrl }, options);
      if (!url || mount === undefined) return next();
      if (mount !== "") moveBelow(mount, url, forwarded);
      await exchange(handle, { req, res }, { forwarded, url, body: consumedBody(req) });
    } catch (error) {
      if (CapabilityError.is(error)) await send(res, refusalResponse(error.code, error.message));
      else next(error);
    }
  };
}

/**
 * The app's `trust proxy` for this connection: the number of hops to trust, and whether the app lists its proxies by
 * address, so that its `req.ip` is the caller's. `true` names no proxy, so it is trusted for the URL only.
 */
function trustOf({ app, socket }: ExpressRequest): { hops?: number; byAddress?: boolean } {
  const setting = app?.get("trust proxy");
  if (typeof setting === "number") return { hops: setting };
  if (!setting || setting === true) return {};
  const trusts = app?.get("trust proxy fn");
  return typeof trusts === "function" && trusts(socket.remoteAddress, 0) ? { hops: 1, byAddress: true } : {};
}

/**
 * The part of the path that the handler does not see: the path of the app that it is mounted at, if its base path does not
 * contain that. Undefined for a path of the app's.
 */
function mountOf(
  handle: MountableHandler,
  { pathname, mountedAt = "" }: { pathname: string; mountedAt: string | undefined },
  options: MountOptions,
): string | undefined {
  if (takes(handle, pathname, options)) return "";
  if (mountedAt === "" || !pathname.startsWith(`${mountedAt}/`) || !isInFront(mountedAt, handle)) return undefined;
  return takes(handle, pathname.slice(mountedAt.length), options) ? mountedAt : undefined;
}

/** Takes the mount off the path, and tells it for quotes and documents. */
function moveBelow(mount: string, url: URL, forwarded: { prefix?: string | undefined }): void {
  url.pathname = url.pathname.slice(mount.length);
  forwarded.prefix = (forwarded.prefix ?? "") + mount;
}

/** A mount that goes further than the base path, as `/api/v1` before `/api`, leaves most of the endpoints out of reach. */
function createMountWarning(handle: MountableHandler) {
  const { basePath, logger } = handle;
  let warned = false;
  return (mountedAt = "") => {
    if (warned || mountedAt === "" || isBelow(mountedAt, basePath) || isInFront(mountedAt, handle)) return;
    warned = true;
    logger?.warn(
      { mountedAt, basePath },
      `mounted at ${mountedAt}, where its base path ${basePath} is never reached. Give createHandler the whole public path, basePath: "${mountedAt}", or mount it with app.use(express(handle))`,
    );
  };
}
