/** A fetch that keeps what it saw, for as many tries as a check may take. */
export interface Exchange {
  method: string;
  url: URL;
  /** The body that was sent, if it was a text. */
  body?: string | undefined;
  /** 0 if no answer came. */
  status: number;
  headers: Headers;
  contentType: string;
  bytes: Uint8Array;
  /** False if only the beginning of a large answer was kept. */
  whole: boolean;
  /** Why no answer came, or not all of it. */
  failure?: unknown;
}

export interface Observer {
  fetch: typeof globalThis.fetch;
  /** The exchanges since the last call of this, without the failures that another try mended. */
  take(): Exchange[];
}

const KEPT_BYTES = 4 * 1024 * 1024;
const FAILED = new Set([0, 408, 429, 500, 502, 503, 504]);

/** Of a request that failed `tries` times the last failure is repeated, without a further request. */
export function observe(fetch: typeof globalThis.fetch, tries = 2): Observer {
  let seen: Exchange[] = [];
  const triesOf = new Map<string, { count: number; last: Exchange }>();
  return {
    async fetch(input, init) {
      const exchange = exchangeOf(input, init);
      const key = keyOf(exchange);
      const tried = triesOf.get(key);
      if (tried && tried.count >= tries && hasFailed(tried.last)) return again(tried.last);
      seen.push(exchange);
      triesOf.set(key, { count: (tried?.count ?? 0) + 1, last: exchange });
      try {
        return watched(await follow(fetch, { input, init, exchange }), exchange);
      } catch (failure) {
        // Where a redirect leads away from the upstream, the redirect tells more than the place that failed.
        if (exchange.status < 300) exchange.failure = failure;
        throw failure;
      }
    },
    take() {
      const taken = seen.filter((one) => triesOf.get(keyOf(one))?.last === one);
      seen = [];
      triesOf.clear();
      return taken;
    },
  };
}

const keyOf = ({ method, url, body }: Exchange): string => `${method} ${url.href} ${body ?? ""}`;

function exchangeOf(input: Parameters<typeof globalThis.fetch>[0], init: RequestInit | undefined): Exchange {
  const request = input instanceof Request ? input : undefined;
  const url = new URL(request?.url ?? String(input));
  const method = (init?.method ?? request?.method ?? "GET").toUpperCase();
  const body = typeof init?.body === "string" ? init.body : undefined;
  return { ...EMPTY, headers: new Headers(), method, url, body };
}

const MAX_HOPS = 5;

interface Hops {
  input: Parameters<typeof globalThis.fetch>[0];
  init: RequestInit | undefined;
  exchange: Exchange;
}

/** Follows redirects one by one, where the caller would have them followed, so that each is seen. */
async function follow(fetch: typeof globalThis.fetch, { input, init, exchange }: Hops): Promise<Response> {
  if (init?.redirect === "manual" || exchange.method !== "GET" || input instanceof Request) return fetch(input, init);
  let url = exchange.url;
  for (let hop = 0; ; hop++) {
    const response = await fetch(url.href, { ...init, redirect: "manual" });
    const { status, headers } = response;
    const location = headers.get("location");
    if (status < 301 || status > 308 || !location || hop >= MAX_HOPS) return response;
    Object.assign(exchange, { status, headers });
    await response.body?.cancel();
    url = new URL(location, url);
  }
}

const EMPTY = { status: 0, contentType: "", bytes: new Uint8Array(), whole: true };

const hasFailed = ({ status, failure }: Exchange): boolean => failure !== undefined || FAILED.has(status);

function again({ failure, status, headers, bytes }: Exchange): Response {
  if (failure !== undefined) throw failure;
  return new Response(bytes.slice(), { status, headers });
}

/** The same response, of whose body the beginning is kept while it is read. */
function watched(response: Response, exchange: Exchange): Response {
  const { status, statusText, headers, redirected } = response;
  Object.assign(exchange, { status, headers, contentType: headers.get("content-type") ?? "" });
  if (!response.body) return response;
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const keep = (chunk: Uint8Array) => {
    const left = KEPT_BYTES - size;
    size += chunk.byteLength;
    exchange.whole = size <= KEPT_BYTES;
    if (left <= 0) return;
    chunks.push(chunk.subarray(0, left));
    exchange.bytes = Buffer.concat(chunks);
  };
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (cancelled) return;
        if (done) return controller.close();
        keep(value);
        controller.enqueue(value);
      } catch (failure) {
        exchange.failure = failure;
        controller.error(failure);
      }
    },
    cancel(reason) {
      cancelled = true;
      exchange.whole = false;
      return reader.cancel(reason);
    },
  });
  return Object.defineProperty(new Response(body, { status, statusText, headers }), "redirected", {
    value: redirected,
  });
}
