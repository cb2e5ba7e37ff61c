/**
 * Small requests to services that the host has named: facilitators and nodes of chains. Each sale waits for two of them, and
 * Node's own `fetch` takes several times the processor time of a request of undici: a Request, a Response and two web
 * streams each. The host's `fetch`, if it passes one, sees every request.
 */
import type { Agent } from "undici";
import { lazy } from "../lazy.js";
import { importUndici } from "../packages/packages.js";
import { onWorkers } from "../packages/platform.js";
import { BodyTooLargeError, readLimitedText } from "./read-limited.js";

export interface Outgoing {
  headers: Record<string, string>;
  /** Of a POST; without it the request is a GET. */
  body?: string;
  signal: AbortSignal;
  /** Of the answer; rejects with BodyTooLargeError above it. */
  maxBytes: number;
}

export interface Incoming {
  status: number;
  /** Seconds of a `Retry-After`; 0 without. */
  retryAfter: number;
  text: string;
  /** A header of the answer, by its name in small letters. */
  header(name: string): string | undefined;
}

/** Rejects as `fetch` does: with the reason of the signal, or a TypeError whose cause is the socket's error. */
export type Send = (url: string, request: Outgoing) => Promise<Incoming>;

/** Redirects are answers: one that is followed could reach somebody else, or be sent twice. */
export const createSend =
  (fetch?: typeof globalThis.fetch): Send =>
  (url, request) =>
    fetch || goesElsewhere() ? overFetch(fetch ?? globalThis.fetch, url, request) : overUndici(url, request);

/** Whether a function is the `fetch` that Node itself brings, however early somebody replaced it. Unknown ones are not. */
const isNodes = (fetch: unknown): boolean => /undici|fetchImpl/.test(Function.prototype.toString.call(fetch));

/** Where Node and undici keep what all requests of a process go over. */
const DISPATCHER = Symbol.for("undici.globalDispatcher.1");

/** Whether the host changed how requests leave its process, by a proxy, an agent or a `fetch` of its own; also true outside of Node. */
function goesElsewhere(): boolean {
  if (onWorkers() || "bun" in process.versions || "deno" in process.versions) return true;
  if (!isNodes(globalThis.fetch) || process.env.NODE_USE_ENV_PROXY === "1") return true;
  const dispatcher = (globalThis as { [DISPATCHER]?: Dispatching })[DISPATCHER];
  return dispatcher !== undefined && !isPlainAgent(dispatcher);
}

type Dispatching = { dispatch: unknown } & { [key: symbol]: object | undefined };

/** Node makes one at its first fetch. One with options, or with something composed around it, is the host's. */
function isPlainAgent(dispatcher: Dispatching): boolean {
  const options = Object.getOwnPropertySymbols(dispatcher).find(({ description }) => description === "options");
  const isUnset = (value: unknown) => value === undefined || value === Number.POSITIVE_INFINITY;
  return (
    dispatcher.constructor.name === "Agent" &&
    dispatcher.dispatch === Object.getPrototypeOf(dispatcher).dispatch &&
    options !== undefined &&
    Object.values(dispatcher[options] ?? { unknown: true }).every(isUnset)
  );
}

async function overFetch(fetch: typeof globalThis.fetch, url: string, request: Outgoing): Promise<Incoming> {
  const { headers, body, signal, maxBytes } = request;
  const post = body === undefined ? {} : { method: "POST", body };
  const response = await fetch(url, { ...post, headers, redirect: "manual", signal });
  const text = await readLimitedText(response.body, maxBytes);
  const header = (name: string) => response.headers.get(name) ?? undefined;
  return { status: response.status, retryAfter: secondsOf(header("retry-after")), text, header };
}

/** Its idle connections keep no process alive. Undefined in a bundle in which undici does not load. */
const agent = lazy(
  (): Promise<Agent | undefined> =>
    importUndici().then(
      (undici) => new undici.Agent(),
      () => undefined,
    ),
);

async function overUndici(url: string, request: Outgoing): Promise<Incoming> {
  const { headers, body, signal, maxBytes } = request;
  const { origin, pathname, search } = new URL(url);
  const dispatcher = await agent();
  if (!dispatcher) return overFetch(globalThis.fetch, url, request);
  if (signal.aborted) throw signal.reason;
  const post = body === undefined ? { method: "GET" as const } : { method: "POST" as const, body };
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const answer = { status: 0, size: 0, header: (_: string): string | undefined => undefined };
    let abort = reject;
    const onAbort = () => abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    dispatcher.dispatch(
      // The signal is the limit of time, for the whole exchange.
      { ...post, origin, path: pathname + search, headers, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(controller) {
          abort = (error) => controller.abort(error);
          if (signal.aborted) onAbort();
        },
        onResponseStart(_, status, head) {
          answer.status = status;
          answer.header = (name) => [head[name]].flat()[0];
        },
        onResponseData(controller, chunk) {
          answer.size += chunk.length;
          if (answer.size > maxBytes)
            controller.abort(new BodyTooLargeError(`The body is larger than ${maxBytes} bytes.`));
          else chunks.push(chunk);
        },
        onResponseEnd() {
          signal.removeEventListener("abort", onAbort);
          const { status, header } = answer;
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status, retryAfter: secondsOf(header("retry-after")), text, header });
        },
        onResponseError(_, error) {
          signal.removeEventListener("abort", onAbort);
          reject("code" in error && !signal.aborted ? new TypeError("fetch failed", { cause: error }) : error);
        },
      },
    );
  });
}

const secondsOf = (header: unknown): number => Number(header) || 0;
