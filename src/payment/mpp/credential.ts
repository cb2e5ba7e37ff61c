/** Converts a credential of the Machine Payments Protocol to a payment, and a settlement to its receipt. */
import { z } from "zod";
import { lazy, once } from "../../lib/lazy.js";
import { sortedJson } from "../../lib/text/sorted-json.js";
import { type PaymentAuthProblem, PaymentRefused, type SettleResponse } from "../x402/refusal.js";
import type { PaymentPayload } from "../x402/wire.js";
import { networkOf } from "./clusters.js";
import {
  type Challenge,
  type Credential,
  credentialIn,
  encodeJson,
  formatCredential,
  readCredentialText,
} from "./wire.js";

const MAX_BYTES = 16 * 1024;
/** Of a challenge of ours: longer parts are nobody's. */
const MAX_ID = 64;
const MAX_REALM = 256;
const MAX_REQUEST = 3072;
const MAX_EXPIRES = 64;

const digits = once(() => z.string().regex(/^\d{1,78}$/));
const authorization = once(() =>
  z.object({
    type: z.literal("authorization"),
    from: z.string(),
    to: z.string(),
    value: digits(),
    validAfter: digits(),
    validBefore: digits(),
    nonce: z.string(),
    signature: z.string(),
  }),
);
/** Read in full by the rail. */
const permit2 = once(() =>
  z.object({
    type: z.literal("permit2"),
    permit: z.unknown(),
    transferDetails: z.unknown(),
    witness: z.unknown(),
    signature: z.string(),
  }),
);
const payload = once(() => z.discriminatedUnion("type", [authorization(), permit2()]));
type Payload = z.infer<ReturnType<typeof payload>>;
const PAYER = /^did:pkh:eip155:(\d+):(0x[0-9a-fA-F]{40})$/;

/** The one way of `solana/charge` in which the host's facilitator pays the fee. */
const transaction = once(() => z.object({ type: z.literal("transaction"), transaction: z.string() }));
const solanaRequest = once(() => z.object({ methodDetails: z.object({ network: z.string() }) }));

const request = once(() => z.object({ methodDetails: z.object({ chainId: z.int().positive() }) }));

type Sent = Pick<Headers, "get">;

/** Whether a request is paid by a credential: a payment of x402 goes before one. */
export const presentsCredential = (headers: Sent): boolean =>
  headers.get("payment-signature") === null &&
  headers.get("x-payment") === null &&
  credentialIn(headers.get("authorization") ?? "") !== undefined;

/** Undefined without such a credential, since the header has other uses. An unreadable credential is refused. */
export function readCredential(headers: Sent): PaymentPayload | undefined {
  const header = headers.get("authorization");
  const text = header === null ? undefined : credentialIn(header);
  if (header === null || text === undefined) return undefined;
  const sent = header.length <= MAX_BYTES ? readCredentialText(text) : undefined;
  if (!sent) throw refusal("malformed-credential", `The Authorization header holds no payment of ${NAMES}.`);
  const { challenge, payload, source } = sent;
  const { method, intent } = challenge;
  const read = intent === "charge" && Object.hasOwn(METHODS, method) ? METHODS[method as Method] : undefined;
  if (!read) throw refusal("method-unsupported", `Only payments of ${NAMES} are taken here.`, "PAYMENT_NOT_OFFERED");
  const paid = read(payload, challenge.request, source);
  if (!isLikeOurs(challenge)) throw foreign();
  return {
    version: 2,
    scheme: "exact",
    ...paid,
    // The chain shows only the hash of the challenge id, or nothing of it, so knowing the id proves the buyer.
    retryKey: challenge.id,
    challenge: {
      method: method as Method,
      id: challenge.id,
      realm: challenge.realm,
      request: sortedJson(challenge.request),
      expires: challenge.expires ?? "",
    },
  };
}

type Method = "evm" | "solana";
type Paid = Pick<PaymentPayload, "network" | "payload">;
type Reader = (payload: Record<string, unknown>, request: Record<string, unknown>, source: string | undefined) => Paid;

/** The payment, in the form of the rail. Each throws PaymentRefused. */
const METHODS: Readonly<Record<Method, Reader>> = {
  evm(sent, asked, source) {
    const { data: paid } = payload().safeParse(sent);
    if (!paid) throw refusal("invalid-payload", "The payload must be an authorization or a permit of evm/charge.");
    const { data: terms } = request().safeParse(asked);
    if (!terms) throw foreign();
    const { chainId } = terms.methodDetails;
    return { network: `eip155:${chainId}`, payload: payloadOf(paid, { chainId, source }) };
  },
  solana(sent, asked) {
    const { data: paid } = transaction().safeParse(sent);
    if (!paid) throw refusal("invalid-payload", "The payload must be a transaction of solana/charge.");
    const network = networkOf(solanaRequest().safeParse(asked).data?.methodDetails.network ?? "");
    if (network === undefined) throw foreign();
    return { network, payload: { transaction: paid.transaction } };
  },
};
const NAMES = "evm/charge and solana/charge";

const foreign = () => refusal("invalid-challenge", "The challenge is of another service.");

/** In the form of the rail. A permit does not name its payer, so the credential has to. */
function payloadOf(
  { type: _, signature, ...signed }: Payload,
  { chainId, source = "" }: { chainId: number; source?: string | undefined },
): Record<string, unknown> {
  if ("nonce" in signed) return { signature, authorization: signed };
  const [, on, from] = PAYER.exec(source) ?? [];
  if (from === undefined || on !== String(chainId))
    throw refusal(
      "malformed-credential",
      `A permit needs a source: did:pkh:eip155:${chainId}: and the payer's address.`,
    );
  return { signature, permit2Charge: { from, ...signed } };
}

/** With the parameters that our challenges have, and with no other that would bind something. */
const isLikeOurs = ({ id, realm, request: asked, expires = "", digest, opaque, header }: Challenge): boolean =>
  id.length <= MAX_ID &&
  realm.length <= MAX_REALM &&
  expires.length <= MAX_EXPIRES &&
  JSON.stringify(asked).length <= MAX_REQUEST &&
  (digest ?? opaque ?? header) === undefined;

const refusal = (
  problemType: PaymentAuthProblem,
  message: string,
  code: "PAYMENT_MALFORMED" | "PAYMENT_NOT_OFFERED" = "PAYMENT_MALFORMED",
) => new PaymentRefused(code, message, { problemType });

/**
 * The Authorization header for a credential from the transport for MCP, where the challenge's `request` is an object.
 */
export const credentialHeader = (sent: {
  challenge: Record<string, unknown>;
  payload: unknown;
  source?: string | undefined;
}): string => formatCredential(sent as unknown as Credential);

const keccak = lazy(async () => (await import("@noble/hashes/sha3.js")).keccak_256);
const authorized = once(() => z.object({ authorization: z.object({ nonce: z.string() }) }));
const permitted = once(() =>
  z.object({ permit2Charge: z.object({ witness: z.object({ challengeHash: z.string() }) }) }),
);

/** Checks that the payment was signed for this challenge. Rejects with PaymentRefused. */
export async function assertBound({ challenge, payload }: PaymentPayload): Promise<void> {
  // A transaction of Solana names no challenge: it buys once, for whoever shows it first.
  if (challenge === undefined || challenge.method === "solana") return;
  const text = challenge.id + challenge.realm;
  const hash = `0x${Buffer.from((await keccak())(Buffer.from(text))).toString("hex")}`;
  const signed =
    authorized().safeParse(payload).data?.authorization.nonce ??
    permitted().safeParse(payload).data?.permit2Charge.witness.challengeHash;
  // guard: a payment is signed for its challenge | gone | mpp-permit2
  if (signed?.toLowerCase() !== hash)
    throw new PaymentRefused("PAYMENT_MISMATCH", "The payment was not signed for the hash of its challenge.");
}

/** The `Payment-Receipt` header for buyers of this protocol; nothing for others. */
export function paymentReceipt(
  headers: Sent,
  { success, transaction: reference, network }: SettleResponse,
  now: number,
): Record<string, string> {
  if (!success || !presentsCredential(headers)) return {};
  const { challenge } = readCredentialText(credentialIn(headers.get("authorization") ?? "") ?? "") ?? {};
  const chainId = network.startsWith("eip155:") ? { chainId: Number(network.slice("eip155:".length)) } : {};
  const receipt = {
    ...(challenge ? { challengeId: challenge.id } : {}),
    ...chainId,
    method: challenge?.method ?? "evm",
    reference,
    status: "success",
    timestamp: new Date(now).toISOString(),
  };
  return { "payment-receipt": encodeJson(receipt) };
}
