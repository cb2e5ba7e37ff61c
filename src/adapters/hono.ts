import type { Context, Next } from "hono";
import { isUrl } from "../lib/http/url.js";
import { createForwardedReader, type ProxyOptions } from "./shared/forwarded.js";
import { depthOf, firstSegments, isInFront, type MountableHandler, type MountOptions, takes } from "./shared/mount.js";
import { assertMountable, honoOptions } from "./shared/option-checks.js";
import { refuseMethod, refuseUrl } from "./shared/refusal.js";
import { joinUrl } from "./shared/url.js";

export interface HonoOptions extends ProxyOptions, MountOptions {
  /**
   * Finds the connection's address on runtimes other than Node, Bun and Deno. On Cloudflare Workers:
   * `(c) => getConnInfo(c).remote.address` with `getConnInfo` from `hono/cloudflare-workers`.
   */
  clientAddress?: (c: Context) => string | undefined;
}

/** Where each runtime's server keeps the connection. */
interface ConnectionBindings {
  incoming?: { socket?: { remoteAddress?: string } };
  server?: ConnectionBindings;
  requestIP?: (request: Request) => { address: string } | null;
  remoteAddr?: { hostname?: string };
}

/**
 * Hono middleware. Requests outside the handler's base path go on to the app's other routes. It also works as the
 * handler of a route: `app.all("/api/*", hono(handle))`. In an app below another, `app.route("/v1", sub)`, the paths are
 * below both: `/v1/api/convert/unit`. On Node give `serve` the server option `maxHeaderSize: 65536`, or a long text in a
 * query is refused with 431.
 *
 * @example
 * ```ts
 * const app = new Hono();
 * app.use(hono(handle));
 * serve({ fetch: app.fetch, port: 8402, serverOptions: { maxHeaderSize: 65_536 } }); // of @hono/node-server
 * ```
 */
export function hono(handle: MountableHandler, options: HonoOptions = {}) {
  assertMountable("hono", handle);
  honoOptions("hono options", options);
  const readForwarded = createForwardedReader(options, handle.logger);
  const connectionOf = options.clientAddress ?? connectionAddress;
  // biome-ignore lint/suspicious/noConfusingVoidType: Hono's own middleware type has it.
  return async (c: Context, next?: Next): Promise<Response | void> => {
    // c.req.url would throw for a target that is not a URL.
    if (!isUrl(c.req.url)) return refuseUrl();
    const url = new URL(c.req.url);
    const isWhole = takes(handle, url.pathname, options);
    const mount = isWhole ? "" : mountOf(handle, c, options);
    if (next && !isWhole && mount === "") return next();
    url.pathname = url.pathname.slice(mount.length);
    const refused = refuseMethod(c.req.method);
    if (refused) return refused;
    return answer(c, url, mount);
  };

  async function answer(c: Context, url: URL, mount: string): Promise<Response> {
    const { clientAddress, protocol, host, ...proxies } = readForwarded(connectionOf(c), (name) => c.req.header(name));
    const request = await unreadRequest(c);
    const prefix = (proxies.prefix ?? "") + mount;
    const info = prefix ? { clientAddress, prefix } : { clientAddress };
    const asked = protocol || host || mount ? askedUrl(url, protocol, host) : undefined;
    return handle(asked ? new Request(asked, request) : request, info);
  }
}

/**
 * The part of the path that the handler does not see: that of the app or route that the adapter is mounted in, up to
 * where the handler's own paths begin.
 */
function mountOf(handle: MountableHandler, c: Context, options: HonoOptions): string {
  const { pathname } = new URL(c.req.url);
  for (let depth = 1; depth <= depthOf(c.req.routePath); depth++) {
    const mount = firstSegments(pathname, depth);
    if (isInFront(mount, handle) && takes(handle, pathname.slice(mount.length), options)) return mount;
  }
  return "";
}

/** The URL as the client asked for it, by what its proxies say. */
function askedUrl(url: URL, protocol = url.protocol.slice(0, -1), host = url.host) {
  return joinUrl(protocol === "https" ? "https" : "http", host, url.pathname + url.search);
}

/** The request, rebuilt from Hono's copy of the body if earlier middleware has read it. */
async function unreadRequest(c: Context): Promise<Request> {
  const { raw } = c.req;
  return raw.bodyUsed ? new Request(raw, { body: await c.req.arrayBuffer() }) : raw;
}

function connectionAddress(c: Context): string | undefined {
  const env: ConnectionBindings = c.env ?? {};
  const server = env.server ?? env;
  return server.incoming?.socket?.remoteAddress ?? server.requestIP?.(c.req.raw)?.address ?? env.remoteAddr?.hostname;
}
