/** The `offer-receipt` extension of x402: signed offers in a 402, a signed receipt with the result. */
import type { Signer } from "./signer.js";

export const OFFER_RECEIPT = "offer-receipt";
const VERSION = 1;

/** The offered terms, as in one entry of `accepts`. */
export interface Offered {
  scheme: string;
  network: string;
  asset: string;
  payTo: string;
  amount: string;
  maxTimeoutSeconds: number;
}

export interface Received {
  network: string;
  payer: string;
}

/** A compact JWS contains its payload; typed data is sent beside its signature. */
export type SignedStatement =
  | { format: "jws"; acceptIndex?: number; signature: string }
  | { format: "eip712"; acceptIndex?: number; payload: Record<string, string | number>; signature: string };

const OFFER = [
  ["version", "uint256"],
  ["resourceUrl", "string"],
  ["scheme", "string"],
  ["network", "string"],
  ["asset", "string"],
  ["payTo", "string"],
  ["amount", "string"],
  ["validUntil", "uint256"],
] as const;
const RECEIPT = [
  ["version", "uint256"],
  ["network", "string"],
  ["resourceUrl", "string"],
  ["payer", "string"],
  ["issuedAt", "uint256"],
  ["transaction", "string"],
] as const;

/** Signs that this resource is for sale on these terms until they expire; `now` in epoch seconds. */
export async function signOffers(
  signer: Signer,
  resourceUrl: string,
  accepts: readonly Offered[],
  now: number,
): Promise<SignedStatement[]> {
  return Promise.all(
    accepts.map(async ({ scheme, network, asset, payTo, amount, maxTimeoutSeconds }, acceptIndex) => {
      const terms = { version: VERSION, resourceUrl, scheme, network, asset, payTo, amount };
      const signed = await sign(signer, "Offer", { ...terms, validUntil: now + maxTimeoutSeconds }, OFFER);
      return { ...signed, acceptIndex };
    }),
  );
}

/**
 * Signs that this payer paid for the resource and was served. The transaction is left out, as the extension advises.
 */
export function signReceipt(
  signer: Signer,
  resourceUrl: string,
  { network, payer }: Received,
  now: number,
): Promise<SignedStatement> {
  return sign(signer, "Receipt", { version: VERSION, network, resourceUrl, payer, issuedAt: now }, RECEIPT);
}

async function sign(
  signer: Signer,
  kind: "Offer" | "Receipt",
  payload: Record<string, string | number>,
  fields: readonly (readonly [name: string, type: string])[],
): Promise<SignedStatement> {
  const { account } = signer;
  if (!account) return { format: "jws", signature: await jws(signer, payload) };
  // Typed data has no optional fields.
  const whole = Object.fromEntries(fields.map(([name]) => [name, payload[name] ?? ""]));
  const signature = await account.signTypedData({
    domain: { name: `x402 ${kind.toLowerCase()}`, version: "1", chainId: 1 },
    types: { [kind]: fields.map(([name, type]) => ({ name, type })) },
    primaryType: kind,
    message: Object.fromEntries(
      fields.map(([name, type]) => [name, type === "uint256" ? BigInt(whole[name] ?? 0) : whole[name]]),
    ),
  });
  return { format: "eip712", payload: whole, signature };
}

async function jws(signer: Signer, payload: Record<string, string | number>): Promise<string> {
  const input = `${base64url({ alg: "EdDSA", kid: signer.kid })}.${base64url(sorted(payload))}`;
  const signature = await signer.sign(Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString("base64url")}`;
}

/** Canonical by RFC 8785, which means sorted names for flat records of text and whole numbers. */
const sorted = (record: object) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
