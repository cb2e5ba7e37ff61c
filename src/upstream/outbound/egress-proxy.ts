/**
 * Proxy for a browser that opens callers' pages, and its only connection to the network. It listens on loopback,
 * resolves every name itself, checks the addresses and connects only to these. It tunnels TLS only: requests without
 * CONNECT are refused, so that nothing is sent unencrypted.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { CapabilityError } from "../../errors.js";
import { beforeAbort, deadline } from "../../lib/abort.js";
import { isUrl } from "../../lib/http/url.js";
import { assertAllowedUrl, notAllowed, type OutboundRules, resolveAllowed } from "./allowed-url.js";
import { CONNECT_TIMEOUT_MS, lookupAmong } from "./hop.js";

export interface EgressOptions {
  /** Refuses further hosts, such as those of advertisements. */
  isUnwanted?: (host: string) => boolean;
  /** Maximum bytes received through all tunnels. */
  maxBytes: number;
  /** Maximum bytes sent, because rendering a page sends little. Default 4 MB. */
  maxSentBytes?: number;
  /** Maximum number of tunnels in total. */
  maxTunnels: number;
  /** Maximum number of open tunnels. Default 100. */
  maxOpen?: number;
}

export interface EgressProxy {
  /** As browsers take it: `http://127.0.0.1:port`. */
  readonly url: string;
  /** The error for callers if a host was refused. */
  refusalOf(host: string): CapabilityError | undefined;
  /** Aborted if the page sent more than its limit, after which all traffic stops. */
  readonly broken: AbortSignal;
  /** Ends every tunnel. */
  close(): void;
}

const MAX_SENT_BYTES = 4 * 1024 * 1024;
const MAX_OPEN = 100;
const HTTPS = { httpsOnly: true };

/** Opens a proxy, which keeps the process alive until it is closed. */
export async function openEgressProxy(rules: OutboundRules, options: EgressOptions): Promise<EgressProxy> {
  const refusals = new Map<string, CapabilityError>();
  const sockets = new Set<Duplex>();
  const closing = new AbortController();
  const breaking = new AbortController();
  const { maxSentBytes = MAX_SENT_BYTES, maxOpen = MAX_OPEN } = options;
  let tunnels = 0;
  let open = 0;
  let received = 0;
  let sent = 0;

  function count({ length }: Buffer): void {
    sent += length;
    // guard: pages: a page sends so much out | maxSentBytes -> Number.POSITIVE_INFINITY | egress-proxy
    if (sent <= maxSentBytes) return;
    breaking.abort(sentTooMuch());
    close();
  }

  function track<S extends Duplex>(socket: S): S {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
    return socket;
  }

  async function reach(authority: string, client: Duplex): Promise<Socket> {
    // guard: pages: a page has so many tunnels at once | - || open >= maxOpen | egress-proxy
    if (++tunnels > options.maxTunnels || open >= maxOpen) throw new Error("The page opened too many connections.");
    open++;
    client.once("close", () => open--);
    const target = assertAllowedUrl(rules, `https://${authority}/`, HTTPS);
    if (options.isUnwanted?.(target.hostname)) throw new Error("The host serves advertisements.");
    const { signal, clear } = deadline(CONNECT_TIMEOUT_MS, closing.signal);
    const addresses = await beforeAbort(resolveAllowed(rules, target, HTTPS), signal);
    const socket = connect({
      host: target.hostname.replace(/^\[|\]$/g, ""),
      port: Number(target.port || "443"),
      lookup: lookupAmong(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 1_000,
    });
    await once(track(socket), "connect", { signal }).catch((error: unknown) => {
      socket.destroy();
      throw error;
    });
    clear();
    return socket;
  }

  async function tunnel({ url: authority = "" }: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    track(client);
    try {
      const upstream = await reach(authority, client);
      upstream.on("data", ({ length }: Buffer) => {
        received += length;
        if (received > options.maxBytes) close();
      });
      client.once("close", () => upstream.destroy());
      upstream.once("close", () => client.destroy());
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      count(head);
      client.on("data", count);
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    } catch (error) {
      if (CapabilityError.is(error)) refusals.set(hostIn(authority), error);
      client.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    }
  }

  const server = createServer((request) => {
    refusals.set(hostIn(request.url?.replace(/^\w+:\/\//, "") ?? ""), notAllowed({}, "must be an https URL"));
    // Closes without an answer, because the browser would render ours as the page.
    request.socket.destroy();
  });
  server.on("connect", (request, client, head) => void tunnel(request, client, head));
  server.on("clientError", (_, socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  function close(): void {
    closing.abort();
    server.close();
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
  }

  return { url: `http://127.0.0.1:${port}`, refusalOf: (host) => refusals.get(host), broken: breaking.signal, close };
}

const sentTooMuch = () => new CapabilityError("UPSTREAM_ERROR", "url: the page sent more data than its limit");

/** The host of `host:port` or of the part after a URL's scheme, as in `URL.hostname`. */
function hostIn(authority: string): string {
  return isUrl(`https://${authority}`) ? new URL(`https://${authority}`).hostname : "";
}
