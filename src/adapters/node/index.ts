import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { FetchHandler } from "../shared/mount.js";
import { assertHandler } from "../shared/option-checks.js";
import { listenerBelow } from "./listener.js";
import { type NodeOptions, nodeOptions, type ServeOptions, serveOptions } from "./options.js";

export type { FetchHandler } from "../shared/mount.js";
export type { NodeOptions, ServeOptions } from "./options.js";

export interface RunningServer {
  /** `http://127.0.0.1:8402` */
  readonly url: string;
  /** Accepts no new connections; resolves when the running calls are answered, or cut off after `drainMs`. */
  close(): Promise<void>;
}

const MAX_HEADER_SIZE = 64 * 1024;
// Orchestrators usually kill a process 30 seconds after they asked it to stop.
const DRAIN_MS = 25_000;
const SWEEP_MS = 100;

/**
 * A request listener for `http.createServer`. Give that server a `maxHeaderSize` of 64 KiB, or a long text in a query
 * is refused with 431 before it gets here.
 *
 * @example
 * ```ts
 * http.createServer({ maxHeaderSize: 65_536 }, node(handle)).listen(8402);
 * ```
 */
export function node(handle: FetchHandler, options: NodeOptions = {}) {
  assertHandler("node", handle);
  nodeOptions("node options", options);
  const listener = listenerBelow(handle, options);
  return (req: IncomingMessage, res: ServerResponse): Promise<void> => listener(req, res);
}

/**
 * Serves `handle` over HTTP. Rejects if the port cannot be used. Signals are left to the caller: close the server
 * first, then the handler.
 *
 * @example
 * ```ts
 * const server = await serve(handle, { port: 8402 });
 * await server.close();
 * await handle.close();
 * ```
 */
export async function serve(handle: FetchHandler, options: ServeOptions): Promise<RunningServer> {
  assertHandler("serve", handle);
  serveOptions("serve options", options);
  const { port, host = "127.0.0.1", maxHeaderSize = MAX_HEADER_SIZE, drainMs = DRAIN_MS, ...ofListener } = options;
  const server = createServer({ maxHeaderSize }, node(handle, ofListener));
  server.on("connect", refuseTunnel);
  await listen(server, port, host);

  let closing: Promise<void> | undefined;
  return {
    url: urlOf(server),
    close() {
      closing ??= drain(server, drainMs);
      return closing;
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") return `http://${address ?? "localhost"}`;
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

function drain(server: Server, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), drainMs);
    // A kept-alive connection becomes idle only after its last answer.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    server.on("request", (_req, res) => {
      res.shouldKeepAlive = false;
    });
    server.close(() => {
      clearTimeout(cutOff);
      clearInterval(sweep);
      resolve();
    });
  });
}

/** Without a listener Node closes the connection of a CONNECT without an answer, but the client should get a reason. */
function refuseTunnel(_req: IncomingMessage, socket: Duplex): void {
  socket.end(
    "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD, POST, OPTIONS\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
  );
}
