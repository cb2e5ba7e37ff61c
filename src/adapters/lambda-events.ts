/**
 * The events that AWS calls a function with for an HTTP request. Each has one planner, which knows how that sender
 * encodes paths and queries, where it puts the caller's address, and what it wants back.
 */
import { z } from "zod";
import { readBody, readHeaders, readQuery, readSource, toByteString } from "./lambda-fields.js";
import type { EncodedResponse } from "./lambda-result.js";
import { reasonPhrase } from "./send.js";

/** One event, read. */
export interface LambdaCall {
  method: string;
  protocol: "http" | "https";
  host: string;
  /** As the sender has it: percent-encoded, or decoded by an HTTP API. */
  path: string;
  /** HTTP APIs put it before the path, REST APIs only behind a domain mapping without one. */
  stage?: string | undefined;
  /** The path as the client wrote it, where the sender tells it: a stage or a domain's mapping included. */
  publicPath?: string | undefined;
  /** Percent-encoded once. */
  query: string;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
  /** The address that the sender itself was called from, as the sender states it. */
  sourceAddress: string | undefined;
  /** X-Forwarded-For without what the sender appended for `sourceAddress`. */
  forwardedFor: string;
  limits: { payloadBytes: number; gatewayTimeoutMs: number; receivedAt?: number | undefined };
  toResult(response: EncodedResponse): LambdaResult;
}

export interface LambdaResult {
  statusCode: number;
  /** What a load balancer puts on the status line. */
  statusDescription?: string;
  headers?: Record<string, string>;
  multiValueHeaders?: Record<string, string[]>;
  cookies?: string[];
  body: string;
  isBase64Encoded: boolean;
}

type Planner = (event: unknown) => LambdaCall | undefined;

// Lambda refuses a larger result, written as JSON; a load balancer takes less of a function than an API does.
const LAMBDA_PAYLOAD_BYTES = 6_291_556;
const ALB_PAYLOAD_BYTES = 1024 * 1024;

const single = z.record(z.string(), z.string().nullish()).nullish();
const multi = z.record(z.string(), z.array(z.string()).nullish()).nullish();
const content = { body: z.string().nullish(), isBase64Encoded: z.boolean().nullish() };

/** API Gateway's own name of an API, below which the stage is part of the path. */
const isGatewayHost = (host: string): boolean => /\.execute-api\.[\w-]+\.amazonaws\.com(?:\.cn)?$/.test(host);

/** API Gateway REST APIs, and HTTP APIs with payload format 1.0. */
const planV1 = planner(
  z.object({
    version: z.literal("1.0").optional(),
    httpMethod: z.string(),
    path: z.string(),
    headers: single,
    multiValueHeaders: multi,
    queryStringParameters: single,
    multiValueQueryStringParameters: multi,
    requestContext: z.object({
      stage: z.string().optional(),
      path: z.string().optional(),
      domainName: z.string().optional(),
      requestTimeEpoch: z.number().optional(),
      identity: z.object({ sourceIp: z.string().nullish() }).optional(),
    }),
    ...content,
  }),
  (event) => {
    const { requestContext: context } = event;
    const headers = readHeaders(event);
    const host = context.domainName ?? headers.get("host") ?? "localhost";
    return {
      method: event.httpMethod,
      protocol: "https",
      host,
      path: event.path,
      stage: context.stage,
      // An HTTP API names its stage here even where a domain of the host's own hides it.
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
      // The gateway merges the two; cookies alone need more than one value.
      toResult: ({ cookies, ...rest }) =>
        cookies.length > 0 ? { ...rest, multiValueHeaders: { "set-cookie": cookies } } : rest,
    };
  },
);

/** API Gateway HTTP APIs with payload format 2.0, and function URLs. */
const planV2 = planner(
  z.object({
    rawPath: z.string(),
    rawQueryString: z.string().nullish(),
    cookies: z.array(z.string()).nullish(),
    headers: single,
    requestContext: z.object({
      stage: z.string().optional(),
      domainName: z.string().optional(),
      timeEpoch: z.number().optional(),
      http: z.object({ method: z.string(), sourceIp: z.string().nullish() }),
    }),
    ...content,
  }),
  (event) => {
    const { requestContext: context, cookies } = event;
    const headers = readHeaders(event);
    if (cookies && cookies.length > 0) headers.set("cookie", cookies.map(toByteString).join("; "));
    const host = context.domainName ?? headers.get("host") ?? "localhost";
    // No gateway stands before a function URL; it waits as long as the function may run.
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
  },
);

/** Application Load Balancers, with and without multi-value headers. */
const planAlb = planner(
  z.object({
    httpMethod: z.string(),
    path: z.string(),
    headers: single,
    multiValueHeaders: multi,
    queryStringParameters: single,
    multiValueQueryStringParameters: multi,
    requestContext: z.object({ elb: z.unknown().refine((elb) => elb !== undefined) }),
    ...content,
  }),
  (event) => {
    const headers = readHeaders(event);
    // The balancer names the caller nowhere else: it appends the address that it was called from.
    const lastHop = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
    return {
      method: event.httpMethod,
      protocol: headers.get("x-forwarded-proto") === "http" ? "http" : "https",
      host: headers.get("host") ?? "localhost",
      path: event.path,
      // Names and values arrive as they were sent, so encoding them would be the second time.
      query: readQuery(event)
        .map((pair) => pair.join("="))
        .join("&"),
      headers,
      body: readBody(event),
      ...readSource(headers, lastHop),
      limits: { payloadBytes: ALB_PAYLOAD_BYTES, gatewayTimeoutMs: 60_000 },
      // A balancer that sends multi-value headers reads no others; one that does not can send one cookie.
      toResult: ({ headers, cookies, ...rest }) => ({
        ...rest,
        statusDescription: `${rest.statusCode} ${reasonPhrase(rest.statusCode)}`,
        ...(event.multiValueHeaders
          ? { multiValueHeaders: withCookies(listsOf(headers), cookies) }
          : { headers: withCookies(headers, cookies[0]) }),
      }),
    };
  },
);

/** Reads an event of any of the senders. Throws a TypeError for an event that is no HTTP request. */
export function readEvent(event: unknown): LambdaCall {
  const call = planAlb(event) ?? planV2(event) ?? planV1(event);
  if (!call) throw new TypeError("Not an event of API Gateway (REST or HTTP), a function URL or a load balancer.");
  return call;
}

function planner<Event>(schema: z.ZodType<Event>, plan: (event: Event) => LambdaCall): Planner {
  return (event) => {
    const { success, data } = schema.safeParse(event);
    return success ? plan(data) : undefined;
  };
}

const listsOf = (headers: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

function withCookies<Value extends string | string[]>(
  headers: Record<string, Value>,
  cookies: Value | undefined,
): Record<string, Value> {
  return cookies?.length ? { ...headers, "set-cookie": cookies } : headers;
}
