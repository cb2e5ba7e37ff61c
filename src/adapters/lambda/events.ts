/**
 * The events of AWS for an HTTP request. Each kind has one planner, which knows how its sender encodes paths and
 * queries, where it puts the caller's address, and which result it expects.
 */
import {
  type HeaderFields,
  type Multi,
  readBody,
  readHeaders,
  readQuery,
  readSource,
  type Single,
  toByteString,
} from "./fields.js";
import type { EncodedAnswer } from "./result.js";

/** The parts of a function's second argument that are read. */
export interface LambdaContext {
  getRemainingTimeInMillis?(): number;
}

/** One event, read. */
export interface LambdaCall {
  method: string;
  protocol: "http" | "https";
  host: string;
  /** In the sender's form: percent-encoded, or decoded by an HTTP API. */
  path: string;
  /** HTTP APIs put it before the path; REST APIs only behind a domain mapping without one. */
  stage?: string | undefined;
  /** The path as the client wrote it, if the sender provides it, with stage or domain mapping. */
  publicPath?: string | undefined;
  /** Percent-encoded once. */
  query: string;
  headers: HeaderFields;
  body: Uint8Array<ArrayBuffer>;
  /** The address that connected to the sender, according to the sender. */
  sourceAddress: string | undefined;
  /** X-Forwarded-For without the entry that the sender appended for `sourceAddress`. */
  forwardedFor: string;
  limits: { payloadBytes: number; gatewayTimeoutMs: number; receivedAt?: number | undefined };
  toResult(answer: EncodedAnswer): LambdaResult | Promise<LambdaResult>;
}

export interface LambdaResult {
  statusCode: number;
  /** Reason phrase for a load balancer. */
  statusDescription?: string;
  headers?: Record<string, string>;
  multiValueHeaders?: Record<string, string[]>;
  cookies?: string[];
  body: string;
  isBase64Encoded: boolean;
}

// Lambda refuses a larger result, serialized as JSON; a load balancer accepts less than an API.
const LAMBDA_PAYLOAD_BYTES = 6_291_556;
const ALB_PAYLOAD_BYTES = 1024 * 1024;

/**
 * The parts of each event that are read. AWS creates the events, so their documented types are trusted once the kind is
 * known.
 */
interface Content {
  headers?: Single;
  body?: string | null;
  isBase64Encoded?: boolean | null;
}

/** API Gateway REST APIs, HTTP APIs with payload format 1.0, and load balancers. */
interface EventV1 extends Content {
  /** Only an HTTP API names it. */
  version?: string;
  httpMethod: string;
  path: string;
  multiValueHeaders?: Multi;
  queryStringParameters?: Single;
  multiValueQueryStringParameters?: Multi;
  requestContext: {
    stage?: string;
    path?: string;
    domainName?: string;
    requestTimeEpoch?: number;
    identity?: { sourceIp?: string | null };
  };
}

/** API Gateway HTTP APIs with payload format 2.0, and function URLs. */
interface EventV2 extends Content {
  rawPath: string;
  rawQueryString?: string | null;
  cookies?: string[] | null;
  requestContext: {
    stage?: string;
    domainName?: string;
    timeEpoch?: number;
    http: { method: string; sourceIp?: string | null };
  };
}

/** API Gateway's own host name of an API, where the stage is part of the path. */
const isGatewayHost = (host: string): boolean => /\.execute-api\.[\w-]+\.amazonaws\.com(?:\.cn)?$/.test(host);

/** API Gateway REST APIs, and HTTP APIs with payload format 1.0. */
function planV1(event: EventV1): LambdaCall {
  const { requestContext: context } = event;
  const headers = readHeaders(event);
  const host = context.domainName ?? headers.get("host") ?? "localhost";
  return {
    method: event.httpMethod,
    protocol: "https",
    host,
    path: event.path,
    stage: context.stage,
    // An HTTP API includes its stage here even if the host's own domain hides it.
    publicPath: event.version && !isGatewayHost(host) ? undefined : context.path,
    // Names and values arrive decoded, so they are encoded again.
    query: new URLSearchParams(readQuery(event)).toString(),
    headers,
    body: readBody(event),
    ...readSource(headers, context.identity?.sourceIp ?? undefined),
    limits: {
      payloadBytes: LAMBDA_PAYLOAD_BYTES,
      // Only an HTTP API names the version.
      gatewayTimeoutMs: event.version ? 30_000 : 29_000,
      receivedAt: context.requestTimeEpoch,
    },
    // The gateway merges the two; only cookies need more than one value.
    toResult: ({ cookies, ...rest }) =>
      cookies.length > 0 ? { ...rest, multiValueHeaders: { "set-cookie": cookies } } : rest,
  };
}

function planV2(event: EventV2): LambdaCall {
  const { requestContext: context, cookies } = event;
  const headers = readHeaders(event);
  if (cookies && cookies.length > 0) headers.set("cookie", cookies.map(toByteString).join("; "));
  const host = context.domainName ?? headers.get("host") ?? "localhost";
  // A function URL has no gateway, so it waits as long as the function may run.
  const isFunctionUrl = /\.lambda-url\.[\w-]+\.on\.aws$/.test(host);
  return {
    method: context.http.method,
    protocol: "https",
    host,
    path: event.rawPath,
    stage: context.stage,
    publicPath: isGatewayHost(host) ? event.rawPath : undefined,
    query: event.rawQueryString ?? "",
    headers,
    body: readBody(event),
    ...readSource(headers, context.http.sourceIp ?? undefined),
    limits: {
      payloadBytes: LAMBDA_PAYLOAD_BYTES,
      gatewayTimeoutMs: isFunctionUrl ? Number.POSITIVE_INFINITY : 30_000,
      receivedAt: context.timeEpoch,
    },
    toResult: ({ cookies, ...rest }) => (cookies.length > 0 ? { ...rest, cookies } : rest),
  };
}

/** Application Load Balancers, with and without multi-value headers. */
function planAlb(event: EventV1): LambdaCall {
  const headers = readHeaders(event);
  // The balancer appends the caller's address here and names it nowhere else.
  const lastHop = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
  return {
    method: event.httpMethod,
    protocol: headers.get("x-forwarded-proto") === "http" ? "http" : "https",
    host: headers.get("host") ?? "localhost",
    path: event.path,
    // Names and values arrive as sent, so encoding them would be the second time.
    query: readQuery(event)
      .map((pair) => pair.join("="))
      .join("&"),
    headers,
    body: readBody(event),
    ...readSource(headers, lastHop),
    limits: { payloadBytes: ALB_PAYLOAD_BYTES, gatewayTimeoutMs: 60_000 },
    // A balancer with multi-value headers reads no others; one without can send one cookie.
    toResult: async ({ headers, cookies, ...rest }) => ({
      ...rest,
      statusDescription: `${rest.statusCode} ${await reasonPhrase(rest.statusCode)}`,
      ...(event.multiValueHeaders
        ? { multiValueHeaders: withCookies(listsOf(headers), cookies) }
        : { headers: withCookies(headers, cookies[0]) }),
    }),
  };
}

/** Reads an event of any sender. Throws a TypeError for an event that is not an HTTP request. */
export function readEvent(event: unknown): LambdaCall {
  if (isV2(event)) return planV2(event);
  if (isV1(event)) return "elb" in event.requestContext ? planAlb(event) : planV1(event);
  throw new TypeError("Not an event of API Gateway (REST or HTTP), a function URL or a load balancer.");
}

const isV2 = (event: unknown): event is EventV2 =>
  isText(at(event, "rawPath")) && isText(at(event, "requestContext", "http", "method"));

const isV1 = (event: unknown): event is EventV1 =>
  isText(at(event, "httpMethod")) && isText(at(event, "path")) && isObject(at(event, "requestContext"));

const isText = (value: unknown): value is string => typeof value === "string";
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The value at a path of names. */
const at = (value: unknown, ...names: string[]): unknown =>
  names.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);

/** The names come with Node's whole server, which only this sender's functions need. */
const reasonPhrase = async (status: number) => (await import("node:http")).STATUS_CODES[status] ?? "Unknown";

const listsOf = (headers: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

function withCookies<Value extends string | string[]>(
  headers: Record<string, Value>,
  cookies: Value | undefined,
): Record<string, Value> {
  return cookies?.length ? { ...headers, "set-cookie": cookies } : headers;
}
