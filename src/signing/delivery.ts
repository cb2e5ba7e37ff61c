/**
 * The statement of a delivery: that this body answered this request for this amount. It is ours and stands beside the
 * receipt of `offer-receipt`, which knows neither. A compact JWS; an account signs its input as a personal message.
 */
import { createHash } from "node:crypto";
import type { Signer } from "./signer.js";

export const DELIVERY = "Delivery-Statement";

/** Amounts are decimal USD. */
export interface DeliveryStatement {
  version: 1;
  endpoint: string;
  requestId: string;
  /** SHA-256 in hexadecimal of the method, a space, path and query as the caller wrote them, a line feed, and the body. */
  request: string;
  status: number;
  /** SHA-256 in hexadecimal of the body; in the last event of a stream, of all that was sent before this event. */
  body: string;
  chargedUsd: string;
  quotedUsd: string;
  /** Of a call that is billed by usage, as in the facts of the call. */
  usage?: object;
  /** The wallet, its network and the settlement; or the account. */
  payer?: string | undefined;
  network?: string | undefined;
  transaction?: string | undefined;
  account?: string;
  /** Epoch seconds. */
  issuedAt: number;
}

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

export async function signDelivery(signer: Signer, delivery: DeliveryStatement): Promise<string> {
  const header = { alg: signer.account ? "EIP191" : "EdDSA", typ: "delivery+jws", kid: signer.kid };
  const input = `${base64url(header)}.${base64url(delivery)}`;
  const signature = await signer.sign(Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString("base64url")}`;
}

export const bodyDigest = (body: string | Uint8Array): string => createHash("sha256").update(body).digest("hex");
