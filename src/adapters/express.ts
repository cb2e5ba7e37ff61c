import type { ServerResponse } from "node:http";
import { sendResponse } from "@remix-run/node-fetch-server";
import { CapabilityError } from "../errors.js";
import { createAddressReader, type ProxyOptions } from "./client-address.js";
import { consumedBody, type ParsedRequest } from "./express-body.js";
import { type MountableHandler, type MountOptions, takes } from "./mount.js";
import { exchange, requestUrl } from "./node-exchange.js";
import { refusal } from "./refusal.js";

export interface ExpressOptions extends ProxyOptions, MountOptions {}

/** What is read of an Express request; versions 4 and 5 have it alike. */
export interface ExpressRequest extends ParsedRequest {
  originalUrl?: string;
  /** Follows X-Forwarded-Proto where the app's own `trust proxy` says so. */
  protocol?: string;
}

export type ExpressMiddleware = (
  req: ExpressRequest,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>;

/**
 * Express middleware: `app.use(express(handle))`. Requests outside the handler's base path go on to the app's other
 * routes. The base path is the whole public path, so behind `app.use("/shop", ...)` it is `/shop/api`.
 *
 * Mount it before `express.json()` where you can: behind it a broken body gets Express's own error page, and bodies
 * are limited to its 100 KB. The address of a caller is that of the connection, whatever the app's `trust proxy` says.
 * Texts in a query need `http.createServer({ maxHeaderSize: 65536 }, app)`, since `app.listen` allows 16 KiB.
 */
export function express(handle: MountableHandler, options: ExpressOptions = {}): ExpressMiddleware {
  const readAddress = createAddressReader(options);
  return async (req, res, next) => {
    try {
      // A mounted router shortens req.url; originalUrl stays what the client sent.
      const secure = req.protocol === undefined ? undefined : req.protocol === "https";
      const url = requestUrl(req, { target: req.originalUrl, secure });
      if (!url || !takes(handle, url.pathname, options)) return next();
      await exchange(handle, { req, res }, { readAddress, url, body: consumedBody(req) });
    } catch (error) {
      if (CapabilityError.is(error)) await sendResponse(res, refusal(error.code, error.message));
      else next(error);
    }
  };
}
