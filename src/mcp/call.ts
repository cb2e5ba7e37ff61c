/** A tool call is a request to the handler itself: the same order of answers, the same payment, the same trial. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { AnyCapability } from "../capability/types.js";
import { invalid } from "../errors.js";
import type { Catalogue } from "../host/catalogue.js";
import { credentialHeader } from "../payment/mpp/credential.js";
import { readChallenges, readReceipt } from "../payment/mpp/wire.js";
import { decodeHeader, encodeHeader } from "../payment/x402/wire.js";
import type { JobDocument } from "../request/jobs/answers.js";
import { fileContent, jsonResult, mediaType, textPart } from "./content.js";

/** The extension in which quotes are results of a type of their own, as proposed for x402; not merged there yet. */
export const EXTENSION = "org.x402/payment";

type Fields = Record<string, unknown>;

/** A quote in that extension. */
interface QuoteResult extends Record<string, unknown> {
  resultType: "payment_required";
  paymentRequired: Record<string, unknown>;
  content: [];
}
export type ToolResult = CallToolResult | QuoteResult;

/** A call that goes on: its answer is fetched later. */
export interface Accepted {
  job: JobDocument;
}

/** A call that costs more than it may. */
export interface TooDear {
  costsUsd: string;
}

const paymentsOf = ({ brand: { slug } }: Pick<Catalogue, "brand">) =>
  ["x402/payment", "x402.payment", `${MPP}/credential`, `${slug}/credit`] as const;

/** Whether its metadata have something that pays. */
export const pays = (catalogue: Pick<Catalogue, "brand">, meta: Fields): boolean =>
  paymentsOf(catalogue).some((name) => meta[name] !== undefined);

/** The metadata without all that pays, or asks for a trial. */
export function unpaid(catalogue: Pick<Catalogue, "brand">, meta: Fields): Fields {
  const left = new Set<string>([...paymentsOf(catalogue), `${catalogue.brand.slug}/trial`]);
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !left.has(name)));
}

export const isAccepted = (answered: object): answered is Accepted => "job" in answered;

/** Sends a request to the mounted handler on behalf of the tool's caller. */
export type Ask = (request: Request) => Promise<Response>;

export interface ToolCall {
  capability: AnyCapability;
  input: Record<string, unknown>;
  /** The metadata beside the arguments. */
  meta: Record<string, unknown>;
  /** The handler's public origin. */
  origin: string;
  /** Whether the caller's free trial is used without being requested. */
  trial: boolean;
  /** Whether quotes are wanted in the format of x402's first version. */
  version1: boolean;
  /** Whether the client reads quotes as results of a type of their own. */
  readsQuotes: boolean;
  /** The most that may be charged, in US dollars. */
  maxUsd?: string | undefined;
  /** Whether and how it may become a job (RFC 7240). */
  prefer?: string | undefined;
  signal: AbortSignal;
}

/** A payment is an object; the first clients sent it as the text of the header, under their own name. */
const payment = z.union([z.record(z.string(), z.unknown()), z.string().max(16_384)]).optional();

/** A credential of the Machine Payments Protocol, in the format of its transport for MCP. */
const credential = z
  .object({
    challenge: z.looseObject({ request: z.record(z.string(), z.unknown()) }),
    payload: z.unknown(),
    source: z.string().optional(),
  })
  .optional();
const MPP = "org.paymentauth";

export async function callTool(
  catalogue: Catalogue,
  ask: Ask,
  call: ToolCall,
): Promise<ToolResult | Accepted | TooDear> {
  const response = await ask(requestFor(catalogue, call));
  const meta = metaOf(catalogue, response);
  // A payment by an unknown method is answered by 400, and with an offer as well.
  if (response.status === 402 || response.headers.has("payment-required")) return challenged(response, meta, call);
  const type = mediaType(response.headers.get("content-type") ?? "");
  if (!response.ok) {
    const body = await response.text();
    const costsUsd = response.headers.get(`x-${catalogue.brand.slug}-quoted-usd`);
    if (call.maxUsd !== undefined && costsUsd !== null && (JSON.parse(body) as Fields).code === "SPENDING_LIMIT")
      return { costsUsd };
    return { isError: true, ...jsonResult(body), _meta: meta };
  }
  if (response.headers.get("preference-applied")?.startsWith("respond-async"))
    return { job: (await response.json()) as JobDocument };
  if (type === "application/json") return { ...jsonResult(await response.text()), _meta: meta };
  const uri = `urn:uuid:${response.headers.get("x-request-id") ?? crypto.randomUUID()}`;
  return { content: [fileContent(Buffer.from(await response.arrayBuffer()), { type, uri })], _meta: meta };
}

/** The request that this capability would get over HTTP. */
function requestFor(
  catalogue: Catalogue,
  { capability, input, meta, origin, trial, version1, prefer, maxUsd, signal }: ToolCall,
): Request {
  const url = new URL(catalogue.pathOf(capability), origin);
  const headers = paymentHeaders(catalogue, meta, trial);
  if (version1) headers.set("x-402-version", "1");
  if (prefer !== undefined) headers.set("prefer", prefer);
  if (maxUsd !== undefined) headers.set("x-402-max-usd", maxUsd);
  if (capability.method === "POST") {
    headers.set("content-type", "application/json");
    return new Request(url, { method: "POST", headers, body: JSON.stringify(input), signal });
  }
  for (const [name, value] of Object.entries(input))
    if (value !== undefined && value !== null) url.searchParams.append(name, asText(value));
  return new Request(url, { method: capability.method, headers, signal });
}

/** Payment and trace headers of a caller, from the metadata of its tool call. */
function paymentHeaders({ brand, trialsPerHour }: Catalogue, meta: ToolCall["meta"], trial: boolean): Headers {
  const { slug } = brand;
  const headers = new Headers();
  const paid = payment.safeParse(meta["x402/payment"] ?? meta["x402.payment"]).data;
  if (paid !== undefined)
    headers.set("payment-signature", typeof paid === "string" ? sendable("x402/payment", paid) : encodeHeader(paid));
  const charged = credential.safeParse(meta[`${MPP}/credential`]).data;
  if (paid === undefined && charged !== undefined) headers.set("authorization", credentialHeader(charged));
  const traceparent = z.string().safeParse(meta.traceparent).data;
  if (traceparent !== undefined && traceparent.length < 256)
    headers.set("traceparent", sendable("traceparent", traceparent));
  const told = (name: string) => {
    const value = z.string().safeParse(meta[name]).data;
    return value === undefined ? undefined : sendable(name, value);
  };
  const credit = told(`${slug}/credit`);
  if (credit !== undefined) headers.set(`x-${slug}-credit`, credit);
  const key = told(`${slug}/idempotency-key`);
  if (key !== undefined) headers.set("idempotency-key", key);
  const wanted = trial || meta[`${slug}/trial`] === true;
  if (wanted && (paid ?? charged) === undefined && credit === undefined && trialsPerHour > 0)
    headers.set(`x-${slug}-trial`, "1");
  return headers;
}

/** A valid header value. Rejects any other, as an HTTP server would. */
function sendable(name: string, value: string): string {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw invalid(`_meta.${name}`, "has characters that no HTTP header holds");
}

const asText = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/**
 * In the format of the x402 transport for MCP: the quote is a tool's error, complete both as data and as text. Some
 * clients of x402, and all of the Machine Payments Protocol, read only the metadata, which has the quote in version 2
 * whatever the answer itself has.
 */
async function challenged(
  response: Response,
  meta: Record<string, unknown>,
  { version1, readsQuotes }: ToolCall,
): Promise<ToolResult> {
  const header = response.headers.get("payment-required");
  const current = header === null ? undefined : decodeHeader<Record<string, unknown>>(header);
  const isProblem = response.headers.get("content-type") === "application/problem+json";
  const body =
    version1 || !current || isProblem ? (JSON.parse(await response.text()) as Record<string, unknown>) : undefined;
  const quote = (version1 || !current ? body : undefined) ?? current ?? {};
  const challenges = readChallenges(response.headers.get("www-authenticate") ?? "");
  const problem = isProblem && body ? { problem: problemIn(body) } : {};
  const mpp = challenges
    ? { [`${MPP}/payment-required`]: { challenges, httpStatus: response.status, ...problem } }
    : {};
  if (readsQuotes && current)
    return { resultType: "payment_required", paymentRequired: current, content: [], _meta: { ...meta, ...mpp } };
  const asked = {
    ...meta,
    "x402/error": current ?? quote,
    ...mpp,
  };
  return { isError: true, structuredContent: quote, content: [textPart(JSON.stringify(quote))], _meta: asked };
}

/** The members of a problem document among those of a quote. */
const problemIn = ({ type, title, status, detail, challengeId }: Record<string, unknown>) =>
  JSON.parse(JSON.stringify({ type, title, status, detail, challengeId })) as object;

/** Metadata that HTTP sends in headers: the receipt, the token of credit, the request's id. */
function metaOf({ brand: { slug } }: Catalogue, { headers }: Response): Record<string, unknown> {
  const receipt = headers.get("payment-response");
  const charge = headers.get("payment-receipt");
  const credit = headers.get(`x-${slug}-credit`);
  const requestId = headers.get("x-request-id");
  const cost = headers.get(`x-${slug}-cost-usd`);
  return {
    ...(receipt ? { "x402/payment-response": decodeHeader(receipt) } : {}),
    ...(charge ? { [`${MPP}/receipt`]: readReceipt(charge) } : {}),
    ...(credit ? { [`${slug}/credit`]: credit } : {}),
    ...(cost ? { [`${slug}/cost-usd`]: cost } : {}),
    ...(requestId ? { [`${slug}/request-id`]: requestId } : {}),
  };
}
