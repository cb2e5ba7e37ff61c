import type { JsonSchema } from "../capability/json-schema.js";
import type { AnyCapability } from "../capability/types.js";
import { ERROR_CODES } from "../error-codes.js";
import type { ErrorCode } from "../errors.js";
import type { Catalogue } from "../host/catalogue.js";
import { jobAccepted } from "./job-operations.js";

const string: JsonSchema = { type: "string" };
const integer: JsonSchema = { type: "integer" };
const usd: JsonSchema = { type: "string", description: "Decimal US dollars" };

const header = (description: string, schema: JsonSchema = string) => ({ description, schema });

/** Headers of a paid answer. */
export const receiptHeaders = {
  "PAYMENT-RESPONSE": header("The settlement receipt of a paid call, base64-encoded JSON"),
};

/** Name and meaning of every error status; the codes come from the table of errors. */
const ERROR_STATUSES = {
  "400": { name: "BadRequest", description: "The input is not valid; nothing was charged." },
  "401": { name: "InvalidKey", description: "The key of an account is not valid; nothing was charged." },
  "403": { name: "NotAllowed", description: "The service does not sell this to this caller; nothing was charged." },
  "404": { name: "NotFound", description: "Not found; nothing was charged." },
  "405": { name: "MethodNotAllowed", description: "Another HTTP method; Allow names the right one." },
  "409": { name: "RefundNotAllowed", description: "The call is not refunded; nothing was given back." },
  "410": { name: "Gone", description: "The result of this payment has expired; nothing was charged again." },
  "413": { name: "PayloadTooLarge", description: "The request body is too large." },
  "429": {
    name: "UpstreamRateLimit",
    description: "An allowance is used up, the data provider's or the caller's own; retry later.",
  },
  "500": { name: "InternalError", description: "Internal error; nothing was charged." },
  "502": { name: "BadGateway", description: "A provider or the payment facilitator failed." },
  "503": { name: "Unavailable", description: "The service does not sell this at the moment; nothing was charged." },
} as const;

type ErrorStatus = keyof typeof ERROR_STATUSES;
const ERROR_STATUS_LIST = Object.keys(ERROR_STATUSES) as ErrorStatus[];

const ERROR_HEADERS: Partial<Record<ErrorStatus, Record<string, unknown>>> = {
  "405": { Allow: header("The supported methods") },
  "429": { "Retry-After": header("Seconds until the allowance is renewed", integer) },
};

/** One status of an endpoint's refusals, in words. */
export interface ListedError {
  status: number;
  description: string;
  codes: string[];
}

/** Statuses other than 200 that a capability can answer. */
function statusesOf(capability: AnyCapability, { accountKeys }: Accounts): ErrorStatus[] {
  const { ownersOnly } = capability;
  // A capability that only computes has nothing to look up and no provider that could fail.
  const computed = capability.source.provider === "built-in";
  const impossible = new Set<ErrorStatus>([
    // Only by a host's own rules, which may concern any endpoint.
    ...(["403", "503"] as const),
    ...(ownersOnly && capability.group === "payment" ? [] : (["409"] as const)),
    ...(accountKeys || ownersOnly ? [] : (["401"] as const)),
    ...(computed ? (["404"] as const) : []),
    // An account's own pace concerns any endpoint.
    ...(computed && !accountKeys ? (["429"] as const) : []),
    ...(capability.method !== "POST" ? (["413"] as const) : []),
  ]);
  return ERROR_STATUS_LIST.filter((status) => !impossible.has(status));
}

/** References to a capability's responses other than 200. */
export function errorResponses(capability: AnyCapability, accounts: Accounts): Record<string, { $ref: string }> {
  return {
    ...Object.fromEntries(
      statusesOf(capability, accounts).map((status) => [status, responseRef(ERROR_STATUSES[status].name)]),
    ),
    ...(capability.ownersOnly ? {} : { "402": responseRef("PaymentRequired") }),
  };
}

const OF_UPSTREAMS = [
  ...(["UPSTREAM_RATE_LIMIT", "UPSTREAM_ERROR", "UPSTREAM_TIMEOUT", "UPSTREAM_SCHEMA", "LLM_BAD_OUTPUT"] as const),
];

/** Whether callers may send a key of an account. */
type Accounts = Pick<Catalogue, "accountKeys">;

/** Codes that the facts of a capability exclude. */
function impossibleCodes({ wallet, composite, offline }: AnyCapability): ReadonlySet<string> {
  return new Set<ErrorCode>([
    ...(wallet || composite ? [] : (["WALLET_REQUIRED", "QUOTA_EXCEEDED"] as const)),
    ...(composite ? [] : (["BATCH_FAILED"] as const)),
    ...(offline ? OF_UPSTREAMS : []),
  ]);
}

/** The same for readers, by status. */
export function errorsOf(capability: AnyCapability, accounts: Accounts): ListedError[] {
  const never = impossibleCodes(capability);
  const others = statusesOf(capability, accounts).map((status) => ({
    status: Number(status),
    description: ERROR_STATUSES[status].description,
    codes: codesOf(status).filter((code) => !never.has(code)),
  }));
  const unpaid = {
    status: 402,
    description: "No valid payment came with the request.",
    codes: accounts.accountKeys ? codesOf("402") : ["PAYMENT_REQUIRED"],
  };
  return (capability.ownersOnly ? others : [...others, unpaid]).sort((a, b) => a.status - b.status);
}

function responseRef(name: string): { $ref: string } {
  return { $ref: `#/components/responses/${name}` };
}

/** Shared components of the operations. */
export function components(
  { brand, signIn, signInFree, accountKeys, ownSignIn }: Catalogue,
  jobs: boolean,
): Record<string, unknown> {
  return {
    schemas: { CallMeta: callMeta, PaymentRequired: paymentRequired, Problem: problem },
    responses: {
      PaymentRequired: {
        description:
          "No valid payment came with the request. Sign one of `accepts` and repeat the same request. Clients report it as PAYMENT_REQUIRED. Of a caller with an account it is a problem document as well, with the code BALANCE_TOO_SMALL, GRANT_EXPIRED or ACCOUNT_LIMIT.",
        headers: {
          "PAYMENT-REQUIRED": header("The same offers for x402 version 2 clients, base64-encoded JSON"),
          "Retry-After": header("Seconds until the next free trial, when one was asked for", integer),
        },
        content: jsonContent("application/json", "PaymentRequired"),
      },
      ...(jobs ? { JobAccepted: jobAccepted(brand.slug) } : {}),
      ...Object.fromEntries(ERROR_STATUS_LIST.map((status) => [ERROR_STATUSES[status].name, problemResponse(status)])),
    },
    securitySchemes: {
      payment: {
        type: "apiKey",
        in: "header",
        name: "PAYMENT-SIGNATURE",
        description: "A base64-encoded x402 payment payload. Version 1 clients send X-PAYMENT.",
      },
      ...(accountKeys ? { account: accountScheme } : {}),
      ...(signIn || ownSignIn || signInFree.size > 0 ? { siwx: signInScheme } : {}),
    },
  };
}

const accountScheme = {
  type: "http",
  scheme: "bearer",
  description: "A key of an account at this service, which is charged instead of a payment.",
};

/** Some readers look for the scheme's name, others for a member with the same name. */
const signInScheme = {
  type: "apiKey",
  in: "header",
  name: "SIGN-IN-WITH-X",
  description:
    "A wallet's signature instead of a payment: answers the extension sign-in-with-x of the 402 or 401, base64-encoded JSON. Good once, within five minutes; a wallet may sign in 60 times an hour, and the callers of one address 240 times.",
  "x-agentcash-auth-kind": "siwx",
};

function problemResponse(status: ErrorStatus) {
  const headers = ERROR_HEADERS[status];
  return {
    description: `${ERROR_STATUSES[status].description} Codes: ${codesOf(status).join(", ")}.`,
    ...(headers ? { headers } : {}),
    content: jsonContent("application/problem+json", "Problem"),
  };
}

function codesOf(status: ErrorStatus | "402"): string[] {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];
  // A batch in which every call has an invalid input is a 400.
  return codes.filter(
    (code) => String(ERROR_CODES[code].status) === status || (code === "BATCH_FAILED" && status === "400"),
  );
}

function jsonContent(mediaType: string, schema: string) {
  return { [mediaType]: { schema: { $ref: `#/components/schemas/${schema}` } } };
}

function object(properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema {
  return { type: "object", properties, required };
}

/** RFC 9457, with our code, the invalid fields, and the request id for the log. */
const problem = object(
  {
    type: string,
    title: string,
    status: integer,
    detail: string,
    code: { type: "string", enum: Object.keys(ERROR_CODES) },
    reasonCode: { type: "string", description: "The service's own code for a call that is not allowed" },
    issues: { type: "array", items: object({ path: string, message: string }) },
    failures: {
      type: "array",
      description: "The calls of a batch that failed",
      items: object({ index: integer, endpoint: string, status: integer, code: string, detail: string }),
    },
    requestId: string,
  },
  ["type", "title", "status", "detail", "code", "requestId"],
);

const paymentRequired = object(
  {
    x402Version: { type: "integer", const: 2 },
    error: { type: "string", description: "Why payment is required" },
    resource: { type: "string", description: "URL of what is bought" },
    accepts: {
      type: "array",
      items: object(
        {
          scheme: string,
          network: { type: "string", description: "CAIP-2 network id" },
          amount: { type: "string", description: "Price in atomic units of the asset (6 decimals)" },
          asset: { type: "string", description: "Contract address or mint" },
          payTo: string,
          maxTimeoutSeconds: integer,
          extra: { type: "object", description: "What the rail needs: EIP-712 domain, or Solana fee payer" },
        },
        ["scheme", "network", "amount", "asset", "payTo", "maxTimeoutSeconds"],
      ),
    },
    extensions: { type: "object" },
  },
  ["x402Version", "accepts"],
);

const callMeta = object(
  {
    endpoint: string,
    version: { type: ["string", "null"] },
    requestId: string,
    caller: { type: "string", enum: ["trial", "paid", "account", "free", "batch"] },
    costUsd: usd,
    quotedUsd: usd,
    durationMs: { type: "number" },
    cached: { type: "boolean" },
    payment: object({
      scheme: string,
      network: string,
      asset: string,
      amount: string,
      payer: string,
      transaction: string,
    }),
    trial: object({ remaining: integer, resetAt: { type: "string", format: "date-time" } }),
    usage: object(
      {
        authorizedUsd: usd,
        usedUsd: usd,
        settledUsd: usd,
        returnedUsd: usd,
        creditedUsd: usd,
        owedUsd: usd,
        method: string,
        estimated: { type: "boolean" },
      },
      ["authorizedUsd", "usedUsd", "settledUsd", "method"],
    ),
  },
  ["endpoint", "version", "requestId", "caller", "costUsd", "quotedUsd", "durationMs", "cached"],
);
