/** Transport to a facilitator: over HTTP, configured like the ecosystem's packages, or in the host's own process. */
import { CapabilityError } from "../../errors.js";
import { atMost, within } from "../../lib/abort.js";
import { createSend, type Incoming, type Send } from "../../lib/http/http-send.js";
import { type ExtensionResponses, extensionResponsesIn, readExtensionResponses } from "./extension-responses.js";
import { type FacilitatorOptions, type FacilitatorPath, facilitatorOptions } from "./facilitator-options.js";

const VERIFY_TIMEOUT_MS = 10_000;
const SETTLE_TIMEOUT_MS = 45_000;
const SUPPORTED_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * A facilitator in the host's own process, with the answers of the HTTP API; or a client such as the
 * `HTTPFacilitatorClient` of `@x402/core`, whose methods `verify` and `settle` are used instead of its address.
 */
export interface Facilitator {
  verify(payload: object, requirements: object): Promise<unknown>;
  settle(payload: object, requirements: object): Promise<unknown>;
  supported?(): Promise<unknown>;
  /** The name of `supported` in the official packages. */
  getSupported?(): Promise<unknown>;
}

const isInProcess = (from: FacilitatorOptions | Facilitator): from is Facilitator =>
  "verify" in from && typeof from.verify === "function";

/** Without `supported` nothing is offered that depends on it. */
const supportedOf = (facilitator: Facilitator): Promise<unknown> =>
  within(
    SUPPORTED_TIMEOUT_MS,
    async () => (await (facilitator.supported?.() ?? facilitator.getSupported?.())) ?? { kinds: [] },
  );

export interface FacilitatorAnswer {
  status: number;
  body: unknown;
  /** How it took the payment's extensions, if it says so. */
  extensions?: ExtensionResponses | undefined;
}

/** Our own transport made no connection, so nobody can have read the request. */
export class NeverSent extends Error {
  override readonly name = "NeverSent";
}

type Ask = (path: "verify" | "settle", payload: object, requirements: object) => Promise<FacilitatorAnswer>;

export interface Transport {
  /** Rejects without a readable answer. */
  ask: Ask;
  /** Rejects with FACILITATOR_UNAVAILABLE without an answer. */
  supported(): Promise<unknown>;
}

type Address = FacilitatorOptions & { url: string };

/** Throws a TypeError unless it is an address or an object with the methods of a facilitator. */
export function createTransport(from: FacilitatorOptions | Facilitator, fetch?: typeof globalThis.fetch): Transport {
  facilitatorOptions("payment.facilitator", from);
  if (isInProcess(from)) return { ask: inProcess(from), supported: () => supportedOf(from) };
  const address = { ...from, url: (from.url ?? "").replace(/\/+$/, "") };
  const send = createSend(fetch);
  return { ask: overHttp(address, send), supported: () => readSupported(address, send) };
}

export const unavailable = (retryAfter = 5, cause?: unknown) =>
  new CapabilityError(
    "FACILITATOR_UNAVAILABLE",
    "The payment facilitator gave no answer. Nothing was charged; the same payment can be sent again.",
    { retryAfter, cause },
  );

/** Answers of a facilitator that is there, but has no list of what it supports, or none for now. */
const WITHOUT_LIST = [404, 405, 429, 501];

class NoList extends Error {}

/** Whether `supported` failed although the facilitator answered. */
export const answeredWithoutList = (error: unknown): boolean =>
  CapabilityError.is(error) && error.cause instanceof NoList;

function inProcess(facilitator: Facilitator): Ask {
  return async (path, payload, requirements) => {
    const timeoutMs = path === "verify" ? VERIFY_TIMEOUT_MS : SETTLE_TIMEOUT_MS;
    const body = await atMost(timeoutMs, () => facilitator[path](payload, requirements));
    return { status: 200, body, extensions: extensionResponsesIn(body) };
  };
}

/** Requested for each call, because an authorization is often valid for one request, and for a minute. */
async function headersFor(options: Address, path: FacilitatorPath) {
  const [own, auth] = [await options.headers?.(path), await options.createAuthHeaders?.()];
  return { accept: "application/json", ...own, ...auth?.[path] };
}

interface Exchange {
  path: FacilitatorPath;
  timeoutMs: number;
  body?: object;
}

function exchange(options: Address, send: Send, { path, timeoutMs, body }: Exchange): Promise<Incoming> {
  const ask = async (signal: AbortSignal) => {
    const headers = await headersFor(options, path);
    const post = body && {
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    };
    const request = { headers, ...post, signal, maxBytes: MAX_ANSWER_BYTES };
    return send(`${options.url}/${path}`, request).catch((error: unknown) => {
      throw madeNoConnection(error) ? new NeverSent(messageOf(error), { cause: error }) : error;
    });
  };
  return within(options.timeoutMs ?? timeoutMs, ask);
}

function madeNoConnection(error: unknown): boolean {
  const { code } = ((error as { cause?: unknown } | null)?.cause ?? {}) as { code?: unknown };
  return typeof code === "string" && NO_CONNECTION.has(code);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : "no connection");

const NO_CONNECTION: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"],
]);

async function readSupported(options: Address, send: Send): Promise<unknown> {
  const asked = { path: "supported", timeoutMs: SUPPORTED_TIMEOUT_MS } as const;
  const { status, retryAfter, text } = await exchange(options, send, asked);
  const cause = WITHOUT_LIST.includes(status) ? new NoList(`status ${status}`) : undefined;
  if (status < 200 || status > 299) throw unavailable(retryAfter, cause);
  return JSON.parse(text);
}

function overHttp(options: Address, send: Send): Ask {
  return async (path, paymentPayload, paymentRequirements) => {
    const body = { x402Version: 2, paymentPayload, paymentRequirements };
    const timeoutMs = path === "verify" ? VERIFY_TIMEOUT_MS : SETTLE_TIMEOUT_MS;
    const { status, text, header } = await exchange(options, send, { path, timeoutMs, body });
    return { status, body: JSON.parse(text), extensions: readExtensionResponses(header("extension-responses")) };
  };
}
