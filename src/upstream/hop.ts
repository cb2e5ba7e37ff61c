/** One request of a guarded fetch: over the injected fetch, or over a socket that can only reach judged addresses. */
import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import type { Agent } from "undici";
import type { Context } from "../capability/types.js";
import { beforeAbort } from "../lib/abort.js";
import { lazy } from "../lib/lazy.js";
import { named } from "../lib/named.js";
import type { ResolvedAddress } from "./allowed-url.js";

export interface HopRequest {
  url: URL;
  addresses: [ResolvedAddress, ...ResolvedAddress[]];
  headers: Record<string, string>;
  /** What is sent, by POST; without it the request is a GET. */
  body?: string;
  /** How long the answer's headers may take. */
  headersTimeoutMs?: number;
  /** Ends the request, its body included. */
  signal: AbortSignal;
}

/** A response whose body is still to be read. Whoever opens one closes it. */
export interface Hop {
  status: number;
  /** Undefined when absent; a repeated header's values are joined with commas. */
  header(name: string): string | undefined;
  body: Readable;
  /** Whether `body` has the content codings of its header still on it. */
  isEncoded: boolean;
  /** Gives the connection up, whatever is still to come over it. */
  close(): void;
}

export type Transport = (request: HopRequest) => Promise<Hop>;

const undici = lazy(() => import("undici").then(named));

/** Also what a name's resolution may take. */
export const CONNECT_TIMEOUT_MS = 3_000;
const HEADERS_TIMEOUT_MS = 5_000;

/** The transport for a call: what the host or a test injected sees every request, else sockets are pinned. */
export function transportFor(ctx: Pick<Context, "fetch" | "injectedFetch">): Transport {
  return ctx.injectedFetch ? (request) => openInjected(ctx.fetch, request) : openPinned;
}

/** Opens a hop within the time for connecting and for headers; what comes too late is closed. */
export async function openHop(transport: Transport, request: HopRequest): Promise<Hop> {
  // Its body is read under the same signal, which goes on for as long as the request's own.
  const opening = new AbortController();
  const onAbort = () => opening.abort(request.signal.reason);
  if (request.signal.aborted) onAbort();
  request.signal.addEventListener("abort", onAbort, { once: true });
  const { headersTimeoutMs = HEADERS_TIMEOUT_MS } = request;
  const timer = setTimeout(() => opening.abort(), CONNECT_TIMEOUT_MS + headersTimeoutMs);
  const { signal } = opening;
  const hop = transport({ ...request, signal });
  try {
    return await beforeAbort(hop, signal);
  } catch (error) {
    hop.then(({ close }) => close()).catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Over the host's fetch. What wraps the platform's own and hands on what it was given stays pinned, by the `dispatcher`
 * that Node's fetch obeys; one with a transport of its own looks names up again, and has to judge what it connects to.
 */
async function openInjected(fetch: typeof globalThis.fetch, request: HopRequest): Promise<Hop> {
  const { url, headers, signal } = request;
  const agent = await pinnedAgent(request);
  const closeAgent = () => void agent.destroy().catch(() => {});
  try {
    const init: RequestInit = { redirect: "manual", headers, signal, ...sent(request) };
    // Node's own fetch has an undici of its own, whose types do not know ours.
    Object.assign(init, { dispatcher: agent });
    const response = await fetch(url.href, init);
    const body = response.body ? Readable.fromWeb(response.body) : Readable.from([]);
    const closeBody = closerOf(body);
    if (response.redirected) {
      closeBody();
      throw new Error("The injected fetch followed a redirect by itself, to an address that nobody judged.");
    }
    return {
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      body,
      isEncoded: false,
      close() {
        closeBody();
        closeAgent();
      },
    };
  } catch (error) {
    closeAgent();
    throw error;
  }
}

/** Over undici and not the global fetch, which obeys HTTP_PROXY settings and decodes bodies without a limit. */
async function openPinned(hop: HopRequest): Promise<Hop> {
  const { url, headers, signal } = hop;
  const { request } = await undici();
  const agent = await pinnedAgent(hop);
  const closeAgent = () => void agent.destroy().catch(() => {});
  try {
    const response = await request(url, { dispatcher: agent, headers, signal, ...sent(hop) });
    const closeBody = closerOf(response.body);
    return {
      status: response.statusCode,
      header: (name) => [response.headers[name] ?? []].flat().join(", ") || undefined,
      body: response.body,
      isEncoded: true,
      close() {
        closeBody();
        closeAgent();
      },
    };
  } catch (error) {
    closeAgent();
    throw error;
  }
}

const sent = ({ body }: HopRequest) => (body === undefined ? {} : { method: "POST" as const, body });

/** Connects to the judged addresses alone. */
async function pinnedAgent({ addresses, headersTimeoutMs = HEADERS_TIMEOUT_MS }: HopRequest): Promise<Agent> {
  const { Agent } = await undici();
  return new Agent({
    connect: { lookup: lookupAmong(addresses), timeout: CONNECT_TIMEOUT_MS },
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
    headersTimeout: headersTimeoutMs,
  });
}

/** Answers every name with the judged addresses; the name itself still goes into the Host header and SNI. */
export function lookupAmong(addresses: HopRequest["addresses"]): LookupFunction {
  const [first] = addresses;
  return (_name, options, callback) => {
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

/** A body that is destroyed before its end reports that as an error, which nobody waits for any more. */
function closerOf(body: Readable): () => void {
  return () => {
    body.on("error", () => {});
    body.destroy();
  };
}
