/** Upstreams that answer what a test lists, in that order per address, and nothing else. */

export interface Exchange {
  /** A part of the address. */
  url: string;
  status?: number;
  /** A string and bytes are sent as they are, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The connection breaks. */
  drop?: boolean;
  /** The answer never comes. */
  hang?: boolean;
}

export interface Seen {
  method: string;
  url: URL;
  headers: Headers;
  body: string;
}

/** The last answer of an address is repeated; a request that is not listed fails the call. */
export function fakeUpstream(exchanges: Exchange[]) {
  const left = exchanges.map((exchange) => ({ ...exchange }));
  const seen: Seen[] = [];
  const signals: AbortSignal[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const url = new URL(String(input instanceof Request ? input.url : input));
    const sent = typeof init.body === "string" ? init.body : "";
    seen.push({ method: init.method ?? "GET", url, headers: new Headers(init.headers), body: sent });
    if (init.signal) signals.push(init.signal);
    const index = left.findIndex((exchange) => url.href.includes(exchange.url));
    const found = left[index];
    if (!found) throw new Error(`no answer is listed for ${url}`);
    if (left.filter((exchange) => exchange.url === found.url).length > 1) left.splice(index, 1);
    if (found.drop) throw new TypeError("fetch failed");
    if (found.hang)
      return new Promise((_, reject) => init.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
    const isRaw = typeof found.body === "string" || found.body instanceof Uint8Array;
    const body = isRaw ? (found.body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(found.body ?? {});
    const headers = { "content-type": "application/json", ...found.headers };
    return new Response(found.status === 204 || found.status === 304 ? null : body, {
      status: found.status ?? 200,
      headers,
    });
  };
  return { fetch, seen, signals };
}
