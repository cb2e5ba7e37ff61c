/** Options of `node` and `serve`, and their checks. */
import { type ChecksOf, needed, shape } from "../../lib/options/check.js";
import { count, text } from "../../lib/options/kinds.js";
import { PROXIES, type ProxyOptions } from "../shared/forwarded.js";

/** A longer timeout overflows Node's timer, which then fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface NodeOptions extends ProxyOptions {
  /** Milliseconds for a client to read an answer before it is cut off. Default 60,000. */
  writeTimeoutMs?: number;
}

export interface ServeOptions extends NodeOptions {
  /** 0 selects a free one. */
  port: number;
  /** Default 127.0.0.1: reachable from this machine only. */
  host?: string;
  /** Bytes of request line and headers. Default 64 KiB: Node's own 16 KiB refuse a long text in a query. */
  maxHeaderSize?: number;
  /** Milliseconds that `close` waits for running calls before it cuts them off. Default 25,000. */
  drainMs?: number;
}

const NODE: ChecksOf<NodeOptions> = { ...PROXIES, writeTimeoutMs: count(1, MAX_TIMER_MS) };
export const nodeOptions = shape<NodeOptions>(NODE);
export const serveOptions = shape<ServeOptions>({
  ...NODE,
  port: needed(count(0, 65_535), "the port to listen on; 0 takes a free one."),
  host: text("a host name or address to listen on"),
  maxHeaderSize: count(1024, 2 ** 30),
  drainMs: count(0, MAX_TIMER_MS),
});
