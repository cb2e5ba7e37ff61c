/**
 * The only way out of a browser that opens callers' pages: an HTTP proxy on loopback that resolves every name itself,
 * judges the addresses and connects to those and no others. It tunnels TLS only, so that nothing goes out in the clear:
 * what is asked for without CONNECT is refused.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { CapabilityError } from "../errors.js";
import { beforeAbort, deadline } from "../lib/abort.js";
import { isUrl } from "../lib/url.js";
import { assertAllowedUrl, notAllowed, type OutboundRules, resolveAllowed } from "./allowed-url.js";
import { CONNECT_TIMEOUT_MS, lookupAmong } from "./hop.js";

export interface EgressOptions {
  /** Hosts that are refused although they are allowed: advertisements. */
  isUnwanted?: (host: string) => boolean;
  /** What may come in through all tunnels together. */
  maxBytes: number;
  /** What may go out: a page that is only looked at sends little. Default 4 MB. */
  maxSentBytes?: number;
  /** Tunnels that may be opened, one after the other. */
  maxTunnels: number;
  /** The same, at once. Default 100. */
  maxOpen?: number;
}

export interface EgressProxy {
  /** As browsers take it: `http://127.0.0.1:port`. */
  readonly url: string;
  /** Why a host was refused, where it was: an error for callers. */
  refusalOf(host: string): CapabilityError | undefined;
  /** Aborted where the page sent more than it may: then nothing comes or goes any more. */
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
    // No answer of ours may be drawn as if it were the page.
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

const sentTooMuch = () =>
  new CapabilityError("UPSTREAM_ERROR", "url: the page sent more out than a page that is looked at may");

/** The host of `host:port` or of what follows a URL's scheme, as `URL.hostname` has it. */
function hostIn(authority: string): string {
  return isUrl(`https://${authority}`) ? new URL(`https://${authority}`).hostname : "";
}
