/**
 * What is read of a request and what an answer is made of. A Request and a Response cost more to make than all the rest
 * of a quote: where a server of Node stands in front, the first is made when something needs it whole, the second never.
 */
import type { CallInfo } from "../host/call-info.js";
import { once } from "../lib/lazy.js";

/** A request, with its costly parts behind getters. */
export interface LazyRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Pick<Headers, "get" | "has">;
  readonly signal: AbortSignal;
  readonly body: ReadableStream<Uint8Array> | null;
  /** The whole of it. */
  toRequest(): Request;
}

/** An answer as plain data. */
export interface PlainResponse {
  status: number;
  headers: Record<string, string>;
  /** Headers that many answers have alike; `headers` go before them. */
  common?: CommonHeaders;
  body: string | Uint8Array | null;
}

/** In the form that a server of Node takes, and in the one that a Response takes without checking every letter again. */
export interface CommonHeaders {
  readonly record: Readonly<Record<string, string>>;
  readonly checked: Headers;
}

export function commonHeaders(record: Record<string, string>): CommonHeaders {
  const checked = once(() => new Headers(record));
  return {
    record,
    get checked() {
      return checked();
    },
  };
}

/** A service answers by a Response of its own. */
export type AnyResponse = PlainResponse | Response;

/** Told by its shape: to name the class is to load Node's whole `fetch`, which a new process may have no need of. */
export const isResponse = (answer: AnyResponse): answer is Response => "arrayBuffer" in answer;

export const fromRequest = (request: Request): LazyRequest => new WholeRequest(request);

/** A class for its speed: every request becomes one. */
class WholeRequest implements LazyRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly #request: Request;

  constructor(request: Request) {
    this.method = request.method;
    this.url = new URL(request.url);
    this.headers = request.headers;
    this.#request = request;
  }

  get signal() {
    return this.#request.signal;
  }

  get body() {
    return this.#request.body;
  }

  toRequest(): Request {
    return this.#request;
  }
}

export function toResponse(answer: AnyResponse): Response {
  if (isResponse(answer)) return answer;
  const { status, headers, common } = answer;
  const body = answer.body as ConstructorParameters<typeof Response>[0];
  if (!common) return new Response(body, { status, headers });
  let response = new Response(body, { status, headers: common.checked });
  // Hono's server for Node puts a Response in place of Node's own that keeps the object instead of copying it: the receipt
  // or the credit of one caller would stand in the answers of all others.
  if (response.headers === common.checked)
    response = new Response(body, { status, headers: new Headers(common.checked) });
  for (const name in headers) response.headers.set(name, headers[name] ?? "");
  return response;
}

export function setHeader(answer: AnyResponse, name: string, value: string): void {
  if (isResponse(answer)) answer.headers.set(name, value);
  else answer.headers[name] = value;
}

type Answerer = (incoming: LazyRequest, info: CallInfo) => Promise<AnyResponse>;
const answerers = new WeakMap<(request: Request, info?: CallInfo) => Promise<Response>, Answerer>();

/** The same handler without Request and Response. Known by the function itself: one that wraps it is asked as it stands. */
export const answererOf = (handle: (request: Request, info?: CallInfo) => Promise<Response>): Answerer | undefined =>
  answerers.get(handle);

/** A handler from what answers without Request and Response. */
export function toHandle(answer: Answerer): (request: Request, info?: CallInfo) => Promise<Response> {
  const handle = async (request: Request, info: CallInfo = {}) => toResponse(await answer(fromRequest(request), info));
  answerers.set(handle, answer);
  return handle;
}
