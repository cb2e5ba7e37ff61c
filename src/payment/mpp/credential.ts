/** Converts a credential of the Machine Payments Protocol to a payment, and a settlement to its receipt. */
import { z } from "zod";
import { lazy, once } from "../../lib/lazy.js";
import { sortedJson } from "../../lib/text/sorted-json.js";
import { PaymentRefused, type SettleResponse } from "../x402/refusal.js";
import type { PaymentPayload } from "../x402/wire.js";

const MAX_BYTES = 16 * 1024;
const SCHEME = /(?:^|,\s*)Payment\s+([A-Za-z0-9_-]+={0,2})\s*(?:,|$)/i;

const digits = once(() => z.string().regex(/^\d{1,78}$/));
const credential = once(() =>
  z.object({
    challenge: z.object({
      id: z.string().min(16).max(64),
      realm: z.string().max(256),
      method: z.literal("evm"),
      intent: z.literal("charge"),
      request: z.string().max(4096),
      expires: z.string().max(64).optional(),
    }),
    payload: z.object({
      type: z.literal("authorization"),
      from: z.string(),
      to: z.string(),
      value: digits(),
      validAfter: digits(),
      validBefore: digits(),
      nonce: z.string(),
      signature: z.string(),
    }),
  }),
);
const request = once(() => z.object({ methodDetails: z.object({ chainId: z.int().positive() }) }));

/** Undefined without such a credential, since the header has other uses. An unreadable credential is refused. */
export function readCredential(headers: Pick<Headers, "get">): PaymentPayload | undefined {
  const header = headers.get("authorization");
  const [, text] = (header && header.length <= MAX_BYTES && SCHEME.exec(header)) || [];
  if (!text) return undefined;
  const sent = credential().safeParse(decode(text));
  const asked = sent.success ? decode(sent.data.challenge.request) : undefined;
  const terms = sent.success ? request().safeParse(asked) : undefined;
  if (!sent.success || !terms?.success)
    throw new PaymentRefused("PAYMENT_MALFORMED", "The Authorization header holds no payment of evm/charge.");
  const { challenge, payload } = sent.data;
  const { type: _, signature, ...authorization } = payload;
  return {
    version: 2,
    scheme: "exact",
    network: `eip155:${terms.data.methodDetails.chainId}`,
    payload: { signature, authorization },
    // The chain shows only the hash of the challenge id, so knowing the id proves the buyer.
    retryKey: challenge.id,
    challenge: {
      id: challenge.id,
      realm: challenge.realm,
      request: sortedJson(asked),
      expires: challenge.expires ?? "",
    },
  };
}

/**
 * The Authorization header for a credential from the transport for MCP, where the challenge's `request` is an object.
 */
export function credentialHeader({
  challenge,
  payload,
}: {
  challenge: Record<string, unknown>;
  payload: unknown;
}): string {
  const request = Buffer.from(sortedJson(challenge.request)).toString("base64url");
  const text = JSON.stringify({ challenge: { ...challenge, request }, payload });
  return `Payment ${Buffer.from(text).toString("base64url")}`;
}

function decode(text: string): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "base64url")));
  } catch {
    return undefined;
  }
}

const keccak = lazy(async () => (await import("@noble/hashes/sha3.js")).keccak_256);
const authorized = once(() => z.object({ authorization: z.object({ nonce: z.string() }) }));

/** Checks that the authorization was signed for this challenge. Rejects with PaymentRefused. */
export async function assertBound({ challenge, payload }: PaymentPayload): Promise<void> {
  if (challenge === undefined) return;
  const text = challenge.id + challenge.realm;
  const hash = `0x${Buffer.from((await keccak())(Buffer.from(text))).toString("hex")}`;
  if (authorized().safeParse(payload).data?.authorization.nonce.toLowerCase() !== hash)
    throw new PaymentRefused("PAYMENT_MISMATCH", "The authorization's nonce is not the hash of its challenge.");
}

/** Content of a `Payment-Receipt` header. */
export const receiptIn = (header: string): unknown => JSON.parse(Buffer.from(header, "base64url").toString());

/** The `Payment-Receipt` header for buyers of this protocol; nothing for others. */
export function paymentReceipt(
  headers: Pick<Headers, "get">,
  { success, transaction }: SettleResponse,
  now: number,
): Record<string, string> {
  if (!success || headers.get("payment-signature") !== null || !SCHEME.test(headers.get("authorization") ?? ""))
    return {};
  const receipt = { method: "evm", reference: transaction, status: "success", timestamp: new Date(now).toISOString() };
  return { "payment-receipt": Buffer.from(JSON.stringify(receipt)).toString("base64url") };
}
