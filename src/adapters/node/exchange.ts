/** Answers one request of Node's http module. Express uses the same objects. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createHeaders, createRequest } from "@remix-run/node-fetch-server";
import { once } from "../../lib/lazy.js";
import {
  type AnyResponse,
  answererOf,
  fromRequest,
  isResponse,
  type LazyRequest,
} from "../../request/http/exchange.js";
import type { Forwarded } from "../shared/forwarded.js";
import type { FetchHandler } from "../shared/mount.js";
import { refuseMethod, refuseUrl } from "../shared/refusal.js";
import { joinUrl } from "../shared/url.js";
import { send } from "./send.js";

/** Time for a client to read an answer. */
const WRITE_TIMEOUT_MS = 60_000;

export interface ExchangeOptions {
  forwarded: Pick<Forwarded, "clientAddress" | "prefix">;
  url: URL | undefined;
  /** The body's bytes, if they were already read from the request. */
  body?: Uint8Array<ArrayBuffer> | undefined;
  writeTimeoutMs?: number;
}

/** Answers `req` by `handle`. Rejects only if `handle` does, or if its body fails during sending. */
export async function exchange(
  handle: FetchHandler,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  options: ExchangeOptions,
): Promise<void> {
  const answer = await answerTo(handle, { req, res }, options);
  if (res.destroyed) return isResponse(answer) ? answer.body?.cancel() : undefined;
  const sent = send(res, answer);
  // A stream may last, and be silent, as long as its reader takes what there is.
  if (isStream(answer)) limitBacklog(res, options.writeTimeoutMs ?? WRITE_TIMEOUT_MS);
  else if (!isSent(res)) {
    // A client that reads byte by byte would keep the answer in memory.
    const deadline = setTimeout(() => res.destroy(), options.writeTimeoutMs ?? WRITE_TIMEOUT_MS).unref();
    res.once("close", () => clearTimeout(deadline));
  }
  await sent;
}

/** Whether it leaves as its work makes it, so that only the time to read what there is is limited. */
const isStream = (answer: AnyResponse): boolean =>
  isResponse(answer) && answer.headers.get("content-type") === "text/event-stream";

/** Cuts off a reader that has not taken within a round what was written before it, however many bytes it takes. */
function limitBacklog(res: ServerResponse, roundMs: number): void {
  let written = 0;
  const rounds = setInterval(() => {
    const { socket } = res;
    if (!socket) return;
    // guard: a stream that its reader takes too slowly is cut off | gone | streams
    if (socket.bytesWritten - socket.writableLength < written) res.destroy();
    written = socket.bytesWritten;
  }, roundMs).unref();
  res.once("close", () => clearInterval(rounds));
}

/** Whether the whole answer was handed to the operating system, as is usual for a short one. */
const isSent = ({ writableEnded, socket }: ServerResponse): boolean => writableEnded && socket?.writableLength === 0;

async function answerTo(
  handle: FetchHandler,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  { forwarded: { clientAddress, prefix }, url, body }: ExchangeOptions,
): Promise<AnyResponse> {
  const refused = refuseMethod(req.method ?? "GET");
  if (refused) return refused;
  if (!url) return refuseUrl();
  const info = prefix ? { clientAddress, prefix } : { clientAddress };
  const toRequest = once(() => (body ? bufferedRequest({ req, res }, url, body) : streamedRequest({ req, res }, url)));
  const direct = answererOf(handle);
  if (!direct) return handle(toRequest(), info);
  return direct(body ? fromRequest(toRequest()) : new NodeIncoming({ req, res }, url, toRequest), info);
}

/** The parts of a request that are usually read, without creating a Request. A class for speed. */
class NodeIncoming implements LazyRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: NodeHeaders;
  readonly carriesBytes = true;
  readonly toRequest: () => Request;
  readonly #res: ServerResponse;
  #signal: AbortSignal | undefined;

  constructor({ req, res }: { req: IncomingMessage; res: ServerResponse }, url: URL, toRequest: () => Request) {
    this.method = req.method ?? "GET";
    this.url = url;
    this.headers = new NodeHeaders(req);
    this.toRequest = toRequest;
    this.#res = res;
  }

  get signal() {
    this.#signal ??= goneSignal(this.#res);
    return this.#signal;
  }

  get body() {
    return this.toRequest().body;
  }
}

class NodeHeaders implements Pick<Headers, "get" | "has"> {
  readonly #header: (name: string) => string | undefined;

  constructor(req: IncomingMessage) {
    this.#header = headersOf(req);
  }

  get(name: string): string | null {
    return this.#header(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#header(name.toLowerCase()) !== undefined;
  }
}

/** Aborted when the client leaves before it has its answer. */
function goneSignal(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const onClose = () => {
    if (!res.writableFinished) gone.abort();
  };
  if (res.closed) onClose();
  else res.once("close", onClose);
  return gone.signal;
}

function streamedRequest({ req, res }: { req: IncomingMessage; res: ServerResponse }, url: URL): Request {
  const { url: shortened } = req;
  // createRequest reads the target from `req`, where a mounted router has removed its own part.
  req.url = url.pathname + url.search;
  try {
    return createRequest(req, res, { host: url.host, protocol: url.protocol });
  } finally {
    req.url = shortened;
  }
}

function bufferedRequest(
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  url: URL,
  body: Uint8Array<ArrayBuffer>,
): Request {
  const headers = createHeaders(req);
  // These headers describe the bytes on the wire, which the parser already decoded.
  for (const name of ["content-encoding", "transfer-encoding"]) headers.delete(name);
  headers.set("content-length", String(body.length));
  const type = headers.get("content-type");
  if (type) headers.set("content-type", type.replace(/charset=[^;]*/i, "charset=utf-8"));

  const method = req.method ?? "GET";
  const bodyless = method === "GET" || method === "HEAD";
  return new Request(url, { method, headers, signal: goneSignal(res), body: bodyless ? null : body });
}

export interface UrlFacts extends Pick<Forwarded, "protocol" | "host"> {
  /** Default: the request's own. */
  target?: string | undefined;
}

/** The URL that a client requested; undefined if its target and Host header are invalid. */
export function requestUrl(req: IncomingMessage, { target = req.url ?? "/", ...facts }: UrlFacts): URL | undefined {
  // RFC 9112, 3.2.2: a server also accepts the absolute form, which names the host twice.
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "");
  const protocol = facts.protocol ?? (isEncrypted(req) ? "https" : "http");
  return joinUrl(protocol, facts.host ?? req.headers.host ?? "localhost", path === "" ? "/" : path);
}

/** Some runtimes have the property on every socket. */
const isEncrypted = ({ socket }: IncomingMessage): boolean => "encrypted" in socket && socket.encrypted === true;

/** Reads single headers; repeated ones are joined. */
export const headersOf = (req: IncomingMessage) => (name: string) => {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(",") : value;
};
