import type { Context, Next } from "hono";
import { isUrl } from "../lib/url.js";
import { createForwardedReader, type ProxyOptions } from "./forwarded.js";
import { type MountableHandler, type MountOptions, takes } from "./mount.js";
import { assertMountable, honoOptions } from "./option-checks.js";
import { refuseMethod, refuseUrl } from "./refusal.js";
import { joinUrl } from "./url.js";

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
 * handler of a route: `app.all("/api/*", hono(handle))`. On Node give `serve` the server option `maxHeaderSize: 65536`,
 * or a long text in a query is refused with 431.
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
    if (next && !takes(handle, url.pathname, options)) return next();
    const refused = refuseMethod(c.req.method);
    if (refused) return refused;
    const { clientAddress, prefix, protocol, host } = readForwarded(connectionOf(c), (name) => c.req.header(name));
    const request = await unreadRequest(c);
    const info = prefix ? { clientAddress, prefix } : { clientAddress };
    const asked = protocol || host ? askedUrl(url, protocol, host) : undefined;
    return handle(asked ? new Request(asked, request) : request, info);
  };
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
