/** One request of a guarded fetch: over the injected fetch, or over a socket that can only reach checked addresses. */
import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import type { Agent } from "undici";
import type { Context } from "../../capability/types.js";
import { beforeAbort } from "../../lib/abort.js";
import { lazy } from "../../lib/lazy.js";
import { importUndici } from "../../lib/packages/packages.js";
import { onWorkers } from "../../lib/packages/platform.js";
import type { ResolvedAddress } from "./allowed-url.js";

export interface HopRequest {
  url: URL;
  addresses: [ResolvedAddress, ...ResolvedAddress[]];
  headers: Record<string, string>;
  /** Body of a POST; without it the request is a GET. */
  body?: string;
  /** Time limit for the answer's headers. */
  headersTimeoutMs?: number;
  /** Ends the request and its body. */
  signal: AbortSignal;
}

/** A response whose body is not read yet. Its opener closes it. */
export interface Hop {
  status: number;
  /** Undefined if absent; a repeated header's values are joined with commas. */
  header(name: string): string | undefined;
  body: Readable;
  /** Whether `body` still has the content codings of its header. */
  isEncoded: boolean;
  /** Closes the connection, even before the end of the body. */
  close(): void;
}

export type Transport = (request: HopRequest) => Promise<Hop>;

const undici = lazy(importUndici);

/** Includes the name's resolution. */
export const CONNECT_TIMEOUT_MS = 3_000;
const HEADERS_TIMEOUT_MS = 5_000;

/**
 * The transport of a call: an injected fetch sees every request, otherwise sockets are pinned. Cloudflare Workers have no
 * sockets to pin, and their own fetch reaches public addresses alone.
 */
export function transportFor(ctx: Pick<Context, "fetch" | "injectedFetch">): Transport {
  return ctx.injectedFetch || onWorkers() ? (request) => openInjected(ctx.fetch, request) : openPinned;
}

/** Opens a hop within the time limits for connecting and for headers; a late one is closed. */
export async function openHop(transport: Transport, request: HopRequest): Promise<Hop> {
  // The body is read under the same signal, which lasts as long as the request's own.
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
 * Over the host's fetch. A wrapper of the platform's fetch that passes its arguments on stays pinned, by the
 * `dispatcher` that Node's fetch obeys. A fetch with its own transport resolves names again, and has to check the
 * addresses itself.
 */
async function openInjected(fetch: typeof globalThis.fetch, request: HopRequest): Promise<Hop> {
  const { url, headers, signal } = request;
  const agent = onWorkers() ? undefined : await pinnedAgent(request);
  const closeAgent = () => void agent?.destroy().catch(() => {});
  try {
    const init: RequestInit = { redirect: "manual", headers, signal, ...sent(request) };
    // Node's own fetch contains another undici, whose types differ from ours.
    if (agent) Object.assign(init, { dispatcher: agent });
    const response = await fetch(url.href, init);
    const body = response.body ? Readable.fromWeb(response.body) : Readable.from([]);
    const closeBody = closerOf(body);
    if (response.redirected) {
      closeBody();
      throw new Error("The injected fetch followed a redirect by itself, to an address that was not checked.");
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

/** Connects only to the checked addresses. */
async function pinnedAgent({ addresses, headersTimeoutMs = HEADERS_TIMEOUT_MS }: HopRequest): Promise<Agent> {
  const { Agent } = await undici();
  return new Agent({
    connect: { lookup: lookupAmong(addresses), timeout: CONNECT_TIMEOUT_MS },
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
    headersTimeout: headersTimeoutMs,
  });
}

/** Resolves every name to the checked addresses; the name itself is still sent in the Host header and SNI. */
export function lookupAmong(addresses: HopRequest["addresses"]): LookupFunction {
  const [first] = addresses;
  return (_name, options, callback) => {
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

/** A body destroyed before its end reports an error that nobody awaits any more. */
function closerOf(body: Readable): () => void {
  return () => {
    body.on("error", () => {});
    body.destroy();
  };
}
