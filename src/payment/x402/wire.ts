/** Payment headers of x402 versions 1 and 2: read leniently, written strictly. */
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import { shapeOf } from "../../lib/text/json.js";
import { APPROVAL_SPONSORING, type GasSponsoring, PERMIT_SPONSORING } from "./gas-sponsoring.js";
import { networkAlias, networkId } from "./networks.js";
import { PaymentRefused, type SettleResponse } from "./refusal.js";
import { retryKeyOf } from "./retry-key.js";

/** One entry of `accepts`: amount, network, recipient and time limit. */
export interface PaymentRequirements {
  /** For `upto` and `batch-settlement` the amount is the maximum, and the used amount is settled or charged. */
  scheme: "exact" | "upto" | "batch-settlement";
  /** CAIP-2. */
  network: string;
  /** Atomic units of the asset, as decimal digits. */
  amount: string;
  asset: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra: Record<string, unknown>;
}

/** A challenge of the Machine Payments Protocol as its buyer returns it. */
export interface PresentedChallenge {
  method: "evm" | "solana";
  id: string;
  realm: string;
  /** The requested terms, as canonical JSON. */
  request: string;
  /** RFC 3339. */
  expires: string;
}

/** A payment as the caller sent it: of the right shape, but not yet verified. */
export interface PaymentPayload {
  /** Its version, which decides the receipt header of the answer. */
  version: 1 | 2;
  scheme: string;
  /** CAIP-2, also if version 1 used a name. */
  network: string;
  /** The caller's copy of our requirements; absent in version 1. */
  accepted?: Record<string, unknown>;
  /** The signed content, in the format of the rail. */
  payload: Record<string, unknown>;
  /** The URL that the caller wants to pay for. */
  resourceUrl?: string;
  /** The retry key of its 402; see retry-key.ts. */
  retryKey?: string;
  /** The id of the payment-identifier extension: the same purchase, however often it is signed. */
  identifier?: string;
  /** For MPP: the challenge whose hash is the nonce of the authorization. */
  challenge?: PresentedChallenge;
  /** The signed parts of the gas-sponsoring extensions, in the format of the rail. */
  allowances?: Partial<Record<GasSponsoring, Record<string, unknown>>>;
  /** The builder-code extension as the buyer sent it. */
  builderCodes?: Record<string, unknown>;
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_DEPTH = 32;
const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

// Taken as it is: its members are read one by one, so a copy would only cost time.
const record = once(() =>
  z.custom<Record<string, unknown>>((value) => typeof value === "object" && value !== null && !Array.isArray(value)),
);
// The caller's echo of extensions is optional, so each is read if it is valid and ignored otherwise.
const paymentIdentifier = once(() => z.object({ info: z.object({ id: z.string().regex(/^[A-Za-z0-9_-]{16,128}$/) }) }));
const extensions = once(() =>
  z.object({
    "payment-identifier": paymentIdentifier().optional().catch(undefined),
    "builder-code": record().optional().catch(undefined),
    [PERMIT_SPONSORING]: z.object({ info: record() }).optional().catch(undefined),
    [APPROVAL_SPONSORING]: z.object({ info: record() }).optional().catch(undefined),
  }),
);
const version2 = once(() =>
  z.object({
    x402Version: z.literal(2),
    accepted: record(),
    payload: record(),
    resource: z
      .object({ url: z.string().max(4096).optional() })
      .nullish()
      .catch(null),
    extensions: extensions().nullish().catch(null),
  }),
);
const version1 = once(() =>
  z.object({
    x402Version: z.literal(1),
    scheme: z.string().max(64),
    network: z.string().max(128),
    payload: record(),
  }),
);
const paymentHeader = once(() => z.discriminatedUnion("x402Version", [version1(), version2()]));

/**
 * The payment in a request's headers, if there is one. An unreadable one is refused, and never causes a crash.
 *
 * @example
 * ```ts
 * const sent = readPayment(request.headers); // undefined without a payment; throws PaymentRefused for an unreadable one
 * ```
 */
export function readPayment(headers: Pick<Headers, "get">): PaymentPayload | undefined {
  // Wallets mix headers and versions, so either header may contain either version. If both came, the current one
  // counts.
  const text = headers.get("payment-signature") ?? headers.get("x-payment");
  if (text === null) return undefined;
  const parsed = paymentHeader().safeParse(decode(text));
  if (!parsed.success) throw malformed("is not a payment of x402 version 1 or 2");
  const sent = parsed.data;
  if (sent.x402Version === 1)
    return { version: 1, scheme: sent.scheme, network: networkId(sent.network), payload: sent.payload };
  const { scheme, network } = sent.accepted;
  if (typeof scheme !== "string" || typeof network !== "string") throw malformed("names no scheme and network");
  const resourceUrl = sent.resource?.url;
  const retryKey = retryKeyOf(sent.accepted);
  const identifier = sent.extensions?.["payment-identifier"]?.info.id;
  const allowances = allowancesIn(sent.extensions);
  const builderCodes = sent.extensions?.["builder-code"];
  return {
    version: 2,
    scheme,
    network,
    accepted: sent.accepted,
    payload: sent.payload,
    ...(resourceUrl ? { resourceUrl } : {}),
    ...(retryKey ? { retryKey } : {}),
    ...(identifier ? { identifier } : {}),
    ...(allowances ? { allowances } : {}),
    ...(builderCodes ? { builderCodes } : {}),
  };
}

function allowancesIn(sent: Partial<Record<GasSponsoring, { info: Record<string, unknown> }>> | null | undefined) {
  const permit = sent?.[PERMIT_SPONSORING]?.info;
  const approval = sent?.[APPROVAL_SPONSORING]?.info;
  if (!permit && !approval) return undefined;
  return {
    ...(permit ? { [PERMIT_SPONSORING]: permit } : {}),
    ...(approval ? { [APPROVAL_SPONSORING]: approval } : {}),
  };
}

function decode(header: string): unknown {
  // guard: payment headers are read up to 16 KiB | gone | PAYMENT
  if (header.length > MAX_HEADER_BYTES) throw malformed("is longer than 16 KiB");
  const text = header.trim();
  if (!BASE64.test(text)) throw malformed("is not base64");
  try {
    const json = utf8.decode(Buffer.from(text, "base64"));
    // guard: payment headers are read up to 32 levels | gone | PAYMENT
    if (shapeOf(json).depth > MAX_DEPTH) throw malformed("is nested too deeply");
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof PaymentRefused) throw error;
    throw malformed("is not JSON");
  }
}

const malformed = (why: string) => new PaymentRefused("PAYMENT_MALFORMED", `The payment header ${why}.`);

/**
 * A header value: UTF-8 JSON in standard base64 with padding, the only form that stock clients read.
 *
 * @example
 * ```ts
 * const headers = { "payment-required": encodeHeader({ x402Version: 2, error: "Payment required", resource, accepts }) };
 * ```
 */
export function encodeHeader(value: unknown): string {
  return toBase64(JSON.stringify(value));
}

/** Decodes a header value of our own. */
export const decodeHeader = <T>(value: string): T => JSON.parse(Buffer.from(value, "base64").toString()) as T;

export const toBase64 = (text: string): string => Buffer.from(text).toString("base64");

/**
 * The receipt headers of an answer; a version-1 caller also gets its own header with its own network name.
 *
 * @example
 * ```ts
 * const headers = receiptHeaders(receipt, sent.version);
 * ```
 */
export function receiptHeaders(receipt: SettleResponse, version: 1 | 2): Record<string, string> {
  const headers: Record<string, string> = { "payment-response": encodeHeader(receipt) };
  if (version === 2) return headers;
  // Version 1 has no extensions.
  const { extensions: _, ...plain } = receipt;
  headers["x-payment-response"] = encodeHeader({ ...plain, network: networkAlias(receipt.network) });
  return headers;
}

/** Whether an offer is not paid through Permit2. */
export const isByAuthorization = ({ extra }: Pick<PaymentRequirements, "extra">): boolean =>
  extra.assetTransferMethod !== "permit2";

/** Terms of a payment that the host's own account takes, by Permit2 of the Machine Payments Protocol. */
export interface ChargeTerms {
  /** The account that is permitted, and that sends the transaction. */
  spender: string;
  /** Further transfers, in atomic units; the payee gets the rest. */
  splits?: { amount: string; recipient: string }[];
}

/** Undefined for all other terms: no offer of x402 has any. */
export const chargeTermsOf = ({ extra }: Pick<PaymentRequirements, "extra">): ChargeTerms | undefined =>
  extra.charge as ChargeTerms | undefined;

/**
 * The body of a 402 for version-1 clients, which read nothing else.
 *
 * @example
 * ```ts
 * const body = JSON.stringify(version1Body("Payment required", resource, accepts));
 * ```
 */
export function version1Body(
  error: string,
  resource: { url: string; description: string },
  accepts: PaymentRequirements[],
): object {
  return {
    x402Version: 1,
    error,
    // Its clients sign EIP-3009 alone.
    accepts: accepts.filter(isByAuthorization).map((requirements) => ({
      scheme: requirements.scheme,
      network: networkAlias(requirements.network),
      maxAmountRequired: requirements.amount,
      resource: resource.url,
      description: resource.description,
      mimeType: "application/json",
      payTo: requirements.payTo,
      asset: requirements.asset,
      maxTimeoutSeconds: requirements.maxTimeoutSeconds,
      extra: requirements.extra,
    })),
  };
}
