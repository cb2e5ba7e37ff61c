import type { Context, Next } from "hono";
import { createAddressReader, type ProxyOptions } from "./client-address.js";
import { type MountableHandler, type MountOptions, takes } from "./mount.js";
import { refuseMethod, refuseUrl } from "./refusal.js";

export interface HonoOptions extends ProxyOptions, MountOptions {
  /**
   * Where the connection's address is found, for runtimes other than Node, Bun and Deno. On Cloudflare Workers:
   * `(c) => getConnInfo(c).remote.address` with `getConnInfo` from `hono/cloudflare-workers`.
   */
  clientAddress?: (c: Context) => string | undefined;
}

/** Where each runtime's server puts the connection. */
interface ConnectionBindings {
  incoming?: { socket?: { remoteAddress?: string } };
  server?: ConnectionBindings;
  requestIP?: (request: Request) => { address: string } | null;
  remoteAddr?: { hostname?: string };
}

/**
 * Hono middleware: `app.use(hono(handle))`. Requests outside the handler's base path go on to the app's other routes.
 * It also works as the handler of a route: `app.all("/api/*", hono(handle))`. On Node give `serve` the server option
 * `maxHeaderSize: 65536`, or a long text in a query is refused with 431.
 */
export function hono(handle: MountableHandler, options: HonoOptions = {}) {
  const readAddress = createAddressReader(options);
  const connectionOf = options.clientAddress ?? connectionAddress;
  // biome-ignore lint/suspicious/noConfusingVoidType: Hono's own middleware type has it.
  return async (c: Context, next?: Next): Promise<Response | void> => {
    // c.req.url would throw for a target that is no URL.
    if (!URL.canParse(c.req.url)) return refuseUrl();
    if (next && !takes(handle, new URL(c.req.url).pathname, options)) return next();
    const refused = refuseMethod(c.req.method);
    if (refused) return refused;
    const clientAddress = readAddress(connectionOf(c), c.req.header("x-forwarded-for"));
    return handle(await unreadRequest(c), { clientAddress });
  };
}

/** The request; rebuilt from what Hono keeps of the body where earlier middleware has read it. */
async function unreadRequest(c: Context): Promise<Request> {
  const { raw } = c.req;
  return raw.bodyUsed ? new Request(raw, { body: await c.req.arrayBuffer() }) : raw;
}

function connectionAddress(c: Context): string | undefined {
  const env: ConnectionBindings = c.env ?? {};
  const server = env.server ?? env;
  return server.incoming?.socket?.remoteAddress ?? server.requestIP?.(c.req.raw)?.address ?? env.remoteAddr?.hostname;
}
