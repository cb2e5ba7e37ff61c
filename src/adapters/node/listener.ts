/** Listens to requests of Node's http module, and reports what failed. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { CapabilityError } from "../../errors.js";
import { type Logger, silent } from "../../lib/logger.js";
import { createForwardedReader } from "../shared/forwarded.js";
import type { FetchHandler } from "../shared/mount.js";
import { refusalResponse } from "../shared/refusal.js";
import { exchange, headersOf, requestUrl } from "./exchange.js";
import type { NodeOptions } from "./options.js";
import { consumedBody } from "./parsed-body.js";
import { send } from "./send.js";

/** `mount` is a path that the handler does not see, because an app has it mounted there. */
export function listenerBelow(handle: FetchHandler, options: NodeOptions) {
  const { logger = silent } = handle;
  const readForwarded = createForwardedReader(options, logger);
  return async (req: IncomingMessage, res: ServerResponse, mount = ""): Promise<void> => {
    try {
      const forwarded = readForwarded(req.socket.remoteAddress, headersOf(req));
      if (mount) forwarded.prefix = (forwarded.prefix ?? "") + mount;
      const url = requestUrl(req, { ...forwarded, target: req.url?.slice(mount.length) });
      const body = consumedBody(req);
      await exchange(handle, { req, res }, { forwarded, url, body, writeTimeoutMs: options.writeTimeoutMs });
    } catch (error) {
      // A handler reports its own failures, so this is an interrupted answer, or a foreign handler.
      await fail(res, error, logger);
    }
  };
}

async function fail(res: ServerResponse, error: unknown, logger: Logger): Promise<void> {
  if (CapabilityError.is(error)) return send(res, refusalResponse(error.code, error.message));
  const response = refusalResponse("INTERNAL", "Something went wrong here. Send us the request id to find the cause.");
  logger.error({ requestId: response.headers.get("x-request-id"), error }, "an exchange failed");
  if (res.headersSent) res.destroy();
  else await send(res, response);
}
