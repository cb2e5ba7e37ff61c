/**
 * Light forms of request and answer. Creating a Request and a Response costs more than the rest of a quote: behind
 * Node's server the first is created only when a step needs all of it, the second never.
 */
import type { CallInfo } from "../../host/call-info.js";
import { once } from "../../lib/lazy.js";

/** A request whose costly parts are behind getters. */
export interface LazyRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Pick<Headers, "get" | "has">;
  readonly signal: AbortSignal;
  readonly body: ReadableStream<Uint8Array> | null;
  /** True if an answer's bytes leave as they are: other platforms encode by themselves, or carry text only. */
  readonly carriesBytes?: true;
  /** The request as a standard Request. */
  toRequest(): Request;
}

/** An answer as plain data. */
export interface PlainResponse {
  status: number;
  headers: Record<string, string>;
  /** Headers that many answers share; `headers` override them. */
  common?: CommonHeaders;
  body: string | Uint8Array | null;
}

/** Headers in two forms: for Node's server, and for a Response that need not validate them again. */
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

/** A service answers with its own Response. */
export type AnyResponse = PlainResponse | Response;

/** Checks the shape instead of the class: naming the class would load all of Node's `fetch`. */
export const isResponse = (answer: AnyResponse): answer is Response => "arrayBuffer" in answer;

export const fromRequest = (request: Request): LazyRequest => new WholeRequest(request);

/** A class for speed: every request becomes one. */
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
  // Hono's server for Node replaces Node's Response by one that keeps the headers object instead of copying it. Without
  // a copy, one caller's receipt or credit would appear in all other answers.
  // guard: answers have headers of their own, whatever a Response does with those that it is given |
  //   gone | hono-node-server
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

/**
 * The handler in its form without Request and Response. It is looked up by the function itself, so a wrapped handler is
 * called as it is.
 */
export const answererOf = (handle: (request: Request, info?: CallInfo) => Promise<Response>): Answerer | undefined =>
  answerers.get(handle);

/** A standard handler made of one without Request and Response. */
export function toHandle(answer: Answerer): (request: Request, info?: CallInfo) => Promise<Response> {
  const handle = async (request: Request, info: CallInfo = {}) => toResponse(await answer(fromRequest(request), info));
  answerers.set(handle, answer);
  return handle;
}
