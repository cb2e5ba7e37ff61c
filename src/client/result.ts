/** Converts a 200 to the capability's own result and the facts of the call. */
import type { BinaryResult } from "../capability/output.js";
import type { CallMeta } from "../request/respond.js";
import type { EndpointFacts } from "./find-endpoint.js";
import { bodyText, jsonOf, type Reply } from "./reply.js";
import type { Answer } from "./types.js";

interface Envelope {
  data: { ok: true };
  meta: CallMeta;
}

export function resultOfReply(reply: Reply, { id, binary }: EndpointFacts): Answer<unknown> {
  const type = reply.headers.get("content-type") ?? "application/octet-stream";
  const isJson = /^application\/json\b/.test(type);
  if (!binary && isJson) {
    const { data, meta } = jsonOf<Envelope>(reply);
    if (data?.ok === true && meta?.endpoint === id) return { data, meta };
    return { data: JSON.parse(bodyText(reply)), meta: metaOf(reply, id) };
  }
  const isText = isJson || /^text\/|\+xml\b|\+json\b/.test(type);
  const headers = ownHeaders(reply.headers);
  const data: BinaryResult = { contentType: type, body: isText ? bodyText(reply) : reply.bytes };
  return { data: Object.keys(headers).length > 0 ? { ...data, headers } : data, meta: metaOf(reply, id) };
}

/** The service's headers without their prefix: `cost-usd` for `x-svc-cost-usd`. */
function serviceHeaders(headers: Headers): Map<string, string> {
  const [, prefix] = [...headers.keys()].map((name) => /^(x-.+-)endpoint$/.exec(name)).find(Boolean) ?? [];
  if (!prefix) return new Map();
  const own = [...headers].filter(([name]) => name.startsWith(prefix));
  return new Map(own.map(([name, value]) => [name.slice(prefix.length), value]));
}

/** Amounts of `usage`. */
const AMOUNTS = "authorized used settled returned credited owed credit-used credit-left"
  .split(" ")
  .map((name) => `${name}-usd`);

const META = new Set([
  ..."endpoint caller account cost-usd quoted-usd duration-ms cached replay payer transaction trial-remaining trial-reset-at credit usage-method".split(
    " ",
  ),
  ...AMOUNTS,
]);

/** The capability's own headers: "Render-Ms" travels as X-SVC-Render-Ms. */
function ownHeaders(headers: Headers): Record<string, string> {
  const own = [...serviceHeaders(headers)].filter(([name]) => !META.has(name));
  const titled = (name: string) => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
  return Object.fromEntries(own.map(([name, value]) => [titled(name), value]));
}

/** The facts of an answer without an envelope, from headers and the receipt. */
function metaOf({ headers }: Reply, id: string): CallMeta {
  const facts = serviceHeaders(headers);
  const receipt = receiptOf(headers);
  const remaining = facts.get("trial-remaining");
  const method = facts.get("usage-method");
  const inCamels = (name: string) => name.replace(/-./g, ([, letter = ""]) => letter.toUpperCase());
  const usage = { ...Object.fromEntries(AMOUNTS.map((name) => [inCamels(name), facts.get(name)])), method };
  return JSON.parse(
    JSON.stringify({
      endpoint: id,
      version: null,
      requestId: headers.get("x-request-id") ?? "",
      caller: facts.get("caller") ?? "free",
      account: facts.get("account"),
      costUsd: facts.get("cost-usd") ?? "0",
      quotedUsd: facts.get("quoted-usd") ?? "0",
      durationMs: Number(facts.get("duration-ms") ?? 0),
      cached: facts.get("cached") === "true",
      payment: receipt,
      trial: remaining && { remaining: Number(remaining), resetAt: facts.get("trial-reset-at") },
      usage: method && usage,
    }),
  );
}

/** The receipt of a settlement, if the answer has one. */
export function receiptOf(headers: Headers): CallMeta["payment"] {
  const header = headers.get("payment-response");
  if (!header) return undefined;
  const {
    success,
    network = "",
    asset = "",
    scheme = "exact",
    amount = "0",
    payer = "",
    transaction = "",
  } = decodeHeader<Record<string, string> & { success?: boolean }>(header);
  return success ? { scheme, network, asset, amount, payer, transaction } : undefined;
}

/** The JSON of a payment header: UTF-8 in base64. */
export function decodeHeader<T extends object>(header: string): Partial<T> {
  const bytes = Uint8Array.from(atob(header.trim()), (char) => char.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Partial<T>;
}

export function encodeHeader(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
