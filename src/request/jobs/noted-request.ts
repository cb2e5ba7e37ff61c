/** The request of a job: noted while it is read, so that another process can send it again. */
import { createHash, randomUUID } from "node:crypto";
import type { CallInfo } from "../../host/call-info.js";
import type { LazyRequest } from "../http/exchange.js";
import type { StoredInput } from "./record.js";

/** Calls with a longer body are answered at once. */
const MOST_BYTES = 256 * 1024;

/** Headers that decide about the answer. A key of an account is none: its account is stored instead. */
const KEPT = [
  "accept",
  "content-type",
  "idempotency-key",
  "payment-signature",
  "x-payment",
  "x-402-version",
  "x-402-max-usd",
];

/** A payment beside a key, which is left out. */
const paymentOf = (authorization: string): string | undefined =>
  /(?:^|,)\s*(Payment\s+[^,]+)/i.exec(authorization)?.[1];

/** The same request, which is aborted by its job, and notes what is read of its body. */
export class NotedRequest implements LazyRequest {
  readonly method: string;
  readonly headers: LazyRequest["headers"];
  readonly #request: LazyRequest;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #body: ReadableStream<Uint8Array> | null | undefined;

  constructor(
    request: LazyRequest,
    readonly signal: AbortSignal,
  ) {
    this.#request = request;
    this.method = request.method;
    this.headers = withOwnKey(request.headers);
  }

  get url() {
    return this.#request.url;
  }

  /** Noted as it is read, because readers of bodies have limits of their own. */
  get body() {
    if (this.#body === undefined) {
      const note = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          this.#size += chunk.byteLength;
          if (this.isShort) this.#chunks.push(chunk);
          else this.#chunks.length = 0;
          controller.enqueue(chunk);
        },
      });
      this.#body = this.#request.body?.pipeThrough(note) ?? null;
    }
    return this.#body;
  }

  get isShort(): boolean {
    return this.#size <= MOST_BYTES;
  }

  toRequest(): Request {
    return this.#request.toRequest();
  }

  /** Names what was asked, in these bytes. */
  get digest(): string {
    const { pathname, search } = this.url;
    const hash = createHash("sha256").update(`${this.method} ${pathname}${search}\n`);
    for (const chunk of this.#chunks) hash.update(chunk);
    return hash.digest("hex");
  }

  stored({ clientAddress, country, wallet, prefix }: CallInfo): StoredInput {
    const headers: Record<string, string> = {};
    for (const name of KEPT) {
      const value = this.headers.get(name);
      if (value !== null) headers[name] = value;
    }
    const payment = paymentOf(this.headers.get("authorization") ?? "");
    if (payment !== undefined) headers.authorization = payment;
    return {
      method: this.method,
      url: this.url.href,
      headers,
      ...(this.#size > 0 ? { body: Buffer.concat(this.#chunks).toString("base64") } : {}),
      info: { clientAddress, country, wallet, prefix },
    };
  }
}

/** Without a payment an account may pay, which keeps the answers of calls with a key. */
function withOwnKey(headers: LazyRequest["headers"]): LazyRequest["headers"] {
  const pays = headers.has("payment-signature") || headers.has("x-payment");
  if (pays || headers.has("idempotency-key") || paymentOf(headers.get("authorization") ?? "")) return headers;
  const key = `job-${randomUUID()}`;
  const isKey = (name: string) => name.toLowerCase() === "idempotency-key";
  return {
    get: (name) => (isKey(name) ? key : headers.get(name)),
    has: (name) => isKey(name) || headers.has(name),
  };
}

/** The request of a job that another process began. */
export const againFrom = ({ method, url, headers, body }: StoredInput): Request =>
  new Request(url, { method, headers, ...(body === undefined ? {} : { body: Buffer.from(body, "base64") }) });

/** The same request, aborted by another signal. */
export const withSignal = (request: LazyRequest, signal: AbortSignal): LazyRequest => ({
  method: request.method,
  url: request.url,
  headers: request.headers,
  signal,
  body: request.body,
  toRequest: () => request.toRequest(),
});
